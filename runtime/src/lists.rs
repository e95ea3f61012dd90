//! Lists of compiled code.
//!
//! A list is an [`Owner`] behind whose header a [`List`] lies. Its items are rows of 8-byte words in
//! memory that grows; some words of an item may be owners, of which the list has a reference each.

mod lent;

pub use lent::keep_lent;

use std::{
    alloc::{Layout, handle_alloc_error},
    mem::MaybeUninit,
    ops::Range,
    ptr, slice,
};

use crate::{
    memory::{HEADER, Owner, OwnerKind, acquire_times, pyopt_alloc, release_times},
    pool,
};

/// The room that the first item makes.
const FIRST_ROOM: i64 = 4;

/// What lies behind the header of a list. Compiled code reads and writes these fields by position.
#[repr(C)]
#[derive(Debug)]
pub struct List {
    items: *mut i64,
    length: i64,
    room: i64,
    /// Whether an item was replaced, put in or dropped.
    changed: i64,
    /// Words of an item.
    words: i64,
    /// The words of an item that are owners, one bit each.
    owners: u64,
}

impl List {
    /// The list behind an owner.
    ///
    /// # Safety
    ///
    /// `owner` is one of [`pyopt_list_new`]'s that is alive; nothing else refers to its list while
    /// the result is in use.
    #[inline]
    pub unsafe fn of<'a>(owner: *mut Owner) -> &'a mut Self {
        // SAFETY: the list was written behind the header, which is as large and as aligned.
        unsafe { &mut *owner.byte_add(HEADER).cast::<Self>() }
    }

    /// The words of all items.
    #[inline]
    pub fn words(&self) -> &[i64] {
        if self.items.is_null() {
            return &[];
        }
        // SAFETY: that many words have been written.
        unsafe { slice::from_raw_parts(self.items, (self.length * self.words) as usize) }
    }

    /// Number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The words of an item; none where there is no such item.
    #[inline]
    pub fn item(&self, at: usize) -> &[i64] {
        let words = self.words as usize;
        self.words()
            .get(at * words..(at + 1) * words)
            .unwrap_or(&[])
    }

    /// Replaces the words of an item that has no owners.
    ///
    /// # Panics
    ///
    /// When there is no such item, or it has owners or other words.
    #[inline]
    pub fn replace(&mut self, at: usize, item: &[i64]) {
        assert!(self.owners == 0 && at < self.len() && item.len() as i64 == self.words);
        // SAFETY: the item is one of the list's.
        unsafe {
            let place = self.items.add(at * item.len());
            ptr::copy_nonoverlapping(item.as_ptr(), place, item.len());
        }
        self.changed = 1;
    }

    /// Whether an item was replaced, put in or dropped since the last [`Self::forget_changes`].
    pub fn is_changed(&self) -> bool {
        self.changed != 0
    }

    /// Takes the list as unchanged.
    pub fn forget_changes(&mut self) {
        self.changed = 0;
    }

    /// Puts an item to the end, with the references that its owners hold; false when memory is
    /// short.
    #[inline]
    pub fn push(&mut self, item: &[i64]) -> bool {
        debug_assert_eq!(item.len() as i64, self.words);
        if !self.reserve(1) {
            return false;
        }
        // SAFETY: there is room for one more item.
        unsafe {
            let end = self.items.offset((self.length * self.words) as isize);
            ptr::copy_nonoverlapping(item.as_ptr(), end, item.len());
        }
        self.length += 1;
        true
    }

