//! What a call of a compiled function does on a device.
//!
//! A session lasts from the entry of a function that Python calls until its exit. Memory of the host is
//! copied to the device before kernels use it; what kernels write is copied back before the host looks
//! (fences, which the compiler puts) and at the exit.

use std::{
    cell::RefCell,
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use smallvec::SmallVec;

use super::{
    Result,
    counters::{Counters, ForLoops},
    driver::{Argument, RawBuffer},
    entry::{Arg, Kernel},
    failures::Failures,
    grid::{parts, sizes},
    persistent::{self, Access, Persistent},
    registry::{self, OpenDevice, Queue},
    table::{Table, Through},
};

thread_local! {
    static CURRENT: RefCell<Option<Arc<Session>>> = const { RefCell::new(None) };
}

/// The sessions that have copies of the host's memory, for whoever frees such memory on any thread.
static WITH_COPIES: Mutex<Vec<Arc<Session>>> = Mutex::new(Vec::new());
static COUNT_WITH_COPIES: AtomicUsize = AtomicUsize::new(0);

/// What a call does on a device.
pub struct Session {
    device: Arc<OpenDevice>,
    queue: Arc<Queue>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    table: Table,
    is_listed: bool,
    /// Arrays that stay on a device which were used.
    persistent: SmallVec<[Arc<Persistent>; 8]>,
    failures: Failures,
    counters: Counters,
    /// What was copied to the host for loops that run there, by their places.
    for_loops: ForLoops,
}

/// The session of this thread.
pub fn current() -> Option<Arc<Session>> {
    CURRENT.with_borrow(Clone::clone)
}

/// The number of the device that a session was begun for last, on any thread.
static USED_LAST: AtomicU32 = AtomicU32::new(0);

/// The device that a session was begun for last, on any thread.
pub fn device_used_last() -> Option<Arc<OpenDevice>> {
    registry::numbered(USED_LAST.load(Ordering::Relaxed))
}

/// A session that is this thread's until it is finished, or the absence of one.
pub struct Running {
    session: Option<Arc<Session>>,
    outer: Option<Arc<Session>>,
}

/// Begins a session, for arrays of a device that are among the arguments by their addresses.
pub fn begin(
    device: &Arc<OpenDevice>,
    queue: Arc<Queue>,
    arrays: impl IntoIterator<Item = usize>,
) -> Result<Running> {
    registry::check_process()?;
    USED_LAST.store(device.number, Ordering::Relaxed);
    let persistent = arrays.into_iter().filter_map(persistent::find).collect();
    let session = Arc::new(Session {
        device: device.clone(),
        queue,
        state: Mutex::new(State {
            persistent,
            ..State::default()
        }),
    });
    let outer = CURRENT.replace(Some(session.clone()));
    Ok(Running {
        session: Some(session),
        outer,
    })
}

impl Running {
    /// Has this thread run on the host until this is finished.
    pub fn on_host() -> Self {
        Self {
            session: None,
            outer: CURRENT.take(),
        }
    }

    /// The number of the device.
    pub fn device(&self) -> Option<u32> {
        self.session.as_ref().map(|session| session.device.number)
    }

    /// What has been copied to the host for loops that run there, by their places.
    pub fn for_loops(&self) -> ForLoops {
        let session = self.session.as_ref();
        session.map_or_else(ForLoops::default, |session| {
            session.state().for_loops.clone()
        })
    }

    /// Ends the session: what kernels have written to the host's memory is there. Gives the status that a
    /// kernel failed with, or 0, and what was done.
    pub fn finish(self) -> (Result<i32>, Counters) {
        let Some(session) = &self.session else {
            return (Ok(0), Counters::default());
        };
        let mut state = session.state();
        let ended = session.end(&mut state);
        session.device.count(state.counters);
        (ended, state.counters)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.outer.take());
        let Some(session) = &self.session else {
            return;
        };
        let mut state = session.state();
        if state.is_listed {
            let listed = WITH_COPIES.lock();
            let mut listed = listed.unwrap_or_else(PoisonError::into_inner);
            listed.retain(|one| !Arc::ptr_eq(one, session));
            COUNT_WITH_COPIES.store(listed.len(), Ordering::Release);
            state.is_listed = false;
        }
        // Where the end went well, nothing runs any more. Otherwise the memory may be in use, and stays.
        drop(state);
    }
}

/// Has sessions forget memory of the host that is freed.
#[inline]
pub fn forget_freed(start: usize, bytes: usize) {
    if COUNT_WITH_COPIES.load(Ordering::Relaxed) != 0 {
        for session in sessions_with_copies() {
            session.state().table.forget(&(start..start + bytes));
        }
    }
}

