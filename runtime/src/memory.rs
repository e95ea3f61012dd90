//! Reference-counted memory of arrays, shared between compiled code and the host.
//!
//! An array refers to an [`Owner`]: a 64-byte header whose data follows it when compiled code
//! allocated the array, or a *borrowed* header that the host puts on its stack for an array it
//! passes in. Compiled code counts references to all alike; a borrowed one is never freed. A third
//! kind holds an object of the host, for an array that Python code called by compiled code returns; a
//! fourth one other owners, for the arguments of exceptions.

mod local;

use std::{
    ffi::c_void,
    ptr,
    ptr::NonNull,
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering, fence},
    },
};

use crate::{
    device::session,
    lists::List,
    pool::{self, Aligned},
    sharing::Sharing,
    tables::Table,
};

/// Size of the header, and alignment of the header and of the data behind it.
pub const HEADER: usize = pool::ALIGNMENT;

/// From this size on the kernel is asked for huge pages: first touch then costs a fraction.
const HUGE_PAGES_FROM: usize = 4 << 20;

/// Who has the memory behind an [`Owner`].
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerKind {
    /// [`pyopt_alloc`]; freed with the last reference.
    Heap = 0,
    /// The host; references are counted but nothing is freed.
    Borrowed = 1,
    /// An object of the host, which is given back with the last reference.
    Object = 2,
    /// [`pyopt_alloc_holder`]; freed with the last reference, after the owners in it.
    Holder = 3,
    /// A holder of one owner that is the trace of an exception: see [`crate::exception`].
    Trace = 4,
    /// [`pyopt_alloc`], of a list, whose items go with the last reference.
    List = 5,
    /// [`pyopt_alloc`], of a table, whose entries go with the last reference.
    Table = 6,
}

impl OwnerKind {
    /// Whether the data begins with other owners.
    fn is_holder(self) -> bool {
        matches!(self, Self::Holder | Self::Trace)
    }
}

/// Gives up a reference on an object of the host, on any thread.
pub type DropObject = unsafe extern "C" fn(*mut c_void);

static DROP_OBJECT: OnceLock<DropObject> = OnceLock::new();

/// Says how objects of the host are given up. Only the first answer counts.
pub fn on_drop_object(drop: DropObject) {
    DROP_OBJECT.get_or_init(|| drop);
}

/// Gives up a reference on an object of the host.
pub(crate) fn drop_object(object: *mut c_void) {
    if let Some(drop) = DROP_OBJECT.get() {
        // SAFETY: only a host that said how makes objects; the reference is given up once.
        unsafe { drop(object) };
    }
}

/// The header of an array's memory.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Owner {
    refcount: AtomicI64,
    kind: OwnerKind,
    /// What the pool takes back; null for [`OwnerKind::Borrowed`].
    allocation: *mut c_void,
    /// Bytes of data.
    bytes: u64,
    /// The host's object; the number of owners in a holder; null for [`OwnerKind::Heap`].
    object: *mut c_void,
    /// Of a structure: see [`crate::sharing`].
    pub(crate) sharing: Sharing,
}

const _: () = assert!(size_of::<Owner>() == HEADER);

impl Owner {
    /// A header for an array of the host. It must stay where it is while compiled code runs;
    /// `object` is for the host alone, to find its array again.
    pub const fn borrowed(object: *mut c_void) -> Self {
        Self {
            refcount: AtomicI64::new(1),
            kind: OwnerKind::Borrowed,
            allocation: ptr::null_mut(),
            bytes: 0,
            object,
            sharing: Sharing::new(),
        }
    }

    /// A header for memory of an object of the host, of which it takes over a reference; null when
    /// memory is short.
    pub fn of_object(object: *mut c_void) -> *mut Self {
        let owner = pyopt_alloc(0, 0);
        // SAFETY: the allocation is fresh, and its fields can be written.
        if let Some(owner) = unsafe { owner.as_mut() } {
            owner.kind = OwnerKind::Object;
            owner.object = object;
        }
        owner
    }

    /// Who has the memory.
    #[inline]
    pub fn kind(&self) -> OwnerKind {
        self.kind
    }

    /// Number of references.
    pub fn refcount(&self) -> i64 {
        self.refcount.load(Ordering::Relaxed)
    }

    /// Makes fresh memory that of a list or table.
    pub(crate) fn become_kind(&mut self, kind: OwnerKind) {
        self.kind = kind;
    }

    /// Notes the host's object that stands for a list or table.
    pub fn set_object(&mut self, object: *mut c_void) {
        self.object = object;
    }

    /// The host's object; null for memory of [`pyopt_alloc`].
    pub fn object(&self) -> *mut c_void {
        self.object
    }

