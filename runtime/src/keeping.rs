//! What compiled code keeps beyond a call: memory that a caller has lent for it.

use std::{ffi::c_void, sync::OnceLock};

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
