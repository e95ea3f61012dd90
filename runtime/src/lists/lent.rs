//! What the host lends for a call alone, and code that outlives the call, as a generator's, has to hold.

use std::ffi::c_void;

use super::List;
use crate::{
    memory::{Owner, OwnerKind},
    tables::Table,
};

/// Makes an owner that holds an object.
type Keep<'a> = &'a mut dyn FnMut(*mut c_void) -> *mut Owner;

/// Gives an owner that holds what is lent for a call, or else the same owner; what lists and tables have in
/// them, at any depth, is held then too.
///
/// # Safety
///
/// A non-null owner is alive, as are those in the list or table that it may own; nothing else uses these
/// meanwhile.
pub unsafe fn keep_lent(owner: *mut Owner, keep: Keep<'_>) -> *mut Owner {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(header) = owner.as_ref() else {
            return owner;
        };
        match (header.kind(), header.object()) {
            (OwnerKind::Borrowed, object) if !object.is_null() => return keep(object),
            (OwnerKind::List, _) => List::of(owner).keep_lent(keep),
            (OwnerKind::Table, _) => Table::of(owner).entries().keep_lent(keep),
            _ => {}
        }
    }
    owner
}

impl List {
    /// Has the items hold what is lent.
    ///
    /// # Safety
    ///
    /// As [`keep_lent`], of the owners in the items.
    unsafe fn keep_lent(&mut self, keep: Keep<'_>) {
        for at in 0..self.words().len() {
            if self.owners >> (at as i64 % self.words) & 1 == 0 {
                continue;
            }
            // SAFETY: the word has been written, and is an owner; the caller's promise.
            unsafe {
                let word = self.items.add(at);
                *word = keep_lent(*word as *mut Owner, keep) as i64;
            }
        }
    }
}
