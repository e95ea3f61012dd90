//! A function compiled for one combination of argument types.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyopt_passes::compile::Neighborhood;
use pyopt_passes::infra::Severity;
use pyopt_runtime::device::registry::OpenDevice;
use pyopt_runtime::engine::Tier;
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::memory::Owner;
use pyopt_runtime::sharing::{self, Use};
use pyopt_runtime::turns::Turn;

use crate::boxing;
use crate::c_entry::{self, CEntry};
use crate::compiler::{self, Compiled, Entry, Request, View};
use crate::detached::{attach, compiling, turn};
use crate::device_calls::DeviceCalls;
use crate::dispatcher::call_entry;
use crate::errors;
use crate::fingerprint;
use crate::generator::{self, GeneratorCode, KeptArguments};
use crate::loop_remarks::LoopRemark;
use crate::objmode::{Host, ObjectCall};
use crate::raise;
use crate::types::ArgumentTypes;
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
    /// Whether a call is nothing but a jump into the code: see [`Self::call_plain`].
    is_plain: bool,
    /// What `objmode` blocks run.
    objects: Arc<[ObjectCall]>,
    /// What resumes the generators that the code returns.
    generator: Option<Arc<GeneratorCode>>,
    /// The device whose kernels the code launches.
    device: Option<Arc<OpenDevice>>,
    /// What its calls have done on devices.
    device_calls: DeviceCalls,
}

impl Specialisation {
    /// Takes over what the compiler made; `objects` is the Python code that it calls, `device` the one that
    /// it was compiled for.
    pub fn new(
        request: Request,
        compiled: Compiled,
        objects: Arc<[ObjectCall]>,
        device: Option<Arc<OpenDevice>>,
    ) -> Self {
        let mut words = Vec::new();
        request
            .arguments
            .iter()
            .for_each(|ty| fingerprint::encode(ty, &mut words));
        let generator = GeneratorCode::of(&compiled, &objects).map(Arc::new);
        let return_slots = compiled.returns.slots();
        // Workers never need the GIL, but the caller would hold it while it waits for them.
        let release_gil = compiled.parallel || request.options().nogil;
        let uses_devices = device.is_some() || request.enters_devices;
        let is_usual = !release_gil && generator.is_none() && !uses_devices;
        Specialisation {
            c_entry: c_entry(&request, &compiled, &objects),
            is_plain: is_usual && return_slots <= NEAR_SLOTS,
            generator,
            return_slots,
            release_gil,
            words: words.into_boxed_slice(),
            compiled,
            request,
            objects,
            device,
            device_calls: DeviceCalls::default(),
        }
    }

    /// The number of the device that the code is for; 0 for the CPU.
    #[inline]
    pub fn device_number(&self) -> u32 {
        self.device.as_ref().map_or(0, |device| device.number)
    }

    /// Runs the code, with what it takes where devices have to do with it.
    ///
    /// # Safety
    /// `error` is the record of the code, which was prepared.
    #[inline]
    unsafe fn enter(
        &self,
        args: &ArgBuffer,
        error: *mut PyoptError,
        work: impl FnOnce() -> i32,
    ) -> i32 {
        let is_plain = self.device.is_none() && !self.request.enters_devices;
        if is_plain && !args.has_device_arrays() {
            return work();
        }
        // SAFETY: forwarded.
        unsafe { (self.device_calls).run(self.device.as_ref(), args, error, work) }
    }

