//! The types of records: fields at offsets.

use crate::infra::AttributeExt;
use melior::ir::{Attribute, Type};
use pyopt_dialects::{records::Record, typed::Layout};

/// A field of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'c> {
    /// What it is called.
    pub name: &'c str,
    /// The bytes in front of it.
    pub offset: i64,
    /// Its type, or that of its elements.
    pub element: Type<'c>,
}

/// The fields of a type of records, each with its sizes.
pub(crate) fn fields<'c>(record: Record<'c>) -> Vec<(Field<'c>, Vec<i64>)> {
    let describe = |field: Attribute<'c>| {
        let parts = field.elements()?;
        let field = Field {
            name: parts.first()?.string_value()?,
            offset: parts.get(1)?.integer_value()?,
            element: parts.get(2)?.type_value()?,
        };
        let sizes = parts[3..].iter().map(|size| size.integer_value());
        Some((field, sizes.collect::<Option<_>>()?))
    };
    let fields = record.fields.elements().unwrap_or_default();
    fields.into_iter().filter_map(describe).collect()
}

/// The names and types of fields, in order.
pub(crate) fn described<'c>(record: Record<'c>) -> impl Iterator<Item = (&'c str, Type<'c>)> {
    let fields = fields(record).into_iter();
    fields.map(|(field, _)| (field.name, field.element))
}

/// The layout of fresh arrays: no memref holds records.
pub(crate) fn layout(element: Type, otherwise: Layout) -> Layout {
    match Record::of(element) {
        Some(_) => Layout::Bytes,
        None => otherwise,
    }
}
