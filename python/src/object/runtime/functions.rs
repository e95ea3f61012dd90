//! The making of functions.

use std::ptr;

use pyo3::ffi::{self, PyObject};

use crate::object::layout_311::{Frame, FunctionObject};

/// Makes a function of code; takes the references of its parts over: defaults, keyword defaults,
/// annotations, closure, each where its flag is set.
pub unsafe extern "C" fn make_function(
    frame: *mut Frame,
    code: *mut PyObject,
    flags: usize,
    parts: *const *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module. The new function's fields are empty.
    unsafe {
        let made = ffi::PyFunction_New(code, (*frame).globals);
        let mut next = parts;
        let mut part = |flag: usize| {
            if flags & flag == 0 {
                return ptr::null_mut();
            }
            let part = *next;
            next = next.add(1);
            part
        };
        let (defaults, keyword_defaults) = (part(1), part(2));
        let (annotations, closure) = (part(4), part(8));
        if made.is_null() {
            for part in [defaults, keyword_defaults, annotations, closure] {
                ffi::Py_XDECREF(part);
            }
            return made;
        }
        let function = &mut *made.cast::<FunctionObject>();
        function.defaults = defaults;
        function.keyword_defaults = keyword_defaults;
        function.annotations = annotations;
        function.closure = closure;
        made
    }
}
