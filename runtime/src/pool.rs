//! Where the memory of arrays, texts and containers comes from.
//!
//! Arrays and texts up to [`LARGEST`] and small items of containers are mimalloc's, which keeps what a call
//! has freed for the next one: the system's allocator gives the end of its heap back as soon as it is free, and
//! takes it again page by page. Larger ones are the system's, which has them mapped alone, moves them without a
//! copy when they grow, and unmaps them when they are freed. The host's own memory, and Rust's, is where it was.
//! See `docs/rationale/memory.md`.

use std::{ffi::c_void, sync::LazyLock};

use libmimalloc_sys as pool;

/// Alignment of the memory behind an owner, and of its header.
pub(crate) const ALIGNMENT: usize = 64;

/// What `malloc` aligns to on every 64-bit platform.
const MALLOC_ALIGNMENT: usize = 16;

/// The largest aligned piece that is pooled.
const LARGEST: usize = 16 << 20;

/// The largest piece that is pooled of those that grow. From here on the system's allocator maps each alone.
const LARGEST_ITEMS: usize = 128 << 10;

/// If this is `system`, nothing is pooled: for checkers that replace or instrument the system's allocator.
const VARIABLE: &str = "PYOPT_ALLOCATOR";

/// Whether there is a pool. The answer is the same in all of a process's life.
pub(crate) fn is_on() -> bool {
    static IS_ON: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os(VARIABLE).is_none_or(|name| name != "system"));
    *IS_ON
}

/// Whether a piece of so many bytes that may grow is pooled.
fn is_pooled(bytes: usize) -> bool {
    bytes <= LARGEST_ITEMS && is_on()
}

/// Memory of so many bytes, from the pool or the system; null when it is short.
fn take(is_pooled: bool, bytes: usize, zero: bool) -> *mut c_void {
    // SAFETY: none of these has a precondition.
    unsafe {
        match (is_pooled, zero) {
            (true, false) => pool::mi_malloc(bytes),
            (true, true) => pool::mi_zalloc(bytes),
            (false, false) => libc::malloc(bytes),
            (false, true) => libc::calloc(bytes, 1),
        }
    }
}

/// Gives memory back.
///
/// # Safety
///
/// `place` is null, or [`take`]'s from there; nothing uses it any more.
unsafe fn give_back(is_pooled: bool, place: *mut c_void) {
    // SAFETY: as the caller says.
    unsafe {
        match is_pooled {
            true => pool::mi_free(place),
            false => libc::free(place),
        }
    }
}

/// Memory of so many bytes, which may grow; null when it is short.
pub(crate) fn allocate(bytes: usize, zero: bool) -> *mut c_void {
    take(is_pooled(bytes), bytes, zero)
}

/// Gives memory back.
///
/// # Safety
///
/// `place` is null, or [`allocate`] or [`resize`] gave it for as many bytes; nothing uses it any more.
pub(crate) unsafe fn free(place: *mut c_void, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe { give_back(is_pooled(bytes), place) };
}

/// Memory of so many bytes, which never grows; null when it is short. A mapping of its own would only cost
/// the pages that come and go with it.
pub(crate) fn allocate_fixed(bytes: usize, zero: bool) -> *mut c_void {
    take(bytes <= LARGEST && is_on(), bytes, zero)
}

/// Gives memory back.
///
/// # Safety
///
/// `place` is null, or [`allocate_fixed`] gave it for as many bytes; nothing uses it any more.
pub(crate) unsafe fn free_fixed(place: *mut c_void, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe { give_back(bytes <= LARGEST && is_on(), place) };
}

/// Memory of another size, with what was in it; null when it is short, and `place` is as it was.
///
/// # Safety
///
/// As [`free`]; the bytes that both sizes have were written.
pub(crate) unsafe fn resize(place: *mut c_void, before: usize, bytes: usize) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe {
        match (is_pooled(before), is_pooled(bytes)) {
            (true, true) => pool::mi_realloc(place, bytes),
            (false, false) => libc::realloc(place, bytes),
            _ => {
                let made = allocate(bytes, false);
                if !made.is_null() {
                    if !place.is_null() {
                        made.copy_from_nonoverlapping(place, before.min(bytes));
                    }
                    free(place, before);
                }
                made
            }
        }
    }
}