    /// The room behind the items, to put items of so many words there.
    pub(crate) fn spare<const WORDS: usize>(&mut self) -> Spare<'_, WORDS> {
        assert_eq!(self.words, WORDS as i64);
        let rest = (self.room - self.length) as usize;
        let places = match rest {
            0 => &mut [],
            // SAFETY: the list has memory for `room` items, the first `length` of which are in use.
            _ => unsafe {
                let end = self.items.offset((self.length * self.words) as isize);
                slice::from_raw_parts_mut(end.cast(), rest)
            },
        };
        Spare {
            places: places.iter_mut(),
            length: &mut self.length,
        }
    }

    /// A list without items.
    pub(crate) const fn new(words: i64, owners: u64) -> Self {
        Self {
            items: ptr::null_mut(),
            length: 0,
            room: 0,
            changed: 0,
            words,
            owners,
        }
    }

    /// Makes an empty list one for other items.
    pub fn become_of(&mut self, words: i64, owners: u64) {
        debug_assert!(self.is_empty() && self.room == 0);
        (self.words, self.owners) = (words, owners);
    }

    /// Notes that an item was replaced, put in or dropped.
    #[inline]
    pub fn set_changed(&mut self) {
        self.changed = 1;
    }

    /// How many items there may be before memory is asked for.
    #[cfg(test)]
    pub(crate) fn room(&self) -> i64 {
        self.room
    }

    /// Puts the items of another list, of as many words, to the end; false when memory is short.
    pub(crate) fn append(&mut self, other: &Self) -> bool {
        if other.is_empty() {
            return true;
        }
        if !self.reserve(other.length) {
            return false;
        }
        // SAFETY: a list holds a reference of each owner, and this one gets its own.
        other.each_held(|owner, times| unsafe { acquire_times(owner, times) });
        let words = self.words as usize;
        // SAFETY: there is room, and one list isn't part of the other.
        unsafe {
            ptr::copy_nonoverlapping(
                other.items,
                self.items.add(self.length as usize * words),
                other.length as usize * words,
            )
        };
        self.length += other.length;
        self.set_changed();
        true
    }

    /// Copies the words of an item to the place of one before it, whose references were given up.
    pub(crate) fn copy_item(&mut self, from: usize, to: usize) {
        let words = self.words as usize;
        // SAFETY: both are items.
        unsafe {
            ptr::copy(
                self.items.add(from * words),
                self.items.add(to * words),
                words,
            )
        };
    }

    /// Gives up the references of an item, which becomes zeros.
    pub(crate) fn clear_item(&mut self, item: usize) {
        self.release(item as i64..item as i64 + 1);
        let words = self.words as usize;
        // SAFETY: it is an item.
        unsafe { ptr::write_bytes(self.items.add(item * words), 0, words) };
    }

    /// Leaves the items from a position on out, whose references are others' or were given up.
    pub(crate) fn forget_from(&mut self, length: usize) {
        self.length = length as i64;
    }

    /// Drops the items from a position on.
    pub fn truncate(&mut self, length: i64) {
        self.changed = 1;
        self.release(length..self.length);
        self.length = length;
    }

    /// The bytes of memory that the items have, with what there is room for.
    fn bytes(&self) -> usize {
        (self.room * 8 * self.words.max(1)) as usize
    }

    /// Makes room for more items; false when memory is short.
    pub(crate) fn reserve(&mut self, more: i64) -> bool {
        let Some(needed) = self.length.checked_add(more.max(0)) else {
            return false;
        };
        if needed <= self.room {
            return true;
        }
        let room = needed.max(self.room + self.room / 2).max(FIRST_ROOM);
        // An item may have no words; null is for lists without room.
        let bytes = room
            .checked_mul(8 * self.words.max(1))
            .and_then(|bytes| usize::try_from(bytes).ok());
        let Some(bytes) = bytes else {
            return false;
        };
        let items = match self.items.is_null() {
            true => pool::allocate(bytes, false),
            // SAFETY: the items have so much memory.
            false => unsafe { pool::resize(self.items.cast(), self.bytes(), bytes) },
        };
        if items.is_null() {
            return false;
        }
        self.items = items.cast();
        self.room = room;
        true
    }

    /// Gives up the references of some items.
    fn release(&mut self, items: Range<i64>) {
        // SAFETY: the list has a reference of each, which it gives up once: the caller drops the items.
        self.each_owner(items, |owner, times| unsafe { release_times(owner, times) });
    }

    /// The owners that all items hold, each with how often it is held there in a row.
    pub(crate) fn each_held(&self, act: impl FnMut(*mut Owner, i64)) {
        self.each_owner(0..self.length, act);
    }

    /// The owners that some items hold. What is held several times in a row comes once, as the parts of a
    /// text do: counting references costs more than comparing.
    fn each_owner(&self, items: Range<i64>, mut act: impl FnMut(*mut Owner, i64)) {
        if self.owners == 0 {
            return;
        }
        let (mut held, mut times) = (ptr::null_mut(), 0);
        let mut found = |place: *mut i64| {
            // SAFETY: the place is a word of one of the list's items.
            let owner = unsafe { *place } as *mut Owner;
            if owner == held {
                times += 1;
                return;
            }
            if !held.is_null() {
                act(held, times);
            }
            (held, times) = (owner, 1);
        };
        let first = i64::from(self.owners.trailing_zeros());
        let is_only = self.owners.is_power_of_two();
        for item in items {
            // SAFETY: the item is one of the list's, and has the word.
            let place = |word| unsafe { self.items.offset((item * self.words + word) as isize) };
            if is_only {
                found(place(first));
                continue;
            }
            let mut owners = self.owners;
            while owners != 0 {
                found(place(i64::from(owners.trailing_zeros())));
                owners &= owners - 1;
            }
        }
        if !held.is_null() {
            act(held, times);
        }
    }

    /// Frees the items of a list, to which nobody refers any more; `give_up` gets the references that they
    /// held.
    pub(crate) fn drop_items(&mut self, give_up: impl FnMut(*mut Owner, i64)) {
        self.each_owner(0..self.length, give_up);
        if self.room == 0 {
            // There are none, or they are a structure's, which lie behind the list.
            return;
        }
        let bytes = self.bytes();
        // SAFETY: the items have so much memory, and are used no more.
        unsafe { pool::free(self.items.cast(), bytes) };
    }
}

