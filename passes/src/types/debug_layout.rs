//! The layout of values as debuggers see it, and its description as DWARF types.

use crate::types::{display::display, layout::element_size, number::Number, tuples};
use melior::ir::Type;
use pyopt_dialects::{py::PyAttribute, times::Time, typed::TypedType};
use std::fmt::Write;

/// A value in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number: its name, its size in bytes, and its DWARF encoding.
    Number(String, u64, &'static str),
    /// A pointer to elements; its target is described if debuggers can read it.
    Pointer(Option<Box<Shape>>),
    /// So many numbers of 64 bits.
    Integers(u64),
    /// A struct: its name and its named fields.
    Struct(String, Vec<(String, Shape)>),
}

impl Shape {
    /// The layout of a typed type; `None` for one that isn't described to debuggers.
    pub fn of(r#type: Type) -> Option<Self> {
        let part = |name: &str, shape| (name.to_owned(), shape);
        let name = display(r#type);
        let parts = match TypedType::from(r#type) {
            TypedType::Array(array) => {
                let element = Self::of(array.element).map(Box::new);
                let mut parts = vec![part("data", Self::Pointer(element))];
                if array.rank > 0 {
                    let extents = Self::Integers(array.rank as u64);
                    parts.push(part("shape", extents.clone()));
                    parts.push(part("strides", extents));
                }
                parts
            }
            TypedType::Str | TypedType::Bytes => vec![
                part("data", Self::Pointer(Some(Box::new(Self::character())))),
                part("length", Self::int64()),
                part("width", Self::signed("int32", 4)),
            ],
            TypedType::Optional(inner) => vec![
                part("value", Self::of(inner)?),
                part("is_valid", Self::boolean("bool")),
            ],
            TypedType::Sequence(items, class) => match PyAttribute::from(class) {
                PyAttribute::NamedTuple(..) => Self::items(items)?,
                _ => return None,
            },
            TypedType::Other(other) if tuples::elements(other).is_some() => Self::items(other)?,
            TypedType::Other(other) => return Self::number(other, name),
            _ => return None,
        };
        Some(Self::Struct(name, parts))
    }

    fn items(tuple: Type) -> Option<Vec<(String, Self)>> {
        let items = tuples::elements(tuple)?.into_iter().enumerate();
        items
            .map(|(at, item)| Some((format!("f{at}"), Self::of(item)?)))
            .collect()
    }

    fn number(r#type: Type, name: String) -> Option<Self> {
        if Time::of(r#type).is_some() {
            return Some(Self::Number(name, 8, "DW_ATE_signed"));
        }
        let size = element_size(r#type) as u64;
        Some(match Number::of(r#type)? {
            Number::Bool => Self::boolean(&name),
            Number::Int { signed: true, .. } => Self::signed(&name, size),
            Number::Int { .. } => Self::Number(name, size, "DW_ATE_unsigned"),
            Number::Float(_) => Self::Number(name, size, "DW_ATE_float"),
            Number::Complex(width) => {
                let half = Self::Number(format!("float{width}"), size / 2, "DW_ATE_float");
                let parts = ["real", "imag"].map(|part| (part.to_owned(), half.clone()));
                Self::Struct(name, parts.into())
            }
        })
    }

    fn signed(name: &str, size: u64) -> Self {
        Self::Number(name.into(), size, "DW_ATE_signed")
    }

    fn int64() -> Self {
        Self::signed("int64", 8)
    }

    fn boolean(name: &str) -> Self {
        Self::Number(name.into(), 1, "DW_ATE_boolean")
    }

    fn character() -> Self {
        Self::Number("char".into(), 1, "DW_ATE_unsigned_char")
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Number(_, size, _) => *size,
            Self::Pointer(_) => 8,
            Self::Integers(count) => 8 * count,
            Self::Struct(_, parts) => {
                let end = |(part, offset): (&(String, Self), u64)| offset + part.1.size();
                let end = parts.iter().zip(self.offsets()).map(end).max();
                end.unwrap_or(0).next_multiple_of(self.alignment())
            }
        }
    }

    fn alignment(&self) -> u64 {
        match self {
            Self::Number(_, size, _) => *size,
            Self::Pointer(_) | Self::Integers(_) => 8,
            Self::Struct(_, parts) => {
                let alignments = parts.iter().map(|(_, part)| part.alignment());
                alignments.max().unwrap_or(1)
            }
        }
    }

    /// The offset of each field of a struct.
    fn offsets(&self) -> Vec<u64> {
        let Self::Struct(_, parts) = self else {
            return vec![0];
        };
        let mut end = 0u64;
        let place = |(_, part): &(String, Self)| {
            let offset = end.next_multiple_of(part.alignment());
            end = offset + part.size();
            offset
        };
        parts.iter().map(place).collect()
    }

    /// The offset of each number and pointer, in order.
    pub fn leaves(&self) -> Vec<u64> {
        match self {
            Self::Number(..) | Self::Pointer(_) => vec![0],
            Self::Integers(count) => (0..*count).map(|at| 8 * at).collect(),
            Self::Struct(_, parts) => {
                let placed = parts.iter().zip(self.offsets());
                let leaves = |((_, part), offset): (&(String, Self), u64)| {
                    let leaves = part.leaves().into_iter();
                    leaves.map(|at| offset + at).collect::<Vec<_>>()
                };
                placed.flat_map(leaves).collect()
            }
        }
    }

    /// The type in DWARF, as text of an attribute of the `llvm` dialect.
    pub fn description(&self) -> String {
        let bits = 8 * self.size();
        match self {
            Self::Number(name, _, encoding) => format!(
                "#llvm.di_basic_type<tag = DW_TAG_base_type, name = {name:?}, \
                 sizeInBits = {bits}, encoding = {encoding}>"
            ),
            Self::Pointer(element) => {
                let element = element.as_ref().map(|element| element.description());
                let base = element.map(|text| format!("baseType = {text}, "));
                let base = base.unwrap_or_default();
                format!(
                    "#llvm.di_derived_type<tag = DW_TAG_pointer_type, {base}sizeInBits = {bits}>"
                )
            }
            Self::Integers(count) => format!(
                "#llvm.di_composite_type<tag = DW_TAG_array_type, baseType = {}, \
                 sizeInBits = {bits}, elements = #llvm.di_subrange<count = {count} : i64>>",
                Self::int64().description()
            ),
            Self::Struct(name, parts) => {
                let mut elements = String::new();
                for ((name, part), offset) in parts.iter().zip(self.offsets()) {
                    let separator = if elements.is_empty() { "" } else { ", " };
                    write!(
                        elements,
                        "{separator}#llvm.di_derived_type<tag = DW_TAG_member, name = {name:?}, \
                         baseType = {}, sizeInBits = {}, offsetInBits = {}>",
                        part.description(),
                        8 * part.size(),
                        8 * offset
                    )
                    .expect("a string takes any text");
                }
                let elements = match elements.as_str() {
                    "" => String::new(),
                    _ => format!(", elements = {elements}"),
                };
                format!(
                    "#llvm.di_composite_type<tag = DW_TAG_structure_type, name = {name:?}, \
                     sizeInBits = {bits}{elements}>"
                )
            }
        }
    }
}

/// Whether debuggers can show values of a type.
pub(crate) fn is_shown(r#type: Type) -> bool {
    Shape::of(r#type).is_some()
}
