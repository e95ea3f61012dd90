//! The dispatcher's type object.

use std::ffi::{CStr, c_int, c_void};
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyTypeObject, visitproc};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::call::{guard, vectorcall};
use super::code::Code;
use super::parameters::Parameters;
use super::{Body, Dispatcher};
use crate::methods::PyMethod_New;

static TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Makes the type, derived from the Python class `base`, which must add no instance fields. An instance is
/// made from the Python function.
#[pyfunction]
pub fn dispatcher_type<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let member = |name: &'static CStr, kind: c_int, offset: usize| ffi::PyMemberDef {
        name: name.as_ptr(),
        type_code: kind,
        offset: offset as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: ptr::null(),
    };
    // Python keeps pointers into the members and properties, so they are never freed.
    let members = Box::leak(Box::new([
        member(
            c"__vectorcalloffset__",
            ffi::Py_T_PYSSIZET,
            offset_of!(Dispatcher, vectorcall),
        ),
        member(
            c"__dictoffset__",
            ffi::Py_T_PYSSIZET,
            offset_of!(Dispatcher, dict),
        ),
        member(
            c"__weaklistoffset__",
            ffi::Py_T_PYSSIZET,
            offset_of!(Dispatcher, weakrefs),
        ),
        member(
            c"py_func",
            ffi::Py_T_OBJECT_EX,
            offset_of!(Dispatcher, py_func),
        ),
        ffi::PyMemberDef::default(),
    ]));
    let properties = Box::leak(Box::new([
        ffi::PyGetSetDef {
            name: c"__dict__".as_ptr(),
            get: Some(ffi::PyObject_GenericGetDict),
            set: Some(ffi::PyObject_GenericSetDict),
            doc: ptr::null(),
            closure: ptr::null_mut(),
        },
        ffi::PyGetSetDef::default(),
    ]));
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_new, new as *mut c_void),
        slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *mut c_void),
        slot(ffi::Py_tp_descr_get, bind as *mut c_void),
        slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        slot(ffi::Py_tp_traverse, traverse as *mut c_void),
        slot(ffi::Py_tp_clear, clear as *mut c_void),
        slot(ffi::Py_tp_members, members.as_mut_ptr().cast()),
        slot(ffi::Py_tp_getset, properties.as_mut_ptr().cast()),
        slot(0, ptr::null_mut()),
    ];
    let flags = ffi::Py_TPFLAGS_DEFAULT
        | ffi::Py_TPFLAGS_HAVE_GC
        | ffi::Py_TPFLAGS_HAVE_VECTORCALL
        | ffi::Py_TPFLAGS_METHOD_DESCRIPTOR;
    let mut spec = ffi::PyType_Spec {
        name: c"pyopt.CPUDispatcher".as_ptr(),
        basicsize: size_of::<Dispatcher>() as c_int,
        itemsize: 0,
        flags: flags as _,
        slots: slots.as_mut_ptr(),
    };
    let bases = PyTuple::new(py, [base])?;
    // SAFETY: the specification is complete and its lists end with zero entries.
    let made = unsafe {
        let made = ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr());
        Bound::from_owned_ptr_or_err(py, made)?
    };
    TYPE.store(made.clone().into_ptr().cast(), Ordering::Release);
    Ok(made.cast_into()?)
}

/// The body of an object that must be a dispatcher.
pub fn body_of<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a Body> {
    // SAFETY: types are compared before the object is read as a dispatcher. Its body stays as long as it does.
    unsafe {
        if ffi::Py_TYPE(object.as_ptr()) != TYPE.load(Ordering::Relaxed) {
            return Err(PyTypeError::new_err("expected a dispatcher"));
        }
        Ok(&*(*object.as_ptr().cast::<Dispatcher>()).body)
    }
}

unsafe extern "C" fn new(
    ty: *mut PyTypeObject,
    args: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python calls this with the GIL and a tuple of arguments; the instance comes zeroed, and
    // `dealloc` copes with one that isn't complete.
    unsafe {
        let py = Python::assume_attached();
        let made = || -> PyResult<Bound<'_, PyAny>> {
            let args = Bound::from_borrowed_ptr(py, args).cast_into::<PyTuple>()?;
            let py_func = args.get_item(0)?;
            let parameters = Parameters::of(&py_func)?;
            let made = Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(ty, 0))?;
            let fields = &mut *made.as_ptr().cast::<Dispatcher>();
            fields.vectorcall = Some(vectorcall);
            fields.py_func = py_func.into_ptr();
            fields.body = Box::into_raw(Box::new(Body::new(parameters)));
            Ok(made)
        };
        guard(py, || match made() {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                error.restore(py);
                ptr::null_mut()
            }
        })
    }
}

unsafe extern "C" fn bind(
    this: *mut PyObject,
    object: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python calls this with live objects; the object is null when the class is asked.
    unsafe {
        if object.is_null() || object == ffi::Py_None() {
            ffi::Py_NewRef(this)
        } else {
            PyMethod_New(this, object)
        }
    }
}

unsafe extern "C" fn traverse(this: *mut PyObject, visit: visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: the garbage collector calls this; the fields are null or references.
    unsafe {
        let fields = &*this.cast::<Dispatcher>();
        let see = |object: *mut PyObject| match object.is_null() {
            true => Ok(()),
            false => match visit(object, arg) {
                0 => Ok(()),
                status => Err(status),
            },
        };
        let own = [ffi::Py_TYPE(this).cast(), fields.dict, fields.py_func];
        let seen = || {
            own.into_iter().try_for_each(see)?;
            let Some(body) = fields.body.as_ref() else {
                return Ok(());
            };
            let defaults = |one: &Parameters| one.defaults().map(Py::as_ptr).try_for_each(see);
            body.parameters.visit(defaults)?;
            // Of what they call in Python, they may be part of a cycle.
            let code = |one: &Code| one.all().map(Py::as_ptr).try_for_each(see);
            body.code.visit(code)
        };
        seen().err().unwrap_or(0)
    }
}

/// Breaks cycles. They go through the dictionary or the function; the body stays, as long as the instance
/// can be called.
unsafe extern "C" fn clear(this: *mut PyObject) -> c_int {
    // SAFETY: the garbage collector or `dealloc` calls this; fields are emptied before references go.
    unsafe {
        let fields = &mut *this.cast::<Dispatcher>();
        for field in [&raw mut fields.dict, &raw mut fields.py_func] {
            let object = std::mem::replace(&mut *field, ptr::null_mut());
            ffi::Py_XDECREF(object);
        }
        0
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: Python calls this once, when nobody refers to the instance any more; an instance of a heap
    // type holds a reference on it.
    unsafe {
        ffi::PyObject_GC_UnTrack(this.cast());
        let ty = ffi::Py_TYPE(this);
        if !(*this.cast::<Dispatcher>()).weakrefs.is_null() {
            ffi::PyObject_ClearWeakRefs(this);
        }
        clear(this);
        let body = (*this.cast::<Dispatcher>()).body;
        if !body.is_null() {
            drop(Box::from_raw(body));
        }
        ffi::PyObject_GC_Del(this.cast());
        ffi::Py_DECREF(ty.cast());
    }
}
