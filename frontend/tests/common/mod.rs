//! What the integration tests share: the compiled fixtures, and lifting.

#![allow(dead_code, reason = "each test program uses a part of it")]

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        BlockLike, Location, Module, OperationRef,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
use pyopt_frontend::{
    code::CodeObject,
    code_op::{FunctionAttributes, append_code},
    lift::{Form, lift},
    pyc,
};
use std::{path::Path, sync::Arc};

/// The bytes of a file in `tests/data`.
pub fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read(path).expect("fixture is readable")
}

/// The code of a module among the fixtures.
pub fn module(name: &str) -> Arc<CodeObject> {
    pyc::load(&data(name)).expect("fixture is well-formed").code
}

/// The code of a function of `functions.py`.
pub fn function(name: &str) -> Arc<CodeObject> {
    let module = module("functions.pyc");
    let mut codes = module
        .constants
        .iter()
        .filter_map(|constant| constant.as_code());
    codes
        .find(|code| &*code.name == name)
        .expect("fixture has the function")
        .clone()
}

/// A context with what lifting needs.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    for dialect in ["py", "cf"] {
        context.get_or_load_dialect(dialect);
    }
    context
}

/// A module with the `py.code` operations of a function.
pub fn code_module<'c>(context: &'c Context, code: &CodeObject) -> Module<'c> {
    let module = Module::new(Location::unknown(context));
    append_code(
        context,
        &module.body(),
        code,
        &code.name,
        "m",
        FunctionAttributes::default(),
    )
    .unwrap();
    module
}

/// The `py.code` operations of a module.
pub fn code_operations<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let operations = std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    });
    operations
        .filter(|operation| operation.has_attribute("bytecode"))
        .collect()
}

/// Lifts a function and those nested in it; the text of the functions, or of the first diagnostic.
pub fn lifted(code: &CodeObject, flags: OperationPrintingFlags) -> String {
    let context = context();
    let codes = code_module(&context, code);
    assert!(codes.as_operation().verify());
    let module = Module::new(Location::unknown(&context));
    for operation in code_operations(&codes) {
        match lift(&context, operation, Form::Values) {
            Ok(function) => module.body().append_operation(function),
            Err(diagnostic) => return diagnostic.to_string(),
        };
    }
    assert!(module.as_operation().verify(), "{}", module.as_operation());
    module.as_operation().to_string_with_flags(flags).unwrap()
}
