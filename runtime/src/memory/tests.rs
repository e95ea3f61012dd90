//! Tests of owners and their counters.

use std::slice;

use super::*;

/// The data behind an owner.
fn data(owner: &OwnerRef) -> &[u8] {
    // SAFETY: `bytes` bytes follow the header; the tests ask for zeroed memory.
    unsafe {
        let start = owner.as_ptr().cast::<u8>().add(HEADER);
        slice::from_raw_parts(start, owner.bytes() as usize)
    }
}

#[test]
fn memory_is_aligned_zeroed_and_freed_with_the_last_reference() {
    for size in [0, 1, 63, 64, 65, 4096, HUGE_PAGES_FROM as i64 + 5] {
        let frees = stats().frees;
        // SAFETY: the allocation's one reference is taken over.
        let owner = unsafe { OwnerRef::from_raw(pyopt_alloc(size, 1)) }.unwrap();
        assert_eq!(owner.as_ptr().addr() % HEADER, 0);
        assert_eq!(owner.bytes(), size as u64);
        assert!(data(&owner).iter().all(|&byte| byte == 0));
        let second = owner.clone();
        assert_eq!(second.refcount(), 2);
        drop(owner);
        assert_eq!(second.refcount(), 1);
        drop(second);
        assert!(stats().frees > frees);
    }
}

#[test]
fn impossible_sizes_give_null() {
    for size in [-1, i64::MIN, i64::MAX, i64::MAX - 64] {
        assert!(pyopt_alloc(size, 0).is_null());
    }
}

#[test]
fn null_is_tolerated() {
    // SAFETY: null is allowed.
    unsafe {
        pyopt_acquire(ptr::null_mut());
        pyopt_release(ptr::null_mut());
        assert!(OwnerRef::from_raw(ptr::null_mut()).is_none());
    }
}

#[test]
fn a_borrowed_owner_is_counted_but_never_freed() {
    let mut object = 7;
    let mut owner = Owner::borrowed(ptr::from_mut(&mut object).cast());
    let address = ptr::from_mut(&mut owner);
    // SAFETY: the owner is on this stack frame and has one reference.
    unsafe {
        pyopt_acquire(address);
        pyopt_release(address);
        pyopt_release(address);
    }
    assert_eq!(owner.refcount(), 0);
    assert_eq!(owner.object(), ptr::from_mut(&mut object).cast());
}

#[test]
fn a_long_chain_of_holders_is_freed_with_its_first() {
    let frees = stats().frees;
    let mut last = pyopt_alloc(8, 0);
    for _ in 0..100_000 {
        let holder = pyopt_alloc_holder(1, 8);
        // SAFETY: there is room for one owner, whose reference the holder takes over.
        unsafe { holder.add(1).cast::<*mut Owner>().write(last) };
        last = holder;
    }
    // SAFETY: the one reference is given up.
    unsafe { pyopt_release(last) };
    assert!(stats().frees > frees + 100_000);
}

#[test]
fn references_may_be_given_up_on_other_threads() {
    // SAFETY: the allocation's one reference is taken over.
    let owner = unsafe { OwnerRef::from_raw(pyopt_alloc(100, 0)) }.unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let mine = owner.clone();
            scope.spawn(move || (0..1000).for_each(|_| drop(mine.clone())));
        }
    });
    assert_eq!(owner.refcount(), 1);
}

#[test]
fn a_piece_that_comes_again_is_zeroed_if_asked_for() {
    for size in [1, 24, 64, 448, 449, 2000] {
        for _ in 0..20 {
            // SAFETY: each allocation's one reference is taken over; there is room for so many bytes.
            let owners = [0, 1, 0].map(|zero| unsafe {
                let owner = OwnerRef::from_raw(pyopt_alloc(size, zero)).unwrap();
                assert!(zero == 0 || data(&owner).iter().all(|&byte| byte == 0));
                owner
                    .as_ptr()
                    .cast::<u8>()
                    .add(HEADER)
                    .write_bytes(0xff, size as usize);
                owner
            });
            assert_eq!(owners[2].bytes(), size as u64);
        }
    }
}

#[test]
fn what_ended_threads_have_counted_stays() {
    let before = stats();
    let threads: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(|| pyopt_alloc(10, 0).expose_provenance()))
        .collect();
    for thread in threads {
        let owner = std::ptr::with_exposed_provenance_mut(thread.join().unwrap());
        // SAFETY: the one reference is given up.
        unsafe { pyopt_release(owner) };
    }
    let after = stats();
    assert!(after.allocations >= before.allocations + 8);
    assert!(after.frees >= before.frees + 8);
}
