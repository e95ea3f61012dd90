//! NVIDIA's devices, by CUDA's driver. The context is the primary one, which other libraries use, too, and
//! queues are its streams.

mod api;

use std::{
    ffi::{CStr, CString, c_int, c_void},
    ptr,
    sync::{Arc, OnceLock},
};

use self::api::{Api, Handle, api};
use super::{
    DeviceError, Result,
    driver::{Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue, found_once},
};

/// CUDA.
pub struct CudaDriver;

impl Driver for CudaDriver {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        static FOUND: OnceLock<Result<Vec<Arc<CudaDevice>>>> = OnceLock::new();
        found_once(&FOUND, find)
    }
}

fn find() -> Result<Vec<Arc<CudaDevice>>> {
    let api = api()?;
    let mut count = 0;
    // SAFETY: without a device the driver isn't initialised, and the count stays 0.
    unsafe { (api.cuDeviceGetCount)(&raw mut count) };
    (0..count)
        .map(|number| {
            let mut device = 0;
            // SAFETY: there are so many devices.
            api.check("cuDeviceGet", unsafe {
                (api.cuDeviceGet)(&raw mut device, number)
            })?;
            Ok(Arc::new(CudaDevice {
                api,
                device,
                info: info(api, device, number)?,
                context: OnceLock::new(),
            }))
        })
        .collect()
}

fn info(api: &Api, device: c_int, number: c_int) -> Result<DeviceInfo> {
    let mut name = [0; 256];
    let (mut version, mut memory) = (0, 0);
    // SAFETY: there is so much room.
    unsafe {
        let length = name.len() as c_int;
        api.check(
            "cuDeviceGetName",
            (api.cuDeviceGetName)(name.as_mut_ptr().cast(), length, device),
        )?;
        api.check(
            "cuDriverGetVersion",
            (api.cuDriverGetVersion)(&raw mut version),
        )?;
        api.check(
            "cuDeviceTotalMem",
            (api.cuDeviceTotalMem_v2)(&raw mut memory, device),
        )?;
    }
    let attribute = |what: c_int| {
        let mut value = 0;
        // SAFETY: the device is one.
        let status = unsafe { (api.cuDeviceGetAttribute)(&raw mut value, what, device) };
        api.check("cuDeviceGetAttribute", status).map(|()| value)
    };
    let product = CStr::from_bytes_until_nul(&name).map(CStr::to_string_lossy);
    Ok(DeviceInfo {
        name: format!("cuda:{number}"),
        product: product.map_or_else(|_| String::new(), |name| name.into_owned()),
        driver_version: format!("CUDA {}.{}", version / 1000, version % 1000 / 10),
        chip: format!(
            "sm_{}{}",
            attribute(api::COMPUTE_CAPABILITY_MAJOR)?,
            attribute(api::COMPUTE_CAPABILITY_MINOR)?
        ),
        memory: memory as u64,
        largest_allocation: memory as u64,
        local_memory: attribute(api::MAX_SHARED_MEMORY_PER_BLOCK)? as u64,
        compute_units: attribute(api::MULTIPROCESSOR_COUNT)? as u32,
        max_block: attribute(api::MAX_THREADS_PER_BLOCK)? as u32,
        has_f64: true,
        has_f16: true,
    })
}

struct CudaDevice {
    api: &'static Api,
    device: c_int,
    info: DeviceInfo,
    /// The primary context. It is kept until the process ends.
    context: OnceLock<Result<Context>>,
}

/// A context.
#[derive(Clone, Copy)]
struct Context(Handle);

// SAFETY: CUDA's handles may be used on any thread once the context is current there.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// A handle from the number that stands for it.
fn handle(number: u64) -> Handle {
    ptr::with_exposed_provenance_mut(number as usize)
}

fn number(handle: Handle) -> u64 {
    handle.expose_provenance() as u64
}

impl CudaDevice {
    /// Makes the context that of this thread, which another library may have changed.
    fn enter(&self) -> Result<()> {
        let made = self.context.get_or_init(|| {
            let mut context = ptr::null_mut();
            // SAFETY: the device is one.
            self.api.check("cuDevicePrimaryCtxRetain", unsafe {
                (self.api.cuDevicePrimaryCtxRetain)(&raw mut context, self.device)
            })?;
            Ok(Context(context))
        });
        let context = made.as_ref().map_err(Clone::clone)?;
        // SAFETY: the context is kept.
        self.api.check("cuCtxSetCurrent", unsafe {
            (self.api.cuCtxSetCurrent)(context.0)
        })
    }
}

