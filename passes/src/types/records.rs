//! The types of records: fields at offsets.

use super::number::Number;
use crate::infra::AttributeExt;
use melior::ir::{Attribute, Type};
use pyopt_dialects::{
    records::Record,
    typed::{Layout, TypedType},
};

/// A field of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'c> {
    /// What it is called.
    pub name: &'c str,
    /// The bytes in front of it.
    pub offset: i64,
    /// Its type, or that of its elements.
    pub element: Type<'c>,
    /// The other name that it has.
    title: Option<&'c str>,
}

impl<'c> Field<'c> {
    /// Whether it is called so, or has that title.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.title == Some(name)
    }

    /// The units of its texts or bytes, whose number is the last of its sizes; nothing for other fields.
    pub(crate) fn units(&self) -> Option<Number> {
        let width = match TypedType::from(self.element) {
            TypedType::Str => 32,
            TypedType::Bytes => 8,
            _ => return None,
        };
        let signed = false;
        Some(Number::Int { width, signed })
    }
}

/// The fields of a type of records, each with its sizes.
pub(crate) fn fields<'c>(record: Record<'c>) -> Vec<(Field<'c>, Vec<i64>)> {
    let describe = |field: Attribute<'c>| {
        let parts = field.elements()?;
        let field = Field {
            name: parts.first()?.string_value()?,
            offset: parts.get(1)?.integer_value()?,
            element: parts.get(2)?.type_value()?,
            title: parts.last()?.string_value(),
        };
        let sizes = parts[3..parts.len() - usize::from(field.title.is_some())].iter();
        let sizes = sizes.map(|size| size.integer_value());
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
