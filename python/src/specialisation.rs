//! A function compiled for one combination of argument types.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use pyo3::ffi::{self, PyObject};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyopt_passes::infra::Severity;
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::memory::Owner;

use crate::boxing;
use crate::c_entry::{self, CEntry};
use crate::compiler::{self, Compiled, Entry, Request, View};
use crate::dispatcher::call_entry;
use crate::errors;
use crate::fingerprint;
use crate::generator::{self, GeneratorCode, KeptArguments};
use crate::objmode::{Host, ObjectCall, Texts};
use crate::raise;
use crate::unbox::ArgBuffer;

/// Up to so many slots a returned value has its place on the stack.
const NEAR_SLOTS: usize = 16;

/// Compiled code and what calling it takes. Python gives it the names of the function that it is of.
#[pyclass(frozen, dict, module = "pyopt._core")]
pub struct Specialisation {
    /// What C code calls. It goes before the code does, whose address may be used again.
    c_entry: Option<CEntry>,
    compiled: Compiled,
    request: Request,
    /// Fingerprint of the arguments.
    pub words: Box<[u64]>,
    return_slots: usize,
    release_gil: bool,
    /// What `objmode` blocks run.
    objects: Arc<[ObjectCall]>,
    /// What resumes the generators that the code returns.
    generator: Option<Arc<GeneratorCode>>,
}

impl Specialisation {
    /// Takes over what the compiler made; `objects` is the Python code that it calls.
    pub fn new(request: Request, compiled: Compiled, objects: Arc<[ObjectCall]>) -> Self {
        let mut words = Vec::new();
        request
            .arguments
            .iter()
            .for_each(|ty| fingerprint::encode(ty, &mut words));
        Specialisation {
            generator: GeneratorCode::of(&compiled, &objects).map(Arc::new),
            c_entry: c_entry(&request, &compiled, &objects),
            return_slots: compiled.returns.slots(),
            // Workers never need the GIL, but the caller would hold it while it waits for them.
            release_gil: compiled.parallel || request.options().nogil,
            words: words.into_boxed_slice(),
            compiled,
            request,
            objects,
        }
    }

    /// Types of the parameters.
    pub fn arguments(&self) -> &[crate::types::TypeDesc] {
        &self.request.arguments
    }

    /// Runs the code on slots, and has it write what it returns to others. The thread may be without the GIL.
    ///
    /// # Safety
    /// The slots are of this specialisation's types; those for the result may be null if it has none.
    pub unsafe fn run(&self, returned: *mut i64, slots: *const i64) -> PyResult<()> {
        let mut error = MaybeUninit::<PyoptError>::uninit();
        let error = error.as_mut_ptr();
        let run = |entry: NonNull<c_void>| {
            // SAFETY: the lowering gives every entry this type.
            unsafe {
                let entry = std::mem::transmute::<NonNull<c_void>, Entry>(entry);
                let attached = self.release_gil && ffi::PyGILState_Check() == 1;
                let thread = attached.then(|| ffi::PyEval_SaveThread());
                let status = entry(returned, error, slots);
                if let Some(thread) = thread {
                    ffi::PyEval_RestoreThread(thread);
                }
                status
            }
        };
        let texts = (!self.objects.is_empty()).then(Texts::default);
        let host = Host::new(&self.objects, texts.as_ref());
        // SAFETY: as in `call`; what it raises has no arrays among its arguments.
        unsafe {
            PyoptError::prepare(error, host.address());
            let status = match self.compiled.code.entry() {
                Some(entry) => run(entry),
                None => self.compiled.code.watched(run),
            };
            if status == 0 {
                if !returned.is_null() {
                    // A text may be one that a block has handed out.
                    std::mem::forget(texts);
                }
                return Ok(());
            }
            Err(Python::attach(|py| {
                raise::raise(&self.compiled.sites, status, error, &ArgBuffer::default());
                PyErr::fetch(py)
            }))
        }
    }

