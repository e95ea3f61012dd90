//! Hash tables of compiled code: dicts and sets.
//!
//! A table is a [`List`] of its entries in the order of insertion, behind which a [`Table`] has the index:
//! *slots*, at least twice as many as entries, probed linearly. A slot is the number of an entry plus one
//! in its low half and 32 bits of the key's hash in its high half; 0 is a free slot, [`DELETED`] one whose
//! entry was removed. Compiled code hashes, compares and probes, by the type of the key; because slots hold
//! hashes, growing needs neither and is done here for all types.
//!
//! A removed entry is a *hole*: its words are zeros, and its bit in the bitmap behind the slots is set. The
//! last entry is never a hole.

use std::{
    alloc::{Layout, handle_alloc_error},
    ptr, slice,
};

use crate::{
    error::PyoptError,
    lists::List,
    memory::{HEADER, Owner, OwnerKind, pyopt_alloc},
    pool,
};

/// The entries that a table has room for at first.
const FIRST_LIMIT: i64 = 8;

/// More entries than this don't fit into half a slot.
const MAX_LIMIT: i64 = 1 << 31;

/// The slot of an entry that was removed. Compiled code writes it.
pub const DELETED: u64 = 0xffff_ffff;

/// The slot of tables that have none yet.
static NO_SLOTS: u64 = 0;

/// What lies behind the header of a table. Compiled code reads and writes these fields by position.
#[repr(C)]
#[derive(Debug)]
pub struct Table {
    entries: List,
    slots: *mut u64,
    /// The number of slots less one. With 0 no entry has a slot: those of the host's containers get theirs
    /// when something is looked up.
    mask: i64,
    /// The number of holes.
    holes: i64,
    /// How many entries, holes among them, there may be before slots are made anew.
    limit: i64,
}

/// The number of bytes of slots and of the bitmap behind them, which has a bit for each entry.
fn slot_bytes(count: i64) -> usize {
    let count = count as usize;
    8 * count + 8 * count.div_ceil(64)
}

impl Table {
    /// The table behind an owner.
    ///
    /// # Safety
    ///
    /// As [`List::of`], for one of [`pyopt_table_new`]'s.
    #[inline]
    pub unsafe fn of<'a>(owner: *mut Owner) -> &'a mut Self {
        // SAFETY: the table was written behind the header, which is as large and as aligned.
        unsafe { &mut *owner.byte_add(HEADER).cast::<Self>() }
    }

    /// The entries, holes among them.
    #[inline]
    pub fn entries(&mut self) -> &mut List {
        &mut self.entries
    }

    /// The number of entries that aren't holes.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len() - self.holes as usize
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an entry was removed.
    #[inline]
    pub fn is_hole(&self, entry: usize) -> bool {
        self.holes > 0 && self.bitmap()[entry / 64] >> (entry % 64) & 1 != 0
    }

    /// The first entry that isn't a hole, of which there are any number before it.
    fn first(&self) -> usize {
        if self.holes == 0 {
            return 0;
        }
        let mut words = self.bitmap().iter().enumerate();
        let found = words.find(|(_, word)| **word != u64::MAX);
        let end = self.entries.len();
        found.map_or(end, |(at, word)| 64 * at + word.trailing_ones() as usize)
    }

    fn count(&self) -> i64 {
        if self.mask == 0 { 0 } else { self.mask + 1 }
    }

    fn slots(&self) -> &[u64] {
        // SAFETY: so many slots were allocated, or there are none.
        unsafe { slice::from_raw_parts(self.slots, self.count() as usize) }
    }

    fn bitmap(&self) -> &[u64] {
        let count = self.count() as usize;
        // SAFETY: the bitmap lies behind the slots.
        unsafe { slice::from_raw_parts(self.slots.add(count), count.div_ceil(64)) }
    }

    fn set_hole(&mut self, entry: i64, is_hole: bool) {
        let (word, bit) = (entry as usize / 64, 1 << (entry % 64));
        let count = self.count() as usize;
        // SAFETY: there is a bit for each entry, behind the slots.
        let word = unsafe { &mut *self.slots.add(count + word) };
        match is_hole {
            true => *word |= bit,
            false => *word &= !bit,
        }
    }

