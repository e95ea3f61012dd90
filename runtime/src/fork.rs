//! A gate that `fork` waits for.
//!
//! A child process has only the thread that forked: a lock that another thread held stays locked for ever.
//! What uses process-wide state runs inside the gate, under a [`Claim`]: critical sections of this crate,
//! and all of a compilation, since MLIR and LLVM make much on first use, under locks of their own. `fork`
//! waits until nobody is inside, so the child finds that state consistent and its locks open. The gate
//! itself is made of counters, which a child can set back.
//!
//! Whoever forks through Python holds the GIL: what waits for it does so [`outside`].

use std::{
    cell::Cell,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    sync::{
        LazyLock, Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How many threads are inside. One that finds the gate closed is counted for a moment, too.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread forks, or waits to: nobody else comes in then.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// How often who waits looks again.
const POLL: Duration = Duration::from_micros(20);

thread_local! {
    /// How many claims this thread has.
    static CLAIMS: Cell<usize> = const { Cell::new(0) };
}

/// While there is one no fork can happen, but by the thread that has it. A thread may have several.
pub struct Claim(PhantomData<*const ()>);

impl Claim {
    /// Enters the gate, once nobody forks.
    pub fn new() -> Self {
        static REGISTERED: Once = Once::new();
        REGISTERED.call_once(|| at_fork(Some(prepare), Some(open), Some(open_in_child)));
        let before = CLAIMS.get();
        if before == 0 {
            enter();
        }
        CLAIMS.set(before + 1);
        Self(PhantomData)
    }
}

impl Default for Claim {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let left = CLAIMS.get() - 1;
        CLAIMS.set(left);
        if left == 0 {
            INSIDE.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Waits until nobody forks, and is inside then.
fn enter() {
    // Either this thread sees that the gate is closed, or who closes it sees this thread inside.
    while {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        CLOSED.load(Ordering::SeqCst)
    } {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        thread::sleep(POLL);
    }
}

/// Runs `work` outside the gate, whatever claims this thread has: it waits for the GIL, which a thread that
/// is about to fork may hold. Nothing that the claims are for may be half-done, as in [`guarded`].
pub fn outside<R>(work: impl FnOnce() -> R) -> R {
    struct Back(usize);

    impl Drop for Back {
        fn drop(&mut self) {
            if self.0 > 0 {
                enter();
            }
            CLAIMS.set(self.0);
        }
    }

    let claims = CLAIMS.replace(0);
    if claims > 0 {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
    let _back = Back(claims);
    work()
}

/// Runs `work` on a thread that another one waits for, under a claim of that one: it need not, and must not,
/// wait at the gate.
pub fn covered<R>(work: impl FnOnce() -> R) -> R {
    struct Over;

    impl Drop for Over {
        fn drop(&mut self) {
            CLAIMS.set(CLAIMS.get() - 1);
        }
    }

    CLAIMS.set(CLAIMS.get() + 1);
    let _over = Over;
    work()
}

/// Runs `work` while no fork can happen and no other thread is in here. Not reentrant.
pub fn guarded<R>(work: impl FnOnce() -> R) -> R {
    static ALONE: Mutex<()> = Mutex::new(());
    let _claim = Claim::new();
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// State of the process behind a lock that no child inherits. A panic leaves it as it was before or after
/// an entry.
pub struct Table<T>(LazyLock<Mutex<T>>);

impl<T: Default> Table<T> {
    /// One with the default in it.
    pub const fn new() -> Self {
        Self(LazyLock::new(Mutex::default))
    }

    /// Locks it.
    pub fn lock(&self) -> TableGuard<'_, T> {
        let claim = Claim::new();
        TableGuard {
            guard: self.0.lock().unwrap_or_else(PoisonError::into_inner),
            _claim: claim,
        }
    }
}

impl<T: Default> Default for Table<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A locked [`Table`].
pub struct TableGuard<'t, T> {
    // Before the claim, so that the lock is open when a fork may go on.
    guard: MutexGuard<'t, T>,
    _claim: Claim,
}

impl<T> Deref for TableGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for TableGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

/// Work that does something once in a process, under locks that aren't ours: until that is over no fork
/// can happen during it.
pub(crate) struct FirstGuarded(AtomicBool);

impl FirstGuarded {
    /// For work that wasn't done yet.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Does the work; inside the gate unless it was done before.
    pub(crate) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.0.load(Ordering::Acquire) {
            return work();
        }
        let _claim = Claim::new();
        let result = work();
        self.0.store(true, Ordering::Release);
        result
    }
}

/// Registers handlers that run around every `fork` of the process.
pub(crate) fn at_fork(
    prepare: Option<unsafe extern "C" fn()>,
    parent: Option<unsafe extern "C" fn()>,
    child: Option<unsafe extern "C" fn()>,
) {
    // SAFETY: the handlers are functions of this library, which is never unloaded.
    let status = unsafe { libc::pthread_atfork(prepare, parent, child) };
    assert_eq!(status, 0, "no memory to register fork handlers");
}

/// Whether this thread, which forks, counts as one inside.
fn own() -> usize {
    usize::from(CLAIMS.get() > 0)
}

unsafe extern "C" fn prepare() {
    // Threads that fork at once do so one after the other.
    while CLOSED.swap(true, Ordering::SeqCst) {
        thread::sleep(POLL);
    }
    while INSIDE.load(Ordering::SeqCst) > own() {
        thread::sleep(POLL);
    }
}

unsafe extern "C" fn open() {
    CLOSED.store(false, Ordering::SeqCst);
}

unsafe extern "C" fn open_in_child() {
    // A thread that was turned away while the process forked may have been counted.
    INSIDE.store(own(), Ordering::SeqCst);
    CLOSED.store(false, Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Forks; gives whether the child's work was done well in time.
    fn child(work: fn() -> bool) -> bool {
        // SAFETY: the child only locks, and ends without running anything of this process's end.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            // A lock that is never opened ends the child by this signal.
            // SAFETY: both are always allowed.
            unsafe {
                libc::alarm(20);
                libc::_exit(i32::from(!work()));
            }
        }
        let mut status = 0;
        // SAFETY: the child is ours, and the place is live.
        unsafe { libc::waitpid(pid, &mut status, 0) == pid && status == 0 }
    }

    #[test]
    fn children_find_tables_open() {
        static COUNT: Table<Vec<u32>> = Table::new();
        static DONE: AtomicBool = AtomicBool::new(false);
        let changers: Vec<_> = (0..3)
            .map(|_| {
                thread::spawn(|| {
                    while !DONE.load(Ordering::Relaxed) {
                        let mut count = COUNT.lock();
                        count.push(1);
                        // Claims may be nested.
                        drop(Claim::new());
                        count.push(1);
                    }
                })
            })
            .collect();
        // Whoever is inside has pushed twice or not at all.
        let all = (0..50).all(|_| child(|| COUNT.lock().len().is_multiple_of(2)));
        DONE.store(true, Ordering::Relaxed);
        for changer in changers {
            changer.join().unwrap();
        }
        assert!(all);
    }

    #[test]
    fn a_fork_waits_for_guarded_work() {
        static AT_WORK: AtomicBool = AtomicBool::new(false);
        let (begun, wait) = mpsc::channel();
        let worker = thread::spawn(move || {
            guarded(|| {
                AT_WORK.store(true, Ordering::SeqCst);
                begun.send(()).unwrap();
                thread::sleep(Duration::from_millis(50));
                AT_WORK.store(false, Ordering::SeqCst);
            });
        });
        wait.recv().unwrap();
        assert!(child(|| guarded(|| !AT_WORK.load(Ordering::SeqCst))));
        worker.join().unwrap();
    }

    #[test]
    fn a_fork_does_not_wait_for_who_steps_outside() {
        let (tell, told) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let worker = thread::spawn(move || {
            let _claim = Claim::new();
            outside(|| {
                tell.send(()).unwrap();
                ended.recv().unwrap();
            });
            CLAIMS.get()
        });
        told.recv().unwrap();
        assert!(child(|| guarded(|| true)));
        end.send(()).unwrap();
        assert_eq!(worker.join().unwrap(), 1);
    }

    #[test]
    fn a_covered_thread_does_not_wait_at_the_gate() {
        let claim = Claim::new();
        let forks = thread::spawn(|| child(|| true));
        while !CLOSED.load(Ordering::SeqCst) {
            thread::sleep(POLL);
        }
        let left = thread::spawn(|| {
            covered(|| guarded(|| ()));
            CLAIMS.get()
        });
        assert_eq!(left.join().unwrap(), 0);
        drop(claim);
        assert!(forks.join().unwrap());
    }

    #[test]
    fn who_is_inside_may_fork() {
        let claim = Claim::new();
        assert!(child(|| guarded(|| true)));
        drop(claim);
        assert!(child(|| guarded(|| true)));
    }
}
