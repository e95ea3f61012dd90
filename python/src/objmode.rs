//! `objmode` blocks: Python code that compiled code calls.

mod texts;
mod unboxing;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyopt_passes::compile::{Object, ObjectBlock, Site};
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::keeping::on_keep_object;
use pyopt_runtime::memory::{on_drop_object, pyopt_acquire};
use pyopt_runtime::symbols;
use smallvec::SmallVec;

use crate::boxing;
use crate::code_parts::CodeParts;
use crate::detached::{attach, from_compiled};
use crate::functions;
use crate::raise;
use crate::types::TypeDesc;
use crate::unbox::ArgBuffer;

/// What gives the function of a symbol of the code's program.
pub type Named<'a, 'py> = dyn Fn(&str) -> Option<Bound<'py, PyAny>> + 'a;

/// A block's function, and the types in which compiled code calls it.
pub struct ObjectCall {
    function: Py<PyAny>,
    arguments: Vec<TypeDesc>,
    results: Vec<TypeDesc>,
    /// Where the exceptions among the arguments were made.
    sites: Vec<Site>,
}

impl ObjectCall {
    /// Makes the function of a block of `original`: its code with other bytecode.
    pub fn of_block<'py>(
        object: &Object,
        block: &ObjectBlock,
        original: &Bound<'py, PyAny>,
        named: &Named<'_, 'py>,
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
        Self::new(object, function, &[], named)
    }

    /// Finds a function by its qualified name; the sites are those of the code that calls it.
    pub fn of_function<'py>(
        py: Python<'py>,
        object: &Object,
        name: &str,
        sites: &[Site],
        named: &Named<'_, 'py>,
    ) -> PyResult<Self> {
        let (module, name) = name
            .rsplit_once('.')
            .ok_or_else(|| PyValueError::new_err(format!("'{name}' is in no module")))?;
        Self::new(object, py.import(module)?.getattr(name)?, sites, named)
    }

    fn new<'py>(
        object: &Object,
        function: Bound<'py, PyAny>,
        sites: &[Site],
        named: &Named<'_, 'py>,
    ) -> PyResult<Self> {
        let parse = |text: &String| TypeDesc::parse(text).map_err(PyValueError::new_err);
        let mut arguments: Vec<_> = object
            .arguments
            .iter()
            .map(parse)
            .collect::<PyResult<_>>()?;
        for argument in &mut arguments {
            functions::bind(function.py(), argument, named)?;
        }
        let sites = match arguments.contains(&TypeDesc::Exception) {
            true => sites.to_vec(),
            false => Vec::new(),
        };
        Ok(Self {
            function: function.unbind(),
            arguments,
            sites,
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
        let mut nothing = ArgBuffer::default();
        nothing.copies = true;
        let mut objects: SmallVec<[Bound<'_, PyAny>; 8]> = SmallVec::new();
        // SAFETY: the caller's promise.
        let mut slots = unsafe { std::slice::from_raw_parts(slots, count) };
        for desc in &self.arguments {
            let (own, rest) = slots.split_at(desc.slots());
            slots = rest;
            if let TypeDesc::Exception = desc {
                // SAFETY: compiled code holds the exception, which one of its sites made.
                objects.push(unsafe { raise::object(py, &self.sites, own)? });
                continue;
            }
            // SAFETY: compiled code holds its references; the object takes others. The GIL is held.
            objects.push(unsafe {
                boxing::each_owner(desc, own, |owner| pyopt_acquire(owner));
                Bound::from_owned_ptr_or_err(py, boxing::to_object(desc, own, &nothing))?
            });
        }
        let answer = self.function.bind(py).call1(PyTuple::new(py, objects)?)?;
        let answer = answer.cast_into::<PyTuple>()?;
        let found = unboxing::all(&self.results, answer.iter(), false)?;
        // SAFETY: the caller's promise; results lie one behind the other.
        unsafe { ptr::copy_nonoverlapping(found.as_ptr(), returned, found.len()) };
        Ok(())
    }
}

/// What compiled code finds its blocks by.
pub struct Host<'a> {
    objects: &'a [ObjectCall],
}

impl<'a> Host<'a> {
    /// The host of code with these blocks.
    #[inline]
    pub fn new(objects: &'a [ObjectCall]) -> Self {
        Self { objects }
    }

    /// What the error record holds. The host must stay where it is while the code runs.
    #[inline]
    pub fn address(&self) -> *const c_void {
        ptr::from_ref(self).cast()
    }
}

/// Makes known to compiled code what it calls.
pub fn load() {
    symbols::register([(
        c"pyopt_call_object",
        pyopt_call_object as *const () as usize,
    )]);
    on_drop_object(drop_object);
    on_keep_object(keep_object);
    texts::load();
}

/// Runs a block. An exception is put into the error record.
unsafe extern "C" fn pyopt_call_object(
    error: *mut PyoptError,
    number: i64,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    from_compiled(|py| {
        // SAFETY: the specialisation that runs put its host there, of whose blocks this is one, and the
        // compiler made the slots for it.
        let run = AssertUnwindSafe(|| unsafe {
            let host = &*(*error).host.cast::<Host>();
            host.objects[number as usize].call(py, returned, arguments)
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

/// Takes a reference for memory of compiled code.
unsafe extern "C" fn keep_object(object: *mut c_void) {
    // SAFETY: the object is an argument of a call that runs, so it is alive, and so is the interpreter.
    unsafe { attach(|_| ffi::Py_INCREF(object.cast::<PyObject>())) };
}

/// Gives up a reference that memory of compiled code held.
unsafe extern "C" fn drop_object(object: *mut c_void) {
    // SAFETY: whoever made the owner gave it a reference. After the interpreter's end there is
    // nothing to give back to.
    unsafe {
        if ffi::Py_IsInitialized() != 0 {
            attach(|_| ffi::Py_DECREF(object.cast::<PyObject>()));
        }
    }
}