    /// Makes room for more entries, and slots for entries that have none; false when memory is short.
    fn grow(&mut self, more: i64) -> bool {
        let live = self.len() as i64;
        let wanted = live.saturating_add(more.max(1 + live / 2)).max(FIRST_LIMIT);
        if wanted > MAX_LIMIT {
            return false;
        }
        let limit = wanted.unsigned_abs().next_power_of_two().cast_signed();
        let count = 2 * limit;
        let more = limit - self.entries.len() as i64;
        if !self.entries.reserve(more) {
            return false;
        }
        // Zeros are free slots and no holes.
        let slots: *mut u64 = pool::allocate_fixed(slot_bytes(count), true).cast();
        if slots.is_null() {
            return false;
        }
        let moved = self.close_holes();
        for &slot in self.slots() {
            if slot == 0 || slot == DELETED {
                continue;
            }
            let (hash, entry) = (slot >> 32, (slot & 0xffff_ffff) as i64 - 1);
            let entry = moved.as_ref().map_or(entry, |moved| moved[entry as usize]);
            let mut at = (hash as i64 & (count - 1)) as usize;
            // SAFETY: positions are below the number of slots, of which at least half are free.
            unsafe {
                while *slots.add(at) != 0 {
                    at = (at + 1) & (count - 1) as usize;
                }
                *slots.add(at) = hash << 32 | (entry + 1) as u64;
            }
        }
        self.free_slots();
        (self.slots, self.mask, self.limit) = (slots, count - 1, limit);
        true
    }

    /// Takes the entries of another table, holes among them, and its slots; this one is empty. False when
    /// memory is short.
    fn copy_from(&mut self, other: &Self) -> bool {
        let mut slots = self.slots;
        if other.mask != 0 {
            slots = pool::allocate_fixed(slot_bytes(other.count()), false).cast();
            if slots.is_null() {
                return false;
            }
        }
        // Compiled code puts entries in without asking for room, up to the limit.
        if !self.entries.reserve(other.limit) || !self.entries.append(&other.entries) {
            if other.mask != 0 {
                // SAFETY: the memory was allocated above, and nobody has it.
                unsafe { pool::free_fixed(slots.cast(), slot_bytes(other.count())) };
            }
            return false;
        }
        if other.mask != 0 {
            let bytes = slot_bytes(other.count());
            // SAFETY: both have so many bytes: the slots and the bitmap behind them.
            unsafe {
                ptr::copy_nonoverlapping(other.slots.cast::<u8>(), slots.cast::<u8>(), bytes)
            };
        }
        self.free_slots();
        (self.slots, self.mask) = (slots, other.mask);
        (self.holes, self.limit) = (other.holes, other.limit);
        true
    }

    /// Moves entries into the holes before them; where each has gone, if there were holes.
    fn close_holes(&mut self) -> Option<Vec<i64>> {
        if self.holes == 0 {
            return None;
        }
        let mut moved = vec![0; self.entries.len()];
        let mut kept = 0;
        for (entry, place) in moved.iter_mut().enumerate() {
            if !self.is_hole(entry) {
                self.entries.copy_item(entry, kept);
                *place = kept as i64;
                kept += 1;
            }
        }
        self.entries.forget_from(kept);
        self.holes = 0;
        Some(moved)
    }

    fn free_slots(&mut self) {
        if self.mask != 0 {
            let bytes = slot_bytes(self.mask + 1);
            // SAFETY: the slots have so much memory, and are used no more.
            unsafe { pool::free_fixed(self.slots.cast(), bytes) };
        }
    }

    /// Gives up an entry, whose slot is [`DELETED`].
    fn remove(&mut self, entry: i64) {
        self.entries.set_changed();
        // Giving up what an entry refers to runs no code that could see the table.
        self.entries.clear_item(entry as usize);
        self.set_hole(entry, true);
        self.holes += 1;
        while let Some(last) = self.entries.len().checked_sub(1)
            && self.is_hole(last)
        {
            // The slot stays in use, so there is room for one entry less.
            self.set_hole(last as i64, false);
            self.entries.forget_from(last);
            self.limit -= 1;
            self.holes -= 1;
        }
    }

