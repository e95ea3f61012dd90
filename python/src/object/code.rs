//! Compiling a code object, once for all functions that have it.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::rc::Rc;
use std::sync::OnceLock;

use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::call::entry_of;
use super::environment::Environment;
use super::function::{Function, is_compiled};
use super::layout_311::{Code, Frame, Thread};
use crate::compiler::{self, ObjectFunction, View};
use crate::detached::compiling;
use crate::errors;
use pyopt_runtime::engine::LoadedCode;

/// Machine code of a function: runs a frame; `throws` is not zero when an exception is set that is
/// to be raised where the generator stands.
pub type Entry =
    unsafe extern "C" fn(*mut Thread, *mut Frame, *mut usize, throws: c_int) -> *mut PyObject;

/// The machine code of a code object.
pub struct Compiled {
    /// The code object; it lives as long as a frame or function that has it.
    pub code: *mut Code,
    /// Runs it.
    pub entry: Entry,
    /// What it refers to.
    pub environment: Environment,
    /// Whether calls make generators or coroutines.
    pub suspends: bool,
    /// How many positional arguments a call has that needs no binding; negative for code that has
    /// other parameters or suspends.
    pub arguments: isize,
    /// Locals, cells and free variables.
    pub locals: usize,
    /// Words of a frame: its fields, locals and stack.
    pub words: usize,
    /// Where a call begins that makes no generator.
    pub first: *mut u16,
    /// Whether there are cells or free variables.
    pub shares: bool,
    _loaded: LoadedCode,
}

unsafe extern "C" {
    fn _PyEval_RequestCodeExtraIndex(free: unsafe extern "C" fn(*mut c_void)) -> isize;
    fn _PyCode_GetExtra(code: *mut Code, index: isize, extra: *mut *mut c_void) -> c_int;
    fn _PyCode_SetExtra(code: *mut Code, index: isize, extra: *mut c_void) -> c_int;
}

/// The place where code objects keep their machine code.
fn extra_index() -> isize {
    static INDEX: OnceLock<isize> = OnceLock::new();
    // SAFETY: the GIL is held wherever code objects are looked at.
    *INDEX.get_or_init(|| unsafe { _PyEval_RequestCodeExtraIndex(free) })
}

/// Called when a code object goes.
unsafe extern "C" fn free(compiled: *mut c_void) {
    if !compiled.is_null() {
        // SAFETY: `keep` made the pointer of an `Rc`, for this one call.
        drop(unsafe { Rc::from_raw(compiled.cast_const().cast::<Compiled>()) });
    }
}

/// The machine code of a code object, if it is compiled.
///
/// # Safety
/// The code object is live and the GIL is held.
pub unsafe fn find(code: *mut Code) -> *const Compiled {
    let mut found = ptr::null_mut();
    // SAFETY: the caller's promise.
    match unsafe { _PyCode_GetExtra(code, extra_index(), &raw mut found) } {
        0 => found.cast_const().cast(),
        _ => {
            // SAFETY: the GIL is held. It fails for what is no code object.
            unsafe { ffi::PyErr_Clear() };
            ptr::null()
        }
    }
}

/// The machine code of a function, compiled when it is missing.
///
/// # Safety
/// The function is a live compiled function and the GIL is held.
pub unsafe fn ensure(py: Python<'_>, function: *mut Function) -> PyResult<*const Compiled> {
    // SAFETY: the caller's promise. Compiling releases the GIL, so all is read again behind it.
    unsafe {
        let code = (*function).base.code;
        if find(code).is_null() {
            let held = Bound::from_borrowed_ptr(py, code.cast());
            let compiled = compile(&held)?;
            if find(code).is_null() {
                // Counted without atomics: the GIL is held wherever a count changes.
                let kept = Rc::into_raw(Rc::new(compiled)).cast_mut().cast();
                if _PyCode_SetExtra(code, extra_index(), kept) != 0 {
                    free(kept);
                    return Err(PyErr::fetch(py));
                }
            }
        }
        let compiled = find((*function).base.code);
        if compiled.is_null() {
            return Err(PySystemError::new_err(
                "the function's code was replaced meanwhile",
            ));
        }
        Rc::increment_strong_count(compiled);
        let old = std::mem::replace(&mut (*function).compiled, compiled);
        (*function).base.vectorcall =
            Some(entry_of(&*compiled, !(*function).base.defaults.is_null()));
        if !old.is_null() {
            drop(Rc::from_raw(old));
        }
        Ok(compiled)
    }
}

fn compile(code: &Bound<'_, PyAny>) -> PyResult<Compiled> {
    let py = code.py();
    let bytes = marshalled(code)?;
    let bytes = bytes.as_bytes();
    let made = compiling(py, || compiler::compile_object(bytes))?;
    let ObjectFunction {
        code: loaded,
        address,
        environment,
    } = made.map_err(|error| errors::to_python(py, *error))?;
    let code: *mut Code = code.as_ptr().cast();
    // SAFETY: the lowering gives every entry this type; the code object is live.
    unsafe {
        Ok(Compiled {
            code,
            entry: std::mem::transmute::<usize, Entry>(address),
            environment: Environment::new(py, &environment, code)?,
            suspends: Code::suspends(code),
            arguments: match Code::is_simple(code) && !Code::suspends(code) {
                true => (*code).argument_count as isize,
                false => -1,
            },
            words: Frame::words(code),
            first: Code::instructions(code).add((*code).first_traceable as usize),
            locals: (*code).local_count as usize,
            shares: (*code).has_cells() || (*code).free_count > 0,
            _loaded: loaded,
        })
    }
}

fn marshalled<'py>(code: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let marshal = code.py().import("marshal")?;
    Ok(marshal.call_method1("dumps", (code,))?.cast_into()?)
}

/// Compiles a compiled function's code now instead of at its first call.
#[pyfunction]
pub fn compile_function(function: &Bound<'_, PyAny>) -> PyResult<()> {
    let function = checked(function)?;
    // SAFETY: the type is checked; the argument keeps the function alive.
    unsafe { ensure(Python::assume_attached(), function)? };
    Ok(())
}

/// Renders a view of a function's compilation.
pub fn inspect(function: &Bound<'_, PyAny>, view: &View) -> PyResult<String> {
    let py = function.py();
    let bytes = marshalled(&function.getattr("__code__")?)?;
    let bytes = bytes.as_bytes();
    compiling(py, || compiler::inspect_object(bytes, view))?
        .map_err(|error| errors::to_python(py, *error))
}

fn checked(function: &Bound<'_, PyAny>) -> PyResult<*mut Function> {
    // SAFETY: the argument is live.
    match unsafe { is_compiled(function.as_ptr()) } {
        true => Ok(function.as_ptr().cast()),
        false => Err(PyTypeError::new_err("expected a function in object mode")),
    }
}
