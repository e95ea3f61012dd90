//! Lifting of compiled functions to the `py` dialect.

mod common;

use common::{data, function};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        BlockLike, Location, Module, OperationRef, operation::OperationLike,
        operation::OperationPrintingFlags,
    },
};
use pyopt_frontend::{
    code::CodeObject,
    code_op::{FunctionAttributes, append_code, read_code},
    lift::lift,
    pyc,
};

fn context() -> Context {
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
fn code_module<'c>(context: &'c Context, code: &CodeObject) -> Module<'c> {
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

fn code_operations<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let operations = std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    });
    operations
        .filter(|operation| operation.has_attribute("bytecode"))
        .collect()
}

/// Lifts a function and those nested in it; the text of the functions, or of the first diagnostic.
fn lifted(code: &CodeObject, flags: OperationPrintingFlags) -> String {
    let context = context();
    let codes = code_module(&context, code);
    assert!(codes.as_operation().verify());
    let module = Module::new(Location::unknown(&context));
    for operation in code_operations(&codes) {
        match lift(&context, operation) {
            Ok(function) => module.body().append_operation(function),
            Err(diagnostic) => return diagnostic.to_string(),
        };
    }
    assert!(module.as_operation().verify(), "{}", module.as_operation());
    module.as_operation().to_string_with_flags(flags).unwrap()
}

fn lifted_text(name: &str) -> String {
    lifted(&function(name), OperationPrintingFlags::new())
}

#[test]
fn code_operations_hold_the_whole_code_object() {
    let context = context();
    let names = ["add", "large_constants", "guarded", "forever"];
    for code in names.map(function) {
        let module = code_module(&context, &code);
        let text = module.as_operation().to_string();
        let parsed = Module::parse(&context, &text).expect("the text parses");
        let read = read_code(&context, parsed.body().first_operation().unwrap())
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(read.code == *code);
        assert_eq!((&*read.symbol, &*read.globals), (&*code.name, "m"));
    }
}

#[test]
fn straight_line_code_has_no_block_arguments() {
    insta::assert_snapshot!(lifted_text("add"), @"");
}

#[test]
fn loops_carry_what_changes() {
    insta::assert_snapshot!(lifted_text("doloops"), @"");
    insta::assert_snapshot!(lifted_text("while_sum"), @"");
    insta::assert_snapshot!(lifted_text("nested"), @"");
    insta::assert_snapshot!(lifted_text("forever"), @"");
}

#[test]
fn values_of_expressions_with_branches_become_arguments() {
    insta::assert_snapshot!(lifted_text("conditional"), @"");
    insta::assert_snapshot!(lifted_text("chained"), @"");
    insta::assert_snapshot!(lifted_text("logical"), @"");
}

#[test]
fn locals_are_checked_only_where_they_may_be_unbound() {
    insta::assert_snapshot!(lifted_text("maybe_unbound"), @"");
    insta::assert_snapshot!(lifted_text("unbound_after_loop"), @"");
    insta::assert_snapshot!(lifted_text("deleted"), @"");
    insta::assert_snapshot!(lifted_text("checked_once"), @"");
}

#[test]
fn swaps_move_values_only() {
    insta::assert_snapshot!(lifted_text("swapped"), @"");
}

#[test]
fn nested_functions_read_variables_of_the_outer_one_as_bindings() {
    insta::assert_snapshot!(lifted_text("scale"), @"");
}

#[test]
fn constants_are_attributes() {
    insta::assert_snapshot!(lifted_text("large_constants"), @"");
}

#[test]
fn raise_and_assert_end_blocks() {
    insta::assert_snapshot!(lifted_text("checked"), @"");
}

#[test]
fn calls_containers_items_and_strings() {
    insta::assert_snapshot!(lifted_text("calls"), @"");
    insta::assert_snapshot!(lifted_text("containers"), @"");
    insta::assert_snapshot!(lifted_text("items"), @"");
    insta::assert_snapshot!(lifted_text("text"), @"");
    insta::assert_snapshot!(lifted_text("globals_and_imports"), @"");
    insta::assert_snapshot!(lifted_text("none_tests"), @"");
}

#[test]
fn operations_have_ranges_of_the_source() {
    let flags = OperationPrintingFlags::new().enable_debug_info(true, true);
    insta::assert_snapshot!(lifted(&function("maybe_unbound"), flags), @"");
}

#[test]
fn what_is_not_supported_is_refused_at_its_place() {
    insta::assert_snapshot!(lifted_text("guarded"), @r"
    functions.py:82:5: 'try' is not supported
    note: test for the error beforehand with 'if', or catch the exception in the caller, in Python
    ");
    insta::assert_snapshot!(lifted_text("with_block"), @r"
    functions.py:149:5: 'with' is not supported
    note: enter the context in the caller, in Python
    ");
    insta::assert_snapshot!(lifted_text("generator"), @r"
    functions.py:153: generators and coroutines are not supported
    note: fill an array or a list and return it
    ");
    insta::assert_snapshot!(lifted_text("generator_expression"), @r"
    functions.py:158: generator expressions are not supported
    note: use a list comprehension or a loop
    ");
    insta::assert_snapshot!(lifted_text("local_class"), @r"
    functions.py:162:5: a class defined in a compiled function is not supported
    note: define it in the module
    ");
    insta::assert_snapshot!(lifted_text("counter"), @r"
    functions.py:173:9: assignment to 'count' of an enclosing function is not supported
    note: return the new value and assign it in the enclosing function instead of using 'nonlocal'
    ");
    insta::assert_snapshot!(lifted_text("patterns"), @r"
    functions.py:181:14: 'match' on patterns is not supported
    note: compare with 'if' and 'elif'
    ");
}

#[test]
fn no_changed_bytecode_panics() {
    let context = context();
    let module = pyc::load(&data("functions.pyc")).unwrap().code;
    for code in module
        .constants
        .iter()
        .filter_map(|constant| constant.as_code())
    {
        for index in 0..code.bytecode.len() {
            for change in [1, 2, 0x10, 0x80, 0xff] {
                let mut changed = CodeObject::clone(code);
                let mut bytes = code.bytecode.to_vec();
                bytes[index] ^= change;
                changed.bytecode = bytes.into();
                let codes = code_module(&context, &changed);
                if let Ok(function) = lift(&context, code_operations(&codes)[0]) {
                    assert!(function.verify(), "{function}");
                }
            }
        }
    }
}
