//! What compiled code asks CPython of texts: their hashes, and methods that need Unicode's tables.

use std::ffi::{CStr, c_int, c_void};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::text::{on_text_hash, on_text_method};

use super::unboxing;
use crate::detached::attach;
use crate::raise;
use crate::types::TypeDesc;

/// Makes known to the runtime what it asks.
pub(super) fn load() {
    on_text_hash(hash);
    on_text_method(call_method);
}

/// Hashes bytes as those of a `str`.
unsafe extern "C" fn hash(bytes: *const c_void, length: isize) -> isize {
    // SAFETY: the bytes are there; the function needs no GIL.
    unsafe { ffi::compat::Py_HashBuffer(bytes, length) }
}

/// Calls a method of a text that takes nothing and gives a text or a truth value.
unsafe fn call_method(
    error: *mut PyoptError,
    name: &CStr,
    text: &[i64],
    returned: *mut i64,
) -> c_int {
    attach(|py| {
        let call = || -> PyResult<_> {
            // SAFETY: the words are a text's; the result is a new reference or null.
            let text = unsafe {
                let made =
                    ffi::PyUnicode_FromKindAndData(text[3] as c_int, text[1] as _, text[2] as _);
                Bound::from_owned_ptr_or_err(py, made)?
            };
            let answer = text.call_method0(name.to_string_lossy().as_ref())?;
            let desc = match answer.is_instance_of::<PyBool>() {
                true => TypeDesc::Scalar(crate::types::Elem::Bool),
                false => TypeDesc::Str,
            };
            debug_assert!(desc != TypeDesc::Str || answer.is_instance_of::<PyString>());
            unboxing::all(&[desc], [answer].into_iter(), false)
        };
        match call() {
            Ok(words) => {
                // SAFETY: there is room for what the method gives.
                unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), returned, words.len()) };
                0
            }
            // SAFETY: the record is the running code's.
            Err(failed) => unsafe { raise::hand_over(failed, py, error) },
        }
    })
}
