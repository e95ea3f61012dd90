//! Which drivers there are, and the devices that are in use.
//!
//! A driver is registered under its name, before the first device of it is asked for; pyopt's own two are
//! registered from the start. A device that was opened stays open until the process ends and has a
//! number, from 1 on.

use std::{
    collections::HashMap,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    DeviceError, Result,
    counters::Counters,
    cuda::CudaDriver,
    driver::{self, Device, DeviceInfo, Driver, RawFunction, RawQueue},
    native,
    opencl::OpenClDriver,
    pool::{Buffer, Pool},
};
use crate::fork;

static DRIVERS: LazyLock<RwLock<Vec<&dyn Driver>>> = LazyLock::new(|| {
    driver::host::provide(&native::SERVICES);
    RwLock::new(vec![&CudaDriver, &OpenClDriver])
});

/// Says what this process does for drivers, before the first one comes from a library.
pub fn load() {
    LazyLock::force(&DRIVERS);
}

/// Registers a driver; the error says that there is one of the name.
pub fn register(driver: &'static dyn Driver) -> std::result::Result<(), String> {
    let mut drivers = DRIVERS.write().unwrap_or_else(PoisonError::into_inner);
    let name = driver.name();
    if name == HOST || drivers.iter().any(|one| one.name() == name) {
        return Err(format!("a driver has the name '{name}' already"));
    }
    drivers.push(driver);
    Ok(())
}

/// The name that stands for no device.
pub const HOST: &str = "cpu";

