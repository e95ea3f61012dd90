//! The dispatcher: the object that a decorated function becomes.
//!
//! Its type is made by hand rather than as a `pyclass` because only so it takes part in the vectorcall
//! protocol. It derives from a Python class with everything that isn't called often; that class asks for
//! what it needs through the functions in [`api`].

mod api;
mod call;
pub(crate) mod convert;
mod parameters;
mod type_object;

pub use api::{
    add_specialisation, best_signatures, clear_specialisations, reset_parameters, set_compiles,
    set_device, set_literals, set_uses_devices, specialisations,
};
pub use call::{call_entry, guard};
pub use type_object::dispatcher_type;

use pyo3::ffi::{PyObject, vectorcallfunc};
use pyo3::prelude::*;
use pyopt_runtime::device::contexts;

use crate::specialisation::Specialisation;
use parameters::Parameters;

/// Layout of an instance.
#[repr(C)]
struct Dispatcher {
    ob_base: PyObject,
    vectorcall: Option<vectorcallfunc>,
    dict: *mut PyObject,
    weakrefs: *mut PyObject,
    py_func: *mut PyObject,
    /// Owned; null until the instance is complete.
    body: *mut Body,
}

/// What an instance holds besides Python's own fields.
struct Body {
    parameters: Parameters,
    /// In the order in which they were made.
    specialisations: Vec<Py<Specialisation>>,
    /// Index of the one found last: calls tend to repeat their types.
    latest: usize,
    /// The parameters whose values code is compiled for; there rarely are any.
    literals: Vec<usize>,
    /// Which device calls run on.
    place: Place,
    /// Whether a call with new types compiles; otherwise its arguments are converted.
    compiles: bool,
}

/// Which device calls run on.
#[derive(Clone, Copy)]
enum Place {
    /// The CPU.
    Host,
    /// That of the context that they are in.
    Context,
    /// The one of a number, whatever the context is.
    Device(u32),
}

impl Place {
    /// A device that isn't open yet: no code is for it, so that a call asks for some, which opens the device.
    const UNOPENED: Self = Self::Device(u32::MAX);
}

impl Body {
    /// Whether code is compiled for the values of a parameter.
    #[inline]
    fn is_literal(&self, index: usize) -> bool {
        !self.literals.is_empty() && self.literals.contains(&index)
    }

    /// The number of the device that a call is for; 0 for the CPU.
    #[inline]
    fn device(&self) -> u32 {
        match self.place {
            Place::Host => 0,
            Place::Context => contexts::current(),
            Place::Device(number) => number,
        }
    }

    /// The specialisation for a device whose fingerprint is `words`.
    #[inline]
    fn find(&mut self, words: &[u64], device: u32) -> Option<&Py<Specialisation>> {
        // Word by word: there are few, for which a call of `memcmp` takes longer.
        let matches = |entry: &Py<Specialisation>| {
            let entry = entry.get();
            let own = &entry.words;
            entry.device_number() == device
                && own.len() == words.len()
                && own.iter().zip(words).all(|(own, word)| own == word)
        };
        if !self.specialisations.get(self.latest).is_some_and(matches) {
            self.latest = self.specialisations.iter().position(matches)?;
        }
        self.specialisations.get(self.latest)
    }
}
