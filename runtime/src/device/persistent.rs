//! Arrays that stay on a device between calls.
//!
//! Each has a range of the host's addresses of its own, which compiled code knows it by and where its
//! contents are put when the host needs them: pages that nobody touches cost nothing.

use std::{
    collections::BTreeMap,
    ffi::c_void,
    ops::Range,
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{
    DeviceError, Result,
    counters::Counters,
    driver::RawBuffer,
    pool::Buffer,
    registry::{self, OpenDevice, Queue},
    sizes::shown,
};

/// An array that stays on a device.
pub struct Persistent {
    /// Its addresses.
    pub range: Range<usize>,
    /// Where it is.
    pub device: Arc<OpenDevice>,
    state: Mutex<State>,
}

struct State {
    raw: RawBuffer,
    /// The memory, unless it is somebody else's.
    buffer: Option<Buffer>,
    /// Which of the two places have the present contents; one has.
    on_host: bool,
    on_device: bool,
    /// Whether others know its address on the device: they may read and write there at any time.
    is_shared: bool,
    /// What used it last.
    queue: Option<Arc<Queue>>,
}

static ALL: RwLock<BTreeMap<usize, Arc<Persistent>>> = RwLock::new(BTreeMap::new());
/// How many there are, so that programs without any don't look.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The array that an address is in.
pub fn find(address: usize) -> Option<Arc<Persistent>> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
    let (_, found) = all.range(..=address).next_back()?;
    found.range.contains(&address).then(|| found.clone())
}

/// Memory that stays on a device until this is dropped.
pub struct PersistentMemory(Arc<Persistent>);

impl PersistentMemory {
    /// Memory with any contents.
    pub fn new(device: &Arc<OpenDevice>, bytes: usize) -> Result<Self> {
        let buffer = device.take(bytes)?;
        match Self::of(device, bytes, buffer.raw) {
            Ok(made) => {
                made.0.state().buffer = Some(buffer);
                Ok(made)
            }
            Err(error) => {
                device.give(buffer);
                Err(error)
            }
        }
    }

    /// Memory of somebody else's, who keeps it as long as this lives.
    pub fn foreign(device: &Arc<OpenDevice>, bytes: usize, raw: RawBuffer) -> Result<Self> {
        registry::check_process()?;
        let made = Self::of(device, bytes, raw)?;
        made.0.state().is_shared = true;
        Ok(made)
    }

    fn of(device: &Arc<OpenDevice>, bytes: usize, raw: RawBuffer) -> Result<Self> {
        // Views of no elements begin at the end.
        let start = reserve(bytes + 1)?;
        let made = Arc::new(Persistent {
            range: start..start + bytes + 1,
            device: device.clone(),
            state: Mutex::new(State {
                raw,
                buffer: None,
                on_host: false,
                on_device: true,
                is_shared: false,
                queue: None,
            }),
        });
        let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(start, made.clone());
        COUNT.store(all.len(), Ordering::Release);
        Ok(Self(made))
    }

    /// The array itself.
    pub fn array(&self) -> &Arc<Persistent> {
        &self.0
    }
}

impl Drop for PersistentMemory {
    fn drop(&mut self) {
        {
            let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
            all.remove(&self.0.range.start);
            COUNT.store(all.len(), Ordering::Release);
        }
        let mut state = self.0.state();
        // In the child of a fork there is no driver to give it back to.
        if registry::check_process().is_ok() {
            let waited = state
                .queue
                .take()
                .map_or(Ok(()), |queue| queue.synchronize());
            // Memory that a broken queue may still use is left alone.
            if let (Ok(()), Some(buffer)) = (waited, state.buffer.take()) {
                self.0.device.give(buffer);
            }
        }
        let range = &self.0.range;
        // SAFETY: the range was mapped, and nobody looks at it any more.
        unsafe {
            libc::munmap(ptr::with_exposed_provenance_mut(range.start), range.len());
        }
    }
}

/// Addresses that nothing else has, whose pages come when they are touched.
fn reserve(bytes: usize) -> Result<usize> {
    #[cfg(target_os = "linux")]
    const FLAGS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    #[cfg(not(target_os = "linux"))]
    const FLAGS: i32 = libc::MAP_PRIVATE | libc::MAP_ANON;
    // SAFETY: a fresh mapping touches nothing that there is.
    let start = unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(ptr::null_mut(), bytes, protection, FLAGS, -1, 0)
    };
    match start == libc::MAP_FAILED {
        true => Err(DeviceError::OutOfMemory(format!(
            "there are no addresses for an array of {}",
            shown(bytes as u64)
        ))),
        false => Ok(start.expose_provenance()),
    }
}

/// What a launch does with the memory of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Reads it.
    pub reads: bool,
    /// Writes it.
    pub writes: bool,
}

impl Persistent {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of the array.
    pub fn bytes(&self) -> usize {
        self.range.len() - 1
    }

    fn host(&self) -> *mut c_void {
        ptr::with_exposed_provenance_mut(self.range.start)
    }

