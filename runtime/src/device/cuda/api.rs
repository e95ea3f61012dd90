//! The part of CUDA's driver interface that is used.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
    sync::OnceLock,
};

use crate::device::{DeviceError, Result, dynamic};

/// A handle of CUDA's.
pub type Handle = *mut c_void;

/// A status: 0, or the number of an error.
pub type Status = c_int;

dynamic::functions!(Api {
    fn cuInit(c_uint) -> Status;
    fn cuDriverGetVersion(*mut c_int) -> Status;
    fn cuDeviceGetCount(*mut c_int) -> Status;
    fn cuDeviceGet(*mut c_int, c_int) -> Status;
    fn cuDeviceGetName(*mut c_char, c_int, c_int) -> Status;
    fn cuDeviceGetAttribute(*mut c_int, c_int, c_int) -> Status;
    fn cuDeviceTotalMem_v2(*mut usize, c_int) -> Status;
    fn cuDevicePrimaryCtxRetain(*mut Handle, c_int) -> Status;
    fn cuCtxSetCurrent(Handle) -> Status;
    fn cuMemGetInfo_v2(*mut usize, *mut usize) -> Status;
    fn cuMemAlloc_v2(*mut u64, usize) -> Status;
    fn cuMemFree_v2(u64) -> Status;
    fn cuMemcpyHtoDAsync_v2(u64, *const c_void, usize, Handle) -> Status;
    fn cuMemcpyDtoHAsync_v2(*mut c_void, u64, usize, Handle) -> Status;
    fn cuStreamCreate(*mut Handle, c_uint) -> Status;
    fn cuStreamSynchronize(Handle) -> Status;
    fn cuModuleLoadDataEx(
        *mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void,
    ) -> Status;
    fn cuModuleGetFunction(*mut Handle, Handle, *const c_char) -> Status;
    fn cuLaunchKernel(
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void,
        *mut *mut c_void,
    ) -> Status;
    fn cuGetErrorName(Status, *mut *const c_char) -> Status;
    fn cuGetErrorString(Status, *mut *const c_char) -> Status;
});

pub const MAX_THREADS_PER_BLOCK: c_int = 1;
pub const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;
pub const MULTIPROCESSOR_COUNT: c_int = 16;
pub const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
pub const COMPUTE_CAPABILITY_MINOR: c_int = 76;
pub const JIT_ERROR_LOG_BUFFER: c_int = 5;
pub const JIT_ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;

const OUT_OF_MEMORY: Status = 2;
const NO_DEVICE: Status = 100;

/// The driver, initialised.
pub fn api() -> Result<&'static Api> {
    static API: OnceLock<Result<Api>> = OnceLock::new();
    let loaded = API.get_or_init(|| {
        let api = Api::of(dynamic::load(
            "CUDA's driver",
            &["libcuda.so.1", "libcuda.so"],
        )?)?;
        // SAFETY: the call has no precondition.
        match unsafe { (api.cuInit)(0) } {
            0 | NO_DEVICE => Ok(api),
            status => Err(DeviceError::Absent(format!(
                "CUDA's driver can't be used: {}",
                api.describe(status)
            ))),
        }
    });
    loaded.as_ref().map_err(Clone::clone)
}

impl Api {
    /// Turns the status of a function into an error.
    pub fn check(&self, function: &str, status: Status) -> Result<()> {
        match status {
            0 => Ok(()),
            OUT_OF_MEMORY => Err(DeviceError::OutOfMemory(self.describe(status))),
            _ => Err(DeviceError::Failed(format!(
                "{function} fails with {}",
                self.describe(status)
            ))),
        }
    }

    fn describe(&self, status: Status) -> String {
        let text = |get: unsafe extern "C" fn(Status, *mut *const c_char) -> Status| {
            let mut text = ptr::null();
            // SAFETY: what it gives is null or a text that stays.
            unsafe {
                get(status, &raw mut text);
                let text = (!text.is_null()).then(|| CStr::from_ptr(text));
                text.map(|text| text.to_string_lossy().into_owned())
            }
        };
        match (text(self.cuGetErrorName), text(self.cuGetErrorString)) {
            (Some(name), Some(meaning)) => format!("{name}: {meaning}"),
            _ => format!("CUDA's error {status}"),
        }
    }
}
