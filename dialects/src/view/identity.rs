//! Telling operations apart.

use crate::{ffi, ops};
use melior::ir::OperationRef;
use mlir_sys::mlirOperationGetTypeID;
use std::{collections::HashMap, ffi::c_void, sync::OnceLock};

/// The identities of all operations with views.
struct Identities {
    /// By position.
    all: [usize; ops::COUNT],
    /// The position of each.
    positions: HashMap<usize, usize>,
}

fn identities() -> &'static Identities {
    static IDENTITIES: OnceLock<Identities> = OnceLock::new();
    IDENTITIES.get_or_init(|| {
        let mut all = [std::ptr::null::<c_void>(); ops::COUNT];
        // SAFETY: the C++ file, generated from the same tables, writes this many.
        unsafe { ffi::pyoptOperationIdentities(all.as_mut_ptr()) };
        let all = all.map(<*const c_void>::addr);
        let positions = all.iter().enumerate();
        Identities {
            positions: positions.map(|(position, one)| (*one, position)).collect(),
            all,
        }
    })
}

/// The identity of an operation's class; 0 where no loaded dialect has it.
#[inline]
fn identity(operation: OperationRef) -> usize {
    // SAFETY: the operation is valid.
    unsafe { mlirOperationGetTypeID(operation.to_raw()) }
        .ptr
        .addr()
}

/// Whether an operation is the one at a position.
#[inline]
pub(super) fn is(operation: OperationRef, position: usize) -> bool {
    identity(operation) == identities().all[position]
}

/// The position of an operation, if it has a view.
pub fn index(operation: OperationRef) -> Option<usize> {
    identities().positions.get(&identity(operation)).copied()
}
