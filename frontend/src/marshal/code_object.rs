//! Code objects in marshal data.

use super::{Reader, Result, Weighed};
use crate::{code::CodeObject, value::Value};
use std::sync::Arc;

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

    /// Reads a code object in the layout of CPython 3.11 to 3.14.
    pub(super) fn code(&mut self) -> Result<Weighed> {
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
        if code.parameter_count() > code.local_names.len() {
            return self.error(format!(
                "code object '{}' has fewer locals than arguments",
                code.qualified_name
            ));
        }
        Ok((Value::Code(Arc::new(code)), *weight))
    }
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
