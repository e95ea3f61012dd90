//! What each thread has of its own: counters of allocations, and a few small pieces that it has freed.
//!
//! A shared counter would be a line of memory that all threads of a loop write. And a loop that makes a small
//! array in each turn gets the one that it has just freed, without a call of the allocator.

use std::{
    array,
    cell::Cell,
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
};

use super::Stats;
use crate::pool::{self, ALIGNMENT, Aligned};

/// The kinds of pieces that a thread keeps: those of as many times [`ALIGNMENT`] bytes, from one on.
const KINDS: usize = 8;

/// How many pieces of a kind it keeps.
const KEPT: usize = 8;

/// The counters of a thread. They are never freed: what a thread has counted stays when it ends, and another
/// one goes on with them.
#[repr(align(64))]
struct Counters {
    allocations: AtomicU64,
    frees: AtomicU64,
    /// Bytes allocated less those freed, which may be another thread's.
    bytes: AtomicU64,
    is_taken: AtomicBool,
    next: *const Counters,
}

// SAFETY: `next` never changes, and what it leads to is never freed.
unsafe impl Sync for Counters {}

/// The counters of all threads. A list without a lock, so that a child process finds it whole.
static ALL: AtomicPtr<Counters> = AtomicPtr::new(ptr::null_mut());

/// What threads count whose own counters are gone, at their very end.
static LAST: Counters = Counters::new();

impl Counters {
    /// The counters of a thread that has counted nothing.
    const fn new() -> Self {
        Self {
            allocations: AtomicU64::new(0),
            frees: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            is_taken: AtomicBool::new(true),
            next: ptr::null(),
        }
    }

    /// Counters that no thread has.
    #[cold]
    fn take() -> &'static Self {
        let is_free = |counters: &&Self| !counters.is_taken.swap(true, Ordering::Acquire);
        all().find(is_free).unwrap_or_else(|| {
            let made = Box::leak(Box::new(Self::new()));
            made.next = ALL.load(Ordering::Acquire);
            while let Err(first) = ALL.compare_exchange(
                made.next.cast_mut(),
                made,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                made.next = first;
            }
            made
        })
    }
}

fn all() -> impl Iterator<Item = &'static Counters> {
    let mut next: *const Counters = ALL.load(Ordering::Acquire);
    std::iter::from_fn(move || {
        // SAFETY: null or counters, which are never freed.
        let counters = unsafe { next.as_ref() }?;
        next = counters.next;
        Some(counters)
    })
}

/// Adds to a counter that nobody else writes: this needs no locked instruction.
fn add(counter: &AtomicU64, more: u64) {
    let before = counter.load(Ordering::Relaxed);
    counter.store(before.wrapping_add(more), Ordering::Relaxed);
}

/// Pieces of one size that are free.
struct Spare {
    count: Cell<usize>,
    pieces: [Cell<*mut c_void>; KEPT],
}

impl Spare {
    fn take(&self) -> Option<*mut c_void> {
        let last = self.count.get().checked_sub(1)?;
        self.count.set(last);
        Some(self.pieces[last].get())
    }

    /// Keeps a piece, if there is a place for it.
    fn put(&self, piece: *mut c_void) -> bool {
        let count = self.count.get();
        let Some(place) = self.pieces.get(count) else {
            return false;
        };
        place.set(piece);
        self.count.set(count + 1);
        true
    }
}

struct Local {
    counters: Cell<Option<&'static Counters>>,
    spare: [Spare; KINDS],
}

thread_local! {
    static LOCAL: Local = Local {
        counters: Cell::new(None),
        spare: array::from_fn(|_| Spare {
            count: Cell::new(0),
            pieces: [const { Cell::new(ptr::null_mut()) }; KEPT],
        }),
    };
}

impl Local {
    fn counters(&self) -> &'static Counters {
        self.counters.get().unwrap_or_else(|| {
            let counters = Counters::take();
            self.counters.set(Some(counters));
            counters
        })
    }

    fn count_allocation(&self, bytes: usize) {
        let counters = self.counters();
        add(&counters.allocations, 1);
        add(&counters.bytes, bytes as u64);
    }

    fn count_free(&self, bytes: usize) {
        let counters = self.counters();
        add(&counters.frees, 1);
        add(&counters.bytes, (bytes as u64).wrapping_neg());
    }

    /// The free pieces for so many bytes, the header among them.
    fn spare(&self, total: usize) -> Option<&Spare> {
        self.spare.get(total.div_ceil(ALIGNMENT).wrapping_sub(1))
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        for (kind, spare) in self.spare.iter().enumerate() {
            while let Some(piece) = spare.take() {
                // SAFETY: the piece has so many bytes, and nobody else has it.
                unsafe { pool::free_aligned(piece, (kind + 1) * ALIGNMENT) };
            }
        }
        if let Some(counters) = self.counters.get() {
            counters.is_taken.store(false, Ordering::Release);
        }
    }
}

/// Memory for a header and so many bytes of data, zeros if asked for; `None` when it is short.
pub(super) fn allocate(bytes: usize, zero: bool) -> Option<Aligned> {
    let total = bytes.checked_add(ALIGNMENT)?;
    let kept = LOCAL.try_with(|local| {
        let place = local.spare(total)?.take()?;
        local.count_allocation(bytes);
        Some(place)
    });
    if let Ok(Some(place)) = kept {
        if zero {
            // SAFETY: the data lies behind the header; the piece is nobody else's.
            unsafe { place.byte_add(ALIGNMENT).write_bytes(0, bytes) };
        }
        let allocation = place;
        return Some(Aligned { place, allocation });
    }
    let made = pool::allocate_aligned(total, zero)?;
    if LOCAL
        .try_with(|local| local.count_allocation(bytes))
        .is_err()
    {
        LAST.allocations.fetch_add(1, Ordering::Relaxed);
        LAST.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
    Some(made)
}

/// Gives memory back.
///
/// # Safety
///
/// The allocation is one of [`allocate`]'s of as many bytes of data; nothing uses it any more.
pub(super) unsafe fn free(allocation: *mut c_void, bytes: usize) {
    let total = bytes + ALIGNMENT;
    let is_kept = LOCAL.try_with(|local| {
        local.count_free(bytes);
        let spare = local.spare(total).filter(|_| pool::is_on());
        spare.is_some_and(|spare| spare.put(allocation))
    });
    if is_kept.is_err() {
        LAST.frees.fetch_add(1, Ordering::Relaxed);
        LAST.bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
    if is_kept != Ok(true) {
        // SAFETY: as the caller says.
        unsafe { pool::free_aligned(allocation, total) };
    }
}

/// The counters of all threads together.
pub(super) fn sum() -> Stats {
    let mut stats = Stats::default();
    for counters in all().chain([&LAST]) {
        stats.allocations += counters.allocations.load(Ordering::Relaxed);
        stats.frees += counters.frees.load(Ordering::Relaxed);
        let bytes = counters.bytes.load(Ordering::Relaxed);
        stats.live_bytes = stats.live_bytes.wrapping_add(bytes);
    }
    stats
}
