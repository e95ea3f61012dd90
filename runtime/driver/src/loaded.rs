//! From a table to the driver that it is of.

use std::{
    ffi::c_void,
    sync::{Arc, OnceLock},
};

use super::{
    driver::{Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue},
    error::{DeviceError, Result},
    host,
    table::{Number, Status, Table, VERSION},
    text::{List, Sink, Text},
};

/// A driver that a library has as a table.
pub struct Loaded {
    name: &'static str,
    table: &'static Table,
    devices: OnceLock<Result<Vec<Arc<dyn Device>>>>,
}

impl Loaded {
    /// The driver of a table; the error says that it is for another version of the interface.
    ///
    /// # Safety
    ///
    /// The table's functions do what it says of them.
    pub unsafe fn new(
        name: &'static str,
        table: &'static Table,
    ) -> std::result::Result<Self, String> {
        if table.version != VERSION {
            return Err(format!(
                "the driver '{name}' was made for version {} of the interface, and this is version {VERSION}",
                table.version
            ));
        }
        if let Some(services) = host::services() {
            // SAFETY: the services stay as long as the process.
            unsafe { (table.attach)(services) };
        }
        Ok(Self {
            name,
            table,
            devices: OnceLock::new(),
        })
    }

    fn find(&self) -> Result<Vec<Arc<dyn Device>>> {
        let Table { state, .. } = *self.table;
        let mut count = 0;
        // SAFETY: the table's own state, and room for the count.
        said(|sink| unsafe { (self.table.devices)(state, &raw mut count, sink) })?;
        let read = |number| {
            // SAFETY: the device is one of those that were counted.
            let info = unsafe { (self.table.info)(state, number).read() };
            let is_own = info.name.split(':').next() == Some(self.name);
            if !is_own {
                let message = format!("the driver '{}' has a device '{}'", self.name, info.name);
                return Err(DeviceError::Failed(message));
            }
            let table = self.table;
            Ok(Arc::new(LoadedDevice {
                table,
                number,
                info,
            }) as Arc<dyn Device>)
        };
        (0..count).map(read).collect()
    }
}

impl Driver for Loaded {
    fn name(&self) -> &'static str {
        self.name
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        self.devices.get_or_init(|| self.find()).clone()
    }
}

/// The result of a call that says why it failed.
fn said(call: impl FnOnce(*const Sink) -> Status) -> Result<()> {
    let (status, reason) = Sink::read(call);
    status.into_result(reason)
}

struct LoadedDevice {
    table: &'static Table,
    number: Number,
    info: DeviceInfo,
}

// What is said here of safety counts for all calls below: the state is the table's, the device one that was
// counted, the sink lives through the call, and there is room for the result. What a function of the table
// promises beyond that is what the caller of the method promises.
impl Device for LoadedDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        // SAFETY: as above.
        said(|sink| unsafe { (self.table.open)(self.table.state, self.number, sink) })
    }

    fn new_queue(&self) -> Result<RawQueue> {
        let mut queue = RawQueue(0);
        // SAFETY: as above.
        said(|sink| unsafe {
            (self.table.new_queue)(self.table.state, self.number, &raw mut queue, sink)
        })?;
        Ok(queue)
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        let mut buffer = RawBuffer(0);
        // SAFETY: as above.
        said(|sink| unsafe {
            (self.table.allocate)(self.table.state, self.number, bytes, &raw mut buffer, sink)
        })?;
        Ok(buffer)
    }

    fn free(&self, buffer: RawBuffer) {
        // SAFETY: as above.
        unsafe { (self.table.free)(self.table.state, self.number, buffer) };
    }

    fn available(&self) -> Option<u64> {
        let mut bytes = 0;
        // SAFETY: as above.
        let tells =
            unsafe { (self.table.available)(self.table.state, self.number, &raw mut bytes) };
        tells.then_some(bytes)
    }

    unsafe fn copy_in(
        &self,
        queue: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()> {
        let Table { state, copy_in, .. } = *self.table;
        // SAFETY: as above.
        said(|sink| unsafe {
            copy_in(state, self.number, queue, host, bytes, buffer, offset, sink)
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
        let Table {
            state, copy_out, ..
        } = *self.table;
        // SAFETY: as above.
        said(|sink| unsafe {
            copy_out(state, self.number, queue, buffer, offset, host, bytes, sink)
        })
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        let mut function = RawFunction(0);
        let Table { state, load, .. } = *self.table;
        let (image, name) = (List::borrowed(image), Text::borrowed(name));
        // SAFETY: as above; the image and the name live through the call.
        said(|sink| unsafe { load(state, self.number, image, name, &raw mut function, sink) })?;
        Ok(function)
    }

    unsafe fn launch(
        &self,
        queue: RawQueue,
        function: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        let Table { state, launch, .. } = *self.table;
        let arguments = List::borrowed(arguments);
        // SAFETY: as above; sizes and arguments live through the call.
        said(|sink| unsafe {
            launch(
                state,
                self.number,
                queue,
                function,
                &raw const grid,
                &raw const block,
                arguments,
                sink,
            )
        })
    }

    fn synchronize(&self, queue: RawQueue) -> Result<()> {
        // SAFETY: as above.
        said(|sink| unsafe { (self.table.synchronize)(self.table.state, self.number, queue, sink) })
    }

    fn address(&self, buffer: RawBuffer) -> Option<u64> {
        let mut address = 0;
        let room = &raw mut address;
        // SAFETY: as above.
        let is_known = unsafe { (self.table.address)(self.table.state, self.number, buffer, room) };
        is_known.then_some(address)
    }
}
