//! From a driver in Rust to its table.

use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

use super::{
    driver::{Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue},
    error::Result,
    host::{self, Services},
    table::{Info, Number, State, Status, Table, VERSION},
    text::{List, Sink, Text},
};

/// What the functions of a table get.
struct Exported {
    driver: &'static dyn Driver,
    devices: OnceLock<Result<Vec<Arc<dyn Device>>>>,
}

/// The table of a driver. Both stay as long as the process.
pub(super) fn table(driver: &'static dyn Driver) -> &'static Table {
    let exported: &'static Exported = Box::leak(Box::new(Exported {
        driver,
        devices: OnceLock::new(),
    }));
    Box::leak(Box::new(Table {
        version: VERSION,
        state: (&raw const *exported).cast(),
        attach,
        devices,
        info,
        open,
        new_queue,
        allocate,
        free,
        available,
        copy_in,
        copy_out,
        load,
        launch,
        synchronize,
        address,
    }))
}

/// # Safety
///
/// The state is that of a table of [`table`].
unsafe fn exported(state: State) -> &'static Exported {
    // SAFETY: the caller says so.
    unsafe { &*state.cast() }
}

/// # Safety
///
/// The state is that of a table of [`table`]; the device is one of those that were counted.
unsafe fn device(state: State, number: Number) -> &'static dyn Device {
    // SAFETY: the caller says so.
    let found = unsafe { exported(state) }.devices.get();
    let found = found.and_then(|found| found.as_ref().ok());
    &*found.expect("devices are found before they are used")[number]
}

/// Puts a result where the caller has room for it.
///
/// # Safety
///
/// The sink and the room are the caller's.
unsafe fn give<T>(into: *mut T, sink: *const Sink, work: impl FnOnce() -> Result<T>) -> Status {
    // SAFETY: the caller says so.
    unsafe { Status::of(sink, || work().map(|made| into.write(made))) }
}

/// Puts what there may be where the caller has room for it; a panic is none.
///
/// # Safety
///
/// The room is the caller's.
unsafe fn give_if_any(into: *mut u64, work: impl FnOnce() -> Option<u64>) -> bool {
    let Some(found) = caught(work).flatten() else {
        return false;
    };
    // SAFETY: the caller says so.
    unsafe { into.write(found) };
    true
}

/// What work gives that can't fail; `None` if it panics, which mustn't get into C's code.
fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

unsafe extern "C" fn attach(services: *const Services) {
    // SAFETY: the process passes its own, which stay.
    host::provide(unsafe { &*services });
}

unsafe extern "C" fn devices(state: State, count: *mut usize, sink: *const Sink) -> Status {
    // SAFETY: the process passes the state, and has room for the count.
    unsafe {
        let exported = exported(state);
        give(count, sink, || {
            let found = exported.devices.get_or_init(|| exported.driver.devices());
            found.as_ref().map(Vec::len).map_err(Clone::clone)
        })
    }
}

unsafe extern "C" fn info(state: State, number: Number) -> Info {
    // SAFETY: the process passes the state, and a device that it has counted.
    let found = caught(|| Info::of(unsafe { device(state, number) }.info()));
    // A device without a name is refused.
    found.unwrap_or_else(|| Info::of(&DeviceInfo::default()))
}

unsafe extern "C" fn open(state: State, number: Number, sink: *const Sink) -> Status {
    // SAFETY: as in `info`; the sink is the caller's.
    unsafe { Status::of(sink, || device(state, number).open()) }
}

unsafe extern "C" fn new_queue(
    state: State,
    number: Number,
    into: *mut RawQueue,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `open`; there is room for the result.
    unsafe { give(into, sink, || device(state, number).new_queue()) }
}

unsafe extern "C" fn allocate(
    state: State,
    number: Number,
    bytes: usize,
    into: *mut RawBuffer,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `new_queue`.
    unsafe { give(into, sink, || device(state, number).allocate(bytes)) }
}

unsafe extern "C" fn free(state: State, number: Number, buffer: RawBuffer) {
    // SAFETY: as in `info`.
    caught(|| unsafe { device(state, number) }.free(buffer));
}

unsafe extern "C" fn available(state: State, number: Number, into: *mut u64) -> bool {
    // SAFETY: as in `new_queue`.
    unsafe { give_if_any(into, || device(state, number).available()) }
}

unsafe extern "C" fn copy_in(
    state: State,
    number: Number,
    queue: RawQueue,
    host: *const c_void,
    bytes: usize,
    buffer: RawBuffer,
    offset: usize,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `open`; the caller makes the promises of `Device::copy_in`.
    unsafe {
        let device = device(state, number);
        Status::of(sink, || device.copy_in(queue, host, bytes, buffer, offset))
    }
}

unsafe extern "C" fn copy_out(
    state: State,
    number: Number,
    queue: RawQueue,
    buffer: RawBuffer,
    offset: usize,
    host: *mut c_void,
    bytes: usize,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `open`; the caller makes the promises of `Device::copy_out`.
    unsafe {
        let device = device(state, number);
        Status::of(sink, || device.copy_out(queue, buffer, offset, host, bytes))
    }
}

unsafe extern "C" fn load(
    state: State,
    number: Number,
    image: List<u8>,
    name: Text,
    into: *mut RawFunction,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `new_queue`; the image and the name live through the call.
    unsafe {
        let device = device(state, number);
        give(into, sink, || {
            device.load(image.read(), name.read().unwrap_or_default())
        })
    }
}

unsafe extern "C" fn launch(
    state: State,
    number: Number,
    queue: RawQueue,
    function: RawFunction,
    grid: *const [u32; 3],
    block: *const [u32; 3],
    arguments: List<Argument>,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `open`; the caller makes the promises of `Device::launch`, and what it points to lives
    // through the call.
    unsafe {
        let device = device(state, number);
        Status::of(sink, || {
            device.launch(queue, function, *grid, *block, arguments.read())
        })
    }
}

unsafe extern "C" fn synchronize(
    state: State,
    number: Number,
    queue: RawQueue,
    sink: *const Sink,
) -> Status {
    // SAFETY: as in `open`.
    unsafe { Status::of(sink, || device(state, number).synchronize(queue)) }
}

unsafe extern "C" fn address(
    state: State,
    number: Number,
    buffer: RawBuffer,
    into: *mut u64,
) -> bool {
    // SAFETY: as in `new_queue`.
    unsafe { give_if_any(into, || device(state, number).address(buffer)) }
}
