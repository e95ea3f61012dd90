//! Keeps the threads of a region on processors of their own.
//!
//! Linux mostly wakes a thread where it last ran or where it is woken from. When both the launcher and a
//! worker were last on one processor they may share it for many short regions, while another processor is
//! idle: its balance is restored some milliseconds later, when a region is over. So who launches looks where
//! the workers sleep, and bars those that are in its way from the processors that are taken.

use std::sync::atomic::{AtomicI32, Ordering};

/// No processor, or no thread, that is known.
const UNKNOWN: i32 = -1;

/// Where each worker of a pool is.
#[derive(Debug)]
pub(super) struct Placement {
    /// The processors that the thread which made the pool may use.
    allowed: Processors,
    workers: Vec<Place>,
    /// Where the last region was launched.
    launcher: AtomicI32,
}

#[derive(Debug)]
struct Place {
    thread: AtomicI32,
    processor: AtomicI32,
}

impl Placement {
    /// For so many workers, of which nothing is known yet.
    pub fn new(workers: usize) -> Self {
        let place = || Place {
            thread: AtomicI32::new(UNKNOWN),
            processor: AtomicI32::new(UNKNOWN),
        };
        Self {
            allowed: Processors::of_thread(),
            workers: (0..workers).map(|_| place()).collect(),
            launcher: AtomicI32::new(UNKNOWN),
        }
    }

    /// A worker, by its number in the pool, says which thread it is.
    pub fn register(&self, worker: usize) {
        // SAFETY: it has no conditions.
        let thread = unsafe { libc::gettid() };
        self.workers[worker].thread.store(thread, Ordering::Relaxed);
    }

    /// A worker has nothing to do for now.
    pub fn rests(&self, worker: usize) {
        self.workers[worker]
            .processor
            .store(processor(), Ordering::Relaxed);
    }

    /// Whether there is a processor for each thread.
    fn has_room(&self) -> bool {
        self.allowed.count() > self.workers.len()
    }

    /// Whether the worker that asks may do nothing on the processor where it is, and keep nobody from
    /// working.
    pub fn is_out_of_the_way(&self) -> bool {
        self.has_room() && processor() != self.launcher.load(Ordering::Relaxed)
    }

    /// Before so many workers are woken: sends those that rest where this thread or another of them is to
    /// other processors.
    pub fn spread(&self, wanted: usize) {
        if !self.has_room() {
            return;
        }
        let here = processor();
        self.launcher.store(here, Ordering::Relaxed);
        let mut free = self.allowed;
        free.remove(here);
        for place in &self.workers[..wanted.min(self.workers.len())] {
            let processor = place.processor.load(Ordering::Relaxed);
            if processor == UNKNOWN || free.remove(processor) {
                continue;
            }
            let thread = place.thread.load(Ordering::Relaxed);
            if thread != UNKNOWN {
                free.bind(thread);
                place.processor.store(UNKNOWN, Ordering::Relaxed);
            }
        }
    }
}

/// The processor that runs this thread.
fn processor() -> i32 {
    // SAFETY: it has no conditions.
    unsafe { libc::sched_getcpu() }
}

/// A set of processors.
#[derive(Clone, Copy)]
struct Processors(libc::cpu_set_t);

impl Processors {
    /// Those that this thread may use; none where the system doesn't say.
    fn of_thread() -> Self {
        // SAFETY: an empty set is all zeros, and the call fills one of this size.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
            Self(set)
        }
    }

    fn count(&self) -> usize {
        // SAFETY: the set is valid.
        unsafe { libc::CPU_COUNT(&self.0) as usize }
    }

    /// Takes a processor out; whether it was in.
    fn remove(&mut self, processor: i32) -> bool {
        let Ok(processor) = usize::try_from(processor) else {
            return false;
        };
        if processor >= libc::CPU_SETSIZE as usize {
            return false;
        }
        // SAFETY: the set is valid and the number within its size.
        unsafe {
            let was = libc::CPU_ISSET(processor, &self.0);
            libc::CPU_CLR(processor, &mut self.0);
            was
        }
    }

    /// Lets a thread run on these only. Where that isn't allowed it stays where it is, which is slower at worst.
    fn bind(&self, thread: i32) {
        if self.count() > 0 {
            // SAFETY: the set is valid; a thread that is gone makes an error, which changes nothing.
            unsafe {
                libc::sched_setaffinity(thread, size_of::<libc::cpu_set_t>(), &raw const self.0);
            }
        }
    }
}

impl std::fmt::Debug for Processors {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{} processors", self.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_taken_once() {
        let mut all = Processors::of_thread();
        let (count, here) = (all.count(), processor());
        assert!(count > 0);
        all.remove(here);
        assert!(!all.remove(here));
        assert!(!all.remove(UNKNOWN));
        assert!(!all.remove(i32::MAX));
        assert_eq!(all.count(), count - 1);
    }

    #[test]
    fn a_worker_in_the_way_gets_another_processor() {
        let placement = Placement::new(1);
        if placement.allowed.count() < 2 {
            return;
        }
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                placement.register(0);
                placement.rests(0);
                std::thread::park();
                Processors::of_thread().count()
            });
            let place = &placement.workers[0];
            while place.processor.load(Ordering::Relaxed) == UNKNOWN {
                std::hint::spin_loop();
            }
            // This thread may move between the two lines.
            while place.processor.load(Ordering::Relaxed) != UNKNOWN {
                place.processor.store(processor(), Ordering::Relaxed);
                placement.spread(1);
            }
            worker.thread().unpark();
            assert_eq!(worker.join().unwrap(), placement.allowed.count() - 1);
        });
    }
}
