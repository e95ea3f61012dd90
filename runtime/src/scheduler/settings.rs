//! What a thread has set for the parallel regions that are launched from it.

use std::{
    cell::Cell,
    sync::atomic::{AtomicBool, Ordering},
};

use super::pool::{ThreadsError, pool_size};

/// The settings of a thread, and its place in the region that it works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// How many threads a region uses; 0 if never set.
    mask: usize,
    /// How many of them are without work in the region around; 0 outside of regions.
    share: usize,
    /// How many iterations a part of a region has, if that was set; 0 for a number that suits the threads.
    chunk_size: Option<usize>,
    /// The thread's number in the region that it works for.
    id: usize,
}

thread_local! {
    static SETTINGS: Cell<Settings> = const { Cell::new(Settings { mask: 0, share: 0, chunk_size: None, id: 0 }) };
}

/// Whether any thread has worked with others, which is when there is a threading layer.
static LAUNCHED: AtomicBool = AtomicBool::new(false);

/// Notes that threads work together.
pub(super) fn note_launch() {
    if !LAUNCHED.load(Ordering::Relaxed) {
        LAUNCHED.store(true, Ordering::Relaxed);
    }
}

/// Whether any region ran on several threads of this process.
pub fn has_launched() -> bool {
    LAUNCHED.load(Ordering::Relaxed)
}

/// Sets how many threads the parallel regions launched from this thread use from now on.
pub fn set_num_threads(count: usize) -> Result<(), ThreadsError> {
    let size = pool_size()?;
    if !(1..=size).contains(&count) {
        return Err(ThreadsError::new(format!(
            "the number of threads must be between 1 and {size}, not {count}"
        )));
    }
    let settings = SETTINGS.get();
    SETTINGS.set(Settings {
        mask: count,
        share: 0,
        ..settings
    });
    Ok(())
}

/// How many threads a parallel region launched from this thread uses.
pub fn get_num_threads() -> Result<usize, ThreadsError> {
    match SETTINGS.get().mask {
        0 => pool_size(),
        count => Ok(count),
    }
}

/// How many threads a region launched now gets: inside of another one, those that this leaves idle.
pub(super) fn available_threads() -> Result<usize, ThreadsError> {
    match SETTINGS.get().share {
        0 => get_num_threads(),
        share => Ok(share),
    }
}

/// Sets about how many iterations a part of the regions launched from this thread has, 0 for as many
/// as suit the number of threads. Returns what was set before.
pub fn set_parallel_chunksize(iterations: usize) -> usize {
    let settings = SETTINGS.get();
    SETTINGS.set(Settings {
        chunk_size: Some(iterations),
        ..settings
    });
    settings.chunk_size.unwrap_or(0)
}

/// What [`set_parallel_chunksize`] set on this thread.
pub fn get_parallel_chunksize() -> usize {
    SETTINGS.get().chunk_size.unwrap_or(0)
}

/// The number of this thread among those that work for a region, the launching one being 0; 0 outside.
pub fn get_thread_id() -> usize {
    SETTINGS.get().id
}

impl Settings {
    /// Those of this thread.
    pub fn current() -> Self {
        SETTINGS.get()
    }

    /// Those of the threads of a region launched with these, in so many parts on so many threads:
    /// parts have a size of their own, and what they launch gets the threads that have no part.
    pub fn inside(self, parts: i64, threads: usize) -> Self {
        let parts = usize::try_from(parts).unwrap_or(1).max(1);
        Self {
            share: (threads / parts).max(1),
            chunk_size: None,
            ..self
        }
    }

    /// The same when an iteration of a region failed with settings of its own: who leaves a block with a size
    /// of parts by an exception has set again what was set before.
    pub fn after_failure(self, failed: Self) -> Self {
        Self {
            chunk_size: failed.chunk_size.or(self.chunk_size),
            ..self
        }
    }

    /// The same on the thread with this number.
    pub fn on(self, id: usize) -> Self {
        Self { id, ..self }
    }

    /// Makes them this thread's.
    pub fn set(self) {
        SETTINGS.set(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_number_of_threads_is_limited_and_belongs_to_the_thread() {
        thread::spawn(|| {
            let size = pool_size().unwrap();
            assert_eq!(get_num_threads(), Ok(size));
            assert!(set_num_threads(0).is_err());
            assert!(set_num_threads(size + 1).is_err());
            set_num_threads(1).unwrap();
            assert_eq!(get_num_threads(), Ok(1));
            let elsewhere = thread::spawn(get_num_threads).join().unwrap();
            assert_eq!(elsewhere, Ok(size));
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_region_inside_gets_the_threads_that_are_left() {
        thread::spawn(|| {
            let inside = |parts, threads| {
                Settings::current().inside(parts, threads).set();
                available_threads().unwrap()
            };
            assert_eq!(inside(2, 7), 3);
            assert_eq!(inside(7, 7), 1);
            assert_eq!(inside(56, 7), 1);
            // Who asks for threads inside gets them.
            set_num_threads(1).unwrap();
            assert_eq!(available_threads(), Ok(1));
            set_num_threads(pool_size().unwrap()).unwrap();
            assert_eq!(available_threads(), pool_size());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn parts_have_a_size_of_their_own() {
        thread::spawn(|| {
            assert_eq!(set_parallel_chunksize(8), 0);
            assert_eq!(set_parallel_chunksize(5), 8);
            let before = Settings::current();
            before.inside(3, 2).on(1).set();
            assert_eq!((get_parallel_chunksize(), get_thread_id()), (0, 1));
            let untouched = before.after_failure(Settings::current());
            assert_eq!(untouched, before);
            set_parallel_chunksize(2);
            before.after_failure(Settings::current()).set();
            assert_eq!((get_parallel_chunksize(), get_thread_id()), (2, 0));
        })
        .join()
        .unwrap();
    }
}
