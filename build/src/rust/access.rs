//! Reading and changing an operation.

use super::identifier;
use crate::model::{Arity, Attribute, Group, IntegerKind, Kind, Operation, Presence, snake};
use std::fmt::{self, Write};

/// Writes the accessors of an operation.
pub fn write(text: &mut String, operation: &Operation) -> fmt::Result {
    let operands: Vec<Group> = operation.operands().into_iter().cloned().collect();
    write_values(text, "operand", &operands, operation.operand_segments)?;
    write_values(
        text,
        "result",
        &operation.results,
        operation.result_segments,
    )?;
    write_parts(text, "region", "RegionRef", &operation.regions)?;
    write_parts(text, "successor", "BlockRef", &operation.successors)?;
    let mut attributes = operation.attributes();
    attributes.try_for_each(|attribute| write_attribute(text, attribute))
}

/// Operands or results.
fn write_values(text: &mut String, what: &str, groups: &[Group], segments: bool) -> fmt::Result {
    let is_operand = what == "operand";
    let variadic = |group: &&Group| group.arity != Arity::One;
    for (at, group) in groups.iter().enumerate() {
        let name = identifier(&group.name);
        let plain = &group.name;
        let before = groups[..at].iter().filter(variadic).count();
        if before == 0 && group.arity == Arity::One && is_operand {
            let constant = plain.to_uppercase();
            writeln!(
                text,
                "/// The position of `{plain}` among the operands.\n\
                 pub const {constant}_OPERAND: usize = {at};"
            )?;
        }
        // Without an attribute that tells the sizes all variadic groups are equally long.
        let count = groups.iter().filter(variadic).count();
        let range = match segments {
            true => format!("v::{what}_segment(self.0, {at})"),
            false => format!(
                "v::{what}_range(self.0, {at}, {before}, {count}, {}, {})",
                groups.len(),
                group.arity != Arity::One
            ),
        };
        match group.arity {
            Arity::One => {
                let index = match before {
                    0 => at.to_string(),
                    _ => format!("{range}.start"),
                };
                writeln!(
                    text,
                    "/// The {what} `{plain}`.\n#[inline]\n\
                     pub fn {name}(self) -> v::Value<'c, 'a> {{ v::{what}(self.0, {index}) }}"
                )?;
                if is_operand {
                    writeln!(
                        text,
                        "/// Replaces the operand `{plain}`.\n\
                         pub fn set_{plain}(self, value: v::Value<'c, '_>) {{ \
                         v::set_operand(self.0, {index}, value) }}"
                    )?;
                }
            }
            Arity::Optional | Arity::Variadic => {
                let (r#type, read) = match group.arity {
                    Arity::Optional => ("Option<v::Value<'c, 'a>>", "optional_"),
                    _ => ("Vec<v::Value<'c, 'a>>", ""),
                };
                writeln!(
                    text,
                    "/// The {what}s `{plain}`.\n\
                     pub fn {name}(self) -> {type} {{ v::{read}{what}s(self.0, self.{plain}_range()) }}\n\
                     /// The positions of `{plain}` among the {what}s.\n\
                     pub fn {plain}_range(self) -> ::std::ops::Range<usize> {{ {range} }}"
                )?;
                if is_operand {
                    let segment = if segments {
                        format!("Some({at})")
                    } else {
                        "None".into()
                    };
                    writeln!(
                        text,
                        "/// Replaces the operands `{plain}`.\n\
                         pub fn set_{plain}(self, values: &[v::Value<'c, 'a>]) {{ \
                         v::set_operands(self.0, self.{plain}_range(), {segment}, values) }}"
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// Regions or successors.
fn write_parts(text: &mut String, what: &str, class: &str, groups: &[Group]) -> fmt::Result {
    for (at, group) in groups.iter().enumerate() {
        let plain = &group.name;
        let name = identifier(plain);
        match group.arity {
            Arity::One => writeln!(
                text,
                "/// The {what} `{plain}`.\n#[inline]\n\
                 pub fn {name}(self) -> v::{class}<'c, 'a> {{ v::{what}(self.0, {at}) }}"
            )?,
            _ => writeln!(
                text,
                "/// The {what}s `{plain}`.\n\
                 pub fn {name}(self) -> Vec<v::{class}<'c, 'a>> {{ v::{what}s(self.0, {at}) }}"
            )?,
        }
    }
    Ok(())
}

fn write_attribute(text: &mut String, attribute: &Attribute) -> fmt::Result {
    let key = &attribute.key;
    let plain = snake(key);
    let name = identifier(&plain);
    let class = class(&attribute.kind, "'c");
    let given = parameter(&attribute.kind);
    let constant = plain.to_uppercase();
    writeln!(
        text,
        "/// The key of the attribute `{key}`.\npub const {constant}_ATTR: &'static str = {key:?};"
    )?;
    let (r#type, read) = match (&attribute.kind, attribute.presence) {
        (Kind::Unit, _) => (
            "bool".to_owned(),
            format!("v::has_attribute(self.0, {key:?})"),
        ),
        (_, Presence::Optional) => (
            format!("Option<{class}>"),
            format!("v::optional_attribute(self.0, {key:?})"),
        ),
        _ => (class, format!("v::attribute(self.0, {key:?})")),
    };
    writeln!(
        text,
        "/// The attribute `{key}`.\npub fn {name}(self) -> {type} {{ {read} }}"
    )?;
    let (parameter, value) = match (&attribute.kind, attribute.presence) {
        (Kind::Unit, _) => ("bool".to_owned(), "value.then_some(v::Unit)".to_owned()),
        (kind, Presence::Optional) => (format!("Option<{given}>"), given_or_nothing(kind)),
        (kind, _) => (given, format!("Some({})", wrapped(kind, "value"))),
    };
    writeln!(
        text,
        "/// Sets the attribute `{key}`.\n\
         pub fn set_{plain}(self, value: {parameter}) {{ v::set_attribute(self.0, {key:?}, {value}) }}"
    )
}

/// The type that an attribute is read as.
fn class(kind: &Kind, context: &str) -> String {
    match kind {
        Kind::Text | Kind::Symbol => format!("&{context} str"),
        Kind::Bytes => format!("&{context} [u8]"),
        Kind::Integer(_) => "i64".to_owned(),
        Kind::Bool | Kind::Unit => "bool".to_owned(),
        Kind::Type => format!("v::Type<{context}>"),
        Kind::Array => format!("Vec<v::Attribute<{context}>>"),
        Kind::I64s => "Vec<i64>".to_owned(),
        Kind::F64s => "Vec<f64>".to_owned(),
        Kind::I32s => "Vec<i32>".to_owned(),
        Kind::Enum(name) => name.clone(),
        Kind::Parts(path) => format!("{path}<{context}>"),
        Kind::Other => format!("v::Attribute<{context}>"),
    }
}

/// The type that an attribute is given as.
pub fn parameter(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Symbol => "&str".to_owned(),
        Kind::Bytes => "&[u8]".to_owned(),
        Kind::Array => "&[v::Attribute<'c>]".to_owned(),
        Kind::I64s => "&[i64]".to_owned(),
        Kind::F64s => "&[f64]".to_owned(),
        Kind::I32s => "&[i32]".to_owned(),
        kind => class(kind, "'c"),
    }
}

/// What makes an attribute of a value of that type.
pub fn wrapped(kind: &Kind, value: &str) -> String {
    use IntegerKind::{Index, Signed, Signless};
    match kind {
        Kind::Symbol => format!("v::Symbol({value})"),
        Kind::Integer(Signless(width)) => format!("v::Integer({value}, {width})"),
        Kind::Integer(Signed(width)) => format!("v::SignedInteger({value}, {width})"),
        Kind::Integer(Index) => format!("v::IndexInteger({value})"),
        Kind::Unit => "v::Unit".to_owned(),
        _ => value.to_owned(),
    }
}

/// What makes an attribute of a value that may be missing.
fn given_or_nothing(kind: &Kind) -> String {
    match (kind, wrapped(kind, "value").as_str()) {
        (_, "value") => "value".to_owned(),
        (Kind::Symbol, _) => "value.map(v::Symbol)".to_owned(),
        (Kind::Integer(IntegerKind::Index), _) => "value.map(v::IndexInteger)".to_owned(),
        (_, value) => format!("value.map(|value| {value})"),
    }
}