    /// Makes a fresh holder of one owner a trace.
    pub(crate) fn mark_as_trace(&mut self) {
        self.kind = OwnerKind::Trace;
    }

    /// The owners that a holder refers to, at the start of its data.
    ///
    /// # Safety
    ///
    /// A holder was filled.
    pub unsafe fn held(&self) -> &[*mut Owner] {
        if !self.kind.is_holder() {
            return &[];
        }
        // SAFETY: `pyopt_alloc_holder` made room for so many behind the header; the caller says
        // that they were written.
        unsafe {
            let start = ptr::from_ref(self).add(1).cast();
            std::slice::from_raw_parts(start, self.object.addr())
        }
    }

    /// Bytes of data behind the header; 0 for a borrowed owner.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// What has been allocated since the process started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of successful allocations.
    pub allocations: u64,
    /// Number of allocations freed.
    pub frees: u64,
    /// Bytes of data allocated and not freed.
    pub live_bytes: u64,
}

/// The allocation counters. `allocations == frees` when no array is alive.
pub fn stats() -> Stats {
    local::sum()
}

/// Allocates an owner with one reference and room for `bytes` bytes at its address + 64, zeroed
/// if asked for. Returns null when the size is negative or too large, or memory is short.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_alloc(bytes: i64, zero: i32) -> *mut Owner {
    let Ok(bytes) = usize::try_from(bytes) else {
        return ptr::null_mut();
    };
    let Some(Aligned { place, allocation }) = local::allocate(bytes, zero != 0) else {
        return ptr::null_mut();
    };
    let owner = place.cast::<Owner>();
    // SAFETY: the header is the first of what was allocated, which is aligned as it is.
    unsafe {
        owner.write(Owner {
            refcount: AtomicI64::new(1),
            kind: OwnerKind::Heap,
            allocation,
            bytes: bytes as u64,
            object: ptr::null_mut(),
            sharing: Sharing::new(),
        });
    }
    if bytes >= HUGE_PAGES_FROM {
        advise_huge_pages(place, HEADER + bytes);
    }
    owner
}

/// Allocates an owner of `owners` other ones: its data begins with them, and `bytes` bytes follow.
/// The caller fills them in, with a reference on each. Returns null when memory is short.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_alloc_holder(owners: i64, bytes: i64) -> *mut Owner {
    let owner = pyopt_alloc(8 * owners + bytes, 0);
    // SAFETY: the allocation is fresh, and its fields can be written.
    if let Some(owner) = unsafe { owner.as_mut() } {
        owner.kind = OwnerKind::Holder;
        owner.object = ptr::without_provenance_mut(owners as usize);
    }
    owner
}

/// Adds a reference. Null is ignored.
///
/// # Safety
///
/// `owner` is null or an owner with at least one reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_acquire(owner: *mut Owner) {
    // SAFETY: the caller has a reference, so a non-null owner is alive.
    if let Some(owner) = unsafe { owner.as_ref() } {
        // A new reference is made from an existing one, so nothing needs to be ordered.
        owner.refcount.fetch_add(1, Ordering::Relaxed);
    }
}

/// Adds several references. Null is ignored.
///
/// # Safety
///
/// As [`pyopt_acquire`].
pub(crate) unsafe fn acquire_times(owner: *mut Owner, times: i64) {
    // SAFETY: the caller has a reference, so a non-null owner is alive.
    if let Some(owner) = unsafe { owner.as_ref() } {
        owner.refcount.fetch_add(times, Ordering::Relaxed);
    }
}

/// Gives several references up, as [`pyopt_release`] does one.
///
/// # Safety
///
/// As [`pyopt_release`], for so many references.
pub(crate) unsafe fn release_times(owner: *mut Owner, times: i64) {
    // SAFETY: the caller's promise; after the last reference nobody else looks at it.
    unsafe {
        if give_up(owner, times) {
            free(owner);
        }
    }
}

/// Gives a reference up; the last one frees the memory. Null is ignored.
///
/// # Safety
///
/// `owner` is null or an owner of which the caller has a reference, and gives it up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_release(owner: *mut Owner) {
    // SAFETY: the caller's promise; after the last reference nobody else looks at it.
    unsafe {
        if give_up(owner, 1) {
            free(owner);
        }
    }
}

/// Gives some references up; whether the last one on something to be freed was among them.
///
/// # Safety
///
/// As [`pyopt_release`].
unsafe fn give_up(owner: *mut Owner, times: i64) -> bool {
    // SAFETY: the caller has references, so a non-null owner is alive.
    let Some(header) = (unsafe { owner.as_ref() }) else {
        return false;
    };
    // Nobody can add to references that are all the caller's: the last ones need no locked instruction.
    if header.refcount.load(Ordering::Acquire) == times && header.kind != OwnerKind::Borrowed {
        return true;
    }
    // Release, so that what this thread wrote happens before another thread frees.
    let before = header.refcount.fetch_sub(times, Ordering::Release);
    debug_assert!(before >= times, "released more often than acquired");
    before == times && header.kind != OwnerKind::Borrowed
}

