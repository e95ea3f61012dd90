//! Devices: contexts, what is known of devices, and arrays that stay on them.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::{PyBufferError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyopt_passes::devices;
use pyopt_passes::extension::Extension;
use pyopt_runtime::device::persistent::PersistentMemory;
use pyopt_runtime::device::registry::OpenDevice;
use pyopt_runtime::device::{
    Counters, DeviceError, contexts, driver::DeviceInfo, driver::RawBuffer, entry, registry,
};
use pyopt_runtime::memory::Owner;

use crate::detached::attach;

/// Says how errors of devices that compiled code gets become exceptions.
pub fn load() {
    registry::load();
    entry::on_error(|error| {
        attach(|py| {
            let exception = to_python(py, error).into_value(py);
            Owner::of_object(exception.into_ptr().cast())
        })
    });
}

/// Registers the drivers of an extension.
pub fn register_drivers(extension: &Extension) -> PyResult<()> {
    let mut drivers = extension.devices.iter().filter_map(|spec| spec.driver);
    drivers
        .try_for_each(registry::register)
        .map_err(PyValueError::new_err)
}

/// The exception of an error.
pub fn to_python(py: Python<'_>, error: &DeviceError) -> PyErr {
    let text = error.to_string();
    if matches!(error, DeviceError::OutOfMemory(_)) {
        return PyMemoryError::new_err(text);
    }
    let class = py
        .import("pyopt.errors")
        .and_then(|module| module.getattr("DeviceError"));
    match class.and_then(|class| class.call1((text.clone(),))) {
        Ok(made) => PyErr::from_value(made),
        Err(_) => PyRuntimeError::new_err(text),
    }
}

fn checked<T>(py: Python<'_>, result: Result<T, DeviceError>) -> PyResult<T> {
    result.map_err(|error| to_python(py, &error))
}

/// The device of a name, opened; none without one.
pub fn opened(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Arc<OpenDevice>>> {
    checked(py, name.map(registry::open).transpose())
}

/// The devices of each driver: the driver's name, why it has none, and what is known of each device.
type Listed<'py> = (&'static str, Option<String>, Vec<Bound<'py, PyDict>>);

/// All devices, by driver.
#[pyfunction]
pub fn list_devices(py: Python<'_>) -> PyResult<Vec<Listed<'_>>> {
    let listed = py.detach(registry::list).into_iter();
    listed
        .map(|(driver, devices)| match devices {
            Ok(infos) => {
                let code = devices::find(driver).map_or("", |spec| spec.code);
                let infos = infos.iter().map(|info| described(py, info, code));
                Ok((driver, None, infos.collect::<PyResult<_>>()?))
            }
            Err(reason) => Ok((driver, Some(reason.to_string()), Vec::new())),
        })
        .collect()
}

fn described<'py>(py: Python<'py>, info: &DeviceInfo, code: &str) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("name", &info.name)?;
    fields.set_item("product", &info.product)?;
    fields.set_item("driver_version", &info.driver_version)?;
    fields.set_item("code", code)?;
    fields.set_item("architecture", &info.chip)?;
    fields.set_item("memory", info.memory)?;
    fields.set_item("largest_allocation", info.largest_allocation)?;
    fields.set_item("local_memory", info.local_memory)?;
    fields.set_item("compute_units", info.compute_units)?;
    fields.set_item("max_block", info.max_block)?;
    fields.set_item("float64", info.has_f64)?;
    fields.set_item("float16", info.has_f16)?;
    Ok(fields)
}

/// Has calls of this thread be for a device, or for the CPU, until [`leave_device`].
#[pyfunction]
#[pyo3(signature = (name, stream = None))]
pub fn enter_device(py: Python<'_>, name: &str, stream: Option<u64>) -> PyResult<()> {
    // Contexts are those of a thread, which detaching doesn't change.
    let entered = py.detach(|| contexts::enter(name, stream));
    checked(py, entered)
}

/// Leaves the context that this thread entered last.
#[pyfunction]
pub fn leave_device() -> PyResult<()> {
    match contexts::leave() {
        true => Ok(()),
        false => Err(PyRuntimeError::new_err("no device context was entered")),
    }
}

