//! What the global names of a module mean, found without running it.
//!
//! The module's code is executed abstractly: imports, function definitions with their decorators,
//! and assignments of constants are understood; everything else gives an unknown value that
//! remembers why. Only code that certainly runs, once and not under `try`, counts: what other code
//! assigns is unknown. Functions see the value that a name has when the module has run.

mod calls;
mod execution;

use crate::{
    bytecode, code::CodeObject, diagnostic::Diagnostic, opcodes::Op, tables::Position, value::Value,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub use calls::DecoratorKind;

/// The value of a name, or of a stack slot, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A constant.
    Constant(Value),
    /// A module, by its import name.
    Module(String),
    /// An object of a module or a builtin, by its qualified name.
    Named(String),
    /// A function of this module, by its index in [`Namespace::functions`].
    Function(usize),
    /// A stencil with a function of this module as its kernel, and the decorator's options.
    Stencil(usize, Vec<(String, Meaning)>),
    /// A decorator with its options, to be applied to a function.
    Decorator(DecoratorKind, Vec<(String, Meaning)>),
    /// A package that an `import` statement without `as` binds: the whole dotted name and how much
    /// of it is meant.
    Package(String, usize),
    /// A tuple with parts that are no constants.
    Tuple(Vec<Meaning>),
    /// A dictionary with constant keys.
    Map(Vec<(Value, Meaning)>),
    /// Code that is not a function yet.
    Code(Arc<CodeObject>),
    /// The mark that calls have below a function.
    Null,
    /// Something else, and why.
    Unknown(String),
}

/// A function that the module defines.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The code.
    pub code: Arc<CodeObject>,
    /// Default values of the last positional parameters.
    pub defaults: Vec<Meaning>,
    /// Default values of keyword-only parameters.
    pub keyword_defaults: Vec<(String, Meaning)>,
    /// The options of `jit` or `njit`, if one of those decorates the function.
    pub options: Option<Vec<(String, Meaning)>>,
}

/// What executing a module abstractly gave.
#[derive(Clone, Debug, Default)]
pub struct Namespace {
    /// The global names and what they mean.
    pub names: BTreeMap<String, Meaning>,
    /// The functions, in the order of their definition.
    pub functions: Vec<Definition>,
    /// What deserves a word, with its place.
    pub notes: Vec<(Position, String)>,
}

impl Namespace {
    /// Executes a module's code abstractly.
    pub fn new(module: &CodeObject) -> Result<Self, Diagnostic> {
        let mut namespace = execution::execute(module)?;
        let mut assigned = BTreeMap::new();
        for function in module.constants.iter().filter_map(Value::as_code) {
            collect_assigned(function, &mut assigned)?;
        }
        for (name, function) in assigned {
            let reason = format!("it is assigned in the function '{function}'");
            namespace.names.insert(name, Meaning::Unknown(reason));
        }
        Ok(namespace)
    }

    /// The functions that names of the module mean, ascending.
    pub fn reachable_functions(&self) -> BTreeSet<usize> {
        let function = |meaning: &Meaning| match *meaning {
            Meaning::Function(index) | Meaning::Stencil(index, _) => Some(index),
            _ => None,
        };
        self.names.values().filter_map(function).collect()
    }
}

/// The names of the globals that a function, or a function inside it, reads, and where each is read
/// first.
pub fn global_names(code: &CodeObject) -> Result<BTreeMap<String, Position>, Diagnostic> {
    let mut names = BTreeMap::new();
    for instruction in bytecode::decode(code)?
        .iter()
        .filter(|instruction| instruction.op() == Op::LoadGlobal)
    {
        if let Some(name) = code.names.get(instruction.index() >> 1) {
            names
                .entry(name.to_string())
                .or_insert(instruction.position);
        }
    }
    for inner in code.constants.iter().filter_map(Value::as_code) {
        for (name, position) in global_names(inner)? {
            names.entry(name).or_insert(position);
        }
    }
    Ok(names)
}

/// The chains `name.attribute…` that a function, or a function inside it, reads from globals.
pub fn global_attributes(code: &CodeObject) -> Result<BTreeSet<Vec<String>>, Diagnostic> {
    let mut paths = BTreeSet::new();
    let mut path: Vec<String> = Vec::new();
    for instruction in bytecode::decode(code)? {
        let name = |shift: u32| {
            code.names
                .get(instruction.index() >> shift)
                .map(|name| name.to_string())
        };
        match instruction.op() {
            Op::LoadGlobal => path = name(1).into_iter().collect(),
            Op::LoadAttr | Op::LoadMethod if !path.is_empty() => path.extend(name(0)),
            _ => path.clear(),
        }
        if path.len() > 1 {
            paths.insert(path.clone());
        }
    }
    for inner in code.constants.iter().filter_map(Value::as_code) {
        paths.extend(global_attributes(inner)?);
    }
    Ok(paths)
}

/// The globals that a function, or a function inside it, assigns or deletes, with the function's
/// name.
fn collect_assigned(
    code: &CodeObject,
    assigned: &mut BTreeMap<String, String>,
) -> Result<(), Diagnostic> {
    for instruction in bytecode::decode(code)? {
        if matches!(instruction.op(), Op::StoreGlobal | Op::DeleteGlobal) {
            let name = code.names.get(instruction.index());
            assigned.extend(name.map(|name| (name.to_string(), code.qualified_name.to_string())));
        }
    }
    code.constants
        .iter()
        .filter_map(Value::as_code)
        .try_for_each(|inner| collect_assigned(inner, assigned))
}
