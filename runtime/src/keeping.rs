//! What compiled code keeps beyond a call: memory that a caller has lent for it, and constants.

use std::{ffi::c_void, sync::OnceLock};

use crate::memory::{HEADER, Owner, OwnerKind, pyopt_acquire, pyopt_alloc};

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
                made(kept)
            }
            _ => {
                pyopt_acquire(owner);
                owner
            }
        }
    }
}

/// As [`pyopt_keep`]; data without an owner is a constant of the code, which ends with it, and is copied
/// behind the new owner. There is nothing to be copied of no bytes, or fewer: null stays null then.
///
/// # Safety
///
/// As [`pyopt_keep`]; without an owner `bytes` bytes can be read from `start` on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_keep_bytes(
    owner: *mut Owner,
    start: *const u8,
    bytes: i64,
) -> *mut Owner {
    if !owner.is_null() || bytes <= 0 {
        // SAFETY: as the caller says.
        return unsafe { pyopt_keep(owner) };
    }
    let kept = made(pyopt_alloc(bytes, 0));
    // SAFETY: the bytes can be read, as the caller says; the fresh memory has room for them behind its header.
    unsafe { start.copy_to_nonoverlapping(kept.cast::<u8>().add(HEADER), bytes as usize) };
    kept
}

/// An owner that was made; the process ends, as Rust's do, when memory is short.
fn made(owner: *mut Owner) -> *mut Owner {
    if owner.is_null() {
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<Owner>());
    }
    owner
}
