//! The identity of what the IR consists of, as a key of maps.

use melior::ir::{BlockRef, OperationRef, Value, ValueLike, block::BlockLike};
use std::ffi::c_void;

/// A key for an operation, a block or a value. It holds while that exists: what is made after it was
/// erased may have the same key. Keys have no order, so that no result can depend on addresses.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Key(*const c_void);

/// What has an identity.
pub trait Identity {
    /// The key.
    fn key(&self) -> Key;
}

impl Identity for Value<'_, '_> {
    fn key(&self) -> Key {
        Key(self.to_raw().ptr)
    }
}

impl Identity for OperationRef<'_, '_> {
    fn key(&self) -> Key {
        Key(self.to_raw().ptr)
    }
}

impl Identity for BlockRef<'_, '_> {
    fn key(&self) -> Key {
        Key(BlockLike::to_raw(self).ptr)
    }
}