/// The name of the device that calls of this thread are for; None for the CPU.
#[pyfunction]
pub fn current_device() -> Option<String> {
    contexts::current_device().map(|device| device.name().to_owned())
}

/// Bytes of a device's memory that are in use, and bytes that are kept for later.
#[pyfunction]
pub fn device_memory(py: Python<'_>, name: &str) -> PyResult<(u64, u64)> {
    checked(py, registry::open(name)).map(|device| device.memory())
}

/// What calls have done on a device since the process began, as a specialisation's counters.
#[pyfunction]
pub fn device_counters(py: Python<'_>, name: &str) -> PyResult<[u64; 5]> {
    checked(py, registry::open(name)).map(|device| counted(device.counters()))
}

/// Waits until what this thread launched on the device of its context is done.
#[pyfunction]
pub fn synchronize_device(py: Python<'_>) -> PyResult<()> {
    let Some(device) = contexts::current_device() else {
        return Ok(());
    };
    let queue = checked(py, contexts::queue(&device))?;
    checked(py, py.detach(|| queue.synchronize()))
}

/// Counters as Python has them: launches, copies and bytes to devices, copies and bytes to the host.
pub fn counted(counters: Counters) -> [u64; 5] {
    [
        counters.launches,
        counters.copies_in,
        counters.bytes_in,
        counters.copies_out,
        counters.bytes_out,
    ]
}

/// Memory on a device. As a buffer it is the host's addresses for it, whose contents are the memory's only
/// between [`DeviceMemory::to_host`] and its next use on a device.
#[pyclass(frozen, module = "pyopt._core")]
pub struct DeviceMemory(PersistentMemory, Option<Py<PyAny>>);

#[pymethods]
impl DeviceMemory {
    /// Memory of so many bytes, with any contents.
    #[new]
    fn new(py: Python<'_>, device: &str, bytes: usize) -> PyResult<Self> {
        let made = py.detach(|| PersistentMemory::new(&registry::open(device)?, bytes));
        checked(py, made).map(|made| Self(made, None))
    }

    /// So many bytes at an address of a device that are somebody else's; `owner` keeps them.
    #[staticmethod]
    fn foreign(
        py: Python<'_>,
        device: &str,
        bytes: usize,
        address: u64,
        owner: Py<PyAny>,
    ) -> PyResult<Self> {
        let device = checked(py, registry::open(device))?;
        let made = PersistentMemory::foreign(&device, bytes, RawBuffer(address));
        checked(py, made).map(|made| Self(made, Some(owner)))
    }

    /// For the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.1.as_ref().map_or(Ok(()), |owner| visit.call(owner))
    }

    /// The device's name.
    #[getter]
    fn device(&self) -> &str {
        self.0.array().device.name()
    }

    /// Has the contents at the host's addresses; `writes` says that they are changed there.
    fn to_host(&self, py: Python<'_>, writes: bool) -> PyResult<()> {
        let mut counters = Counters::default();
        let array = self.0.array();
        checked(py, py.detach(|| array.use_on_host(writes, &mut counters)))
    }

    /// Copies so many bytes from an offset on to an address, where the package has room for them.
    fn read(&self, py: Python<'_>, offset: usize, to: usize, bytes: usize) -> PyResult<()> {
        self.check(offset, bytes)?;
        let array = self.0.array();
        // SAFETY: the package passes the address of an array of so many bytes, which it keeps.
        let read = || unsafe { array.read(offset, ptr::with_exposed_provenance_mut(to), bytes) };
        checked(py, py.detach(read))
    }

    /// Copies so many bytes from an address, where the package has them, to an offset.
    fn write(&self, py: Python<'_>, offset: usize, from: usize, bytes: usize) -> PyResult<()> {
        self.check(offset, bytes)?;
        let array = self.0.array();
        // SAFETY: as in `read`.
        let write = || unsafe { array.write(offset, ptr::with_exposed_provenance(from), bytes) };
        checked(py, py.detach(write))
    }

    /// After the host has written: has others see it that know the address on the device.
    fn publish(&self, py: Python<'_>) -> PyResult<()> {
        let array = self.0.array();
        checked(py, py.detach(|| array.publish(&mut Counters::default())))
    }

    /// Waits for what was done with the memory.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        checked(py, py.detach(|| self.0.array().synchronize()))
    }

    /// The address on the device, by which others may read and write from now on; None where the device has
    /// no addresses.
    fn share(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        checked(py, py.detach(|| self.0.array().share()))
    }

    /// The first of the host's addresses.
    #[getter]
    fn start(&self) -> usize {
        self.0.array().range.start
    }

    /// # Safety
    /// Python calls it with a view to fill.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let array = slf.get().0.array();
        let start = ptr::with_exposed_provenance_mut::<c_void>(array.range.start);
        // SAFETY: the object lives as long as the view, and so do its addresses.
        let failed = unsafe {
            let length = array.bytes() as ffi::Py_ssize_t;
            ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 0, flags)
        };
        match failed {
            0 => Ok(()),
            _ => Err(PyErr::take(slf.py()).unwrap_or_else(|| PyBufferError::new_err("no buffer"))),
        }
    }
}