impl Device for CudaDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        self.enter()
    }

    fn new_queue(&self) -> Result<RawQueue> {
        self.enter()?;
        let mut stream = ptr::null_mut();
        // A stream that waits for the default one and is waited for, as other libraries use that.
        // SAFETY: the context is current.
        self.api.check("cuStreamCreate", unsafe {
            (self.api.cuStreamCreate)(&raw mut stream, 0)
        })?;
        Ok(RawQueue(number(stream)))
    }

    fn takes_queues(&self) -> bool {
        true
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the context is current.
        self.api.check("cuMemAlloc", unsafe {
            (self.api.cuMemAlloc_v2)(&raw mut address, bytes)
        })?;
        Ok(RawBuffer(address))
    }

    fn free(&self, buffer: RawBuffer) {
        if self.enter().is_ok() {
            // SAFETY: the buffer is given back once. An error would leave it where it is.
            unsafe { (self.api.cuMemFree_v2)(buffer.0) };
        }
    }

    fn available(&self) -> Option<u64> {
        self.enter().ok()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current.
        let status = unsafe { (self.api.cuMemGetInfo_v2)(&raw mut free, &raw mut total) };
        (status == 0).then_some(free as u64)
    }

    unsafe fn copy_in(
        &self,
        queue: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()> {
        self.enter()?;
        let to = buffer.0 + offset as u64;
        // Pageable memory was read when this returns; the host doesn't write to pinned memory before the
        // next fence, which waits.
        // SAFETY: the caller's promise.
        self.api.check("cuMemcpyHtoDAsync", unsafe {
            (self.api.cuMemcpyHtoDAsync_v2)(to, host, bytes, handle(queue.0))
        })
    }

    unsafe fn copy_out(
        &self,
        queue: RawQueue,
        buffer: RawBuffer,
        offset: usize,
        host: *mut c_void,
        bytes: usize,
    ) -> Result<()> {
        self.enter()?;
        let from = buffer.0 + offset as u64;
        // SAFETY: the caller's promise.
        self.api.check("cuMemcpyDtoHAsync", unsafe {
            (self.api.cuMemcpyDtoHAsync_v2)(host, from, bytes, handle(queue.0))
        })
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        self.enter()?;
        let text = CString::new(image.strip_suffix(b"\0").unwrap_or(image))
            .map_err(|_| DeviceError::Failed("a kernel's text has a zero byte".to_owned()))?;
        let name = CString::new(name).expect("a name of a kernel has no zero byte");
        let mut log = [0u8; 4096];
        let mut options = [
            api::JIT_ERROR_LOG_BUFFER,
            api::JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            ptr::without_provenance_mut(log.len() - 1),
        ];
        let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the context is current, the text ends with a zero byte, and there are two options.
        unsafe {
            let status = (self.api.cuModuleLoadDataEx)(
                &raw mut module,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            );
            self.api
                .check("cuModuleLoadData", status)
                .map_err(|error| match CStr::from_bytes_until_nul(&log) {
                    Ok(said) if !said.is_empty() => {
                        DeviceError::Failed(format!("{error}: {}", said.to_string_lossy().trim()))
                    }
                    _ => error,
                })?;
            let status = (self.api.cuModuleGetFunction)(&raw mut function, module, name.as_ptr());
            self.api.check("cuModuleGetFunction", status)?;
        }
        Ok(RawFunction(number(function)))
    }

    unsafe fn launch(
        &self,
        queue: RawQueue,
        function: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        self.enter()?;
        let mut places: smallvec::SmallVec<[*mut c_void; 32]> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value, _) => value.cast_mut(),
                // The handle is the address.
                Argument::Buffer(raw) => (&raw const raw.0).cast_mut().cast(),
            })
            .collect();
        // SAFETY: the caller's promise; CUDA reads as many arguments as the kernel has.
        self.api.check("cuLaunchKernel", unsafe {
            (self.api.cuLaunchKernel)(
                handle(function.0),
                grid[0],
                grid[1],
                grid[2],
                block[0],
                block[1],
                block[2],
                0,
                handle(queue.0),
                places.as_mut_ptr(),
                ptr::null_mut(),
            )
        })
    }

    fn synchronize(&self, queue: RawQueue) -> Result<()> {
        self.enter()?;
        // SAFETY: the stream is alive.
        self.api.check("cuStreamSynchronize", unsafe {
            (self.api.cuStreamSynchronize)(handle(queue.0))
        })
    }

    fn address(&self, buffer: RawBuffer) -> Option<u64> {
        Some(buffer.0)
    }
}
