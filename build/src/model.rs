//! What the generators know of a dialect: its operations and enums.

mod read;

use std::collections::BTreeMap;

/// A dialect.
pub struct Dialect {
    /// Its name in the IR.
    pub name: &'static str,
    /// Its operations, by the names of their definitions.
    pub operations: Vec<Operation>,
    /// The enums that attributes of its operations hold.
    pub enums: BTreeMap<String, Enum>,
    /// The names of all views, which enums may not have.
    taken: Vec<String>,
    /// Its types.
    pub types: Vec<TypeDef>,
    /// The dialects whose modules stand beside its own.
    siblings: Vec<&'static str>,
    /// Whether `mlir-tblgen` knows the interface by which types of results are inferred.
    infers: bool,
}

/// An operation.
pub struct Operation {
    /// Its definition's name without the dialect and `Op`: the name of its view.
    pub name: String,
    /// Its C++ class.
    pub class: String,
    /// Its name in the IR.
    pub mnemonic: String,
    /// One line about it.
    pub summary: String,
    /// Operands and attributes, in the order of their definition.
    pub arguments: Vec<Argument>,
    pub results: Vec<Group>,
    pub regions: Vec<Group>,
    pub successors: Vec<Group>,
    /// Whether an attribute tells how many operands each group has.
    pub operand_segments: bool,
    /// Whether an attribute tells how many results each group has.
    pub result_segments: bool,
    /// Whether the types of all results follow from the rest.
    pub infers_results: bool,
}

/// How many values, regions or blocks belong to one name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    One,
    Optional,
    Variadic,
}

/// Values, regions or blocks under one name.
#[derive(Clone)]
pub struct Group {
    pub name: String,
    pub arity: Arity,
}

/// An operand or attribute.
pub enum Argument {
    Operand(Group),
    Attribute(Attribute),
}

/// An attribute of an operation.
pub struct Attribute {
    /// Its name in the IR.
    pub key: String,
    pub kind: Kind,
    pub presence: Presence,
}

/// Whether an attribute is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    Optional,
    /// A new operation has the default.
    Defaulted,
}

/// What an attribute holds.
#[derive(Clone, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// A string of any bytes.
    Bytes,
    Symbol,
    /// An integer of this type.
    Integer(IntegerKind),
    Bool,
    Unit,
    Type,
    Array,
    I64s,
    F64s,
    I32s,
    /// An enum, by its name in Rust; that of another dialect with the dialect's module.
    Enum(String),
    /// An attribute with parts, by the path of the type that stands for it in Rust.
    Parts(String),
    /// Anything else, as it is.
    Other,
}

/// The type of an integer attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IntegerKind {
    Signless(i64),
    Signed(i64),
    Index,
}

/// An enum.
#[derive(Clone)]
pub struct Enum {
    /// The name of its C++ class.
    pub name: String,
    /// Its C++ class with namespaces.
    pub class: String,
    pub summary: String,
    pub cases: Vec<Case>,
    pub storage: Storage,
    /// Whether values are sets of cases, which are bits.
    pub is_set: bool,
}

/// How an enum is an attribute.
#[derive(Clone)]
pub enum Storage {
    /// An integer of this many bits.
    Integer(i64),
    /// An attribute of this C++ class.
    Own(String),
}

/// A case of an enum.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub keyword: String,
    pub value: i64,
}

/// A type of a dialect.
pub struct TypeDef {
    /// The name of its C++ class without `Type`.
    pub name: String,
    /// Its C++ class with namespaces.
    pub class: String,
    pub summary: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a type.
pub struct Parameter {
    pub name: String,
    /// What it holds; `None` for what has no counterpart in Rust.
    pub kind: Option<ParameterKind>,
}

/// What a parameter of a type holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number or truth value.
    Number,
    Type,
    Attribute,
}

impl Operation {
    /// The groups of operands.
    pub fn operands(&self) -> Vec<&Group> {
        let arguments = self.arguments.iter();
        arguments
            .filter_map(|argument| match argument {
                Argument::Operand(group) => Some(group),
                Argument::Attribute(_) => None,
            })
            .collect()
    }

    /// The attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Attribute(attribute) => Some(attribute),
            Argument::Operand(_) => None,
        })
    }
}

/// `for_iter` or `forIter` as `ForIter`.
pub fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

/// `initArgs` as `init_args`.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !text.is_empty() && !text.ends_with('_') {
            text.push('_');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}
