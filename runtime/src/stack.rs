//! How far a thread's stack may grow before recursive functions raise RecursionError.

use std::{cell::Cell, mem::MaybeUninit, ptr};

/// What is kept free for functions that recursive ones call, and for the way out.
const RESERVE: usize = 128 << 10;

thread_local! {
    /// The limit of this thread; 0 before it is asked for.
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// The lowest address that the stack of recursive functions may reach on this thread. Stacks grow
/// downwards on all systems that are supported.
#[inline]
pub fn limit() -> usize {
    match LIMIT.get() {
        0 => find_limit(),
        limit => limit,
    }
}

/// Asks the system. On the main thread it looks through the memory map, which takes a while.
#[cold]
fn find_limit() -> usize {
    let (lowest, size) = bounds().unwrap_or((ptr::dangling::<u8>().addr(), 0));
    // A small stack keeps most of what it has for the recursion.
    let limit = lowest + RESERVE.min(size / 4);
    LIMIT.set(limit);
    limit
}

/// The lowest address of this thread's stack that can be used, and the size from there.
fn bounds() -> Option<(usize, usize)> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: the attributes are initialised by the first call before the others read them, and
    // destroyed once; the thread is this one.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let stack = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size);
        let guarded = libc::pthread_attr_getguardsize(attributes.as_ptr(), &mut guard);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if stack != 0 || guarded != 0 {
            return None;
        }
    }
    // Older C libraries count the guard pages to the stack.
    Some((lowest.addr() + guard, size.saturating_sub(guard)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_limit_is_below_what_is_used_and_above_the_end() {
        for size in [64 << 10, 1 << 20, 16 << 20] {
            let run = move || {
                let here = &raw const size;
                let used = here.addr();
                let (lowest, _) = bounds().unwrap();
                assert!(lowest < limit() && limit() < used, "{size}");
                assert!(used - limit() > size / 2, "{size}");
            };
            let thread = thread::Builder::new().stack_size(size).spawn(run);
            thread.unwrap().join().unwrap();
        }
    }

    #[test]
    fn each_thread_has_its_own() {
        let other = thread::spawn(limit).join().unwrap();
        assert_ne!(limit(), other);
        assert_eq!(limit(), limit());
    }
}
