//! What the process does for drivers: it compiles kernels for the processor that it runs on.

use std::{ffi::c_void, mem, ptr, sync::OnceLock};

use super::{
    error::{DeviceError, Result},
    table::Status,
    text::{List, Sink, Text},
};

/// A kernel as machine code of the host's processor: what one thread of a launch does. It gets where the thread
/// is, and for each argument of the launch where its value is: that of memory is an address.
pub type Kernel = unsafe extern "C" fn(*const Position, *const *const c_void);

/// Where a thread is in a launch, each along the axes x, y and z.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Its block's number in the grid.
    pub block: [u32; 3],
    /// Its own number in the block.
    pub thread: [u32; 3],
    /// How many threads the block has.
    pub block_size: [u32; 3],
    /// How many blocks the grid has.
    pub grid_size: [u32; 3],
}

/// The services of the process, as C has them.
#[repr(C)]
pub struct Services {
    /// Compiles an image of the code `llvm`, and gives the address of the kernel of a name in it.
    pub compile: unsafe extern "C" fn(List<u8>, Text, *mut *const c_void, *const Sink) -> Status,
}

static SERVICES: OnceLock<&Services> = OnceLock::new();

/// Says who serves this library's drivers. The process does so for itself when it begins, and for a library that
/// it loads; what was said first stays.
pub fn provide(services: &'static Services) {
    SERVICES.get_or_init(|| services);
}

/// The services for drivers of this library.
pub(crate) fn services() -> Option<&'static Services> {
    SERVICES.get().copied()
}

/// Compiles an image of the code `llvm` for the host's processor; the kernel of a name in it, which stays as long
/// as the process.
pub fn compile(image: &[u8], name: &str) -> Result<Kernel> {
    let Some(services) = services() else {
        let message = "nobody compiles kernels in this process".to_owned();
        return Err(DeviceError::Failed(message));
    };
    let mut address = ptr::null();
    let image = List::borrowed(image);
    // SAFETY: all that is passed lives through the call.
    let (status, reason) = Sink::read(|sink| unsafe {
        (services.compile)(image, Text::borrowed(name), &raw mut address, sink)
    });
    status.into_result(reason)?;
    // SAFETY: the service gives the address of a function of this type.
    Ok(unsafe { mem::transmute::<*const c_void, Kernel>(address) })
}
