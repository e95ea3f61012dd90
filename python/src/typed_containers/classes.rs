//! The classes that give typed containers their slots.
//!
//! They are made by hand, as the dispatcher's is: a `pyclass` would have memory of its own in each object, and
//! its methods look at the class of the object first, which the interpreter has done.

use std::ffi::{CStr, c_int, c_ulong, c_void};
use std::ptr;

use pyo3::ffi::{self, Py_ssize_t, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::description::Method;
use super::{calls, dicts, lists, sets};
use crate::errors;

/// Makes the classes for lists, dicts and sets, which add no fields to the objects; `memory` is the descriptor of
/// the attribute that has the memory of a container.
#[pyfunction]
pub fn container_classes(memory: Bound<'_, PyAny>) -> PyResult<[Bound<'_, PyAny>; 3]> {
    let py = memory.py();
    calls::set_memory(memory.unbind());
    let list = [
        slot(ffi::Py_mp_length, length as *mut c_void),
        slot(ffi::Py_sq_length, length as *mut c_void),
        slot(ffi::Py_sq_contains, contains as *mut c_void),
        slot(ffi::Py_mp_subscript, list_get as *mut c_void),
        slot(ffi::Py_mp_ass_subscript, list_set as *mut c_void),
        slot(ffi::Py_tp_iter, list_iter as *mut c_void),
    ];
    let dict = [
        slot(ffi::Py_mp_length, length as *mut c_void),
        slot(ffi::Py_sq_length, length as *mut c_void),
        slot(ffi::Py_sq_contains, contains as *mut c_void),
        slot(ffi::Py_mp_subscript, dict_get as *mut c_void),
        slot(ffi::Py_mp_ass_subscript, dict_set as *mut c_void),
        slot(ffi::Py_tp_iter, dict_iter as *mut c_void),
    ];
    let set = [
        slot(ffi::Py_mp_length, length as *mut c_void),
        slot(ffi::Py_sq_length, length as *mut c_void),
        slot(ffi::Py_sq_contains, contains as *mut c_void),
        slot(ffi::Py_tp_iter, set_iter as *mut c_void),
    ];
    Ok([
        class(
            py,
            c"pyopt.typed.ListSlots",
            &list,
            vec![
                method(c"append", append, c"append($self, /, item)\n--\n\nPut an item to the end."),
                method(c"pop", pop, c"pop($self, /, index=-1)\n--\n\nTake an item out and give it."),
            ],
        )?,
        class(
            py,
            c"pyopt.typed.DictSlots",
            &dict,
            vec![method(
                c"get",
                get_or,
                c"get($self, /, key, default=None)\n--\n\nGive the value of a key, or another one if there is none.",
            )],
        )?,
        class(
            py,
            c"pyopt.typed.SetSlots",
            &set,
            vec![
                method(c"add", add, c"add($self, /, item)\n--\n\nPut an item in."),
                method(c"discard", discard, c"discard($self, /, item)\n--\n\nTake an item out if it is there."),
            ],
        )?,
    ])
}

/// An entry of the specification of a class.
pub fn slot(slot: c_int, pfunc: *mut c_void) -> ffi::PyType_Slot {
    ffi::PyType_Slot { slot, pfunc }
}

fn method(
    name: &'static CStr,
    function: ffi::PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: function,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// Makes one of the classes for containers, which has the memory of a plain object.
fn class<'py>(
    py: Python<'py>,
    name: &'static CStr,
    slots: &[ffi::PyType_Slot],
    mut methods: Vec<ffi::PyMethodDef>,
) -> PyResult<Bound<'py, PyAny>> {
    methods.push(ffi::PyMethodDef::zeroed());
    // Python keeps pointers into the methods, so they are never freed.
    let methods = methods.leak();
    let mut slots = slots.to_vec();
    slots.push(slot(ffi::Py_tp_methods, methods.as_mut_ptr().cast()));
    let flags = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE;
    make_class(py, name, size_of::<PyObject>(), flags, &slots)
}

/// Makes a class of these slots, whose instances have so much memory.
pub fn make_class<'py>(
    py: Python<'py>,
    name: &'static CStr,
    size: usize,
    flags: c_ulong,
    slots: &[ffi::PyType_Slot],
) -> PyResult<Bound<'py, PyAny>> {
    let mut slots = slots.to_vec();
    slots.push(slot(0, ptr::null_mut()));
    let mut spec = ffi::PyType_Spec {
        name: name.as_ptr(),
        basicsize: size as c_int,
        itemsize: 0,
        flags: flags as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the specification is complete and its lists end with zero entries.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }
}

