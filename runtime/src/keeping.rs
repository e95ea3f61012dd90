//! What compiled code keeps beyond a call: memory that a caller has lent for it.

use std::{
    collections::HashSet,
    ffi::c_void,
    slice,
    sync::{Mutex, OnceLock, PoisonError},
};

use crate::memory::{Owner, OwnerKind, pyopt_acquire};

/// Takes a reference on an object of the host, on any thread.
pub type KeepObject = unsafe extern "C" fn(*mut c_void);

static KEEP_OBJECT: OnceLock<KeepObject> = OnceLock::new();

/// Says how references on objects of the host are taken. Only the first answer counts.
pub fn on_keep_object(keep: KeepObject) {
    KEEP_OBJECT.get_or_init(|| keep);
}

/// Gives an owner that may outlive the call, of which the caller gets a reference: that of an array that
/// was passed is a new one, which holds the host's object. Null stays null.
///
/// # Safety
///
/// `owner` is null or an owner that is alive; a borrowed one has an object of the host that is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_keep(owner: *mut Owner) -> *mut Owner {
    // SAFETY: as the caller says.
    unsafe {
        match owner.as_ref() {
            Some(lent) if lent.kind() == OwnerKind::Borrowed && !lent.object().is_null() => {
                if let Some(keep) = KEEP_OBJECT.get() {
                    keep(lent.object());
                }
                let kept = Owner::of_object(lent.object());
                if kept.is_null() {
                    std::alloc::handle_alloc_error(std::alloc::Layout::new::<Owner>());
                }
                kept
            }
            _ => {
                pyopt_acquire(owner);
                owner
            }
        }
    }
}

/// The texts that were kept, as their code units.
static TEXTS: Mutex<Option<HashSet<Box<[u8]>>>> = Mutex::new(None);

/// Gives the code units of a text where they stay as long as the process: texts have no owners. Equal
/// ones are kept once.
///
/// # Safety
///
/// `units` are `length` code units of `width` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_keep_text(units: *const u8, length: i64, width: i32) -> *const u8 {
    let bytes = length as usize * width as usize;
    if bytes == 0 {
        return units;
    }
    // SAFETY: the caller says that they are there.
    let text = unsafe { slice::from_raw_parts(units, bytes) };
    // A panic leaves the set as it was before or after an entry.
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(kept) = texts.get(text) {
        return kept.as_ptr();
    }
    // Code units are as aligned as the allocator aligns everything: 4 bytes at least.
    let kept: Box<[u8]> = text.into();
    let address = kept.as_ptr();
    texts.insert(kept);
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_kept_once() {
        let (first, second) = (*b"abc", *b"abc");
        // SAFETY: the arrays have three units of a byte.
        unsafe {
            let kept = pyopt_keep_text(first.as_ptr(), 3, 1);
            assert_ne!(kept, first.as_ptr());
            assert_eq!(slice::from_raw_parts(kept, 3), b"abc");
            assert_eq!(pyopt_keep_text(second.as_ptr(), 3, 1), kept);
        }
    }
}
