//! Code objects in marshal data.

use super::{Reader, Result, Weighed, qualified_names};
use crate::{
    code::{CodeObject, KIND_CELL, KIND_FREE, KIND_LOCAL},
    opcodes::{self, Layout},
    value::Value,
};
use std::{collections::HashSet, sync::Arc};

impl Reader<'_> {
    fn count(&mut self, what: &str) -> Result<u32> {
        let start = self.offset;
        let value = self.long()?;
        u32::try_from(value).or_else(|_| {
            self.offset = start;
            self.error(format!("{what} is {value}"))
        })
    }

    /// Reads a field of a code object that must have the kind that `select` takes.
    fn field<T>(
        &mut self,
        what: &str,
        weight: &mut u64,
        select: impl Fn(Value) -> Option<T>,
    ) -> Result<T> {
        let start = self.offset;
        let (value, nodes) = self.value()?;
        *weight = self.add_weight(*weight, nodes)?;
        let type_name = value.type_name();
        match select(value) {
            Some(field) => Ok(field),
            None => {
                self.offset = start;
                self.error(format!(
                    "{what} of a code object is a value of type '{type_name}'"
                ))
            }
        }
    }

    /// Reads a code object.
    pub(super) fn code(&mut self) -> Result<Weighed> {
        let layout = opcodes::table(self.version).map(|table| table.layout);
        match layout {
            Some(Layout::Apart) => self.code_apart(),
            _ => self.code_joined(),
        }
    }

    /// Reads a code object whose variables are numbered together, of CPython 3.11 and later.
    fn code_joined(&mut self) -> Result<Weighed> {
        let weight = &mut 1;
        let argument_count = self.count("argument count")?;
        let positional_only_count = self.count("count of positional-only arguments")?;
        let keyword_only_count = self.count("count of keyword-only arguments")?;
        let stack_size = self.count("stack size")?;
        let flags = self.long()? as u32;
        let bytecode = self.field("bytecode", weight, bytes)?;
        let constants = self.field("constants", weight, tuple)?;
        let names = self.field("names", weight, strings)?;
        let local_names = self.field("local names", weight, strings)?;
        let local_kinds = self.field("kinds of locals", weight, bytes)?;
        let filename = self.field("file name", weight, text)?;
        let name = self.field("name", weight, text)?;
        let qualified_name = self.field("qualified name", weight, text)?;
        let first_line = self.long()?;
        let line_table = self.field("position table", weight, bytes)?;
        let exception_table = self.field("exception table", weight, bytes)?;
        if local_names.len() != local_kinds.len() {
            return self.error(format!(
                "code object '{qualified_name}' has {} locals and {} kinds of locals",
                local_names.len(),
                local_kinds.len()
            ));
        }
        let code = CodeObject {
            version: self.version,
            argument_count,
            positional_only_count,
            keyword_only_count,
            stack_size,
            flags,
            bytecode,
            constants,
            names,
            local_names,
            local_kinds,
            filename,
            name,
            qualified_name,
            first_line,
            line_table,
            exception_table,
        };
        self.completed(code, *weight)
    }

    /// Reads a code object whose cells and free variables are apart from the locals, of CPython 3.10.
    ///
    /// It doesn't have its qualified name: the code around it has that.
    fn code_apart(&mut self) -> Result<Weighed> {
        let weight = &mut 1;
        let argument_count = self.count("argument count")?;
        let positional_only_count = self.count("count of positional-only arguments")?;
        let keyword_only_count = self.count("count of keyword-only arguments")?;
        let local_count = self.count("count of locals")?;
        let stack_size = self.count("stack size")?;
        let flags = self.long()? as u32;
        let bytecode = self.field("bytecode", weight, bytes)?;
        let constants = self.field("constants", weight, tuple)?;
        let names = self.field("names", weight, strings)?;
        let locals = self.field("local names", weight, strings)?;
        let free = self.field("free variables", weight, strings)?;
        let cells = self.field("cells", weight, strings)?;
        let filename = self.field("file name", weight, text)?;
        let name = self.field("name", weight, text)?;
        let first_line = self.long()?;
        let line_table = self.field("position table", weight, bytes)?;
        if locals.len() != local_count as usize {
            return self.error(format!(
                "code object '{name}' has {local_count} locals and {} names of locals",
                locals.len()
            ));
        }
        if !cells.is_sorted_by(|left, right| left < right) {
            return self.error(format!("the cells of code object '{name}' are not sorted"));
        }
        let (local_names, local_kinds) = joined(&locals, &cells, &free);
        let code = CodeObject {
            version: self.version,
            argument_count,
            positional_only_count,
            keyword_only_count,
            stack_size,
            flags,
            bytecode,
            constants,
            names,
            local_names,
            local_kinds,
            filename,
            qualified_name: name.clone(),
            name,
            first_line,
            line_table,
            exception_table: Arc::new([]),
        };
        self.completed(qualified_names::complete(code), *weight)
    }

    fn completed(&self, code: CodeObject, weight: u64) -> Result<Weighed> {
        if code.parameter_count() > code.local_names.len() {
            return self.error(format!(
                "code object '{}' has fewer locals than arguments",
                code.qualified_name
            ));
        }
        Ok((Value::Code(Arc::new(code)), weight))
    }
}

/// The names and kinds of variables, numbered together: a parameter in a cell is one of them.
fn joined(
    locals: &[Arc<str>],
    cells: &[Arc<str>],
    free: &[Arc<str>],
) -> (Arc<[Arc<str>]>, Arc<[u8]>) {
    let in_cells: HashSet<&Arc<str>> = cells.iter().collect();
    let kind = |local: &Arc<str>| match in_cells.contains(local) {
        true => KIND_LOCAL | KIND_CELL,
        false => KIND_LOCAL,
    };
    let known: HashSet<&Arc<str>> = locals.iter().collect();
    let own = cells.iter().filter(|cell| !known.contains(cell));
    let variables = (locals.iter().map(|local| (local, kind(local))))
        .chain(own.map(|cell| (cell, KIND_CELL)))
        .chain(free.iter().map(|name| (name, KIND_FREE)));
    let (names, kinds): (Vec<_>, Vec<_>) =
        variables.map(|(name, kind)| (name.clone(), kind)).unzip();
    (names.into(), kinds.into())
}

fn bytes(value: Value) -> Option<Arc<[u8]>> {
    match value {
        Value::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn tuple(value: Value) -> Option<Arc<[Value]>> {
    match value {
        Value::Tuple(elements) => Some(elements),
        _ => None,
    }
}

fn text(value: Value) -> Option<Arc<str>> {
    value.as_str().cloned()
}

fn strings(value: Value) -> Option<Arc<[Arc<str>]>> {
    tuple(value)?
        .iter()
        .map(|element| element.as_str().cloned())
        .collect()
}
