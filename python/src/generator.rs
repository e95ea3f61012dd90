//! Generators that compiled code returned, as Python objects.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::{PyRuntimeError, PyStopIteration, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_passes::compile::Site;
use pyopt_runtime::engine::TieredCode;
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::lists::keep_lent;
use pyopt_runtime::memory::{Owner, OwnerRef};
use smallvec::SmallVec;

use crate::boxing;
use crate::compiler::{Compiled, Entry};
use crate::detached::turn;
use crate::kept_lists::KeptList;
use crate::objmode::{Host, ObjectCall};
use crate::raise;
use crate::types::TypeDesc;
use crate::unbox::ArgBuffer;

/// What resumes the generators of one specialisation.
pub struct GeneratorCode {
    resume: NonNull<c_void>,
    item: TypeDesc,
    sites: Vec<Site>,
    objects: Arc<[ObjectCall]>,
    /// Where the code is.
    _code: Arc<TieredCode>,
}

// SAFETY: the address is of code that lives as long as the value and may be run on any thread.
unsafe impl Send for GeneratorCode {}
// SAFETY: as above.
unsafe impl Sync for GeneratorCode {}

impl GeneratorCode {
    /// What resumes the generators that code returns, if it returns any.
    pub fn of(compiled: &Compiled, objects: &Arc<[ObjectCall]>) -> Option<Self> {
        let symbol = compiled.resume.as_ref()?;
        Some(Self {
            resume: compiled
                .code
                .lookup(symbol)
                .expect("entries are in the code"),
            item: compiled.returns.clone(),
            sites: compiled.sites.clone(),
            objects: objects.clone(),
            _code: compiled.code.clone(),
        })
    }
}

/// The arguments of a call that may outlive it: what is in Python's memory, as arrays and texts, has owners
/// that hold the Python objects.
pub struct KeptArguments {
    /// The slots.
    pub slots: SmallVec<[i64; 48]>,
    /// The references of the call itself.
    _owners: Vec<OwnerRef>,
}

impl KeptArguments {
    /// Gives what the call has borrowed owners that last; `types` are those of the arguments.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn new(args: &ArgBuffer, types: &[TypeDesc]) -> Self {
        let mut slots = args.slots.clone();
        let mut owners = Vec::new();
        // SAFETY: the GIL is held, and the reference is the new owner's.
        let mut made = |object: *mut c_void| unsafe {
            Owner::of_object(ffi::Py_NewRef(object.cast::<PyObject>()).cast())
        };
        let arrays = args.arrays.iter().map(|array| array.slot);
        for at in boxing::owner_positions(types).into_iter().chain(arrays) {
            let owner = slots[at] as *mut Owner;
            // SAFETY: the arguments have their owners, and their lists, dicts and sets are this call's alone.
            let kept = unsafe { keep_lent(owner, &mut made) };
            if kept != owner {
                slots[at] = kept as i64;
                // SAFETY: the reference is the one that it was made with.
                owners.extend(unsafe { OwnerRef::from_raw(kept) });
            }
        }
        Self {
            slots,
            _owners: owners,
        }
    }
}

/// What a generator goes on with.
struct State {
    owner: OwnerRef,
    /// The lists that Python has, too: of those among its arguments the ones in lists first.
    lists: Vec<KeptList>,
}

impl State {
    /// Writes back what was changed of the lists.
    fn write_back(&mut self, py: Python<'_>, args: &ArgBuffer) -> PyResult<()> {
        let mut lists = self.lists.iter_mut();
        lists.try_for_each(|list| list.write_back(py, args))
    }

    /// Keeps the lists that Python has got, and forgets those that the generator hasn't any more.
    fn keep(&mut self, given: Vec<KeptList>) {
        self.lists.extend(given);
        self.lists.retain(KeptList::is_shared);
    }
}

/// A generator of compiled code.
#[pyclass(frozen, module = "pyopt._core")]
pub struct Generator {
    code: Arc<GeneratorCode>,
    /// None when it was closed.
    state: Mutex<Option<State>>,
    /// Whether structures are among the arguments that it goes on with.
    has_structures: bool,
}

/// Wraps a generator; null with an exception set if that fails.
///
/// # Safety
/// The GIL is held; code of `code` returned the owner for these arguments, and gives its reference up.
pub unsafe fn to_object(
    code: &Arc<GeneratorCode>,
    owner: *mut Owner,
    args: &ArgBuffer,
) -> *mut PyObject {
    // SAFETY: the caller's promise.
    let (py, owner, lists) = unsafe {
        let py = Python::assume_attached();
        (py, OwnerRef::from_raw(owner), args.kept_lists())
    };
    let state = owner.map(|owner| State { owner, lists });
    let generator = Generator {
        code: code.clone(),
        state: Mutex::new(state),
        has_structures: !args.structures.is_empty(),
    };
    match Bound::new(py, generator) {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

#[pymethods]
impl Generator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut state = self.state()?;
        let Some(state) = state.as_mut() else {
            return Ok(None);
        };
        state.lists.iter().for_each(KeptList::begin);
        let code = &*self.code;
        let count = code.item.slots();
        let mut returned = vec![0; count + 1];
        let arguments = [state.owner.as_ptr() as i64];
        let mut error = MaybeUninit::<PyoptError>::uninit();
        let error = error.as_mut_ptr();
        let args = ArgBuffer::default();
        let host = Host::new(&code.objects);
        let _turn = self.has_structures.then(turn);
        // SAFETY: what resumes takes the owner and gives an item and whether there is one; of the error
        // compiled code reads what is prepared. The GIL is held.
        unsafe {
            PyoptError::prepare(error, host.address());
            let resume = std::mem::transmute::<NonNull<c_void>, Entry>(code.resume);
            let status = resume(returned.as_mut_ptr(), error, arguments.as_ptr());
            let written = state.write_back(py, &args);
            let item = match (status, returned[count]) {
                (0, 0) => return written.map(|()| None),
                (0, _) => boxing::to_object(&code.item, &returned[..count], &args),
                _ => raise::raise(&code.sites, status, error, &args),
            };
            // An exception goes before one that writing back raises.
            let item = Bound::from_owned_ptr_or_err(py, item).map_err(|error| no_end(py, error))?;
            written?;
            state.keep(args.boxed.take());
            Ok(Some(item.unbind()))
        }
    }

    /// Goes on as `next` does; compiled generators can't be sent anything else.
    fn send(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if !value.is_none() {
            return Err(PyTypeError::new_err(
                "a generator of compiled code can't be sent a value: what 'yield' gives there is None",
            ));
        }
        self.__next__(py)?
            .ok_or_else(|| PyStopIteration::new_err(()))
    }

    /// Ends the generator and gives up what it keeps.
    fn close(&self) -> PyResult<()> {
        *self.state()? = None;
        Ok(())
    }
}

/// The error of a generator: a `StopIteration` of its body isn't its end.
fn no_end(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyStopIteration>(py) {
        return error;
    }
    let raised = PyRuntimeError::new_err("generator raised StopIteration");
    raised.set_cause(py, Some(error));
    raised
}

impl Generator {
    /// The state, unless the generator is at work: on another thread, or here, in Python code that it runs.
    fn state(&self) -> PyResult<MutexGuard<'_, Option<State>>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyValueError::new_err("generator already executing"))
            }
        }
    }
}
