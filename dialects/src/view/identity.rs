//! Telling operations apart.

use melior::ir::OperationRef;
use mlir_sys::mlirOperationGetTypeID;
use std::{collections::HashMap, ffi::c_void, sync::OnceLock};

/// Writes the identities of operations, in their order.
type Fill = unsafe extern "C" fn(*mut *const c_void);

/// The identities of the operations whose views are generated together.
#[derive(Debug)]
pub struct Identities {
    fill: Fill,
    count: usize,
    found: OnceLock<Found>,
}

#[derive(Debug)]
struct Found {
    /// By position.
    all: Vec<usize>,
    /// The position of each.
    positions: HashMap<usize, usize>,
}

impl Identities {
    /// Those that a function of C++ writes.
    ///
    /// # Safety
    ///
    /// The function writes `count` addresses.
    pub const unsafe fn new(fill: Fill, count: usize) -> Self {
        Self {
            fill,
            count,
            found: OnceLock::new(),
        }
    }

    #[inline]
    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let mut all = vec![std::ptr::null::<c_void>(); self.count];
            // SAFETY: the function writes this many.
            unsafe { (self.fill)(all.as_mut_ptr()) };
            let all: Vec<_> = all.into_iter().map(<*const c_void>::addr).collect();
            let positions = all.iter().enumerate();
            Found {
                positions: positions.map(|(position, one)| (*one, position)).collect(),
                all,
            }
        })
    }

    /// Whether an operation is the one at a position.
    #[inline]
    pub(super) fn is(&self, operation: OperationRef, position: usize) -> bool {
        identity(operation) == self.found().all[position]
    }

    /// The position of an operation, if it has a view.
    pub fn index(&self, operation: OperationRef) -> Option<usize> {
        let positions = &self.found().positions;
        positions.get(&identity(operation)).copied()
    }
}

/// The identity of an operation's class; 0 where no loaded dialect has it.
#[inline]
fn identity(operation: OperationRef) -> usize {
    // SAFETY: the operation is valid.
    unsafe { mlirOperationGetTypeID(operation.to_raw()) }
        .ptr
        .addr()
}
