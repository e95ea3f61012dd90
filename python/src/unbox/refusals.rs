//! What is said of arguments that compiled code can't take.

use std::ffi::CStr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::detached::attach;
use crate::numpy::{self, Array};
use crate::types::TypeDesc;

/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn type_name(object: *mut PyObject) -> String {
    // SAFETY: a type's name is a C string that lives as long as the type; for heap types it is the plain
    // name, for static ones qualified.
    let name = unsafe { CStr::from_ptr((*ffi::Py_TYPE(object)).tp_name) }.to_string_lossy();
    name.rsplit('.').next().unwrap_or(&name).to_string()
}

/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn unsupported(object: *mut PyObject) -> String {
    // SAFETY: forwarded.
    let name = unsafe { type_name(object) };
    let advice = match name.as_str() {
        "str_" => "; pass str(…) of it",
        "longdouble" => "; extended precision has no machine type here, use numpy.float64",
        "function" => "; compile it with njit, or refer to it by its global name",
        "builtin_function_or_method" => "; refer to the function by its global name",
        "dict" | "set" | "bytes" => "",
        _ => "; pass the numbers, arrays and texts that it holds",
    };
    format!("cannot pass an object of type '{name}'{advice}")
}

/// The name that Python has for a type.
pub fn display(desc: &TypeDesc) -> String {
    let text = desc.to_string();
    attach(|py| {
        let types = py.import("pyopt.types")?;
        types.call_method1("from_text", (&text,))?.str()?.extract()
    })
    .unwrap_or(text)
}

/// # Safety
/// As [`unsupported`]; `object` is an array.
#[cold]
pub(super) unsafe fn unsupported_dtype(object: *mut PyObject) -> String {
    // SAFETY: an array's dtype is an object that lives as long as the array.
    let (type_num, descr) = unsafe {
        let descr = (*object.cast::<Array>()).descr;
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), descr.cast_mut().cast());
        ((*descr).type_num, object)
    };
    let name = descr
        .str()
        .map_or_else(|_| "?".to_string(), |text| text.to_string());
    match numpy::elem_of(type_num) {
        Some(_) => format!(
            "an array of dtype '{name}' isn't in this machine's byte order; convert it with \
             array.astype(array.dtype.newbyteorder('='))"
        ),
        None => format!("unsupported array dtype '{name}'; convert it with array.astype(…)"),
    }
}