/// An aligned place for so many bytes, and what [`free_aligned`] takes.
pub(crate) struct Aligned {
    pub(crate) place: *mut c_void,
    pub(crate) allocation: *mut c_void,
}

/// Memory that is aligned to [`ALIGNMENT`]; `None` when it is short.
pub(crate) fn allocate_aligned(bytes: usize, zero: bool) -> Option<Aligned> {
    if bytes <= LARGEST && is_on() {
        // Pieces whose size is a multiple of the alignment are aligned without being searched for.
        let bytes = bytes.next_multiple_of(ALIGNMENT);
        // SAFETY: the alignment is a power of two.
        let place = unsafe {
            match zero {
                true => pool::mi_zalloc_aligned(bytes, ALIGNMENT),
                false => pool::mi_malloc_aligned(bytes, ALIGNMENT),
            }
        };
        let allocation = place;
        return (!place.is_null()).then_some(Aligned { place, allocation });
    }
    let total = bytes.checked_add(ALIGNMENT - MALLOC_ALIGNMENT)?;
    // Not `aligned_alloc`: only `calloc` gets zero pages from the kernel without writing them.
    // SAFETY: neither has a precondition.
    let allocation = unsafe {
        match zero {
            true => libc::calloc(total, 1),
            false => libc::malloc(total),
        }
    };
    // Rounding a 16-byte aligned address up skips no more than was added.
    let place = allocation.map_addr(|address| address.next_multiple_of(ALIGNMENT));
    (!allocation.is_null()).then_some(Aligned { place, allocation })
}

/// Gives aligned memory back.
///
/// # Safety
///
/// [`allocate_aligned`] gave the allocation for as many bytes; nothing uses it any more.
pub(crate) unsafe fn free_aligned(allocation: *mut c_void, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match bytes <= LARGEST && is_on() {
            true => pool::mi_free(allocation),
            false => libc::free(allocation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes on both sides of what is pooled.
    const SIZES: [usize; 9] = [
        1,
        63,
        64,
        65,
        4096,
        LARGEST_ITEMS,
        LARGEST_ITEMS + 1,
        LARGEST,
        LARGEST + 1,
    ];

    #[test]
    fn memory_is_aligned_and_zeroed_if_asked_for() {
        for bytes in SIZES {
            // Dirty memory may come again.
            for zero in [false, true, false, true] {
                let Aligned { place, allocation } = allocate_aligned(bytes, zero).unwrap();
                assert_eq!(place.addr() % ALIGNMENT, 0);
                // SAFETY: there are so many bytes, which were written or are zeros.
                unsafe {
                    let place = place.cast::<u8>();
                    if zero {
                        let bytes = std::slice::from_raw_parts(place, bytes);
                        assert!(bytes.iter().all(|byte| *byte == 0));
                    }
                    place.write_bytes(1, bytes);
                    free_aligned(allocation, bytes);
                }
            }
        }
    }

    #[test]
    fn fixed_memory_is_given_back_to_where_it_came_from() {
        for bytes in SIZES {
            for zero in [false, true] {
                let place = allocate_fixed(bytes, zero).cast::<u8>();
                // SAFETY: there are so many bytes, and the memory is freed once.
                unsafe {
                    assert!(!zero || place.add(bytes - 1).read() == 0);
                    place.write_bytes(1, bytes);
                    free_fixed(place.cast(), bytes);
                }
            }
        }
    }

    #[test]
    fn what_was_written_survives_each_change_of_the_size() {
        for before in SIZES {
            for after in SIZES {
                let place = allocate(before, true).cast::<u8>();
                let both = before.min(after);
                // SAFETY: both sizes have so many bytes, and the memory is freed once.
                unsafe {
                    place.add(both - 1).write(7);
                    let place = resize(place.cast(), before, after).cast::<u8>();
                    assert_eq!(place.add(both - 1).read(), 7);
                    free(place.cast(), after);
                }
            }
        }
    }

    #[test]
    fn memory_may_be_freed_on_another_thread() {
        let places: Vec<_> = (0..1000)
            .map(|_| allocate(100, false).expose_provenance())
            .collect();
        let freeing = std::thread::spawn(move || {
            for place in places {
                // SAFETY: each is a piece of so many bytes, which is freed once.
                unsafe { free(std::ptr::with_exposed_provenance_mut(place), 100) };
            }
        });
        freeing.join().unwrap();
    }
}
