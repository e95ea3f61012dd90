//! Devices by OpenCL. What a CPU device runs is what GPUs run, so they serve for tests.

mod api;
mod program;
mod spirv;

use std::{
    ffi::{CStr, c_void},
    ptr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use self::api::{Api, Handle, api, check};
use super::{
    Result,
    driver::{Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue, found_once},
};

/// OpenCL, with the devices of all platforms.
pub struct OpenClDriver;

impl Driver for OpenClDriver {
    fn name(&self) -> &'static str {
        "opencl"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        static FOUND: OnceLock<Result<Vec<Arc<OpenClDevice>>>> = OnceLock::new();
        found_once(&FOUND, find)
    }
}

/// Finds all devices. They are numbered by kind, in the order of the platforms.
fn find() -> Result<Vec<Arc<OpenClDevice>>> {
    let api = api()?;
    let platforms = handles("clGetPlatformIDs", |room, into, count| {
        // SAFETY: there is so much room.
        unsafe { (api.clGetPlatformIDs)(room, into, count) }
    })?;
    let mut found = Vec::new();
    let mut numbers = [0; KINDS.len()];
    for platform in platforms {
        let devices = handles("clGetDeviceIDs", |room, into, count| {
            // SAFETY: there is so much room.
            unsafe { (api.clGetDeviceIDs)(platform, api::DEVICE_TYPE_ALL, room, into, count) }
        })?;
        for device in devices {
            let read = Reader { api, device };
            if read.number::<u32>(api::DEVICE_AVAILABLE) == 0 {
                continue;
            }
            let bits: u64 = read.number(api::DEVICE_TYPE);
            let Some(kind) = KINDS.iter().position(|kind| bits & kind.0 != 0) else {
                continue;
            };
            let name = format!("opencl:{}:{}", KINDS[kind].1, numbers[kind]);
            numbers[kind] += 1;
            found.push(Arc::new(OpenClDevice {
                api,
                platform,
                device,
                info: read.info(name, platform),
                context: OnceLock::new(),
                launching: Mutex::new(()),
            }));
        }
    }
    Ok(found)
}

/// The kinds of devices: a bit, and the name.
const KINDS: [(u64, &str); 3] = [(1 << 1, "cpu"), (1 << 2, "gpu"), (1 << 3, "accelerator")];

/// A list of handles from a function that is asked for their number first.
fn handles(
    name: &str,
    get: impl Fn(u32, *mut Handle, *mut u32) -> api::Status,
) -> Result<Vec<Handle>> {
    let mut count = 0;
    let status = get(0, ptr::null_mut(), &raw mut count);
    if api::is_none(status) {
        return Ok(Vec::new());
    }
    check(name, status)?;
    let mut found = vec![ptr::null_mut(); count as usize];
    check(name, get(count, found.as_mut_ptr(), ptr::null_mut()))?;
    Ok(found)
}

/// Reads what is known of a device.
struct Reader {
    api: &'static Api,
    device: Handle,
}

impl Reader {
    /// A number; 0 where the device doesn't know it.
    fn number<T: Copy + Default>(&self, what: u32) -> T {
        let mut value = T::default();
        // SAFETY: the value is as large as it says.
        unsafe {
            let into = (&raw mut value).cast();
            (self.api.clGetDeviceInfo)(self.device, what, size_of::<T>(), into, ptr::null_mut());
        }
        value
    }

    /// A text; an empty one where the device doesn't know it.
    fn text(&self, what: u32) -> String {
        text(|size, into, needed| {
            // SAFETY: there is so much room.
            unsafe { (self.api.clGetDeviceInfo)(self.device, what, size, into, needed) }
        })
    }

    fn info(&self, name: String, platform: Handle) -> DeviceInfo {
        let extensions = self.text(api::DEVICE_EXTENSIONS);
        let has = |name: &str| extensions.split(' ').any(|one| one == name);
        DeviceInfo {
            name,
            product: self.text(api::DEVICE_NAME),
            driver_version: text(|size, into, needed| {
                // SAFETY: there is so much room.
                unsafe {
                    (self.api.clGetPlatformInfo)(
                        platform,
                        api::PLATFORM_VERSION,
                        size,
                        into,
                        needed,
                    )
                }
            }),
            chip: String::new(),
            memory: self.number(api::GLOBAL_MEM_SIZE),
            largest_allocation: self.number(api::MAX_MEM_ALLOC_SIZE),
            local_memory: self.number(api::LOCAL_MEM_SIZE),
            compute_units: self.number(api::MAX_COMPUTE_UNITS),
            max_block: self.number::<usize>(api::MAX_WORK_GROUP_SIZE) as u32,
            has_f64: has("cl_khr_fp64"),
            has_f16: has("cl_khr_fp16"),
        }
    }
}

