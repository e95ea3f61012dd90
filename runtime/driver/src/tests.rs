//! A driver that goes through its table and comes back does what it did.

use std::{
    ffi::c_void,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    Argument, Device, DeviceError, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue, Result,
    table::{Loaded, Table, VERSION},
};

/// A device that writes down what it is asked for.
struct Recorder {
    info: DeviceInfo,
    asked: Mutex<Vec<String>>,
}

impl Recorder {
    fn note(&self, text: String) -> Result<()> {
        self.asked.lock().unwrap().push(text);
        Ok(())
    }
}

impl Device for Recorder {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn open(&self) -> Result<()> {
        panic!("it is stuck")
    }

    fn new_queue(&self) -> Result<RawQueue> {
        Ok(RawQueue(7))
    }

    fn allocate(&self, bytes: usize) -> Result<RawBuffer> {
        match bytes {
            0..100 => Ok(RawBuffer(bytes as u64)),
            _ => Err(DeviceError::OutOfMemory("it is full".to_owned())),
        }
    }

    fn free(&self, buffer: RawBuffer) {
        assert!(buffer.0 < 100, "it was never allocated");
        self.note(format!("free {}", buffer.0)).unwrap();
    }

    fn available(&self) -> Option<u64> {
        Some(12)
    }

    unsafe fn copy_in(
        &self,
        queue: RawQueue,
        host: *const c_void,
        bytes: usize,
        buffer: RawBuffer,
        offset: usize,
    ) -> Result<()> {
        // SAFETY: the test passes a byte.
        let value = unsafe { host.cast::<u8>().read() };
        self.note(format!(
            "in {} {value} {bytes} {} {offset}",
            queue.0, buffer.0
        ))
    }

    unsafe fn copy_out(
        &self,
        queue: RawQueue,
        buffer: RawBuffer,
        offset: usize,
        host: *mut c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the test has room for a byte.
        unsafe { host.cast::<u8>().write(5) };
        self.note(format!("out {} {} {offset} {bytes}", queue.0, buffer.0))
    }

    fn load(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        match name {
            "k" => Ok(RawFunction(image.len() as u64)),
            _ => Err(DeviceError::Failed(format!("no kernel {name}"))),
        }
    }

    unsafe fn launch(
        &self,
        queue: RawQueue,
        function: RawFunction,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<()> {
        let shown: Vec<_> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value, size) => {
                    // SAFETY: the test passes numbers.
                    let number = unsafe { value.cast::<i32>().read() };
                    format!("{number}:{size}")
                }
                Argument::Buffer(buffer) => format!("at {}", buffer.0),
            })
            .collect();
        self.note(format!(
            "launch {} {} {grid:?} {block:?} {shown:?}",
            queue.0, function.0
        ))
    }

    fn synchronize(&self, queue: RawQueue) -> Result<()> {
        self.note(format!("wait {}", queue.0))
    }
}

struct Recorders(&'static str, Arc<Recorder>, AtomicU64);

impl Driver for Recorders {
    fn name(&self) -> &'static str {
        self.0
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        self.2.fetch_add(1, Ordering::Relaxed);
        match self.0 {
            "recorder" => Ok(vec![self.1.clone()]),
            _ => Err(DeviceError::Absent("nobody records".to_owned())),
        }
    }
}

fn recorders(name: &'static str) -> &'static Recorders {
    let info = DeviceInfo {
        name: "recorder:0".to_owned(),
        product: "a recorder".to_owned(),
        driver_version: "1.2".to_owned(),
        chip: "c".to_owned(),
        memory: 1,
        largest_allocation: 2,
        local_memory: 3,
        compute_units: 4,
        max_block: 5,
        has_f64: true,
        has_f16: false,
    };
    let asked = Mutex::default();
    let recorder = Arc::new(Recorder { info, asked });
    Box::leak(Box::new(Recorders(name, recorder, AtomicU64::new(0))))
}

fn loaded(name: &'static str, driver: &'static Recorders) -> Loaded {
    // SAFETY: the table is one of ours.
    unsafe { Loaded::new(name, Table::of(driver)) }.unwrap()
}

#[test]
fn everything_crosses_the_border() {
    let driver = recorders("recorder");
    let there = loaded("recorder", driver);
    let device = &there.devices().unwrap()[0];
    there.devices().unwrap();
    assert_eq!(driver.2.load(Ordering::Relaxed), 1, "they are found once");
    assert_eq!(
        format!("{:?}", device.info()),
        format!("{:?}", driver.1.info)
    );
    let queue = device.new_queue().unwrap();
    let buffer = device.allocate(9).unwrap();
    assert_eq!((queue, buffer), (RawQueue(7), RawBuffer(9)));
    assert_eq!(
        (device.available(), device.address(buffer)),
        (Some(12), None)
    );
    let function = device.load(b"four", "k").unwrap();
    let (mut byte, number) = (3_u8, -8_i32);
    // SAFETY: the device reads and writes one byte, and a number.
    unsafe {
        let host = (&raw mut byte).cast::<c_void>();
        device.copy_in(queue, host, 1, buffer, 2).unwrap();
        device.copy_out(queue, buffer, 4, host, 1).unwrap();
        let arguments = [
            Argument::Buffer(buffer),
            Argument::Value((&raw const number).cast(), 4),
        ];
        let (grid, block) = ([1, 2, 3], [4, 5, 6]);
        device
            .launch(queue, function, grid, block, &arguments)
            .unwrap();
    }
    device.synchronize(queue).unwrap();
    device.free(buffer);
    assert_eq!(byte, 5);
    let asked = driver.1.asked.lock().unwrap();
    let expected = [
        "in 7 3 1 9 2",
        "out 7 9 4 1",
        r#"launch 7 4 [1, 2, 3] [4, 5, 6] ["at 9", "-8:4"]"#,
        "wait 7",
        "free 9",
    ];
    assert_eq!(*asked, expected);
}

#[test]
fn errors_say_why() {
    let there = loaded("recorder", recorders("recorder"));
    let device = &there.devices().unwrap()[0];
    let full = DeviceError::OutOfMemory("it is full".to_owned());
    assert_eq!(device.allocate(100), Err(full));
    let unknown = DeviceError::Failed("no kernel x".to_owned());
    assert_eq!(device.load(b"", "x"), Err(unknown));
    let stuck = DeviceError::Failed("panicked: it is stuck".to_owned());
    assert_eq!(device.open(), Err(stuck));
    device.free(RawBuffer(100));
    let absent = loaded("nobody", recorders("nobody")).devices().err();
    assert_eq!(
        absent,
        Some(DeviceError::Absent("nobody records".to_owned()))
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let other = loaded("tape", recorders("recorder")).devices().err();
    let message = "the driver 'tape' has a device 'recorder:0'".to_owned();
    assert_eq!(other, Some(DeviceError::Failed(message)));
    let old = Table {
        version: VERSION + 1,
        ..*Table::of(recorders("recorder"))
    };
    // SAFETY: the table is one of ours but for its version.
    let refused = unsafe { Loaded::new("recorder", Box::leak(Box::new(old))) };
    let message = refused.err().unwrap();
    assert!(
        message.ends_with("version 2 of the interface, and this is version 1"),
        "{message}"
    );
}

#[test]
fn nobody_compiles_where_there_is_no_process() {
    let error = super::host::compile(b"", "k").err();
    let message = "nobody compiles kernels in this process".to_owned();
    assert_eq!(error, Some(DeviceError::Failed(message)));
}