/// Before an object of the host's goes, whose memory isn't known: has sessions put all in its place.
#[inline]
pub fn settle_before_free() {
    if COUNT_WITH_COPIES.load(Ordering::Relaxed) != 0 {
        for session in sessions_with_copies() {
            let mut state = session.state();
            // What can't be copied fails again, and is told, at the next fence.
            if session.copy_back(&mut state, None).is_ok() {
                state.table.invalidate(None);
                state.table.forget(&(0..usize::MAX));
            }
        }
    }
}

fn sessions_with_copies() -> Vec<Arc<Session>> {
    WITH_COPIES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Where the memory of an argument is on the device.
enum Place {
    Value,
    Memory {
        buffer: RawBuffer,
        offset: i64,
    },
    Errors(RawBuffer),
    /// The number of the first block along an axis.
    FirstBlock(usize),
}

/// The arguments as drivers take them.
fn arguments(args: &[Arg], places: &[Place], firsts: &[i64; 3]) -> SmallVec<[Argument; 32]> {
    let mut arguments = SmallVec::new();
    for (arg, place) in args.iter().zip(places) {
        match place {
            Place::Value => arguments.push(Argument::Value(arg.value, arg.size as usize)),
            Place::Errors(buffer) => arguments.push(Argument::Buffer(*buffer)),
            Place::FirstBlock(axis) => {
                let first = &raw const firsts[*axis];
                arguments.push(Argument::Value(first.cast(), size_of::<i64>()));
            }
            Place::Memory { buffer, offset } => {
                arguments.push(Argument::Buffer(*buffer));
                let offset = (&raw const *offset).cast();
                arguments.push(Argument::Value(offset, size_of::<i64>()));
            }
        }
    }
    arguments
}

impl Session {
    /// The name of the driver that has the device.
    pub fn driver(&self) -> &str {
        self.device.name().split(':').next().unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Launches a kernel. Gives 0, or the status that an earlier one failed with; then nothing is launched.
    ///
    /// # Safety
    ///
    /// The arguments are those of the kernel, and their memory is as they say.
    pub unsafe fn launch(
        self: &Arc<Self>,
        kernel: &Kernel,
        grid: [i64; 3],
        block: [i64; 3],
        args: &[Arg],
    ) -> Result<i32> {
        registry::check_process()?;
        let mut state = self.state();
        let state = &mut *state;
        let failed = self.failure(state)?;
        if failed != 0 || grid.contains(&0) {
            return Ok(failed);
        }
        let block = sizes(block)?;
        // SAFETY: the caller's promise.
        let (image, name) = unsafe { (kernel.image(), kernel.name()) };
        let function = self.device.function(kernel.content_hash, image, name)?;
        self.hold_all(state, args)?;
        let mut places = SmallVec::<[Place; 16]>::new();
        for arg in args {
            places.push(self.place(state, arg)?);
        }
        let splits = args.iter().any(|arg| arg.first_block().is_some());
        for (firsts, grid) in parts(grid, splits) {
            let grid = sizes(grid)?;
            let arguments = arguments(args, &places, &firsts);
            // SAFETY: the caller's promise; the values live until here.
            unsafe {
                let queue = self.queue.raw;
                let device = &self.device.device;
                device.launch(queue, function, grid, block, &arguments)?;
            }
            state.counters.launches += 1;
        }
        for arg in args
            .iter()
            .filter(|arg| arg.is_memory() && arg.access().writes)
        {
            state.table.note_written(&arg.range());
        }
        if places.iter().any(|one| matches!(one, Place::Errors(_))) {
            state.failures.expect();
        }
        Ok(0)
    }

    /// Has the device hold the memory of all arguments. Those that are read come first: what another one
    /// says of being overwritten doesn't spare their contents.
    fn hold_all(self: &Arc<Self>, state: &mut State, args: &[Arg]) -> Result<()> {
        let may_fail = args.iter().any(Arg::is_errors);
        for only_written in [false, true] {
            for arg in args.iter().filter(|arg| arg.is_memory()) {
                let is_overwritten = arg.is_undefined() || arg.is_overwritten() && !may_fail;
                if is_overwritten != only_written {
                    continue;
                }
                let range = arg.range();
                if self.persistent(state, &range)?.is_some() {
                    continue;
                }
                if !state.is_listed {
                    let listed = WITH_COPIES.lock();
                    let mut listed = listed.unwrap_or_else(PoisonError::into_inner);
                    listed.push(self.clone());
                    COUNT_WITH_COPIES.store(listed.len(), Ordering::Release);
                    state.is_listed = true;
                }
                let State {
                    table, counters, ..
                } = state;
                table.hold(&range, is_overwritten, &mut self.through(counters))?;
            }
        }
        Ok(())
    }

    fn through<'a>(&'a self, counters: &'a mut Counters) -> Through<'a> {
        Through {
            device: &self.device,
            queue: &self.queue,
            counters,
        }
    }

    /// The array of this device that a range is in. One of another device is brought to the host.
    fn persistent(
        &self,
        state: &mut State,
        range: &Range<usize>,
    ) -> Result<Option<Arc<Persistent>>> {
        let Some(found) = persistent::find(range.start) else {
            return Ok(None);
        };
        if !state.persistent.iter().any(|one| Arc::ptr_eq(one, &found)) {
            state.persistent.push(found.clone());
        }
        if Arc::ptr_eq(&found.device, &self.device) {
            return Ok(Some(found));
        }
        found.use_on_host(true, &mut state.counters)?;
        Ok(None)
    }

    fn place(&self, state: &mut State, arg: &Arg) -> Result<Place> {
        if arg.is_errors() {
            let place = state.failures.place(&self.device, &self.queue);
            return place.map(Place::Errors);
        }
        if let Some(axis) = arg.first_block() {
            return Ok(Place::FirstBlock(axis));
        }
        if !arg.is_memory() {
            return match arg.has_value() {
                true => Ok(Place::Value),
                // An array of no elements: nothing is read there.
                false => Ok(Place::Memory {
                    buffer: RawBuffer(0),
                    offset: 0,
                }),
            };
        }
        let range = arg.range();
        let (buffer, start) = match self.persistent(state, &range)? {
            Some(array) => {
                let access: Access = arg.access();
                let buffer = array.use_on_device(&self.queue, access, &mut state.counters)?;
                (buffer, array.range.start)
            }
            None => state
                .table
                .find(&range)
                .expect("all that is used was asked for"),
        };
        Ok(Place::Memory {
            buffer,
            offset: arg.value.addr().wrapping_sub(start) as i64,
        })
    }

    /// The status that a kernel failed with, or 0; it waits for those that may have.
    fn failure(&self, state: &mut State) -> Result<i32> {
        state.failures.status(&self.device, &self.queue)
    }

    /// Before the host looks at memory, all of it or ranges: has it there. `writes` says that the host may
    /// change it; `place` that of a loop which it runs, or 0. Gives the status that a kernel failed with, or 0.
    pub fn fence(&self, writes: bool, ranges: Option<&[Range<usize>]>, place: i32) -> Result<i32> {
        registry::check_process()?;
        let mut state = self.state();
        let failed = self.failure(&mut state)?;
        if failed != 0 {
            return Ok(failed);
        }
        let before = state.counters;
        match ranges {
            None => self.fence_range(&mut state, writes, None)?,
            Some(ranges) => {
                for range in ranges {
                    self.fence_range(&mut state, writes, Some(range))?;
                }
            }
        }
        let copies = state.counters.copies_out - before.copies_out;
        let bytes = state.counters.bytes_out - before.bytes_out;
        if place != 0 && copies != 0 {
            state.for_loops.note(place, copies, bytes);
        }
        Ok(0)
    }

    fn fence_range(
        &self,
        state: &mut State,
        writes: bool,
        range: Option<&Range<usize>>,
    ) -> Result<()> {
        self.copy_back(state, range)?;
        if writes {
            state.table.invalidate(range);
        }
        // Ranges are in at most one of the arrays, which needn't have been used yet.
        match range.and_then(|range| persistent::find(range.start)) {
            Some(array) => array.use_on_host(writes, &mut state.counters)?,
            None if range.is_some() => {}
            None => {
                for array in &state.persistent {
                    array.use_on_host(writes, &mut state.counters)?;
                }
            }
        }
        Ok(())
    }

    fn copy_back(&self, state: &mut State, range: Option<&Range<usize>>) -> Result<()> {
        let State {
            table, counters, ..
        } = state;
        if table.copy_back(range, &mut self.through(counters))? {
            self.queue.synchronize()?;
        }
        Ok(())
    }

    fn end(&self, state: &mut State) -> Result<i32> {
        registry::check_process()?;
        let failed = self.failure(state)?;
        let copied = self.copy_back(state, None);
        if state.table.has_memory() || state.failures.has_memory() {
            // The next who gets the memory may use another queue.
            self.queue.synchronize()?;
            state.table.clear(&self.device);
            if let Some(memory) = state.failures.take() {
                self.device.give(memory);
            }
        }
        copied?;
        for array in &state.persistent {
            array.publish(&mut state.counters)?;
        }
        Ok(failed)
    }
}
