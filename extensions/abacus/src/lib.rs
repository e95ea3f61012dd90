//! A device that is loaded into a running process: it moves the beads of an abacus, which are the host's
//! memory, one thread of a launch after the other. It doesn't reduce, and it can be broken.

use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_plugin::driver::{
    Argument, Device, DeviceError, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue, Result,
    host::{self, Kernel, Position},
};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::{mem, ptr};

pyopt_plugin::plugin! {
    name: "abacus",
    irdl: "",
    passes: [],
    at: [],
    devices: [("abacus", "llvm", "", accepts, Beads)],
}

fn accepts(r#loop: OperationRef) -> std::result::Result<(), String> {
    match r#loop.result_count() {
        0 => Ok(()),
        _ => Err("an abacus doesn't reduce".to_owned()),
    }
}

static LAUNCHES: AtomicU64 = AtomicU64::new(0);
static BROKEN: AtomicBool = AtomicBool::new(false);

/// How many kernels were launched.
#[unsafe(no_mangle)]
pub extern "C" fn abacus_launches() -> u64 {
    LAUNCHES.load(Relaxed)
}

/// Breaks the abacus, or mends it.
#[unsafe(no_mangle)]
pub extern "C" fn abacus_break(broken: bool) {
    BROKEN.store(broken, Relaxed);
}

/// The driver.
pub struct Beads;

impl Driver for Beads {
    fn name(&self) -> &'static str {
        "abacus"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        let info = DeviceInfo {
            name: "abacus:0".to_owned(),
            product: "ten rows of ten beads".to_owned(),
            memory: 1 << 20,
            largest_allocation: 1 << 20,
            compute_units: 1,
            max_block: 256,
            has_f64: true,
            ..DeviceInfo::default()
        };
        Ok(vec![Arc::new(Abacus { info, sizes: Mutex::default() })])
    }
}

struct Abacus {
    info: DeviceInfo,
    /// The bytes of each allocation by its address.
    sizes: Mutex<HashMap<u64, usize>>,
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 64).expect("allocations are small")
}

fn place(buffer: RawBuffer, offset: usize) -> *mut u8 {
    ptr::with_exposed_provenance_mut(buffer.0 as usize + offset)
}

impl Device for Abacus {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        Ok(())
    }

    fn new_queue(&self) -> Result<RawQueue> {
        Ok(RawQueue(0))
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        let mut sizes = self.sizes.lock().expect("nothing panics with it");
        if sizes.values().sum::<usize>() + bytes > self.info.memory as usize {
            return Err(DeviceError::OutOfMemory("all beads are in use".to_owned()));
        }
        // SAFETY: the runtime asks for one byte at least.
        let address = unsafe { alloc(layout(bytes)) }.expose_provenance() as u64;
        sizes.insert(address, bytes);
        Ok(RawBuffer(address))
    }

    fn free(&self, buffer: RawBuffer) {
        let bytes = self.sizes.lock().expect("nothing panics with it").remove(&buffer.0);
        // SAFETY: it was allocated with this layout, and is given back once.
        unsafe { dealloc(place(buffer, 0), layout(bytes.expect("it was allocated"))) };
    }

    unsafe fn copy_in(
        &self,
        _: RawQueue,
        host: *const c_void,
        bytes: usize,
        to: RawBuffer,
        at: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(host.cast(), place(to, at), bytes) };
        Ok(())
    }

    unsafe fn copy_out(
        &self,
        _: RawQueue,
        from: RawBuffer,
        at: usize,
        host: *mut c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(place(from, at), host.cast(), bytes) };
        Ok(())
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        Ok(RawFunction(host::compile(image, name)? as usize as u64))
    }

    unsafe fn launch(
        &self,
        _: RawQueue,
        function: RawFunction,
        grid_size: [u32; 3],
        block_size: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        if BROKEN.load(Relaxed) {
            return Err(DeviceError::Failed("the abacus is broken".to_owned()));
        }
        LAUNCHES.fetch_add(1, Relaxed);
        // SAFETY: the number is that of a kernel, which `load` gave.
        let kernel = unsafe { mem::transmute::<usize, Kernel>(function.0 as usize) };
        let address = |argument: &Argument| match argument {
            Argument::Value(value, _) => *value,
            Argument::Buffer(buffer) => ptr::from_ref(buffer).cast(),
        };
        let addresses: Vec<_> = arguments.iter().map(address).collect();
        for block in all(grid_size) {
            for thread in all(block_size) {
                let position = Position { block, thread, block_size, grid_size };
                // SAFETY: the caller's promise: the arguments are those that the kernel takes.
                unsafe { kernel(&raw const position, addresses.as_ptr()) };
            }
        }
        Ok(())
    }

    fn synchronize(&self, _: RawQueue) -> Result<()> {
        Ok(())
    }
}

/// All positions within sizes.
fn all(sizes: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [x, y, z] = sizes.map(|size| 0..size);
    z.flat_map(move |z| {
        let x = x.clone();
        y.clone().flat_map(move |y| x.clone().map(move |x| [x, y, z]))
    })
}