    /// Says which structures a call uses, where threads may run at the same time; an error, with an exception
    /// set, where another thread changes one of them. Calls that keep the GIL have a turn where there is none.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline]
    unsafe fn use_structures(&self, args: &ArgBuffer) -> Result<(Option<Use>, Option<Turn>), ()> {
        if args.structures.is_empty() {
            return Ok((None, None));
        }
        let turn = turn();
        if !(self.release_gil || sharing::is_any_in_use()) {
            return Ok((None, turn));
        }
        // SAFETY: the arguments keep the structures alive, and the GIL is held, or this thread has the turn.
        let used = unsafe { Use::begin(&args.structures) };
        let turn = turn.filter(|_| !self.release_gil);
        used.map(|used| (Some(used), turn)).map_err(|_| {
            let error = PyRuntimeError::new_err(
                "another thread is changing a typed container or instance that is an argument",
            );
            // SAFETY: the GIL is held.
            error.restore(unsafe { Python::assume_attached() });
        })
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
                let status = self.enter(&ArgBuffer::default(), error, || {
                    entry(returned, error, slots)
                });
                if let Some(thread) = thread {
                    ffi::PyEval_RestoreThread(thread);
                }
                status
            }
        };
        let host = Host::new(&self.objects);
        // SAFETY: as in `call`; what it raises has no arrays among its arguments.
        unsafe {
            PyoptError::prepare(error, host.address());
            let status = self.compiled.code.run(run);
            if status == 0 {
                return Ok(());
            }
            Err(attach(|py| {
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
        // SAFETY: forwarded.
        unsafe {
            match self.is_plain && args.is_plain() {
                true => self.call_plain(args),
                false => self.call_any(args),
            }
        }
    }

    /// Runs code that keeps the GIL, uses no device and makes no generator, on arguments that nothing has to
    /// be done for: what most calls are, without what the others need.
    ///
    /// # Safety
    /// As [`Self::call`].
    #[inline(always)]
    unsafe fn call_plain(&self, args: &ArgBuffer) -> *mut PyObject {
        let mut returned = [const { MaybeUninit::<i64>::uninit() }; NEAR_SLOTS];
        let returned = returned.as_mut_ptr().cast::<i64>();
        let mut error = MaybeUninit::<PyoptError>::uninit();
        let error = error.as_mut_ptr();
        let host = Host::new(&self.objects);
        // SAFETY: as in `call_any`.
        unsafe {
            PyoptError::prepare(error, host.address());
            let run = |entry: NonNull<c_void>| {
                let entry = std::mem::transmute::<NonNull<c_void>, Entry>(entry);
                entry(returned, error, args.slots.as_ptr())
            };
            let status = self.compiled.code.run(run);
            if status != 0 {
                return raise::raise(&self.compiled.sites, status, error, args);
            }
            let returned = std::slice::from_raw_parts(returned, self.return_slots);
            boxing::returned(&self.compiled.returns, returned, args)
        }
    }

    /// # Safety
    /// As [`Self::call`].
    #[inline(never)]
    unsafe fn call_any(&self, args: &ArgBuffer) -> *mut PyObject {
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
        let host = Host::new(&self.objects);
        // SAFETY: the GIL is held.
        let Ok((_used, turn)) = (unsafe { self.use_structures(args) }) else {
            return ptr::null_mut();
        };
        // SAFETY: the lowering gives every entry this type; the buffers are as large as the types need, and what returns normally fills the slots;
        // of the error compiled code reads what is prepared before it writes the rest. The thread state is
        // saved and restored on this thread.
        unsafe {
            PyoptError::prepare(error, host.address());
            // A generator keeps arguments beyond the call.
            let kept = self.generator.as_ref();
            let kept = kept.map(|_| KeptArguments::new(args, self.arguments()));
            let slots = kept
                .as_ref()
                .map_or(&args.slots, |kept| &kept.slots)
                .as_ptr();
            let run = |entry: NonNull<c_void>| {
                let entry = std::mem::transmute::<NonNull<c_void>, Entry>(entry);
                let enter = || self.enter(args, error, || entry(returned, error, slots));
                if self.release_gil {
                    let thread = ffi::PyEval_SaveThread();
                    let status = enter();
                    ffi::PyEval_RestoreThread(thread);
                    status
                } else {
                    enter()
                }
            };
            let status = self.compiled.code.run(run);
            // What follows may run Python code.
            drop(turn);
            // An exception goes before one that writing back raises.
            let written = args.write_back();
            if status == 0 && !written {
                ptr::null_mut()
            } else if status == 0
                && let Some(code) = &self.generator
            {
                generator::to_object(code, *returned as *mut Owner, args)
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

    /// The name of the device that the code is for; None for the CPU.
    #[getter(device)]
    fn device_name(&self) -> Option<&str> {
        self.device.as_ref().map(|device| device.name())
    }

    /// What calls of the code did, by the name of the device: launches, copies and bytes to devices, copies and
    /// bytes to the host.
    #[getter]
    fn device_counters(&self) -> Vec<(String, [u64; 5])> {
        self.device_calls.counters()
    }

    /// What was copied to the host for loops that run there: for each its file and line, copies and bytes.
    #[getter]
    fn host_loops(&self) -> Vec<(Option<String>, Option<i64>, u64, u64)> {
        let found = self.device_calls.for_loops().into_iter();
        let found = found.filter_map(|(place, copies, bytes)| {
            let mut sites = self.compiled.sites.iter();
            let site = sites.find(|site| site.id == i64::from(place))?;
            Some((site.file.clone(), site.line, copies, bytes))
        });
        found.collect()
    }

    /// The types of the arguments.
    #[getter]
    fn types(&self) -> ArgumentTypes {
        self.arguments().to_vec().into()
    }

    /// Whether it is code for these arguments and a device, by its name; None is the CPU.
    #[pyo3(signature = (types, device))]
    fn is_for(&self, types: &ArgumentTypes, device: Option<&str>) -> bool {
        self.device_name() == device && self.arguments() == types.all()
    }

    /// The declared type of the result in the compiler's text form; None where it was inferred.
    #[getter]
    fn declared_return(&self) -> Option<String> {
        self.request.returns.as_ref().map(ToString::to_string)
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
        let told = compiling(py, || compiler::diagnose(&self.request, level))?;
        let told = told.map_err(|error| errors::to_python(py, *error))?;
        Ok(told
            .into_iter()
            .map(|one| {
                let place = one.position.map(|place| (place.file, place.line));
                (one.severity == Severity::Warning, one.message, place)
            })
            .collect())
    }

    /// What the compiler's passes and LLVM's say of loops, in the order in which they ran.
    fn explain(&self, py: Python<'_>) -> PyResult<Vec<LoopRemark>> {
        let tier = self.compiled.code.tier();
        let told = compiling(py, || compiler::explain(&self.request, tier))?;
        let (ours, llvms) = told.map_err(|error| errors::to_python(py, *error))?;
        let ours = ours.into_iter().filter_map(LoopRemark::of_ours);
        Ok(ours
            .chain(llvms.into_iter().map(LoopRemark::of_llvm))
            .collect())
    }

    /// The tier that the code is of, by its name.
    #[getter]
    fn tier(&self) -> &'static str {
        match self.request.options().unoptimized {
            true => Tier::None.name(),
            false => self.compiled.code.tier().name(),
        }
    }

    /// Of each stencil that the code applies lines of its kernel, as `FILE:LINE`, and the lowest and highest
    /// offset of each dimension.
    fn stencil_neighborhoods(&self, py: Python<'_>) -> PyResult<Vec<Neighborhood>> {
        compiling(py, || compiler::stencil_neighborhoods(&self.request))?
            .map_err(|error| errors::to_python(py, *error))
    }

    /// The module after the pass named `stage`, the `llvm` or `asm` view, or the `ptx` of kernels for the
    /// architecture that `stage` names.
    #[pyo3(signature = (kind, stage = None))]
    fn inspect(&self, py: Python<'_>, kind: &str, stage: Option<String>) -> PyResult<String> {
        let view = match (kind, stage) {
            ("ir", Some(stage)) => View::Ir(stage),
            ("llvm", None) => View::Llvm(self.compiled.code.tier()),
            ("asm", None) => View::Asm(self.compiled.code.tier()),
            ("ptx", chip) => View::Ptx(chip),
            _ => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "unknown view '{kind}'"
                )));
            }
        };
        compiling(py, || compiler::inspect(&self.request, &view))?
            .map_err(|error| errors::to_python(py, *error))
    }
}