/// Frees an owner and gives up what it refers to.
///
/// # Safety
///
/// The last reference on the owner was given up.
unsafe fn free(owner: *mut Owner) {
    fence(Ordering::Acquire);
    // SAFETY: nobody else refers to the owner any more.
    unsafe {
        match (*owner).kind {
            OwnerKind::Heap | OwnerKind::Borrowed => {}
            OwnerKind::Object => {
                session::settle_before_free();
                drop_object((*owner).object);
            }
            _ => return free_with_held(owner),
        }
        free_memory(owner);
    }
}

/// Frees what refers to other owners, and these: without recursion, as causes of exceptions have causes,
/// nodes of linked lists others behind them, and so on.
///
/// # Safety
///
/// As [`free`].
unsafe fn free_with_held(owner: *mut Owner) {
    let mut waiting = Vec::new();
    let mut next = Some(owner);
    while let Some(owner) = next {
        // SAFETY: nobody else refers to the owner any more; it has a reference on each of what it holds.
        unsafe {
            let mut drop = |held: *mut Owner, times: i64| {
                if give_up(held, times) {
                    match (*held).kind {
                        OwnerKind::Heap | OwnerKind::Borrowed | OwnerKind::Object => free(held),
                        _ => waiting.push(held),
                    }
                }
            };
            match (*owner).kind {
                OwnerKind::List => List::of(owner).drop_items(drop),
                OwnerKind::Table => Table::of(owner).drop_entries(drop),
                _ => (*owner).held().iter().for_each(|held| drop(*held, 1)),
            }
            free_memory(owner);
        }
        next = waiting.pop();
        fence(Ordering::Acquire);
    }
}

/// Gives memory of [`pyopt_alloc`] back.
///
/// # Safety
///
/// As [`free`].
unsafe fn free_memory(owner: *mut Owner) {
    // SAFETY: nobody else refers to the owner, whose memory is the pool's.
    unsafe {
        let bytes = (*owner).bytes;
        session::forget_freed(owner.addr() + HEADER, bytes as usize);
        local::free((*owner).allocation, bytes as usize);
    }
}

/// A counted reference held by Rust code: what keeps a returned array's memory alive.
#[derive(Debug)]
pub struct OwnerRef(NonNull<Owner>);

// SAFETY: the count is atomic, the other fields never change, and freeing may happen anywhere.
unsafe impl Send for OwnerRef {}
// SAFETY: as above.
unsafe impl Sync for OwnerRef {}

impl OwnerRef {
    /// Takes over one reference; null gives none.
    ///
    /// # Safety
    ///
    /// `owner` is null or an owner of which the caller has a reference, and gives it up. A
    /// borrowed owner outlives the result.
    pub unsafe fn from_raw(owner: *mut Owner) -> Option<Self> {
        NonNull::new(owner).map(Self)
    }

    /// The owner's address, without giving the reference up.
    #[inline]
    pub fn as_ptr(&self) -> *mut Owner {
        self.0.as_ptr()
    }

    /// Gives the reference to the caller, who releases it.
    pub fn into_raw(self) -> *mut Owner {
        let owner = self.as_ptr();
        std::mem::forget(self);
        owner
    }
}

impl std::ops::Deref for OwnerRef {
    type Target = Owner;

    fn deref(&self) -> &Owner {
        // SAFETY: this reference keeps the owner alive.
        unsafe { self.0.as_ref() }
    }
}

impl Clone for OwnerRef {
    fn clone(&self) -> Self {
        // SAFETY: `self` is a reference.
        unsafe { pyopt_acquire(self.as_ptr()) };
        Self(self.0)
    }
}

impl Drop for OwnerRef {
    fn drop(&mut self) {
        // SAFETY: `self` is a reference and gives itself up.
        unsafe { pyopt_release(self.as_ptr()) };
    }
}

/// Asks for huge pages in the page-aligned part of an allocation. Only an optimisation: the
/// kernel may refuse.
#[cfg(target_os = "linux")]
fn advise_huge_pages(allocation: *mut c_void, bytes: usize) {
    const PAGE: usize = 4096;
    let start = allocation.map_addr(|address| address.next_multiple_of(PAGE));
    let end = (allocation.addr() + bytes) & !(PAGE - 1);
    // SAFETY: the range lies inside the allocation, and the advice does not change contents.
    unsafe { libc::madvise(start, end - start.addr(), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_allocation: *mut c_void, _bytes: usize) {}

#[cfg(test)]
mod tests;
