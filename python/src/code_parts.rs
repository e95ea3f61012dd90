//! Code objects that differ from a live one in a part: `code.replace(…)`.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use pyopt_frontend::code::CodeObject;
use pyopt_passes::compile::ObjectBlock;

use crate::host;

/// What a code object has in place of the live one's; constants and names are the same.
pub struct CodeParts<'a> {
    bytecode: &'a [u8],
    exception_table: &'a [u8],
    line_table: &'a [u8],
    variables: Vec<&'a str>,
    cells: Vec<&'a str>,
    /// The free variables, where they are others.
    free: Option<Vec<&'a str>>,
    argument_count: u32,
    positional_only_count: u32,
    keyword_only_count: u32,
    stack_size: u32,
    flags: u32,
}

impl<'a> From<&'a ObjectBlock> for CodeParts<'a> {
    fn from(object: &'a ObjectBlock) -> Self {
        Self {
            bytecode: &object.bytecode,
            exception_table: &object.exception_table,
            line_table: &object.line_table,
            variables: object.variables.iter().map(String::as_str).collect(),
            cells: object.cells.iter().map(String::as_str).collect(),
            free: None,
            argument_count: object.argument_count,
            positional_only_count: 0,
            keyword_only_count: 0,
            stack_size: object.stack_size,
            flags: object.flags,
        }
    }
}

impl<'a> From<&'a CodeObject> for CodeParts<'a> {
    fn from(code: &'a CodeObject) -> Self {
        Self {
            bytecode: &code.bytecode,
            exception_table: &code.exception_table,
            line_table: &code.line_table,
            variables: code.variable_names().map(|name| &**name).collect(),
            cells: code.cell_names().map(|name| &**name).collect(),
            free: Some(code.free_names().map(|name| &**name).collect()),
            argument_count: code.argument_count,
            positional_only_count: code.positional_only_count,
            keyword_only_count: code.keyword_only_count,
            stack_size: code.stack_size,
            flags: code.flags,
        }
    }
}

impl CodeParts<'_> {
    /// A code object that is `original` but for these parts.
    pub fn replace<'py>(&self, original: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = original.py();
        let changes = PyDict::new(py);
        for (name, bytes) in [
            ("co_code", self.bytecode),
            ("co_linetable", self.line_table),
        ] {
            changes.set_item(name, PyBytes::new(py, bytes))?;
        }
        if host::HAS_EXCEPTION_TABLES {
            let table = PyBytes::new(py, self.exception_table);
            changes.set_item("co_exceptiontable", table)?;
        }
        for (name, number) in [
            ("co_nlocals", self.variables.len() as u32),
            ("co_argcount", self.argument_count),
            ("co_posonlyargcount", self.positional_only_count),
            ("co_kwonlyargcount", self.keyword_only_count),
            ("co_stacksize", self.stack_size),
            ("co_flags", self.flags),
        ] {
            changes.set_item(name, number)?;
        }
        changes.set_item("co_varnames", PyTuple::new(py, &self.variables)?)?;
        changes.set_item("co_cellvars", PyTuple::new(py, &self.cells)?)?;
        if let Some(free) = &self.free {
            changes.set_item("co_freevars", PyTuple::new(py, free)?)?;
        }
        original.call_method("replace", (), Some(&changes))
    }
}
