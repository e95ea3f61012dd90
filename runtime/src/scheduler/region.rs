//! A launched region: threads take its parts until none is left.
//!
//! What the threads share lies in an `Arc`, because a worker may wake when the region is long over. It then
//! finds no part to take and touches nothing else. What is the launcher's (extents, environment) is used only
//! by who has taken a part, and the launcher waits until all of those are done. So nobody waits for a thread
//! that hasn't begun, and regions nest without deadlock: the innermost ones never wait for others.

use std::{
    any::Any,
    ffi::c_void,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use super::{
    parallel::{Body, MAX_DIMENSIONS, STATUS_PANIC, take_failure},
    pool::Pool,
    schedule::chunk_bounds,
    settings::Settings,
    spinning::spin,
};
use crate::error::PyoptError;

/// How long a launcher works alone where there are many parts, which may be over sooner than others wake.
const PATIENCE: Duration = Duration::from_micros(3);

/// So many parts a thread are many: one of them hardly counts.
const MANY_PARTS: i64 = 4;

/// What the launcher lends to the threads.
#[derive(Clone, Copy)]
pub(super) struct Job {
    pub extents: *const i64,
    pub rank: usize,
    pub parts: i64,
    pub body: Body,
    pub env: *mut c_void,
    pub host: *const c_void,
    /// The settings of the thread that launches.
    pub settings: Settings,
}

// SAFETY: whoever launches a region promises that its body may run with `env` on any thread, and stays
// until all parts are done; the extents are only read.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

/// How a part failed.
pub(super) struct Failure {
    pub status: i32,
    pub error: PyoptError,
    /// The message of a negative status.
    pub message: Option<String>,
    /// The settings of the thread that failed.
    settings: Settings,
}

impl Failure {
    /// A failure that isn't the program's.
    pub fn new(status: i32, message: String) -> Box<Self> {
        Box::new(Self {
            status,
            error: PyoptError::new(ptr::null()),
            message: Some(message),
            settings: Settings::current(),
        })
    }
}

/// What the threads of a region share.
struct Shared {
    job: Job,
    /// How many threads the region may use.
    threads: usize,
    launcher: Thread,
    /// The first part that nobody has taken.
    next: AtomicI64,
    /// How many parts aren't done.
    left: AtomicI64,
    /// How many threads have joined.
    joined: AtomicUsize,
    /// The first part that failed, so far; parts behind it needn't run.
    first_failed: AtomicI64,
    failure: Mutex<Option<(i64, Box<Failure>)>>,
}

/// Runs all parts on at most so many threads, this one among them, and gives the failure of the first part,
/// by number, that failed.
pub(super) fn run(
    job: Job,
    threads: usize,
    pool: Option<&'static Pool>,
) -> Result<(), Box<Failure>> {
    let shared = Arc::new(Shared {
        job,
        threads,
        launcher: thread::current(),
        next: AtomicI64::new(0),
        left: AtomicI64::new(job.parts),
        joined: AtomicUsize::new(1),
        first_failed: AtomicI64::new(i64::MAX),
        failure: Mutex::new(None),
    });
    let mut worker = Worker::new(&shared, 0);
    if job.parts / MANY_PARTS >= threads as i64 {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE && worker.run_next().is_some() {}
    }
    if let Some(pool) = pool {
        // This thread takes one of the parts that are there.
        let others = job.parts - shared.next.load(Ordering::Relaxed) - 1;
        let others = usize::try_from(others).unwrap_or(0).min(threads - 1);
        let shared = Arc::clone(&shared);
        pool.spawn(others, move || shared.join());
    }
    while worker.run_next().is_some() {}
    job.settings.set();
    shared.wait();
    match shared.take_failure() {
        Some((_, failure)) => {
            job.settings.after_failure(failure.settings).set();
            Err(failure)
        }
        None => Ok(()),
    }
}

/// Runs all iterations in one part on this thread, with the launcher's own record for errors. A panic is a
/// failure; what else goes wrong is the status.
///
/// # Safety
///
/// The job's promises; `error` points to a prepared record.
pub(super) unsafe fn run_whole(
    job: &Job,
    threads: usize,
    error: *mut PyoptError,
) -> Result<i32, Box<Failure>> {
    static ORIGIN: [i64; MAX_DIMENSIONS] = [0; MAX_DIMENSIONS];
    // It stays the thread that it is for the region around.
    job.settings.inside(1, threads).set();
    let lower = ORIGIN.as_ptr();
    // SAFETY: the caller's promise.
    let call = AssertUnwindSafe(|| unsafe { (job.body)(lower, job.extents, 0, job.env, error) });
    let status = catch_unwind(call);
    let inside = Settings::current();
    match status {
        Ok(0) => job.settings.set(),
        _ => job.settings.after_failure(inside).set(),
    }
    status.map_err(|panic| Failure::new(STATUS_PANIC, panic_message(&*panic)))
}

impl Shared {
    /// Works for the region on a thread of the pool, whatever that did before.
    fn join(&self) {
        if self.next.load(Ordering::Relaxed) >= self.job.parts {
            return;
        }
        let before = Settings::current();
        let mut worker = Worker::new(self, self.joined.fetch_add(1, Ordering::Relaxed));
        while let Some(last) = worker.run_next() {
            if last {
                self.launcher.unpark();
            }
        }
        before.set();
    }

    /// Waits until all parts are done.
    fn wait(&self) {
        let done = || self.left.load(Ordering::Acquire) == 0;
        if spin(|| true, done) {
            return;
        }
        while !done() {
            thread::park();
        }
    }

    /// Keeps the failure of the first part.
    fn fail(&self, part: i64, failure: Box<Failure>) {
        self.first_failed.fetch_min(part, Ordering::Relaxed);
        let mut kept = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let replaced = match &*kept {
            Some((first, _)) if *first < part => Some(failure),
            _ => kept.replace((part, failure)).map(|(_, failure)| failure),
        };
        drop(kept);
        if let Some(mut nobodys) = replaced {
            // The exception that nobody will see.
            // SAFETY: the record was made with everything in it.
            drop(unsafe { PyoptError::take_payload(&mut nobodys.error) });
        }
    }

    fn take_failure(&self) -> Option<(i64, Box<Failure>)> {
        let mut kept = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }
}

/// A thread that works for a region.
struct Worker<'a> {
    shared: &'a Shared,
    settings: Settings,
    error: PyoptError,
}

