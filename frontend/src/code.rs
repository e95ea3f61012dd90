//! Code objects.

use crate::{
    opcodes::{self, CallMark, Layout, Op, OpcodeInfo},
    tables::{ExceptionHandler, Position, TableError},
    value::Value,
    version::Version,
};
use pyopt_dialects::enums::FunctionKind;
use serde::Serialize;
use std::{fmt, sync::Arc};

/// `co_flags`: locals are numbered, not looked up by name.
const FLAG_OPTIMIZED: u32 = 0x01;
/// `co_flags`: the function takes `*args`.
const FLAG_VARARGS: u32 = 0x04;
/// `co_flags`: the function takes `**kwargs`.
const FLAG_VARKEYWORDS: u32 = 0x08;
/// `co_flags`: calling the function makes a generator.
const FLAG_GENERATOR: u32 = 0x20;
/// `co_flags`: calling the function makes a coroutine.
const FLAG_COROUTINE: u32 = 0x80;
/// `co_flags`: a generator that coroutines may await, by `types.coroutine`.
const FLAG_ITERABLE_COROUTINE: u32 = 0x100;
/// `co_flags`: calling the function makes an asynchronous generator.
const FLAG_ASYNC_GENERATOR: u32 = 0x200;

/// Bits of `co_localspluskinds`.
pub(crate) const KIND_LOCAL: u8 = 0x20;
pub(crate) const KIND_CELL: u8 = 0x40;
pub(crate) const KIND_FREE: u8 = 0x80;

/// A CPython code object.
#[derive(Clone, PartialEq, Serialize)]
pub struct CodeObject {
    /// The CPython version whose bytecode this is.
    pub version: Version,
    /// The number of positional parameters, with positional-only ones, without `*args`.
    pub argument_count: u32,
    /// The number of positional-only parameters.
    pub positional_only_count: u32,
    /// The number of keyword-only parameters, without `**kwargs`.
    pub keyword_only_count: u32,
    /// The deepest stack that the code needs, as CPython computed it.
    pub stack_size: u32,
    /// `co_flags`.
    pub flags: u32,
    /// The instructions, with inline caches.
    pub bytecode: Arc<[u8]>,
    /// `co_consts`.
    pub constants: Arc<[Value]>,
    /// `co_names`: names of globals and attributes.
    pub names: Arc<[Arc<str>]>,
    /// `co_localsplusnames`: parameters, locals, cells and free variables.
    pub local_names: Arc<[Arc<str>]>,
    /// `co_localspluskinds`: one byte for each local.
    pub local_kinds: Arc<[u8]>,
    /// The source file.
    pub filename: Arc<str>,
    /// The function's name.
    pub name: Arc<str>,
    /// The function's name with the names of what it is nested in.
    pub qualified_name: Arc<str>,
    /// The line of the `def`, or of its first decorator.
    pub first_line: i32,
    /// `co_linetable`, see [`CodeObject::positions`].
    pub line_table: Arc<[u8]>,
    /// `co_exceptiontable`, see [`CodeObject::exception_handlers`].
    pub exception_table: Arc<[u8]>,
}

impl fmt::Debug for CodeObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            qualified_name,
            filename,
            first_line,
            ..
        } = self;
        write!(
            formatter,
            "<code object {qualified_name}, file \"{filename}\", line {first_line}>"
        )
    }
}

impl CodeObject {
    /// Whether the function takes `*args`.
    pub fn has_varargs(&self) -> bool {
        self.flags & FLAG_VARARGS != 0
    }

    /// Whether the function takes `**kwargs`.
    pub fn has_varkeywords(&self) -> bool {
        self.flags & FLAG_VARKEYWORDS != 0
    }

    /// What a call makes.
    pub fn kind(&self) -> FunctionKind {
        match self.flags & (FLAG_GENERATOR | FLAG_COROUTINE | FLAG_ASYNC_GENERATOR) {
            0 => FunctionKind::Function,
            FLAG_GENERATOR => FunctionKind::Generator,
            FLAG_COROUTINE => FunctionKind::Coroutine,
            _ => FunctionKind::AsyncGenerator,
        }
    }

    /// Whether the code may delegate to a coroutine, as one itself or by `types.coroutine`.
    pub fn may_await(&self) -> bool {
        self.flags & (FLAG_COROUTINE | FLAG_ITERABLE_COROUTINE) != 0
    }

