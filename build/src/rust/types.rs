//! Types of a dialect.

use super::identifier;
use crate::model::{Parameter, ParameterKind, TypeDef};
use std::fmt::{self, Write};

/// Writes a type: how to recognise it, its parameters, and a function that makes it where all of its
/// parameters have a counterpart in Rust.
pub fn write(text: &mut String, dialect: &str, one: &TypeDef) -> fmt::Result {
    let TypeDef { name, summary, .. } = one;
    let class = format!("{name}Type");
    let function = |what: &str| format!("pyoptType{what}_{dialect}_{name}");
    let summary = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    write!(
        text,
        r#"
#[doc = {summary:?}]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct {class}<'c>(pub v::Type<'c>);
impl<'c> {class}<'c> {{
    /// The type, if it is one of these.
    pub fn of(r#type: v::Type<'c>) -> Option<Self> {{
        unsafe extern "C" {{
            #[link_name = {is:?}]
            fn is(r#type: v::MlirType) -> bool;
        }}
        // SAFETY: any type may be asked.
        unsafe {{ is(v::TypeLike::to_raw(&r#type)) }}.then_some(Self(r#type))
    }}
"#,
        is = function("Is")
    )?;
    let kinds: Option<Vec<_>> = (one.parameters.iter())
        .map(|parameter| Some((identifier(&parameter.name), parameter.kind?)))
        .collect();
    if let Some(parameters) = kinds {
        write_get(text, &function("Get"), &parameters)?;
    }
    for Parameter { name, kind } in &one.parameters {
        if let Some(kind) = kind {
            write_parameter(text, &function(&format!("_{name}")), name, *kind)?;
        }
    }
    writeln!(text, "}}")
}

fn write_get(
    text: &mut String,
    function: &str,
    parameters: &[(String, ParameterKind)],
) -> fmt::Result {
    let list = |write: &dyn Fn(&str, ParameterKind) -> String| -> String {
        parameters
            .iter()
            .map(|(name, kind)| write(name, *kind))
            .collect()
    };
    let given = list(&|name, kind| format!("{name}: {}, ", safe(kind)));
    let raw_given = list(&|name, kind| format!("{name}: {}, ", raw(kind)));
    let handed = list(&|name, kind| match kind {
        ParameterKind::Number => format!("{name}, "),
        ParameterKind::Type => format!("v::TypeLike::to_raw(&{name}), "),
        ParameterKind::Attribute => format!("v::AttributeLike::to_raw(&{name}), "),
    });
    write!(
        text,
        r#"    /// The type of these parameters.
    pub fn get(context: &'c v::Context, {given}) -> Self {{
        unsafe extern "C" {{
            #[link_name = {function:?}]
            fn get(context: v::MlirContext, {raw_given}) -> v::MlirType;
        }}
        // SAFETY: what is handed over is of this context.
        Self(unsafe {{ v::Type::from_raw(get(context.to_raw(), {handed})) }})
    }}
"#
    )
}

fn write_parameter(
    text: &mut String,
    function: &str,
    name: &str,
    kind: ParameterKind,
) -> fmt::Result {
    let identifier = identifier(name);
    let class = safe(kind);
    let raw = raw(kind);
    let value = match kind {
        ParameterKind::Number => "read(raw)",
        ParameterKind::Type => "v::Type::from_raw(read(raw))",
        ParameterKind::Attribute => "v::Attribute::from_raw(read(raw))",
    };
    write!(
        text,
        r#"    /// The parameter `{name}`.
    pub fn {identifier}(self) -> {class} {{
        unsafe extern "C" {{
            #[link_name = {function:?}]
            fn read(r#type: v::MlirType) -> {raw};
        }}
        let raw = v::TypeLike::to_raw(&self.0);
        // SAFETY: the type is one of these.
        unsafe {{ {value} }}
    }}
"#
    )
}

fn safe(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Number => "i64",
        ParameterKind::Type => "v::Type<'c>",
        ParameterKind::Attribute => "v::Attribute<'c>",
    }
}

fn raw(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Number => "i64",
        ParameterKind::Type => "v::MlirType",
        ParameterKind::Attribute => "v::MlirAttribute",
    }
}