/// Runs what a slot does with an object: its result, or `failed` with an exception set. A panic is an exception,
/// too: it can't go through Python's code.
///
/// # Safety
/// Python calls the slot: the thread is attached, and the objects are alive.
#[inline(always)]
unsafe fn enter<R>(
    this: *mut PyObject,
    failed: R,
    work: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<R>,
) -> R {
    // SAFETY: as the caller says.
    let (py, this) = unsafe {
        let py = Python::assume_attached();
        (py, Borrowed::from_ptr(py, this))
    };
    match errors::guarded(|| work(&this)).flatten() {
        Ok(result) => result,
        Err(error) => {
            error.restore(py);
            failed
        }
    }
}

/// [`enter`] for slots that give an object.
///
/// # Safety
/// As [`enter`].
#[inline(always)]
pub unsafe fn or_null(
    this: *mut PyObject,
    work: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<*mut PyObject>,
) -> *mut PyObject {
    // SAFETY: forwarded.
    unsafe { enter(this, ptr::null_mut(), work) }
}

/// An object that a slot was given.
///
/// # Safety
/// It lives as long as the slot runs, and isn't null.
#[inline(always)]
unsafe fn given<'a, 'py>(py: Python<'py>, object: *mut PyObject) -> Borrowed<'a, 'py, PyAny> {
    // SAFETY: as the caller says.
    unsafe { Borrowed::from_ptr(py, object) }
}

unsafe extern "C" fn length(this: *mut PyObject) -> Py_ssize_t {
    // SAFETY: Python calls this.
    unsafe { enter(this, -1, |this| Ok(dicts::length(this)? as Py_ssize_t)) }
}

unsafe extern "C" fn contains(this: *mut PyObject, item: *mut PyObject) -> c_int {
    // SAFETY: Python calls this.
    unsafe {
        enter(this, -1, |this| {
            Ok(dicts::contains(this, &given(this.py(), item))?.into())
        })
    }
}

unsafe extern "C" fn list_get(this: *mut PyObject, index: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this.
    unsafe {
        or_null(this, |this| {
            Ok(lists::get(this, &given(this.py(), index))?.into_ptr())
        })
    }
}

/// `this[key] = value` by a function; `del this[key]` where there is no value.
///
/// # Safety
/// As [`enter`]; the key and the value are alive.
#[inline(always)]
unsafe fn assign(
    this: *mut PyObject,
    key: *mut PyObject,
    value: *mut PyObject,
    set: impl for<'py> FnOnce(
        &Bound<'py, PyAny>,
        &Bound<'py, PyAny>,
        &Bound<'py, PyAny>,
    ) -> PyResult<()>,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        enter(this, -1, |this| {
            let key = given(this.py(), key);
            match value.is_null() {
                true => dicts::delete(this, &key)?,
                false => set(this, &key, &given(this.py(), value))?,
            }
            Ok(0)
        })
    }
}

unsafe extern "C" fn list_set(
    this: *mut PyObject,
    index: *mut PyObject,
    item: *mut PyObject,
) -> c_int {
    // SAFETY: Python calls this.
    unsafe { assign(this, index, item, lists::set) }
}

unsafe extern "C" fn list_iter(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this.
    unsafe { or_null(this, |this| Ok(lists::iterate(this)?.into_ptr())) }
}

unsafe extern "C" fn dict_get(this: *mut PyObject, key: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this.
    unsafe {
        or_null(this, |this| {
            Ok(dicts::get(this, &given(this.py(), key))?.into_ptr())
        })
    }
}

unsafe extern "C" fn dict_set(
    this: *mut PyObject,
    key: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    // SAFETY: Python calls this.
    unsafe { assign(this, key, value, dicts::set) }
}

unsafe extern "C" fn dict_iter(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this.
    unsafe {
        or_null(this, |this| {
            Ok(dicts::iterate(this, "dictionary")?.into_ptr())
        })
    }
}

unsafe extern "C" fn set_iter(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this.
    unsafe { or_null(this, |this| Ok(dicts::iterate(this, "set")?.into_ptr())) }
}

