//! Objects of extensions' types among the arguments of a call of which compiled code has copies.
//!
//! They are shared by the buffers of a call: an object that is an argument and an item of a list is one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::refusals::type_name;
use super::{ArgBuffer, Failure};
use crate::held::Held;
use crate::own_types::{self, StandIn};

/// What is known of the copies of a call.
#[derive(Default)]
pub(super) struct Copies(RefCell<State>);

#[derive(Default)]
struct State {
    /// The objects, with what stands for them.
    given: Vec<(Held, Held)>,
    /// Where they are, by their addresses.
    places: HashMap<usize, usize>,
    /// What those who make copies note of the call: the addresses of containers that they have taken apart are
    /// among its keys.
    notes: Option<Held<PyDict>>,
}

impl Copies {
    /// What stands for an object that the call has met.
    fn find(&self, object: *mut PyObject) -> Option<*mut PyObject> {
        let state = self.0.borrow();
        let place = *state.places.get(&object.addr())?;
        Some(state.given[place].1.as_ptr())
    }

    /// The notes of the call.
    ///
    /// # Safety
    /// The GIL is held.
    unsafe fn notes<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        let mut state = self.0.borrow_mut();
        // SAFETY: as the caller says.
        let notes = state
            .notes
            .get_or_insert_with(|| unsafe { Held::new(PyDict::new(py).unbind()) });
        notes.bind(py).clone()
    }

    /// Whether a list, dict or set was taken apart as what an instance has.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn has_taken(&self, container: *mut PyObject) -> bool {
        let state = self.0.borrow();
        // SAFETY: as the caller says.
        let py = unsafe { Python::assume_attached() };
        let notes = state.notes.as_ref().map(|notes| notes.bind(py));
        notes.is_some_and(|notes| notes.contains(container.addr()).unwrap_or(false))
    }

    /// Gives objects the changes of their copies; false with an exception set if that fails.
    ///
    /// # Safety
    /// The GIL is held, and the call is over.
    pub unsafe fn give_back(&self) -> bool {
        let state = self.0.borrow();
        // SAFETY: as the caller says.
        let py = unsafe { Python::assume_attached() };
        let mut given = state.given.iter();
        let result = given.try_for_each(|(object, stand_in)| {
            own_types::give_back(stand_in.bind(py), object.bind(py))
        });
        result.map_err(|error| error.restore(py)).is_ok()
    }
}

impl ArgBuffer {
    /// What the buffers of a call share.
    pub(super) fn copies_of(&mut self) -> &Rc<Copies> {
        self.copies_of.get_or_insert_default()
    }

    /// The named tuple that stands for an object of an extension's type.
    ///
    /// # Safety
    /// As [`Self::push`].
    pub(super) unsafe fn stand_in(
        &mut self,
        object: *mut PyObject,
    ) -> Result<Option<*mut PyObject>, Failure> {
        // One object is one in compiled code, however often it is passed.
        let known = self.copies_of.as_ref();
        if let Some(known) = known.and_then(|copies| copies.find(object)) {
            return Ok(Some(known));
        }
        // SAFETY: forwarded; the GIL is held.
        let (py, unboxed) = unsafe {
            let py = Python::assume_attached();
            (
                py,
                own_types::unboxed(object, || self.copies_of().notes(py)),
            )
        };
        let unboxed = unboxed.map_err(|error| {
            error.restore(py);
            Failure::Raised
        })?;
        let Some(StandIn { fields, is_copy }) = unboxed else {
            return Ok(None);
        };
        let pointer = fields.as_ptr();
        // SAFETY: the GIL is held as long as there is a buffer.
        let fields = unsafe { Held::new(fields) };
        if !is_copy {
            self.stand_ins.push(fields);
            return Ok(Some(pointer));
        }
        let copies = Rc::clone(self.copies_of());
        // SAFETY: the object is alive; as above.
        let held = unsafe { Held::new(Bound::from_borrowed_ptr(py, object).unbind()) };
        let mut state = copies.0.borrow_mut();
        let place = state.given.len();
        state.places.insert(object.addr(), place);
        state.given.push((held, fields));
        drop(state);
        match self.lists.as_ref().and_then(|lists| {
            // SAFETY: the GIL is held.
            lists.find(|container| unsafe { copies.has_taken(container) })
        }) {
            // SAFETY: the lists are those of live objects.
            Some(container) => Err(unsafe { taken_twice(container) }),
            None => Ok(Some(pointer)),
        }
    }
}

/// Why a list, dict or set can't be passed that an instance has.
///
/// # Safety
/// The object is alive.
pub(super) unsafe fn taken_twice(container: *mut PyObject) -> Failure {
    // SAFETY: forwarded.
    let name = unsafe { type_name(container) };
    Failure::Unsupported(format!(
        "cannot pass a {name} beside an instance that has it: compiled code has a copy of each"
    ))
}
