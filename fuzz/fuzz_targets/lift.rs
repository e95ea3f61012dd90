//! Reads any bytes as a `.pyc` file and lifts what is in it: nothing may panic or crash, and what
//! lifts verifies.
//!
//! `cargo +nightly fuzz run lift` starts from `fuzz/corpus/lift`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{BlockLike, Location, Module, operation::OperationLike},
};
use pyopt_frontend::{
    code_op::{FunctionAttributes, append_code},
    lift::lift,
    pyc,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = pyc::load(bytes) else { return };
    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    for dialect in ["py", "cf"] {
        context.get_or_load_dialect(dialect);
    }
    let module = Module::new(Location::unknown(&context));
    let attributes = FunctionAttributes::default();
    if append_code(&context, &module.body(), &file.code, "module", "module", attributes).is_err() {
        return;
    }
    let codes = std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    });
    for code in codes {
        if let Ok(function) = lift(&context, code) {
            assert!(function.verify(), "{function}");
        }
    }
});
