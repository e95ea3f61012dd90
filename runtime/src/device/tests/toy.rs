//! A device from outside: a driver that is registered, whose memory is the host's and whose kernels are
//! functions of this program. It counts, and fails on demand.

use std::{
    alloc::{self, Layout},
    ffi::c_void,
    ptr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use super::super::{
    DeviceError, Result, contexts,
    driver::{Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue},
    entry::{Arg, Kernel},
    registry, session,
};

/// Bytes of the device's memory.
const MEMORY: usize = 1 << 20;

struct Toy {
    info: DeviceInfo,
    used: AtomicUsize,
    launches: AtomicUsize,
    fails: AtomicBool,
}

struct ToyDriver(Arc<Toy>);

impl Driver for ToyDriver {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        Ok(vec![self.0.clone()])
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes + 64, 64).expect("it isn't large")
}

fn place(buffer: RawBuffer, offset: usize) -> *mut u8 {
    ptr::with_exposed_provenance_mut(buffer.0 as usize + 64 + offset)
}

impl Device for Toy {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        Ok(())
    }

    fn new_queue(&self) -> Result<RawQueue> {
        Ok(RawQueue(1))
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        if self.used.load(Ordering::Relaxed) + bytes > MEMORY {
            return Err(DeviceError::OutOfMemory("the toy is full".to_owned()));
        }
        self.used.fetch_add(bytes, Ordering::Relaxed);
        // SAFETY: the size isn't 0; the header has room for the size.
        unsafe {
            let start = alloc::alloc(layout(bytes));
            start.cast::<usize>().write(bytes);
            Ok(RawBuffer(start.expose_provenance() as u64))
        }
    }

    fn free(&self, buffer: RawBuffer) {
        let start = ptr::with_exposed_provenance_mut::<u8>(buffer.0 as usize);
        // SAFETY: it was allocated so, and is given back once.
        unsafe {
            let bytes = start.cast::<usize>().read();
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            alloc::dealloc(start, layout(bytes));
        }
    }

    fn available(&self) -> Option<u64> {
        Some((MEMORY - self.used.load(Ordering::Relaxed)) as u64)
    }

    unsafe fn copy_in(
        &self,
        _: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(host.cast(), place(buffer, offset), bytes) };
        Ok(())
    }

    unsafe fn copy_out(
        &self,
        _: RawQueue,
        buffer: RawBuffer,
        offset: usize,
        host: *mut c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(place(buffer, offset), host.cast(), bytes) };
        Ok(())
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        match (image, name) {
            (b"toy", "double") => Ok(RawFunction(0)),
            _ => Err(DeviceError::Failed(format!("the toy has no kernel {name}"))),
        }
    }

    unsafe fn launch(
        &self,
        _: RawQueue,
        _: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(DeviceError::Failed("the toy is broken".to_owned()));
        }
        self.launches.fetch_add(1, Ordering::Relaxed);
        let [Argument::Buffer(buffer), Argument::Value(offset, 8)] = *arguments else {
            return Err(DeviceError::Failed("no arguments of double".to_owned()));
        };
        // SAFETY: the kernel takes one array, with an element for each thread.
        unsafe {
            let first = place(buffer, offset.cast::<i64>().read() as usize).cast::<f64>();
            for at in 0..(grid[0] * block[0]) as usize {
                *first.add(at) *= 2.0;
            }
        }
        Ok(())
    }

    fn synchronize(&self, _: RawQueue) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_device_from_outside_is_one_of_the_registry() {
    let toy = Arc::new(Toy {
        info: DeviceInfo {
            name: "toy:0".to_owned(),
            product: "a toy".to_owned(),
            driver_version: "1".to_owned(),
            chip: String::new(),
            memory: MEMORY as u64,
            largest_allocation: MEMORY as u64,
            local_memory: 0,
            compute_units: 1,
            max_block: 1,
            has_f64: true,
            has_f16: false,
        },
        used: AtomicUsize::new(0),
        launches: AtomicUsize::new(0),
        fails: AtomicBool::new(false),
    });
    let driver: &ToyDriver = Box::leak(Box::new(ToyDriver(toy.clone())));
    registry::register(driver).unwrap();
    let again = registry::register(driver);
    assert_eq!(again.unwrap_err(), "a driver has the name 'toy' already");

    contexts::enter("toy", None).unwrap();
    let device = contexts::current_device().unwrap();
    let run = |array: &mut [f64]| {
        let queue = contexts::queue(&device).unwrap();
        let running = session::begin(&device, queue, []).unwrap();
        let bytes = size_of_val(&*array) as i64;
        let args = [Arg::of_memory(
            3,
            array.as_mut_ptr().cast_const().cast(),
            0,
            bytes,
        )];
        let kernel = Kernel::new("double", b"toy", 2);
        // SAFETY: the kernel takes one array, whose elements the threads are as many as.
        let launched = unsafe {
            let session = session::current().unwrap();
            session.launch(&kernel, [array.len() as i64, 1, 1], [1, 1, 1], &args)
        };
        launched.and(running.finish().0)
    };
    let mut array = [1.0, 2.0, 3.0];
    assert_eq!(run(&mut array), Ok(0));
    assert_eq!(array, [2.0, 4.0, 6.0]);

    // Half of the memory fits only once what was kept of smaller sizes is given back.
    let mut large = vec![1.0; MEMORY / 16 * 15 / 8];
    let mut larger = vec![1.0; MEMORY / 8];
    assert_eq!(run(&mut large[..MEMORY / 16 * 15 / 16]), Ok(0));
    assert_eq!(run(&mut large), Ok(0));
    let full = run(&mut larger[..]);
    assert_eq!(full, Ok(0), "the pool was emptied for it");
    let mut beyond = vec![1.0; MEMORY];
    let Err(DeviceError::OutOfMemory(text)) = run(&mut beyond) else {
        panic!("there is no room")
    };
    assert!(
        text.starts_with("toy:0 has no room for 8.0 MiB: of 1.0 MiB"),
        "{text}"
    );

    toy.fails.store(true, Ordering::Relaxed);
    let broken = run(&mut array);
    assert_eq!(
        broken,
        Err(DeviceError::Failed("the toy is broken".to_owned()))
    );
    assert_eq!(
        array,
        [2.0, 4.0, 6.0],
        "what wasn't launched changes nothing"
    );
    assert_eq!(toy.launches.load(Ordering::Relaxed), 4);
    assert!(contexts::leave());
}