    fn clear(&mut self) {
        self.entries.set_changed();
        self.free_slots();
        self.begin();
    }

    /// Makes this a table without slots.
    fn begin(&mut self) {
        self.slots = (&raw const NO_SLOTS).cast_mut();
        (self.mask, self.holes, self.limit) = (0, 0, 0);
    }

    /// Frees the entries of a table, to which nobody refers any more; `give_up` gets the references that
    /// they held.
    pub(crate) fn drop_entries(&mut self, give_up: impl FnMut(*mut Owner, i64)) {
        self.entries.drop_items(give_up);
        self.free_slots();
    }
}

/// Makes a table whose entries have `words` words, those of the bits in `owners` being owners. Where there
/// is no memory even for that, the process ends.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_table_new(words: i64, owners: u64) -> *mut Owner {
    let owner = pyopt_alloc(size_of::<Table>() as i64, 0);
    if owner.is_null() {
        handle_alloc_error(Layout::new::<Table>());
    }
    let mut table = Table {
        entries: List::new(words, owners),
        slots: ptr::null_mut(),
        mask: 0,
        holes: 0,
        limit: 0,
    };
    table.begin();
    // SAFETY: the memory behind the header is ours and large enough; it is as aligned as the header.
    unsafe {
        (*owner).become_kind(OwnerKind::Table);
        owner.byte_add(HEADER).cast::<Table>().write(table);
    }
    owner
}

/// Makes room for more entries, and slots for the entries that have none; 1 when memory is short.
///
/// # Safety
///
/// `owner` is one of [`pyopt_table_new`]'s that is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_table_grow(owner: *mut Owner, more: i64) -> i32 {
    // SAFETY: as the caller says; tables aren't shared between threads that change them.
    i32::from(!unsafe { Table::of(owner) }.grow(more))
}

/// Puts the entries of a table into an empty one, whose entries are of the same type; 1 when memory is short.
///
/// # Safety
///
/// Both are [`pyopt_table_new`]'s that are alive, and not the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_table_copy(owner: *mut Owner, made: *mut Owner) -> i32 {
    // SAFETY: as the caller says; tables aren't shared between threads that change them.
    let [table, made] = [owner, made].map(|owner| unsafe { Table::of(owner) });
    i32::from(!made.copy_from(table))
}

/// Gives up an entry, whose slot was set to [`DELETED`].
///
/// # Safety
///
/// As [`pyopt_table_grow`]; the table has the entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_table_remove(owner: *mut Owner, entry: i64) {
    // SAFETY: as the caller says.
    unsafe { Table::of(owner) }.remove(entry);
}

/// Gives the number of the first entry that wasn't given up; that of the end in an empty table.
///
/// # Safety
///
/// `arguments` points to a table that is alive, `returned` to room for a word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_table_first(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: as the caller says.
    unsafe { returned.write(Table::of(*arguments as *mut Owner).first() as i64) };
    0
}

