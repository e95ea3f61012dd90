//! The Rust views of operations: a type an operation, with its operands, results, regions,
//! successors and attributes by name, and a function that makes it.

mod access;
mod create;
mod enums;
mod types;

use crate::model::{Dialect, Operation};
use std::fmt::{self, Write};

/// The module that views are made of.
const VIEW: &str = "::pyopt_dialects::view";

/// Writes a module a dialect, and the identities of the operations of all of them, which the C++ function
/// `identities` tells.
pub fn write(dialects: &[Dialect], identities: &str) -> String {
    let mut text = String::new();
    let mut first = 0;
    let written = dialects.iter().try_for_each(|dialect| {
        writeln!(text, "/// Operations of the dialect `{}`.", dialect.name)?;
        writeln!(text, "pub mod {} {{\nuse {VIEW} as v;\n", dialect.name)?;
        for (index, operation) in (first..).zip(&dialect.operations) {
            write_operation(&mut text, operation, index)?;
        }
        write_union(&mut text, dialect, first)?;
        for one in dialect.enums.values() {
            enums::write(&mut text, dialect.name, one)?;
        }
        for one in &dialect.types {
            types::write(&mut text, dialect.name, one)?;
        }
        first += dialect.operations.len();
        writeln!(text, "}}\n")
    });
    written
        .and_then(|()| write_identities(&mut text, identities, first))
        .expect("text can be written");
    text
}

/// The table of the operations' identities.
fn write_identities(text: &mut String, function: &str, count: usize) -> fmt::Result {
    write!(
        text,
        r#"
/// The identities of the operations that have views.
static IDENTITIES: {VIEW}::Identities = {{
    unsafe extern "C" {{
        #[link_name = {function:?}]
        fn fill(identities: *mut *const ::std::ffi::c_void);
    }}
    // SAFETY: the C++ function, generated from the same tables, writes this many.
    unsafe {{ {VIEW}::Identities::new(fill, {count}) }}
}};
"#
    )
}

fn write_operation(text: &mut String, operation: &Operation, index: usize) -> fmt::Result {
    let Operation { name, mnemonic, .. } = operation;
    let summary = match operation.summary.as_str() {
        "" => String::new(),
        summary => format!(
            ": {}",
            summary.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
    };
    write!(
        text,
        r#"
#[doc = {doc:?}]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct {name}<'c, 'a>(v::OperationRef<'c, 'a>);
impl<'c: 'a, 'a> v::OpView<'c, 'a> for {name}<'c, 'a> {{
    const NAME: &'static str = {mnemonic:?};
    const INDEX: usize = {index};
    #[inline]
    fn identities() -> &'static v::Identities {{ &super::IDENTITIES }}
    #[inline]
    fn assume(operation: v::OperationRef<'c, 'a>) -> Self {{ Self(operation) }}
    #[inline]
    fn operation(self) -> v::OperationRef<'c, 'a> {{ self.0 }}
}}
impl<'c, 'a> ::std::ops::Deref for {name}<'c, 'a> {{
    type Target = v::OperationRef<'c, 'a>;
    #[inline]
    fn deref(&self) -> &Self::Target {{ &self.0 }}
}}
impl<'c: 'a, 'a> {name}<'c, 'a> {{
    /// The name in the IR.
    pub const NAME: &'static str = {mnemonic:?};
    /// The view of an operation that is one of these.
    #[inline]
    pub fn of(operation: v::OperationRef<'c, 'a>) -> Option<Self> {{
        <Self as v::OpView>::of(operation)
    }}
    /// The view of the operation that a value is a result of, if that is one of these.
    #[inline]
    pub fn defining(value: v::Value<'c, 'a>) -> Option<Self> {{
        <Self as v::OpView>::defining(value)
    }}
    /// The operation.
    #[inline]
    pub fn operation(self) -> v::OperationRef<'c, 'a> {{ self.0 }}
"#,
        doc = format!("`{mnemonic}`{summary}"),
    )?;
    create::write(text, operation)?;
    access::write(text, operation)?;
    writeln!(text, "}}")
}

/// The enum of a dialect's operations.
fn write_union(text: &mut String, dialect: &Dialect, first: usize) -> fmt::Result {
    let names = || dialect.operations.iter().map(|operation| &operation.name);
    writeln!(
        text,
        "\n/// An operation of the dialect `{}`, for `match`.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[allow(missing_docs)]\n\
         pub enum Op<'c, 'a> {{",
        dialect.name
    )?;
    for name in names() {
        writeln!(text, "{name}({name}<'c, 'a>),")?;
    }
    writeln!(
        text,
        "}}\nimpl<'c: 'a, 'a> Op<'c, 'a> {{\n\
         /// The view of an operation of this dialect.\n\
         pub fn of(operation: v::OperationRef<'c, 'a>) -> Option<Self> {{\n\
         Some(match super::IDENTITIES.index(operation)? {{"
    )?;
    for (index, name) in (first..).zip(names()) {
        writeln!(text, "{index} => Self::{name}({name}(operation)),")?;
    }
    writeln!(
        text,
        "_ => return None,\n}})\n}}\n\
         /// The view of the operation that a value is a result of, if that is of this dialect.\n\
         pub fn defining(value: v::Value<'c, 'a>) -> Option<Self> {{\n\
         Self::of(v::owner(value)?)\n}}\n}}"
    )
}

/// Writes the enum of the operations of all dialects.
pub fn write_any(dialects: &[Dialect]) -> String {
    let mut text = String::new();
    write_union_of_all(&mut text, dialects).expect("text can be written");
    text
}

fn write_union_of_all(text: &mut String, dialects: &[Dialect]) -> fmt::Result {
    writeln!(
        text,
        "/// An operation of any dialect with views, for `match`.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[allow(missing_docs)]\n\
         pub enum AnyOp<'c, 'a> {{"
    )?;
    for dialect in dialects {
        let variant = variant(dialect.name);
        writeln!(text, "{variant}({}::Op<'c, 'a>),", dialect.name)?;
    }
    writeln!(
        text,
        "/// An operation of another dialect.\nOther({VIEW}::OperationRef<'c, 'a>),\n}}\n\
         impl<'c: 'a, 'a> AnyOp<'c, 'a> {{\n\
         /// The view of an operation.\n\
         pub fn of(operation: {VIEW}::OperationRef<'c, 'a>) -> Self {{\n\
         let found = match IDENTITIES.index(operation) {{"
    )?;
    let mut first = 0;
    for dialect in dialects {
        let last = first + dialect.operations.len();
        let variant = variant(dialect.name);
        writeln!(
            text,
            "Some({first}..{last}) => {}::Op::of(operation).map(Self::{variant}),",
            dialect.name
        )?;
        first = last;
    }
    writeln!(
        text,
        "_ => None,\n}};\nfound.unwrap_or(Self::Other(operation))\n}}\n}}"
    )
}

fn variant(dialect: &str) -> String {
    dialect[..1].to_uppercase() + &dialect[1..]
}

/// A name as an identifier.
fn identifier(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do",
        "dyn", "else", "enum", "extern", "final", "fn", "for", "gen", "if", "impl", "in", "let",
        "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
        "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
        "virtual", "where", "while", "yield",
    ];
    match name {
        // Those are the views' own.
        "of" | "operation" | "create" | "defining" | "self" => format!("{name}_part"),
        name if KEYWORDS.contains(&name) => format!("r#{name}"),
        name => name.to_owned(),
    }
}