    /// `co_varnames`: parameters and other locals, also those in cells that began as locals.
    pub fn variable_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names_of_kind(KIND_LOCAL)
    }

    /// `co_cellvars`: variables that inner functions use.
    pub fn cell_names(&self) -> impl Iterator<Item = &Arc<str>> {
        let mut names: Vec<_> = self.names_of_kind(KIND_CELL).collect();
        if self.layout() == Layout::Apart {
            names.sort();
        }
        names.into_iter()
    }

    /// How code of this version numbers variables.
    fn layout(&self) -> Layout {
        opcodes::table(self.version).map_or(Layout::Joined, |table| table.layout)
    }

    /// The local that each cell and free variable is, where they are numbered apart from locals.
    pub(crate) fn cells_apart(&self) -> Vec<usize> {
        cells_apart(&self.local_names, &self.local_kinds)
    }

    fn names_of_kind(&self, kind: u8) -> impl Iterator<Item = &Arc<str>> {
        let kinds = self.local_names.iter().zip(self.local_kinds.iter());
        kinds
            .filter(move |(_, kinds)| **kinds & kind != 0)
            .map(|(name, _)| name)
    }

    /// The flags of a plain function that has the same names: no generator, no starred parameters.
    pub fn plain_flags(&self) -> u32 {
        let generators = FLAG_GENERATOR | FLAG_COROUTINE | FLAG_ITERABLE_COROUTINE;
        self.flags & !(generators | FLAG_ASYNC_GENERATOR | FLAG_VARARGS | FLAG_VARKEYWORDS)
    }

    /// `co_localspluskinds` with a free variable more at the end.
    pub fn kinds_with_free(&self) -> Vec<u8> {
        [&self.local_kinds, &[KIND_FREE][..]].concat()
    }

    /// Whether names live in a mapping that comes with the call: the body of a class or module.
    pub fn has_namespace(&self) -> bool {
        self.flags & FLAG_OPTIMIZED == 0
    }

    /// The number of locals that a call fills: parameters, `*args` and `**kwargs`.
    pub fn parameter_count(&self) -> usize {
        self.argument_count as usize
            + self.keyword_only_count as usize
            + usize::from(self.has_varargs())
            + usize::from(self.has_varkeywords())
    }

    /// The names of the parameters, in the order of the locals: positional, keyword-only, `*args`,
    /// `**kwargs`.
    pub fn parameters(&self) -> &[Arc<str>] {
        &self.local_names[..self.parameter_count()]
    }

    /// Whether a local is a plain one, neither a cell nor a free variable.
    pub fn is_fast_local(&self, index: usize) -> bool {
        self.local_kinds
            .get(index)
            .is_some_and(|kind| kind & (KIND_CELL | KIND_FREE) == 0 && kind & KIND_LOCAL != 0)
    }

    /// Whether a local lives in a cell because an inner function uses it.
    pub fn is_cell(&self, index: usize) -> bool {
        self.local_kinds
            .get(index)
            .is_some_and(|kind| kind & KIND_CELL != 0)
    }

    /// Whether a local belongs to an enclosing function.
    pub fn is_free(&self, index: usize) -> bool {
        self.local_kinds
            .get(index)
            .is_some_and(|kind| kind & KIND_FREE != 0)
    }

    /// Whether there is a `with` statement, or what could be one: a quick look.
    pub fn has_with(&self) -> bool {
        let is_with = |number: u8| {
            let row = opcodes::table(self.version).and_then(|table| table.get(number));
            let is_entered = |row: &OpcodeInfo| matches!(row.name, "LOAD_SPECIAL" | "SETUP_WITH");
            row.is_some_and(|row| row.is(Op::BeforeWith) || is_entered(row))
        };
        self.bytecode.chunks(2).any(|unit| is_with(unit[0]))
    }

    /// How deep below the merged keywords the function lies that gets them, where `argument` is the
    /// depth of their dictionary.
    pub(crate) fn merge_callee(&self, argument: usize) -> usize {
        let mark = opcodes::table(self.version).map(|table| table.call_mark);
        argument + if mark == Some(CallMark::Above) { 3 } else { 2 }
    }

    /// Whether a call of `super` without arguments works here: there is a parameter and the cell
    /// `__class__`.
    pub fn may_call_super(&self) -> bool {
        self.argument_count != 0 && self.free_names().any(|name| &**name == "__class__")
    }

    /// The names of the free variables, in the order of the closure tuple.
    pub fn free_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names_of_kind(KIND_FREE)
    }

    /// The source position of each code unit; none for a version without an opcode table.
    pub fn positions(&self) -> Result<Vec<Position>, TableError> {
        let units = self.bytecode.len() / 2;
        match opcodes::table(self.version) {
            Some(table) => (table.positions)(&self.line_table, self.first_line, units),
            None => Ok(Vec::new()),
        }
    }

    /// The protected ranges of the code, in table order; none for a version without an opcode
    /// table.
    pub fn exception_handlers(&self) -> Result<Vec<ExceptionHandler>, TableError> {
        match opcodes::table(self.version) {
            Some(table) => (table.exception_handlers)(&self.exception_table),
            None => Ok(Vec::new()),
        }
    }
}

/// The local that each cell, in the order of their names, and each free variable is.
pub(crate) fn cells_apart(names: &[Arc<str>], kinds: &[u8]) -> Vec<usize> {
    let of_kind = |kind: u8| (0..kinds.len()).filter(move |&local| kinds[local] & kind != 0);
    let mut cells: Vec<usize> = of_kind(KIND_CELL).collect();
    cells.sort_by(|&left, &right| names[left].cmp(&names[right]));
    cells.extend(of_kind(KIND_FREE));
    cells
}