/// Gives up all entries.
///
/// # Safety
///
/// As [`pyopt_table_grow`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_table_clear(owner: *mut Owner) {
    // SAFETY: as the caller says.
    let table = unsafe { Table::of(owner) };
    table.entries.truncate(0);
    table.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::OwnerRef;

    fn find(table: &Table, hash: u64) -> Option<usize> {
        let slots = table.slots();
        let mut at = (hash as i64 & table.mask) as usize;
        while !slots.is_empty() && slots[at] != 0 {
            if slots[at] >> 32 == hash && slots[at] != DELETED {
                return Some(at);
            }
            at = (at + 1) & table.mask as usize;
        }
        None
    }

    fn insert(table: &mut Table, key: i64) {
        if table.entries.len() as i64 == table.limit {
            assert!(table.grow(1));
        }
        assert!(table.entries.push(&[key]));
        let mut at = (key & table.mask) as usize;
        while table.slots()[at] != 0 {
            at = (at + 1) & table.mask as usize;
        }
        // SAFETY: the position is below the number of slots.
        unsafe { *table.slots.add(at) = (key as u64) << 32 | table.entries.len() as u64 };
    }

    fn remove(table: &mut Table, key: i64) {
        let at = find(table, key as u64).unwrap();
        let entry = (table.slots()[at] & 0xffff_ffff) as i64 - 1;
        // SAFETY: as above.
        unsafe { *table.slots.add(at) = DELETED };
        table.remove(entry);
    }

    #[test]
    fn entries_are_found_in_order_while_a_table_grows_and_shrinks() {
        // SAFETY: the one reference is taken over; the table is this test's alone.
        let owner = unsafe { OwnerRef::from_raw(pyopt_table_new(1, 0)) }.unwrap();
        // SAFETY: as above.
        let table = unsafe { Table::of(owner.as_ptr()) };
        for key in 0..1000 {
            insert(table, 7 * key);
            if key % 3 == 0 {
                remove(table, 7 * key);
            }
        }
        assert_eq!(table.len(), 666);
        let kept: Vec<_> = (0..table.entries.len())
            .filter(|entry| !table.is_hole(*entry))
            .map(|entry| table.entries.words()[entry])
            .collect();
        assert!(kept.is_sorted() && kept.len() == 666);
        for key in (0..200).filter(|key| key % 3 != 0) {
            remove(table, 7 * key);
        }
        assert_eq!(table.entries.words()[table.first()], 7 * 200);
        for key in (0..200).filter(|key| key % 3 != 0) {
            insert(table, 7 * key);
        }
        for key in 0..1000 {
            assert_eq!(find(table, 7 * key).is_some(), key % 3 != 0);
        }
        for key in (0..1000).filter(|key| key % 3 != 0).rev() {
            remove(table, 7 * key);
        }
        assert!(table.is_empty() && table.entries.is_empty());
        assert_eq!(table.first(), 0);
    }

    #[test]
    fn one_entry_put_in_and_out_many_times_takes_no_more_memory() {
        // SAFETY: as in the other test.
        let owner = unsafe { OwnerRef::from_raw(pyopt_table_new(1, 0)) }.unwrap();
        // SAFETY: as above.
        let table = unsafe { Table::of(owner.as_ptr()) };
        for key in 0..10_000 {
            insert(table, key);
            remove(table, key);
        }
        assert_eq!(table.count(), 2 * FIRST_LIMIT);
    }

    #[test]
    fn room_is_made_for_as_many_entries_as_are_asked_for() {
        // SAFETY: as in the other tests.
        let owner = unsafe { OwnerRef::from_raw(pyopt_table_new(1, 0)) }.unwrap();
        // SAFETY: as above.
        let table = unsafe { Table::of(owner.as_ptr()) };
        assert!(table.grow(1000));
        let slots = table.slots;
        for key in 0..1000 {
            insert(table, 7 * key);
        }
        assert_eq!(table.slots, slots);
        assert!((0..1000).all(|key| find(table, 7 * key).is_some()));
        assert!(!table.grow(i64::MAX) && table.len() == 1000);
    }

    #[test]
    fn a_copy_has_entries_and_holes_and_slots_of_its_own() {
        let owners = [0, 0].map(|_| {
            // SAFETY: the one reference is taken over.
            unsafe { OwnerRef::from_raw(pyopt_table_new(1, 0)) }.unwrap()
        });
        // SAFETY: the tables are this test's alone.
        let [table, copy] = owners
            .each_ref()
            .map(|owner| unsafe { Table::of(owner.as_ptr()) });
        for key in 0..100 {
            insert(table, 7 * key);
        }
        remove(table, 7);
        assert!(copy.copy_from(table));
        remove(table, 14);
        assert!(copy.entries.room() >= copy.limit);
        insert(copy, 1000);
        assert_eq!((table.len(), copy.len()), (98, 100));
        assert!(find(copy, 14).is_some() && find(copy, 7).is_none() && find(table, 1000).is_none());
        assert!(copy.is_hole(1) && !copy.is_hole(2) && table.is_hole(2));
    }
}