/// Room of a list that is filled: see [`List::spare`].
pub(crate) struct Spare<'l, const WORDS: usize> {
    places: slice::IterMut<'l, MaybeUninit<[i64; WORDS]>>,
    length: &'l mut i64,
}

impl<const WORDS: usize> Spare<'_, WORDS> {
    /// Puts an item to the end, with the references that its owners hold.
    ///
    /// # Panics
    ///
    /// When there is no room.
    #[inline]
    pub(crate) fn push(&mut self, item: [i64; WORDS]) {
        let place = self.places.next().expect("room was made for all items");
        place.write(item);
        *self.length += 1;
    }
}

/// Makes a list whose items have `words` words, those of the bits in `owners` being owners. Where
/// there is no memory even for that, the process ends, as everywhere in Rust.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_list_new(words: i64, owners: u64) -> *mut Owner {
    new_list(words, owners, 0)
}

/// Makes a list, and room for so many words behind it.
fn new_list(words: i64, owners: u64, behind: usize) -> *mut Owner {
    let owner = pyopt_alloc((size_of::<List>() + 8 * behind) as i64, 0);
    if owner.is_null() {
        handle_alloc_error(Layout::new::<List>());
    }
    // SAFETY: the memory behind the header is ours and large enough; it is as aligned as the header.
    unsafe {
        (*owner).become_kind(OwnerKind::List);
        owner
            .byte_add(HEADER)
            .cast::<List>()
            .write(List::new(words, owners));
    }
    owner
}

/// Makes a structure that all its names share: a list of one item, whose words are zeros and lie behind
/// the list itself, where compiled code finds them without asking it. Where there is no memory, the process
/// ends.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_struct_new(words: i64, owners: u64) -> *mut Owner {
    let owner = new_list(words, owners, words as usize);
    // SAFETY: the list was just made, and is nobody else's yet; so many words lie behind it.
    unsafe {
        let list = List::of(owner);
        list.items = owner.byte_add(HEADER + size_of::<List>()).cast();
        ptr::write_bytes(list.items, 0, words as usize);
        list.length = 1;
    }
    owner
}