    /// Runs the code: the returned object, or null with an exception set.
    ///
    /// # Safety
    /// The GIL is held, and the slots in `args` are of this specialisation's types.
    #[inline]
    pub unsafe fn call(&self, args: &ArgBuffer) -> *mut PyObject {
        let mut near = [const { MaybeUninit::<i64>::uninit() }; NEAR_SLOTS];
        let mut far = Vec::new();
        let returned = if self.return_slots <= NEAR_SLOTS {
            near.as_mut_ptr()
        } else {
            far.resize_with(self.return_slots, MaybeUninit::uninit);
            far.as_mut_ptr()
        };
        let returned = returned.cast::<i64>();
        let mut error = MaybeUninit::<PyoptError>::uninit();
        let error = error.as_mut_ptr();
        let texts = (!self.objects.is_empty()).then(Texts::default);
        let host = Host::new(&self.objects, texts.as_ref());
        // SAFETY: the lowering gives every entry this type; the buffers are as large as the types need, and what returns normally fills the slots;
        // of the error compiled code reads what is prepared before it writes the rest. The thread state is
        // saved and restored on this thread.
        unsafe {
            PyoptError::prepare(error, host.address());
            // A generator keeps arrays beyond the call.
            let kept = self.generator.as_ref().map(|_| KeptArguments::new(args));
            let slots = kept
                .as_ref()
                .map_or(&args.slots, |kept| &kept.slots)
                .as_ptr();
            let run = |entry: NonNull<c_void>| {
                let entry = std::mem::transmute::<NonNull<c_void>, Entry>(entry);
                if self.release_gil {
                    let thread = ffi::PyEval_SaveThread();
                    let status = entry(returned, error, slots);
                    ffi::PyEval_RestoreThread(thread);
                    status
                } else {
                    entry(returned, error, slots)
                }
            };
            let status = match self.compiled.code.entry() {
                Some(entry) => run(entry),
                None => self.compiled.code.watched(run),
            };
            // An exception goes before one that writing back raises.
            let written = args.write_back();
            if status == 0 && !written {
                ptr::null_mut()
            } else if status == 0
                && let Some(code) = &self.generator
            {
                generator::to_object(code, *returned as *mut Owner)
            } else if status == 0 {
                let returned = std::slice::from_raw_parts(returned, self.return_slots);
                boxing::returned(&self.compiled.returns, returned, args)
            } else {
                if !written {
                    ffi::PyErr_Clear();
                }
                raise::raise(&self.compiled.sites, status, error, args)
            }
        }
    }
}

/// The function of the code that C code calls, if it was asked for.
fn c_entry(request: &Request, compiled: &Compiled, objects: &Arc<[ObjectCall]>) -> Option<CEntry> {
    let function = request.functions.first().filter(|_| request.c_entry)?;
    let symbol = format!("{}{}", c_entry::PREFIX, function.code.name);
    let address = compiled.code.lookup(&symbol);
    let address = address.expect("the compiler makes what is asked for");
    Some(CEntry::new(
        address.as_ptr().addr(),
        symbol,
        &compiled.sites,
        objects,
    ))
}

/// A diagnostic as Python has it.
type Told = (bool, String, Option<(String, usize)>);

#[pymethods]
impl Specialisation {
    /// Calls the code with one argument for each parameter, converted to its types.
    #[pyo3(signature = (*args))]
    fn __call__(slf: &Bound<'_, Self>, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        errors::guarded(|| call_entry(slf, args))?
    }

    /// For the garbage collector: blocks refer to what their functions do.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.objects
            .iter()
            .try_for_each(|object| visit.call(object.function()))
    }

    /// Argument types in the compiler's text form.
    #[getter(argument_types)]
    fn argument_types(&self) -> Vec<String> {
        self.arguments().iter().map(ToString::to_string).collect()
    }

    /// Return type in the compiler's text form.
    #[getter]
    fn return_type(&self) -> String {
        match self.generator {
            Some(_) => format!("!typed.generator<{}>", self.compiled.returns),
            None => self.compiled.returns.to_string(),
        }
    }

    /// The address and the symbol of the function that C code calls.
    #[getter(c_entry)]
    fn c_entry_point(&self) -> Option<(usize, &str)> {
        let entry = self.c_entry.as_ref()?;
        Some((entry.address, &entry.symbol))
    }

    /// What is to be told of parallel loops, up to a level from 1 to 4: whether it is a warning, the
    /// message, and the file and the line if there are any.
    fn diagnose(&self, py: Python<'_>, level: i64) -> PyResult<Vec<Told>> {
        let told = errors::guarded(|| py.detach(|| compiler::diagnose(&self.request, level)))?;
        let told = told.map_err(|error| errors::to_python(py, *error))?;
        Ok(told
            .into_iter()
            .map(|one| {
                let place = one.position.map(|place| (place.file, place.line));
                (one.severity == Severity::Warning, one.message, place)
            })
            .collect())
    }

    /// The lowest and highest offset of each dimension, of each stencil that the code applies.
    fn stencil_neighborhoods(&self, py: Python<'_>) -> PyResult<Vec<Vec<(i64, i64)>>> {
        errors::guarded(|| py.detach(|| compiler::stencil_neighborhoods(&self.request)))?
            .map_err(|error| errors::to_python(py, *error))
    }

    /// The module after the pass named `stage`, or the `llvm` or `asm` view.
    #[pyo3(signature = (kind, stage = None))]
    fn inspect(&self, py: Python<'_>, kind: &str, stage: Option<String>) -> PyResult<String> {
        let view = match (kind, stage) {
            ("ir", Some(stage)) => View::Ir(stage),
            ("llvm", None) => View::Llvm(self.compiled.code.tier()),
            ("asm", None) => View::Asm(self.compiled.code.tier()),
            _ => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "unknown view '{kind}'"
                )));
            }
        };
        errors::guarded(|| py.detach(|| compiler::inspect(&self.request, &view)))?
            .map_err(|error| errors::to_python(py, *error))
    }
}
