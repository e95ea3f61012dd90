//! Reads any bytes as a `.pyc` file and lifts what is in it, to both forms: nothing may panic or
//! crash, and what lifts verifies.
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
    lift::{Form, lift},
    pyc,
};
use std::ffi::{c_char, c_int};

type Test = unsafe extern "C" fn(*const u8, usize) -> c_int;

unsafe extern "C" {
    /// libFuzzer's main loop.
    fn LLVMFuzzerRunDriver(
        count: *mut c_int,
        arguments: *mut *mut *mut c_char,
        test: Test,
    ) -> c_int;

    /// What `fuzz_target!` makes.
    fn LLVMFuzzerTestOneInput(bytes: *const u8, size: usize) -> c_int;
}

/// One of MLIR's libraries has a `main` too: the linker would take whichever it sees first.
#[unsafe(no_mangle)]
extern "C" fn main(mut count: c_int, mut arguments: *mut *mut c_char) -> c_int {
    // SAFETY: the arguments are those of the process, and libFuzzer calls the test as it wants to
    // be called.
    unsafe { LLVMFuzzerRunDriver(&mut count, &mut arguments, LLVMFuzzerTestOneInput) }
}

/// MLIR's libraries are built without the address sanitizer, our C++ with it: each would miss what
/// the other does to the arenas they share.
#[unsafe(no_mangle)]
extern "C" fn __asan_default_options() -> *const c_char {
    c"allow_user_poisoning=0".as_ptr()
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = pyc::load(bytes) else { return };
    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    // Threads would take longer to begin than such a module takes.
    context.enable_multi_threading(false);
    context.append_dialect_registry(&registry);
    for dialect in ["py", "cf"] {
        context.get_or_load_dialect(dialect);
    }
    let module = Module::new(Location::unknown(&context));
    let attributes = FunctionAttributes::default();
    if append_code(
        &context,
        &module.body(),
        &file.code,
        "module",
        "module",
        attributes,
    )
    .is_err()
    {
        return;
    }
    let codes = std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    });
    for code in codes {
        for form in [Form::Values, Form::Frame] {
            if let Ok(function) = lift(&context, code, form) {
                assert!(function.verify(), "{function}");
            }
        }
    }
});