/// Makes room for more items; 1 when memory is short.
///
/// # Safety
///
/// `owner` is one of [`pyopt_list_new`]'s that is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_list_reserve(owner: *mut Owner, more: i64) -> i32 {
    // SAFETY: as the caller says; lists aren't shared between threads that change them.
    let list = unsafe { List::of(owner) };
    i32::from(!list.reserve(more))
}

/// Drops the items from a position on.
///
/// # Safety
///
/// As [`pyopt_list_reserve`], and the list has no less items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_list_truncate(owner: *mut Owner, length: i64) {
    // SAFETY: as the caller says.
    unsafe { List::of(owner) }.truncate(length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::OwnerRef;

    fn list(words: i64, owners: u64) -> OwnerRef {
        // SAFETY: the one reference is taken over.
        unsafe { OwnerRef::from_raw(pyopt_list_new(words, owners)) }.unwrap()
    }

    #[test]
    fn items_are_kept_in_order_while_the_list_grows_and_shrinks() {
        let owner = list(2, 0);
        // SAFETY: the list is this test's alone.
        let list = unsafe { List::of(owner.as_ptr()) };
        for item in 0..100 {
            assert!(list.push(&[item, -item]));
        }
        assert_eq!(list.len(), 100);
        assert_eq!(list.words()[84..86], [42, -42]);
        // SAFETY: as above.
        unsafe { pyopt_list_truncate(owner.as_ptr(), 3) };
        assert_eq!(list.words(), [0, 0, 1, -1, 2, -2]);
        assert!(list.is_changed());
    }

    #[test]
    fn owners_among_the_words_are_released_with_their_items() {
        let owner = list(2, 0b10);
        let inner = [list(1, 0), list(1, 0), list(1, 0)];
        // SAFETY: the list is this test's alone.
        let items = unsafe { List::of(owner.as_ptr()) };
        for one in &inner {
            assert!(items.push(&[7, one.clone().into_raw() as i64]));
        }
        // SAFETY: as above.
        unsafe { pyopt_list_truncate(owner.as_ptr(), 1) };
        assert_eq!(inner.each_ref().map(|one| one.refcount()), [2, 1, 1]);
        drop(owner);
        assert_eq!(inner[0].refcount(), 1);
    }

    #[test]
    fn structures_begin_with_zeros_and_release_what_they_got() {
        // SAFETY: the one reference is taken over.
        let owner = unsafe { OwnerRef::from_raw(pyopt_struct_new(3, 0b100)) }.unwrap();
        let inner = list(1, 0);
        // SAFETY: the structure is this test's alone; the field that is an owner gets a reference.
        unsafe {
            let structure = List::of(owner.as_ptr());
            assert_eq!(structure.words(), [0, 0, 0]);
            *structure.items.add(2) = inner.clone().into_raw() as i64;
        }
        assert_eq!(inner.refcount(), 2);
        drop(owner);
        assert_eq!(inner.refcount(), 1);
    }

    #[test]
    fn items_are_found_and_replaced() {
        let owner = list(2, 0);
        // SAFETY: the list is this test's alone.
        let list = unsafe { List::of(owner.as_ptr()) };
        assert!(list.push(&[1, 2]) && list.push(&[3, 4]) && !list.is_changed());
        list.replace(1, &[5, 6]);
        assert_eq!(
            [list.item(0), list.item(1), list.item(2)],
            [&[1, 2][..], &[5, 6], &[]]
        );
        assert!(list.is_changed());
    }

    #[test]
    #[should_panic(expected = "at < self.len()")]
    fn what_is_no_item_is_not_replaced() {
        let owner = list(1, 0);
        // SAFETY: the list is this test's alone.
        unsafe { List::of(owner.as_ptr()) }.replace(0, &[1]);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let owner = list(1, 0);
        // SAFETY: the list is this test's alone.
        unsafe {
            assert_eq!(pyopt_list_reserve(owner.as_ptr(), i64::MAX), 1);
            assert_eq!(pyopt_list_reserve(owner.as_ptr(), i64::MAX / 8), 1);
            assert_eq!(pyopt_list_reserve(owner.as_ptr(), -5), 0);
        }
    }
}
