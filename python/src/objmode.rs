//! `objmode` blocks: Python code that compiled code calls.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyopt_passes::compile::{Object, ObjectBlock};
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::memory::{Owner, on_drop_object, pyopt_acquire, pyopt_release};
use pyopt_runtime::symbols;
use smallvec::SmallVec;

use crate::boxing;
use crate::code_parts::CodeParts;
use crate::dispatcher::convert;
use crate::fingerprint;
use crate::raise;
use crate::types::TypeDesc;
use crate::unbox::{ArgBuffer, Failure};

/// A block's function, and the types in which compiled code calls it.
pub struct ObjectCall {
    function: Py<PyAny>,
    arguments: Vec<TypeDesc>,
    results: Vec<TypeDesc>,
}

impl ObjectCall {
    /// Makes the function of a block of `original`: its code with other bytecode.
    pub fn of_block(
        object: &Object,
        block: &ObjectBlock,
        original: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = original.py();
        let code = original.getattr("__code__")?;
        let code = CodeParts::from(block).replace(&code)?;
        let get = |name: &str| original.getattr(name);
        let function = py.import("types")?.getattr("FunctionType")?.call1((
            code,
            get("__globals__")?,
            get("__name__")?,
            py.None(),
            get("__closure__")?,
        ))?;
        Self::new(object, function)
    }

    /// Finds a function by its qualified name.
    pub fn of_function(py: Python<'_>, object: &Object, name: &str) -> PyResult<Self> {
        let (module, name) = name
            .rsplit_once('.')
            .ok_or_else(|| PyValueError::new_err(format!("'{name}' is in no module")))?;
        Self::new(object, py.import(module)?.getattr(name)?)
    }

    fn new(object: &Object, function: Bound<'_, PyAny>) -> PyResult<Self> {
        let parse = |text: &String| TypeDesc::parse(text).map_err(PyValueError::new_err);
        Ok(Self {
            function: function.unbind(),
            arguments: object
                .arguments
                .iter()
                .map(parse)
                .collect::<PyResult<_>>()?,
            results: match parse(&object.result)? {
                TypeDesc::Tuple(results) => results,
                other => vec![other],
            },
        })
    }

    /// The Python function.
    pub fn function(&self) -> &Py<PyAny> {
        &self.function
    }

    /// Calls the function with values of compiled code and writes what it returns.
    ///
    /// # Safety
    /// The slots hold values of the argument types; there is room for the results.
    unsafe fn call(&self, py: Python<'_>, returned: *mut i64, slots: *const i64) -> PyResult<()> {
        let count = self.arguments.iter().map(TypeDesc::slots).sum();
        let nothing = ArgBuffer::default();
        let mut objects: SmallVec<[Bound<'_, PyAny>; 8]> = SmallVec::new();
        // SAFETY: the caller's promise.
        let mut slots = unsafe { std::slice::from_raw_parts(slots, count) };
        for desc in &self.arguments {
            let (own, rest) = slots.split_at(desc.slots());
            slots = rest;
            // SAFETY: compiled code holds its references; the object takes others. The GIL is held.
            objects.push(unsafe {
                boxing::each_owner(desc, own, |owner| pyopt_acquire(owner));
                Bound::from_owned_ptr_or_err(py, boxing::to_object(desc, own, &nothing))?
            });
        }
        let answer = self.function.bind(py).call1(PyTuple::new(py, objects)?)?;
        let answer = answer.cast_into::<PyTuple>()?;
        let mut found: SmallVec<[i64; 48]> = SmallVec::new();
        for (index, (desc, value)) in self.results.iter().zip(answer.iter()).enumerate() {
            match unbox(desc, &value) {
                Ok(slots) => found.extend_from_slice(&slots),
                Err(error) => {
                    let before = TypeDesc::Tuple(self.results[..index].to_vec());
                    // SAFETY: each owner has the reference that it was made with.
                    boxing::each_owner(&before, &found, |owner| unsafe { pyopt_release(owner) });
                    return Err(error);
                }
            }
        }
        // SAFETY: the caller's promise; results lie one behind the other.
        unsafe { ptr::copy_nonoverlapping(found.as_ptr(), returned, found.len()) };
        Ok(())
    }
}

/// The slots of an object as a value of a type, with references of their own on arrays.
fn unbox(desc: &TypeDesc, value: &Bound<'_, PyAny>) -> PyResult<SmallVec<[i64; 48]>> {
    let py = value.py();
    let mut buffer = ArgBuffer::default();
    // SAFETY: the GIL is held, and the object outlives the buffer.
    unsafe { buffer.push(value.as_ptr()) }.map_err(|failure| match failure {
        Failure::Raised => PyErr::fetch(py),
        Failure::TooLarge => PyOverflowError::new_err("the int does not fit into 64 bits"),
        Failure::Unsupported(reason) => PyTypeError::new_err(reason),
    })?;
    let given = fingerprint::decode(&buffer.words);
    let given = given
        .first()
        .ok_or_else(|| PyTypeError::new_err("a value without a type"))?;
    let from = std::slice::from_ref(given);
    let to = std::slice::from_ref(desc);
    if !convert::is_possible(from, to) {
        return Err(PyTypeError::new_err(format!(
            "an objmode block hands out a value of type {given}, but its type was given as {desc}"
        )));
    }
    let mut out = convert::convert(&buffer, from, to);
    for array in &out.arrays {
        // SAFETY: the reference is the new owner's; the slot is the array's first.
        unsafe {
            let owner = Owner::of_object(ffi::Py_NewRef(array.object).cast());
            if owner.is_null() {
                return Err(PyErr::new::<pyo3::exceptions::PyMemoryError, _>(()));
            }
            out.slots[array.slot] = owner as i64;
        }
    }
    Ok(std::mem::take(&mut out.slots))
}

/// What compiled code finds its blocks by.
pub fn host(objects: &[ObjectCall]) -> *const c_void {
    objects.as_ptr().cast()
}

/// Makes known to compiled code what it calls.
pub fn load() {
    symbols::register([(
        c"pyopt_call_object",
        pyopt_call_object as *const () as usize,
    )]);
    on_drop_object(drop_object);
}

/// Runs a block. An exception is put into the error record.
unsafe extern "C" fn pyopt_call_object(
    error: *mut PyoptError,
    number: i64,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    Python::attach(|py| {
        // SAFETY: the specialisation that runs put its blocks there, of which this is one, and the
        // compiler made the slots for it.
        let run = AssertUnwindSafe(|| unsafe {
            let object = (*error).host.cast::<ObjectCall>().add(number as usize);
            (*object).call(py, returned, arguments)
        });
        let failed = match catch_unwind(run) {
            Ok(Ok(())) => return 0,
            Ok(Err(failed)) => failed,
            Err(_) => PyRuntimeError::new_err("calling an objmode block failed"),
        };
        // SAFETY: the record is the running code's.
        unsafe { raise::hand_over(failed, py, error) }
    })
}

/// Gives up a reference that memory of compiled code held.
unsafe extern "C" fn drop_object(object: *mut c_void) {
    // SAFETY: whoever made the owner gave it a reference. After the interpreter's end there is
    // nothing to give back to.
    unsafe {
        if ffi::Py_IsInitialized() != 0 {
            Python::attach(|_| ffi::Py_DECREF(object.cast::<PyObject>()));
        }
    }
}