    /// Prepares the array for a launch on a queue of its device: gives the memory to pass.
    pub fn use_on_device(
        &self,
        queue: &Arc<Queue>,
        access: Access,
        counters: &mut Counters,
    ) -> Result<RawBuffer> {
        let mut state = self.state();
        // What another queue does with it must be over.
        if let Some(former) = state.queue.replace(queue.clone())
            && former.raw != queue.raw
        {
            former.synchronize()?;
        }
        self.to_device(&mut state, queue, counters)?;
        if access.writes {
            state.on_host = false;
        }
        Ok(state.raw)
    }

    fn to_device(
        &self,
        state: &mut State,
        queue: &Arc<Queue>,
        counters: &mut Counters,
    ) -> Result<()> {
        if state.on_device {
            return Ok(());
        }
        let buffer = state.raw;
        if self.bytes() > 0 {
            // SAFETY: the host's range and the buffer have so many bytes.
            unsafe {
                self.device
                    .device
                    .copy_in(queue.raw, self.host(), self.bytes(), buffer, 0)?;
            }
            counters.copied_in(self.bytes());
        }
        state.on_device = true;
        Ok(())
    }

    /// Brings the contents to the host's addresses; `writes` says that the host changes them there.
    pub fn use_on_host(&self, writes: bool, counters: &mut Counters) -> Result<()> {
        let mut state = self.state();
        if !state.on_host || state.is_shared && state.on_device {
            let queue = self.queue_for(&mut state)?;
            let buffer = state.raw;
            if self.bytes() > 0 {
                // SAFETY: the host's range and the buffer have so many bytes.
                unsafe {
                    self.device
                        .device
                        .copy_out(queue.raw, buffer, 0, self.host(), self.bytes())?;
                }
                counters.copied_out(self.bytes());
            }
            queue.synchronize()?;
            state.on_host = true;
        }
        if writes {
            state.on_device = false;
        }
        Ok(())
    }

    /// Reads the contents from an offset on, without the host's addresses.
    ///
    /// # Safety
    ///
    /// So many bytes are in the array from there on, and can be written at the target.
    pub unsafe fn read(&self, offset: usize, to: *mut c_void, bytes: usize) -> Result<()> {
        registry::check_process()?;
        if bytes == 0 {
            return Ok(());
        }
        let mut state = self.state();
        if !state.on_device {
            // SAFETY: the caller's promise; the host's addresses have the contents.
            unsafe { ptr::copy(self.host().byte_add(offset), to, bytes) };
            return Ok(());
        }
        let queue = self.queue_for(&mut state)?;
        let buffer = state.raw;
        // SAFETY: the caller's promise.
        let copied = unsafe {
            self.device
                .device
                .copy_out(queue.raw, buffer, offset, to, bytes)
        };
        let waited = queue.synchronize();
        copied.and(waited)
    }

    /// Writes the contents from an offset on, without the host's addresses.
    ///
    /// # Safety
    ///
    /// So many bytes are in the array from there on, and can be read at the source.
    pub unsafe fn write(&self, offset: usize, from: *const c_void, bytes: usize) -> Result<()> {
        registry::check_process()?;
        if bytes == 0 {
            return Ok(());
        }
        let mut state = self.state();
        let queue = self.queue_for(&mut state)?;
        if bytes < self.bytes() {
            self.to_device(&mut state, &queue, &mut Counters::default())?;
        }
        let buffer = state.raw;
        // SAFETY: the caller's promise.
        unsafe {
            self.device
                .device
                .copy_in(queue.raw, from, bytes, buffer, offset)?;
        }
        state.on_device = true;
        state.on_host = false;
        // The source may be pinned memory, which is read later, or be changed at once.
        queue.synchronize()
    }

    /// Waits for what was done with it, and gives its address on the device, by which others may read and
    /// write from now on; `None` where it has none.
    pub fn share(&self) -> Result<Option<u64>> {
        registry::check_process()?;
        let mut state = self.state();
        let queue = self.queue_for(&mut state)?;
        self.to_device(&mut state, &queue, &mut Counters::default())?;
        queue.synchronize()?;
        state.is_shared = true;
        let buffer = state.raw;
        Ok(self.device.device.address(buffer))
    }

    /// After the host has written: has those see it who know the address on the device.
    pub fn publish(&self, counters: &mut Counters) -> Result<()> {
        let mut state = self.state();
        if !state.is_shared || state.on_device {
            return Ok(());
        }
        let queue = self.queue_for(&mut state)?;
        self.to_device(&mut state, &queue, counters)?;
        queue.synchronize()
    }

    /// Waits for what was done with it.
    pub fn synchronize(&self) -> Result<()> {
        let queue = self.state().queue.clone();
        queue.map_or(Ok(()), |queue| queue.synchronize())
    }

    /// The queue that used it last, or a fresh one.
    fn queue_for(&self, state: &mut State) -> Result<Arc<Queue>> {
        registry::check_process()?;
        if let Some(queue) = &state.queue {
            return Ok(queue.clone());
        }
        let queue = Arc::new(Queue::new(&self.device)?);
        state.queue = Some(queue.clone());
        Ok(queue)
    }
}
