//! What a driver has to do. Handles are plain numbers and arguments plain memory, so that all of it can be
//! written as a table of C functions.

use std::{
    ffi::c_void,
    sync::{Arc, OnceLock},
};

use super::error::Result;

/// What a device is and can do.
#[derive(Clone, Debug, Default)]
pub struct DeviceInfo {
    /// What it is asked for by: the driver, perhaps a kind, and a number, such as `opencl:cpu:0`.
    pub name: String,
    /// What its maker calls it.
    pub product: String,
    /// The version of its driver.
    pub driver_version: String,
    /// The architecture as LLVM names it, where code depends on it: `sm_90`.
    pub chip: String,
    /// Bytes of its memory.
    pub memory: u64,
    /// The largest allocation in bytes.
    pub largest_allocation: u64,
    /// Bytes of memory that the threads of a block share.
    pub local_memory: u64,
    /// How many blocks run at a time.
    pub compute_units: u32,
    /// The most threads of a block.
    pub max_block: u32,
    /// Whether it has double precision.
    pub has_f64: bool,
    /// Whether it has half precision.
    pub has_f16: bool,
}

/// Memory of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct RawBuffer(pub u64);

/// A sequence of operations that run one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct RawQueue(pub u64);

/// A kernel that can be launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct RawFunction(pub u64);

/// An argument of a launch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub enum Argument {
    /// So many bytes of a value.
    Value(*const c_void, usize),
    /// The address of memory of the device.
    Buffer(RawBuffer),
}

/// What finds devices. Nothing of it is loaded before [`Driver::devices`] is called.
pub trait Driver: Send + Sync {
    /// The first part of its devices' names.
    fn name(&self) -> &'static str;

    /// All of its devices; the error says why it can't tell.
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>>;
}

/// The devices of a driver, found once: `find` looks for them at the first call.
pub fn found_once<D: Device + 'static>(
    found: &OnceLock<Result<Vec<Arc<D>>>>,
    find: fn() -> Result<Vec<Arc<D>>>,
) -> Result<Vec<Arc<dyn Device>>> {
    let found = found.get_or_init(find).clone()?;
    Ok(found
        .into_iter()
        .map(|one| one as Arc<dyn Device>)
        .collect())
}

/// A device. All of it may be called on any thread; what is put into a queue runs in its order.
pub trait Device: Send + Sync {
    /// What it is.
    fn info(&self) -> &DeviceInfo;

    /// Makes the device ready for use, as far as that takes more than knowing that it is there.
    fn open(&self) -> Result<()>;

    /// A fresh queue. Of a device that does everything at once it may be any number.
    fn new_queue(&self) -> Result<RawQueue>;

    /// Whether launches can go to a queue of another library's, whose handle is its address.
    fn takes_queues(&self) -> bool {
        false
    }

    /// Memory, of at least one byte. [`OutOfMemory`](super::DeviceError::OutOfMemory) has the
    /// caller give back what it keeps and try again.
    fn allocate(&self, bytes: usize) -> Result<RawBuffer>;

    /// Gives memory back that nothing uses any more.
    fn free(&self, buffer: RawBuffer);

    /// Bytes of memory that are left, if the driver tells.
    fn available(&self) -> Option<u64> {
        None
    }

    /// Copies from the host. The host's memory was read when this returns.
    ///
    /// # Safety
    ///
    /// So many bytes can be read there, and fit into the buffer from the offset on.
    unsafe fn copy_in(
        &self,
        queue: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()>;

    /// Copies to the host. The bytes are there when the queue was waited for.
    ///
    /// # Safety
    ///
    /// So many bytes can be written there until then, and are in the buffer from the offset on.
    unsafe fn copy_out(
        &self,
        queue: RawQueue,
        buffer: RawBuffer,
        offset: usize,
        host: *mut c_void,
        bytes: usize,
    ) -> Result<()>;

    /// Makes the kernel of a name callable. An image has several.
    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction>;

    /// Puts a launch into a queue; the values of arguments were read when this returns.
    ///
    /// # Safety
    ///
    /// The arguments are those that the kernel takes.
    unsafe fn launch(
        &self,
        queue: RawQueue,
        function: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()>;

    /// Waits until all in a queue is done.
    fn synchronize(&self, queue: RawQueue) -> Result<()>;

    /// The address of memory, where other libraries know it by that.
    fn address(&self, _buffer: RawBuffer) -> Option<u64> {
        None
    }
}