impl DeviceMemory {
    fn check(&self, offset: usize, bytes: usize) -> PyResult<()> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.0.array().bytes() => Ok(()),
            _ => Err(PyValueError::new_err("the bytes aren't in the memory")),
        }
    }
}

/// What arrays on devices are to the extension: an array over the host's addresses, which only compiled
/// code may look into.
#[pyclass(frozen, subclass, module = "pyopt._core")]
pub struct DeviceArrayBase {
    shadow: Py<PyAny>,
    memory: Py<DeviceMemory>,
}

static ARRAY_TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

#[pymethods]
impl DeviceArrayBase {
    #[new]
    fn new(shadow: Py<PyAny>, memory: Py<DeviceMemory>) -> Self {
        Self { shadow, memory }
    }

    /// The array over the host's addresses.
    #[getter]
    fn _shadow(&self, py: Python<'_>) -> Py<PyAny> {
        self.shadow.clone_ref(py)
    }

    /// The memory that the array is in.
    #[getter]
    fn _memory(&self, py: Python<'_>) -> Py<DeviceMemory> {
        self.memory.clone_ref(py)
    }
}

/// Says which class arrays on devices are of. It stays for ever.
#[pyfunction]
pub fn set_device_array_type(class: Bound<'_, PyType>) -> PyResult<()> {
    if !class.is_subclass_of::<DeviceArrayBase>()? {
        return Err(PyValueError::new_err("no class of arrays on devices"));
    }
    ARRAY_TYPE.store(class.into_ptr().cast(), Ordering::Release);
    Ok(())
}

/// Whether a type is that of arrays on devices.
#[inline]
pub fn is_array_type(ty: *mut PyTypeObject) -> bool {
    ty == ARRAY_TYPE.load(Ordering::Relaxed) && !ty.is_null()
}

/// The array over the host's addresses of an array on a device, and an address that the device has.
///
/// # Safety
/// The GIL is held; the object is alive, and of the type of arrays on devices.
#[inline]
pub unsafe fn shadow(object: *mut PyObject) -> (*mut PyObject, usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        let array = object.cast_unchecked::<DeviceArrayBase>().get();
        let memory = array.memory.get();
        (array.shadow.as_ptr(), memory.0.array().range.start)
    }
}

/// Makes an array on a device of a view, whose reference it takes, of the shadow of another one; null with
/// an exception set if that fails.
///
/// # Safety
/// The GIL is held; `view` is null or an array, `of` an array on a device.
pub unsafe fn wrap(view: *mut PyObject, of: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let py = Python::assume_attached();
        let Some(view) = Bound::from_owned_ptr_or_opt(py, view) else {
            return ptr::null_mut();
        };
        let of = Bound::from_borrowed_ptr(py, of);
        let memory = of
            .cast_unchecked::<DeviceArrayBase>()
            .get()
            .memory
            .clone_ref(py);
        match of.get_type().call1((view, memory)) {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                error.restore(py);
                ptr::null_mut()
            }
        }
    }
}