impl<'a> Worker<'a> {
    /// The thread with this number.
    fn new(shared: &'a Shared, id: usize) -> Self {
        let job = &shared.job;
        Self {
            shared,
            settings: job.settings.inside(job.parts, shared.threads).on(id),
            error: PyoptError::new(job.host),
        }
    }

    /// Takes a part, if one is left, runs it, and tells whether it was the last one to be done.
    fn run_next(&mut self) -> Option<bool> {
        let shared = self.shared;
        let part = shared.next.fetch_add(1, Ordering::Relaxed);
        if part >= shared.job.parts {
            return None;
        }
        if part < shared.first_failed.load(Ordering::Relaxed) {
            // Each part begins with the launcher's, so it doesn't matter which thread took it.
            self.settings.set();
            if let Err(failure) = shared.job.run_part(part, &mut self.error) {
                shared.fail(part, failure);
            }
        }
        // Who sees the number sees what the part wrote.
        Some(shared.left.fetch_sub(1, Ordering::Release) == 1)
    }
}

impl Job {
    /// Runs one part. The record is as good as new afterwards.
    fn run_part(&self, part: i64, error: &mut PyoptError) -> Result<(), Box<Failure>> {
        let (mut lower, mut upper) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        // SAFETY: the launcher's extents, which stay while a part runs.
        let extents = unsafe { slice::from_raw_parts(self.extents, self.rank) };
        chunk_bounds(extents, self.parts, part, &mut lower, &mut upper);
        let record = &raw mut *error;
        let call = AssertUnwindSafe(|| {
            // SAFETY: bounds and record live through the call; the rest is the launcher's promise.
            unsafe { (self.body)(lower.as_ptr(), upper.as_ptr(), part, self.env, record) }
        });
        match catch_unwind(call) {
            Ok(0) => Ok(()),
            Ok(status) => Err(Box::new(Failure {
                status,
                error: mem::replace(error, PyoptError::new(self.host)),
                // A region inside this part left its message on this thread.
                message: (status < 0).then(take_failure).flatten(),
                settings: Settings::current(),
            })),
            Err(panic) => Err(Failure::new(STATUS_PANIC, panic_message(&*panic))),
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a parallel region panicked: {}",
        text.unwrap_or("no message")
    )
}
