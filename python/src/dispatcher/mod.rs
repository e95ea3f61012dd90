//! The dispatcher: the object that a decorated function becomes.
//!
//! Its type is made by hand rather than as a `pyclass` because only so it takes part in the vectorcall
//! protocol. It derives from a Python class with everything that isn't called often; that class asks for
//! what it needs through the functions in [`api`].

mod api;
mod call;
mod code;
pub(crate) mod convert;
mod parameters;
mod replaced;
mod type_object;

pub use api::{
    add_specialisation, best_signatures, clear_specialisations, find, reset_parameters,
    set_compiles, set_device, set_literals, set_uses_devices, specialisations,
};
pub use call::{call_entry, guard};
pub(crate) use code::Code;
pub use type_object::dispatcher_type;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use pyo3::ffi::{PyObject, vectorcallfunc};
use pyopt_runtime::device::contexts;

use parameters::Parameters;
use replaced::Replaced;

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

/// What an instance holds besides Python's own fields. Calls read it while other threads change it.
struct Body {
    /// How many arguments by position are all that calls need to have; `usize::MAX` where there is no such count.
    plain_count: usize,
    parameters: Replaced<Parameters>,
    code: Replaced<Code>,
    /// Whether there are parameters whose values code is compiled for, which is rare, and which they are.
    has_literals: AtomicBool,
    literals: Replaced<Vec<usize>>,
    /// Which device calls run on: [`OF_CONTEXT`], or the one of a number, whatever the context is.
    place: AtomicU32,
    /// Whether a call with new types compiles; otherwise its arguments are converted.
    compiles: AtomicBool,
}

/// The number of the CPU.
pub const HOST: u32 = 0;

/// Stands for the device of the context that a call is in.
const OF_CONTEXT: u32 = u32::MAX - 1;

/// A device that isn't open yet: no code is for it, so that a call asks for some, which opens the device.
const UNOPENED: u32 = u32::MAX;

impl Body {
    /// What there is for a function with these parameters: nothing compiled.
    fn new(parameters: Parameters) -> Self {
        Self {
            plain_count: parameters.plain_count(),
            parameters: Replaced::new(parameters),
            code: Replaced::new(Code::new()),
            has_literals: AtomicBool::new(false),
            literals: Replaced::new(Vec::new()),
            place: AtomicU32::new(HOST),
            compiles: AtomicBool::new(true),
        }
    }

    /// Whether code is compiled for the values of a parameter.
    #[cold]
    fn is_literal(&self, index: usize) -> bool {
        // SAFETY: the list is let go at once.
        unsafe { self.literals.get() }.contains(&index)
    }

    /// The number of the device that a call is for; 0 for the CPU.
    #[inline]
    fn device(&self) -> u32 {
        match self.place.load(Ordering::Relaxed) {
            OF_CONTEXT => contexts::current(),
            number => number,
        }
    }
}