/// The devices of a driver, or why there are none.
pub type Listed = (&'static str, Result<Vec<DeviceInfo>>);

/// All devices by driver.
pub fn list() -> Vec<Listed> {
    let drivers = drivers();
    let listed = drivers.iter().map(|driver| {
        let devices = all_of(*driver);
        let infos = devices.map(|devices| devices.iter().map(|one| one.info().clone()).collect());
        (driver.name(), infos)
    });
    listed.collect()
}

/// A device that is in use.
pub struct OpenDevice {
    /// Its place among those in use, from 1 on.
    pub number: u32,
    /// How it is driven.
    pub device: Arc<dyn Device>,
    pool: Mutex<Pool>,
    /// Kernels by the hash of their image; of each image by their names.
    functions: RwLock<HashMap<u64, Vec<(String, RawFunction)>>>,
    /// What was done on it.
    counters: Mutex<Counters>,
    /// Queues that threads have left behind.
    idle_queues: Mutex<Vec<RawQueue>>,
}

static OPEN: RwLock<Vec<Arc<OpenDevice>>> = RwLock::new(Vec::new());

/// Opens the device of a name. A driver's name alone, or one with the kind of device, means the first of
/// these.
pub fn open(name: &str) -> Result<Arc<OpenDevice>> {
    check_process()?;
    if let Some(found) = opened().iter().find(|one| one.device.info().name == name) {
        return Ok(found.clone());
    }
    let wanted = find(name)?;
    let mut open = OPEN.write().unwrap_or_else(PoisonError::into_inner);
    let same = |one: &&Arc<OpenDevice>| one.device.info().name == wanted.info().name;
    if let Some(found) = open.iter().find(same) {
        return Ok(found.clone());
    }
    wanted.open()?;
    let made = Arc::new(OpenDevice {
        number: open.len() as u32 + 1,
        device: wanted,
        pool: Mutex::default(),
        functions: RwLock::default(),
        counters: Mutex::default(),
        idle_queues: Mutex::default(),
    });
    open.push(made.clone());
    Ok(made)
}

/// The device of a number that [`open`] gave.
pub fn numbered(number: u32) -> Option<Arc<OpenDevice>> {
    let index = (number as usize).checked_sub(1)?;
    opened().get(index).cloned()
}

fn opened() -> Vec<Arc<OpenDevice>> {
    OPEN.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn drivers() -> Vec<&'static dyn Driver> {
    DRIVERS
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

fn find(name: &str) -> Result<Arc<dyn Device>> {
    let first = name.split(':').next().unwrap_or_default();
    let drivers = drivers();
    let Some(driver) = drivers.iter().find(|one| one.name() == first) else {
        let known: Vec<_> = drivers.iter().map(|one| one.name()).collect();
        return Err(DeviceError::Absent(format!(
            "no driver has the name '{first}': there are cpu, {}",
            known.join(", ")
        )));
    };
    let devices = all_of(*driver).map_err(|error| match error {
        DeviceError::Absent(reason) => DeviceError::Absent(format!("no device '{name}': {reason}")),
        other => other,
    })?;
    let matches = |one: &&Arc<dyn Device>| {
        let own = &one.info().name;
        own.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    devices.iter().find(matches).cloned().ok_or_else(|| {
        let known: Vec<_> = devices.iter().map(|one| &*one.info().name).collect();
        let known = match known[..] {
            [] => format!("{first} has no devices"),
            _ => format!("there are {}", known.join(", ")),
        };
        DeviceError::Absent(format!("no device '{name}': {known}"))
    })
}

fn all_of(driver: &dyn Driver) -> Result<Vec<Arc<dyn Device>>> {
    check_process()?;
    note_use();
    driver.devices()
}

/// Set in a child of a process that had loaded a driver.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Fails in the child of a process that has used drivers: they have threads and mappings that the child
/// doesn't.
pub fn check_process() -> Result<()> {
    match FORKED.load(Ordering::Relaxed) {
        true => Err(DeviceError::Forked),
        false => Ok(()),
    }
}

/// Notes that drivers are in use from now on.
fn note_use() {
    unsafe extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
    }
    static USED: OnceLock<()> = OnceLock::new();
    USED.get_or_init(|| fork::at_fork(None, None, Some(in_child)));
}

impl OpenDevice {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.device.info().name
    }

    /// Memory of at least so many bytes.
    pub fn take(&self, bytes: usize) -> Result<Buffer> {
        check_process()?;
        self.pool().take(&*self.device, bytes)
    }

    /// Takes memory back, which nothing uses any more.
    pub fn give(&self, buffer: Buffer) {
        self.pool().give(buffer);
    }

    /// What calls have done on it since the process began.
    pub fn counters(&self) -> Counters {
        *self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn count(&self, counters: Counters) {
        let mut own = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        own.add(counters);
    }

    /// Bytes of memory in use, and bytes kept for later.
    pub fn memory(&self) -> (u64, u64) {
        self.pool().sizes()
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel of a name in an image, which is known by a hash of its contents.
    pub fn function(&self, hash: u64, image: &[u8], name: &str) -> Result<RawFunction> {
        {
            let known = self.functions.read();
            let known = known.unwrap_or_else(PoisonError::into_inner);
            let of_image = known.get(&hash).into_iter().flatten();
            if let Some(found) = of_image.into_iter().find(|one| one.0 == name) {
                return Ok(found.1);
            }
        }
        let loaded = self.device.load(image, name)?;
        self.functions
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(hash)
            .or_default()
            .push((name.to_owned(), loaded));
        Ok(loaded)
    }
}

/// A queue of operations, of a thread or of somebody else.
pub struct Queue {
    /// The driver's handle.
    pub raw: RawQueue,
    device: Arc<OpenDevice>,
    /// Whether it is somebody else's.
    is_foreign: bool,
}

impl Queue {
    /// A queue that no other thread uses.
    pub fn new(device: &Arc<OpenDevice>) -> Result<Self> {
        check_process()?;
        let idle = device.idle().pop();
        Ok(Self {
            raw: match idle {
                Some(idle) => idle,
                None => device.device.new_queue()?,
            },
            device: device.clone(),
            is_foreign: false,
        })
    }

    /// A queue of somebody else's, who keeps it: a stream of CUDA.
    pub fn foreign(device: &Arc<OpenDevice>, raw: RawQueue) -> Self {
        Self {
            raw,
            device: device.clone(),
            is_foreign: true,
        }
    }

    /// Waits until all in it is done.
    pub fn synchronize(&self) -> Result<()> {
        check_process()?;
        self.device.device.synchronize(self.raw)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // Threads end also when the process does, where drivers may be gone: nothing is called.
        if !self.is_foreign {
            self.device.idle().push(self.raw);
        }
    }
}

impl OpenDevice {
    fn idle(&self) -> MutexGuard<'_, Vec<RawQueue>> {
        self.idle_queues
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