/// A text from a function that is asked for its length first.
fn text(get: impl Fn(usize, *mut c_void, *mut usize) -> api::Status) -> String {
    let mut size = 0;
    if get(0, ptr::null_mut(), &raw mut size) != 0 {
        return String::new();
    }
    let mut bytes = vec![0; size];
    if get(size, bytes.as_mut_ptr().cast(), ptr::null_mut()) != 0 {
        return String::new();
    }
    let text = CStr::from_bytes_until_nul(&bytes).map(CStr::to_string_lossy);
    text.map_or_else(|_| String::new(), |text| text.trim().to_owned())
}

struct OpenClDevice {
    api: &'static Api,
    platform: Handle,
    device: Handle,
    info: DeviceInfo,
    context: OnceLock<Result<Context>>,
    /// Arguments are set apart from the launch that they are for.
    launching: Mutex<()>,
}

/// The context of a device.
#[derive(Clone, Copy)]
struct Context(Handle);

// SAFETY: OpenCL's handles may be used on any thread; the functions are safe to be called from several but
// for `clSetKernelArg`, which a lock is for.
unsafe impl Send for OpenClDevice {}
// SAFETY: as above.
unsafe impl Sync for OpenClDevice {}

impl OpenClDevice {
    fn context(&self) -> Result<Handle> {
        let made = self.context.get_or_init(|| {
            let properties = [api::CONTEXT_PLATFORM, self.platform as isize, 0];
            let mut status = 0;
            // SAFETY: the list of properties ends with 0, and there is one device.
            let context = unsafe {
                (self.api.clCreateContext)(
                    properties.as_ptr(),
                    1,
                    &raw const self.device,
                    ptr::null(),
                    ptr::null_mut(),
                    &raw mut status,
                )
            };
            check("clCreateContext", status)?;
            Ok(Context(context))
        });
        made.as_ref().map(|one| one.0).map_err(Clone::clone)
    }
}

/// A handle from the number that stands for it.
fn handle(number: u64) -> Handle {
    ptr::with_exposed_provenance_mut(number as usize)
}

fn number(handle: Handle) -> u64 {
    handle.expose_provenance() as u64
}

impl Device for OpenClDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        self.check_programs()?;
        self.context().map(|_| ())
    }

    fn new_queue(&self) -> Result<RawQueue> {
        let mut status = 0;
        let context = self.context()?;
        // SAFETY: the handles are alive.
        let queue =
            unsafe { (self.api.clCreateCommandQueue)(context, self.device, 0, &raw mut status) };
        check("clCreateCommandQueue", status)?;
        Ok(RawQueue(number(queue)))
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        let mut status = 0;
        let context = self.context()?;
        // SAFETY: no memory of the host's is passed.
        let buffer = unsafe {
            (self.api.clCreateBuffer)(
                context,
                api::MEM_READ_WRITE,
                bytes,
                ptr::null_mut(),
                &raw mut status,
            )
        };
        check("clCreateBuffer", status)?;
        Ok(RawBuffer(number(buffer)))
    }

    fn free(&self, buffer: RawBuffer) {
        // SAFETY: the buffer is given back once. An error would leave it where it is.
        unsafe { (self.api.clReleaseMemObject)(handle(buffer.0)) };
    }

    unsafe fn copy_in(
        &self,
        queue: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise; the call returns when it is done.
        check("clEnqueueWriteBuffer", unsafe {
            (self.api.clEnqueueWriteBuffer)(
                handle(queue.0),
                handle(buffer.0),
                1,
                offset,
                bytes,
                host,
                0,
                ptr::null(),
                ptr::null_mut(),
            )
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
        // SAFETY: the caller's promise.
        check("clEnqueueReadBuffer", unsafe {
            (self.api.clEnqueueReadBuffer)(
                handle(queue.0),
                handle(buffer.0),
                0,
                offset,
                bytes,
                host,
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        })
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        self.load_kernel(image, name)
    }

    unsafe fn launch(
        &self,
        queue: RawQueue,
        function: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        let kernel = handle(function.0);
        let _alone = self
            .launching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (index, argument) in arguments.iter().enumerate() {
            let buffer;
            let (size, value) = match argument {
                Argument::Value(value, size) => (*size, *value),
                Argument::Buffer(raw) => {
                    buffer = handle(raw.0);
                    (size_of::<Handle>(), (&raw const buffer).cast())
                }
            };
            // SAFETY: the value has so many bytes, which are copied.
            check("clSetKernelArg", unsafe {
                (self.api.clSetKernelArg)(kernel, index as u32, size, value)
            })?;
        }
        let local = block.map(|one| one as usize);
        let global: [usize; 3] = std::array::from_fn(|at| grid[at] as usize * local[at]);
        // SAFETY: the sizes are of three dimensions; all arguments are set.
        check("clEnqueueNDRangeKernel", unsafe {
            (self.api.clEnqueueNDRangeKernel)(
                handle(queue.0),
                kernel,
                3,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        })?;
        // So that it begins before somebody waits for it.
        // SAFETY: the queue is alive.
        check("clFlush", unsafe { (self.api.clFlush)(handle(queue.0)) })
    }

    fn synchronize(&self, queue: RawQueue) -> Result<()> {
        // SAFETY: the queue is alive.
        check("clFinish", unsafe { (self.api.clFinish)(handle(queue.0)) })
    }
}
