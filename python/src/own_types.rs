//! Objects of extensions' own types, which Python code gives as the fields of their models.

use std::collections::HashMap;
use std::sync::OnceLock;

use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyType};
use pyopt_runtime::fork::Table;

/// What the class of what stands for copies has to give their changes back.
const GIVE_BACK: &str = "__pyopt_give_back__";

/// The method by which an object that has nothing that stands for it says why.
const REFUSE: &str = "_pyopt_refuse";

/// What gives the named tuple that stands for an object, or None for an object of no such type.
static UNBOX: OnceLock<Py<PyAny>> = OnceLock::new();

/// The classes whose objects hold what stands for them, by address; each entry keeps its class alive.
static HOLDERS: Table<HashMap<usize, Py<PyType>>> = Table::new();

/// Says that the objects of a class have what stands for them as an attribute.
#[pyfunction]
pub fn register_holder(class: Bound<'_, PyType>) {
    let address = class.as_ptr().addr();
    HOLDERS.lock().insert(address, class.unbind());
}

fn is_holder(class: *mut ffi::PyTypeObject) -> bool {
    HOLDERS.lock().contains_key(&class.addr())
}

/// Sets what objects of unknown classes are passed to; the first one stays.
#[pyfunction]
pub fn set_unboxing(unbox: Py<PyAny>) {
    // One that is there already is the same function: the module that has it is imported once.
    let _ = UNBOX.set(unbox);
}

/// Whether an object may be a member of an enumeration, or one: classes of these have a class of their own,
/// which few others have.
fn may_be_enumeration(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type();
    // SAFETY: the type of a live object is readable.
    let is_plain = |class: &Bound<'_, PyAny>| unsafe {
        std::ptr::eq(ffi::Py_TYPE(class.as_ptr()), &raw const ffi::PyType_Type)
    };
    !is_plain(class.as_any()) || (object.is_instance_of::<PyType>() && !is_plain(object))
}

/// Whether an object may be of a type that is known without that a program names it: an instance of a class
/// of the program's or of `collections`, a frozenset, or what exports memory.
fn may_be_own(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_exact_instance_of::<PyFrozenSet>() {
        return Ok(true);
    }
    // SAFETY: any object may be asked.
    let is_buffer = unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 };
    let class = object.get_type();
    // SAFETY: the type of a live object is readable.
    let is_written =
        unsafe { ffi::PyType_HasFeature(class.as_type_ptr(), ffi::Py_TPFLAGS_HEAPTYPE) != 0 };
    let module = class.module()?;
    let is_known = module == "builtins" || module.to_str()?.starts_with("pyopt");
    Ok(is_buffer || module == "collections" || (is_written && !is_known))
}

/// What stands for an object of an extension's type.
pub struct StandIn {
    /// A named tuple of the fields.
    pub fields: Py<PyAny>,
    /// Whether it is a copy, whose changes go back to the object by [`give_back`].
    pub is_copy: bool,
}

/// What an object has that stands for it; `None` for one of another class.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub unsafe fn held_by(object: *mut PyObject) -> PyResult<Option<Py<PyAny>>> {
    // SAFETY: the type of a live object is readable.
    let is_written =
        unsafe { ffi::PyType_HasFeature(ffi::Py_TYPE(object), ffi::Py_TPFLAGS_HEAPTYPE) != 0 };
    if !is_written {
        return Ok(None);
    }
    // SAFETY: as the caller says.
    let (py, object) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, object))
    };
    // SAFETY: as above.
    if !is_holder(unsafe { ffi::Py_TYPE(object.as_ptr()) }) {
        return Ok(None);
    }
    let fields = object.getattr(intern!(py, "_pyopt_stand_in"));
    let fields = fields.or_else(|error| match object.hasattr(intern!(py, REFUSE))? {
        true => object.call_method0(intern!(py, REFUSE)),
        false => Err(error),
    });
    Ok(Some(fields?.unbind()))
}

/// What stands for an object of an extension's type; `None` for any other object. What makes copies gets the notes
/// of the call, which are alive as long as its arguments.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub unsafe fn unboxed<'py>(
    object: *mut PyObject,
    notes: impl FnOnce() -> Bound<'py, PyDict>,
) -> PyResult<Option<StandIn>> {
    // SAFETY: as the caller says.
    let (py, object) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, object))
    };
    if UNBOX.get().is_none() && may_be_enumeration(&object) {
        py.import("pyopt.enums")?;
    }
    if UNBOX.get().is_none() && may_be_own(&object)? {
        py.import("pyopt.own_types")?;
    }
    let notes = notes();
    if let Some(found) = stand_in(&object, &notes)? {
        return Ok(Some(found));
    }
    // Installed packages may know it, if nothing was compiled yet.
    py.import(intern!(py, "pyopt.extensions"))?
        .call_method0(intern!(py, "load"))?;
    stand_in(&object, &notes)
}

/// Gives an object the changes of its copy.
pub fn give_back(fields: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let name = intern!(fields.py(), GIVE_BACK);
    fields.getattr(name)?.call1((fields, object)).map(drop)
}

/// What the registered types give for an object.
fn stand_in(object: &Bound<'_, PyAny>, notes: &Bound<'_, PyDict>) -> PyResult<Option<StandIn>> {
    let Some(unbox) = UNBOX.get() else {
        return Ok(None);
    };
    let fields = unbox.bind(object.py()).call1((object, notes))?;
    if fields.is_none() {
        return Ok(None);
    }
    Ok(Some(StandIn {
        is_copy: fields.hasattr(intern!(object.py(), GIVE_BACK))?,
        fields: fields.unbind(),
    }))
}
