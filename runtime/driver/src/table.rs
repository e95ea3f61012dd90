//! A driver as a table of C functions, which may cross the border between a library and the process.

use std::{
    any::Any,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

pub use super::loaded::Loaded;
use super::{
    driver::{Argument, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue},
    error::{DeviceError, Result},
    exported,
    host::Services,
    text::{List, Sink, Text},
};

/// The version of this interface.
pub const VERSION: u32 = 1;

/// What became of a call. Where it isn't [`Status::DONE`], the sink has been told why.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

impl Status {
    /// It has done what it is for.
    pub const DONE: Self = Self(0);
    /// The driver refused something.
    pub const FAILED: Self = Self(1);
    /// The device has no memory left.
    pub const OUT_OF_MEMORY: Self = Self(2);
    /// There is no such device.
    pub const ABSENT: Self = Self(3);

    /// The result of a call, for which there is a reason if it failed.
    pub(crate) fn into_result(self, reason: String) -> Result<()> {
        match self {
            Self::DONE => Ok(()),
            Self::OUT_OF_MEMORY => Err(DeviceError::OutOfMemory(reason)),
            Self::ABSENT => Err(DeviceError::Absent(reason)),
            _ => Err(DeviceError::Failed(reason)),
        }
    }

    /// The status of what work gives; an error or a panic goes to the sink.
    ///
    /// # Safety
    ///
    /// The sink is valid for this call.
    pub unsafe fn of(sink: *const Sink, work: impl FnOnce() -> Result<()>) -> Self {
        let (status, reason) = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(())) => return Self::DONE,
            Ok(Err(error)) => {
                let status = match &error {
                    DeviceError::OutOfMemory(_) => Self::OUT_OF_MEMORY,
                    DeviceError::Absent(_) => Self::ABSENT,
                    DeviceError::Failed(_) | DeviceError::Forked => Self::FAILED,
                };
                (status, error.to_string())
            }
            Err(panic) => (Self::FAILED, panic_text(&*panic)),
        };
        // SAFETY: the caller says so.
        unsafe { Sink::say(sink, &reason) };
        status
    }
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_default())
}

/// A device as [`Table::devices`] counts them.
pub type Number = usize;

/// What all functions of a table get first.
pub type State = *const c_void;

/// A driver: what [`Driver`] and [`Device`](super::Device) say of each function counts for those here. A
/// function may be called on any thread.
#[repr(C)]
pub struct Table {
    /// [`VERSION`].
    pub version: u32,
    /// For the functions alone.
    pub state: State,
    /// Says what the process does for the driver, before anything else is called.
    pub attach: unsafe extern "C" fn(*const Services),
    /// Finds the devices, and counts them.
    pub devices: unsafe extern "C" fn(State, *mut usize, *const Sink) -> Status,
    /// What a device is.
    pub info: unsafe extern "C" fn(State, Number) -> Info,
    /// As [`Device::open`](super::Device::open).
    pub open: unsafe extern "C" fn(State, Number, *const Sink) -> Status,
    /// As [`Device::new_queue`](super::Device::new_queue).
    pub new_queue: unsafe extern "C" fn(State, Number, *mut RawQueue, *const Sink) -> Status,
    /// As [`Device::allocate`](super::Device::allocate).
    pub allocate: unsafe extern "C" fn(State, Number, usize, *mut RawBuffer, *const Sink) -> Status,
    /// As [`Device::free`](super::Device::free).
    pub free: unsafe extern "C" fn(State, Number, RawBuffer),
    /// As [`Device::available`](super::Device::available); `false` where the driver doesn't tell.
    pub available: unsafe extern "C" fn(State, Number, *mut u64) -> bool,
    /// As [`Device::copy_in`](super::Device::copy_in).
    pub copy_in: unsafe extern "C" fn(
        State,
        Number,
        RawQueue,
        *const c_void,
        usize,
        RawBuffer,
        usize,
        *const Sink,
    ) -> Status,
    /// As [`Device::copy_out`](super::Device::copy_out).
    pub copy_out: unsafe extern "C" fn(
        State,
        Number,
        RawQueue,
        RawBuffer,
        usize,
        *mut c_void,
        usize,
        *const Sink,
    ) -> Status,
    /// As [`Device::load`](super::Device::load).
    pub load: unsafe extern "C" fn(
        State,
        Number,
        List<u8>,
        Text,
        *mut RawFunction,
        *const Sink,
    ) -> Status,
    /// As [`Device::launch`](super::Device::launch).
    pub launch: unsafe extern "C" fn(
        State,
        Number,
        RawQueue,
        RawFunction,
        *const [u32; 3],
        *const [u32; 3],
        List<Argument>,
        *const Sink,
    ) -> Status,
    /// As [`Device::synchronize`](super::Device::synchronize).
    pub synchronize: unsafe extern "C" fn(State, Number, RawQueue, *const Sink) -> Status,
    /// As [`Device::address`](super::Device::address); `false` where others don't know it.
    pub address: unsafe extern "C" fn(State, Number, RawBuffer, *mut u64) -> bool,
}

// SAFETY: the functions may be called on any thread, and nothing else reads the state.
unsafe impl Sync for Table {}
// SAFETY: as above.
unsafe impl Send for Table {}

impl Table {
    /// The table of a driver, which stays as long as the process.
    pub fn of(driver: &'static dyn Driver) -> &'static Self {
        exported::table(driver)
    }
}

/// [`DeviceInfo`] as C has it. Texts live as long as the process.
#[repr(C)]
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "the fields are those of DeviceInfo")]
pub struct Info {
    pub name: Text,
    pub product: Text,
    pub driver_version: Text,
    pub chip: Text,
    pub memory: u64,
    pub largest_allocation: u64,
    pub local_memory: u64,
    pub compute_units: u32,
    pub max_block: u32,
    pub has_f64: bool,
    pub has_f16: bool,
}

impl Info {
    /// What is known of a device.
    pub fn of(info: &DeviceInfo) -> Self {
        Self {
            name: Text::borrowed(&info.name),
            product: Text::borrowed(&info.product),
            driver_version: Text::borrowed(&info.driver_version),
            chip: Text::borrowed(&info.chip),
            memory: info.memory,
            largest_allocation: info.largest_allocation,
            local_memory: info.local_memory,
            compute_units: info.compute_units,
            max_block: info.max_block,
            has_f64: info.has_f64,
            has_f16: info.has_f16,
        }
    }

    /// Reads what is known of a device.
    ///
    /// # Safety
    ///
    /// The texts are there.
    pub unsafe fn read(&self) -> DeviceInfo {
        // SAFETY: the caller says so.
        let read = |text: Text| unsafe { text.read() }.unwrap_or_default().to_owned();
        DeviceInfo {
            name: read(self.name),
            product: read(self.product),
            driver_version: read(self.driver_version),
            chip: read(self.chip),
            memory: self.memory,
            largest_allocation: self.largest_allocation,
            local_memory: self.local_memory,
            compute_units: self.compute_units,
            max_block: self.max_block,
            has_f64: self.has_f64,
            has_f16: self.has_f16,
        }
    }
}
