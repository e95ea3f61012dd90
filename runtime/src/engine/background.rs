//! Work that nobody waits for, on a thread of its own.
//!
//! The thread exists while there is work. A child process begins without one, and the end of the
//! process waits for what is being done ([`finish`]): LLVM's own data goes then.

use std::{
    collections::VecDeque,
    process,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use crate::fork;

type Task = Box<dyn FnOnce() + Send>;

static TASKS: Mutex<VecDeque<Task>> = Mutex::new(VecDeque::new());

/// The process whose worker runs; a child's copy names its parent. Zero when there is none.
static WORKER: AtomicU32 = AtomicU32::new(0);

/// Set when the process ends.
static CLOSING: AtomicBool = AtomicBool::new(false);

/// How often the end of the process looks whether the worker is done.
const POLL: Duration = Duration::from_micros(500);

/// Has a task done some time, unless the process ends before.
pub fn submit(task: impl FnOnce() + Send + 'static) {
    static AT_EXIT: Once = Once::new();
    // SAFETY: the handler is a function of this library, which is never unloaded.
    AT_EXIT.call_once(|| unsafe {
        libc::atexit(finish);
    });
    let starts = fork::guarded(|| {
        tasks().push_back(Box::new(task));
        WORKER.swap(process::id(), Ordering::Relaxed) != process::id()
    });
    if starts {
        let worker = thread::Builder::new().name("pyopt-compile".into());
        if worker.spawn(work).is_err() {
            // Without a thread the work stays undone.
            fork::guarded(|| {
                tasks().clear();
                WORKER.store(0, Ordering::Relaxed);
            });
        }
    }
}

fn tasks() -> std::sync::MutexGuard<'static, VecDeque<Task>> {
    TASKS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work() {
    loop {
        let task = fork::guarded(|| {
            let task = tasks().pop_front();
            let task = task.filter(|_| !CLOSING.load(Ordering::Relaxed));
            if task.is_none() {
                WORKER.store(0, Ordering::Release);
            }
            task
        });
        match task {
            Some(task) => task(),
            None => return,
        }
    }
}

/// Begins no more tasks, and waits for the one that is being done.
///
/// `atexit` calls it, but destructors of what the task itself has made in the meantime, such as
/// LLVM's tables of a target, come before it there. A host with an end of its own calls it there.
pub extern "C" fn finish() {
    CLOSING.store(true, Ordering::Relaxed);
    while WORKER.load(Ordering::Acquire) == process::id() {
        thread::sleep(POLL);
    }
}
