//! NumPy's structured dtypes.

use crate::ffi;
use melior::ir::{Attribute, Type, TypeLike};

/// A type of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'c> {
    /// Bytes from one to the next.
    pub size: i64,
    /// An array attribute; each item is one of a name, an offset, a type and sizes.
    pub fields: Attribute<'c>,
}

impl<'c> Record<'c> {
    /// Takes a type apart, `None` for any other type.
    pub fn of(r#type: Type<'c>) -> Option<Self> {
        // SAFETY: any type may be asked for its fields; the size is read of a record.
        unsafe {
            let fields = Attribute::from_option_raw(ffi::pyoptTypedRecordFields(r#type.to_raw()))?;
            let size = ffi::pyoptTypedRecordSize(r#type.to_raw());
            Some(Self { size, fields })
        }
    }
}