/// What a method does with the arguments of a call, by position. Where it gives nothing the call is for Python's
/// own method.
type Work = for<'a, 'py> fn(
    &Bound<'py, PyAny>,
    &[Borrowed<'a, 'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyAny>>>;

/// Runs a method, or calls that of Python's whose name is `otherwise`.
///
/// # Safety
/// As [`enter`]; the arguments follow the vectorcall protocol.
#[inline(always)]
unsafe fn call_method(
    this: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
    otherwise: impl for<'py> FnOnce(Python<'py>) -> &'py Bound<'py, PyString>,
    work: Work,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        or_null(this, |this| {
            let py = this.py();
            let argument = |at: usize| given(py, *args.add(at));
            let result = match (names.is_null(), count) {
                (true, 0) => work(this, &[])?,
                (true, 1) => work(this, &[argument(0)])?,
                (true, 2) => work(this, &[argument(0), argument(1)])?,
                _ => None,
            };
            if let Some(result) = result {
                return Ok(result.into_ptr());
            }
            let named = match names.is_null() {
                true => 0,
                false => ffi::PyTuple_GET_SIZE(names),
            };
            let rest = (0..(count + named) as usize).map(|at| *args.add(at));
            let all: Vec<_> = std::iter::once(this.as_ptr()).chain(rest).collect();
            let result = ffi::PyObject_VectorcallMethod(
                otherwise(py).as_ptr(),
                all.as_ptr(),
                count as usize + 1,
                names,
            );
            Ok(Bound::from_owned_ptr_or_err(py, result)?.into_ptr())
        })
    }
}

/// Writes the function of C for a method.
macro_rules! method_entry {
    ($name:ident, $otherwise:literal, $work:expr) => {
        unsafe extern "C" fn $name(
            this: *mut PyObject,
            args: *const *mut PyObject,
            count: Py_ssize_t,
            names: *mut PyObject,
        ) -> *mut PyObject {
            // SAFETY: Python calls this.
            unsafe {
                call_method(
                    this,
                    args,
                    count,
                    names,
                    |py| intern!(py, $otherwise),
                    $work,
                )
            }
        }
    };
}

method_entry!(append, "_append", |this, args| match args {
    [item] => lists::append(this, item),
    _ => Ok(None),
});

method_entry!(pop, "_pop", |this, args| match args {
    [] => lists::pop(this, None),
    [index] => lists::pop(this, Some(index)),
    _ => Ok(None),
});

method_entry!(get_or, "_get_or", |this, args| match args {
    _ if !has_own_items(this) => Ok(None),
    [key] => dicts::get_or(this, key, None),
    [key, default] => dicts::get_or(this, key, Some(default)),
    _ => Ok(None),
});

method_entry!(add, "_add", |this, args| match args {
    [item] => sets::change(this, Method::Add, item),
    _ => Ok(None),
});

method_entry!(discard, "_discard", |this, args| match args {
    [item] => sets::change(this, Method::Discard, item),
    _ => Ok(None),
});

/// Whether the class of a dict gives items as `typed.Dict` does: a derived one may have its own way.
#[inline]
pub fn has_own_items(this: &Bound<'_, PyAny>) -> bool {
    let own: ffi::binaryfunc = dict_get;
    let slot = slots_of(this).and_then(|slots| slots.mp_subscript);
    slot.is_some_and(|slot| ptr::fn_addr_eq(slot, own))
}

/// The same for how many there are, of dicts and sets.
#[inline]
pub fn has_own_length(this: &Bound<'_, PyAny>) -> bool {
    let own: ffi::lenfunc = length;
    let slot = slots_of(this).and_then(|slots| slots.mp_length);
    slot.is_some_and(|slot| ptr::fn_addr_eq(slot, own))
}

/// The same for the keys of a dict.
pub fn has_own_keys(this: &Bound<'_, PyAny>) -> bool {
    let own: ffi::getiterfunc = dict_iter;
    // SAFETY: the type of a live object is readable.
    let slot = unsafe { (*ffi::Py_TYPE(this.as_ptr())).tp_iter };
    slot.is_some_and(|slot| ptr::fn_addr_eq(slot, own))
}

fn slots_of<'a>(this: &'a Bound<'_, PyAny>) -> Option<&'a ffi::PyMappingMethods> {
    // SAFETY: the type of a live object is readable, and so are its slots.
    unsafe { (*ffi::Py_TYPE(this.as_ptr())).tp_as_mapping.as_ref() }
}
