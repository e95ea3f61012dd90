//! The qualified names of code objects of CPython 3.10, which don't have them.
//!
//! Of a function it is what `MAKE_FUNCTION` takes beside the code, so the code around it has the
//! name as a constant. The body of a class stores its own as `__qualname__`.

use crate::{code::CodeObject, value::Value};
use std::sync::Arc;

/// The names of the instructions that are looked for.
const LOAD: &str = "LOAD_CONST";
const STORE: &str = "STORE_NAME";
const MAKE: &str = "MAKE_FUNCTION";

/// Gives the functions that a code object makes their names, and the body of a class its own.
pub(super) fn complete(mut code: CodeObject) -> CodeObject {
    let Some(table) = crate::opcodes::table(code.version) else {
        return code;
    };
    let mut constants = code.constants.to_vec();
    // The constants that the last two instructions load.
    let mut loaded = [None; 2];
    let mut prefix = 0usize;
    for unit in code.bytecode.chunks_exact(2) {
        let argument = prefix << 8 | usize::from(unit[1]);
        let name = table.get(unit[0]).map_or("", |row| row.name);
        prefix = match name {
            "EXTENDED_ARG" => argument & 0xff_ffff,
            _ => 0,
        };
        match (name, loaded) {
            ("EXTENDED_ARG", _) => continue,
            (LOAD, _) => {
                loaded = [loaded[1], Some(argument)];
                continue;
            }
            (MAKE, [Some(made), Some(name)]) => {
                let name = constants.get(name).and_then(Value::as_str).cloned();
                if let (Some(name), Some(Value::Code(inner))) = (name, constants.get_mut(made))
                    && !inner.has_namespace()
                {
                    Arc::make_mut(inner).qualified_name = name;
                }
            }
            (STORE, [_, Some(value)])
                if code.has_namespace()
                    && code.names.get(argument).map(|name| &**name) == Some("__qualname__") =>
            {
                if let Some(name) = constants.get(value).and_then(Value::as_str) {
                    code.qualified_name = name.clone();
                }
            }
            _ => {}
        }
        loaded = [None; 2];
    }
    code.constants = constants.into();
    code
}
