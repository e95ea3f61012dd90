//! The part of OpenCL's interface that is used.

use std::{
    ffi::{c_char, c_void},
    sync::OnceLock,
};

use crate::device::{DeviceError, Result, dynamic};

/// A handle of OpenCL.
pub type Handle = *mut c_void;

/// A status: 0, or a negative number.
pub type Status = i32;

dynamic::functions!(Api {
    fn clGetPlatformIDs(u32, *mut Handle, *mut u32) -> Status;
    fn clGetPlatformInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    fn clGetDeviceIDs(Handle, u64, u32, *mut Handle, *mut u32) -> Status;
    fn clGetDeviceInfo(Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    fn clGetExtensionFunctionAddressForPlatform(Handle, *const c_char) -> *mut c_void;
    fn clCreateContext(
        *const isize, u32, *const Handle, *const c_void, *mut c_void, *mut Status,
    ) -> Handle;
    fn clCreateCommandQueue(Handle, Handle, u64, *mut Status) -> Handle;
    fn clCreateBuffer(Handle, u64, usize, *mut c_void, *mut Status) -> Handle;
    fn clReleaseMemObject(Handle) -> Status;
    fn clEnqueueReadBuffer(
        Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle,
    ) -> Status;
    fn clEnqueueWriteBuffer(
        Handle, Handle, u32, usize, usize, *const c_void, u32, *const Handle, *mut Handle,
    ) -> Status;
    fn clFlush(Handle) -> Status;
    fn clFinish(Handle) -> Status;
    fn clCreateProgramWithBinary(
        Handle, u32, *const Handle, *const usize, *const *const u8, *mut Status, *mut Status,
    ) -> Handle;
    fn clBuildProgram(
        Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void,
    ) -> Status;
    fn clGetProgramBuildInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    fn clCreateKernel(Handle, *const c_char, *mut Status) -> Handle;
    fn clSetKernelArg(Handle, u32, usize, *const c_void) -> Status;
    fn clEnqueueNDRangeKernel(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle,
    ) -> Status;
});

/// `clCreateProgramWithIL`, and the extension of the name that came before it.
pub type CreateProgramWithIl =
    unsafe extern "C" fn(Handle, *const c_void, usize, *mut Status) -> Handle;

pub const PLATFORM_VERSION: u32 = 0x0901;
pub const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
pub const DEVICE_TYPE: u32 = 0x1000;
pub const MAX_COMPUTE_UNITS: u32 = 0x1002;
pub const MAX_WORK_GROUP_SIZE: u32 = 0x1004;
pub const MAX_MEM_ALLOC_SIZE: u32 = 0x1010;
pub const GLOBAL_MEM_SIZE: u32 = 0x101F;
pub const LOCAL_MEM_SIZE: u32 = 0x1023;
pub const DEVICE_AVAILABLE: u32 = 0x1027;
pub const DEVICE_NAME: u32 = 0x102B;
pub const DEVICE_EXTENSIONS: u32 = 0x1030;
pub const DEVICE_IL_VERSION: u32 = 0x105B;
pub const PROGRAM_BUILD_LOG: u32 = 0x1183;
pub const CONTEXT_PLATFORM: isize = 0x1084;
pub const MEM_READ_WRITE: u64 = 1;

const DEVICE_NOT_FOUND: Status = -1;
const MEM_OBJECT_ALLOCATION_FAILURE: Status = -4;
const OUT_OF_HOST_MEMORY: Status = -6;
const INVALID_BUFFER_SIZE: Status = -61;
const PLATFORM_NOT_FOUND: Status = -1001;

/// The loader of OpenCL's drivers.
pub fn api() -> Result<&'static Api> {
    static API: OnceLock<Result<Api>> = OnceLock::new();
    let loaded = API.get_or_init(|| {
        let library = dynamic::load("OpenCL", &["libOpenCL.so.1", "libOpenCL.so"])?;
        Api::of(library)
    });
    loaded.as_ref().map_err(Clone::clone)
}

/// Whether a status says that there is none of what was asked for.
pub fn is_none(status: Status) -> bool {
    matches!(status, DEVICE_NOT_FOUND | PLATFORM_NOT_FOUND)
}

/// Turns the status of a function into an error.
pub fn check(function: &str, status: Status) -> Result<()> {
    match status {
        0 => Ok(()),
        MEM_OBJECT_ALLOCATION_FAILURE | OUT_OF_HOST_MEMORY | INVALID_BUFFER_SIZE => {
            Err(DeviceError::OutOfMemory(format!("{function}: {status}")))
        }
        _ => Err(DeviceError::Failed(format!(
            "{function} fails with OpenCL's error {status}"
        ))),
    }
}
