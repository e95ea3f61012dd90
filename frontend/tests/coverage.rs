//! Every instruction of the opcode table lifts.

mod common;

use common::{code_module, code_operations, context, function, module};
use melior::ir::operation::OperationLike;
use pyopt_frontend::{
    bytecode::{self, Instruction},
    code::CodeObject,
    lift::{Form, lift},
    opcodes::{self, Op},
};
use std::collections::BTreeSet;

/// What is no instruction by itself: decoding folds both into the instruction before or after.
const FOLDED: [Op; 2] = [Op::Cache, Op::ExtendedArg];

/// Lifts a code object and those nested in it; adds the names of the instructions they have.
fn lift_all(code: &CodeObject, names: &mut BTreeSet<&'static str>) {
    let context = context();
    for operation in code_operations(&code_module(&context, code)) {
        let function =
            lift(&context, operation, Form::Values).unwrap_or_else(|error| panic!("{error}"));
        assert!(function.verify(), "{function}");
    }
    collect(code, names);
}

fn collect(code: &CodeObject, names: &mut BTreeSet<&'static str>) {
    names.extend(
        bytecode::decode(code)
            .expect("the code was lifted")
            .iter()
            .map(|instruction| instruction.info.name),
    );
    for nested in code
        .constants
        .iter()
        .filter_map(|constant| constant.as_code())
    {
        collect(nested, names);
    }
}

/// A function whose first `from` is replaced by `to`, which has the same effect on the stack.
fn replaced(name: &str, from: Op, to: Op) -> CodeObject {
    let code = function(name);
    let instructions = bytecode::decode(&code).unwrap();
    let is_from = |instruction: &&Instruction| instruction.op() == from;
    let found = instructions
        .iter()
        .find(is_from)
        .expect("the function has it");
    let mut rows = opcodes::table(code.version).unwrap().rows.iter();
    let mut bytes = code.bytecode.to_vec();
    bytes[found.offset as usize] = rows.find(|row| row.is(to)).unwrap().number;
    let mut code = CodeObject::clone(&code);
    code.bytecode = bytes.into();
    code
}

#[test]
fn every_instruction_lifts() {
    let mut seen = BTreeSet::new();
    lift_all(&module("language.pyc"), &mut seen);
    lift_all(&module("functions.pyc"), &mut seen);
    // Only interactive input has it; it takes a value as POP_TOP does.
    lift_all(&replaced("doloops", Op::PopTop, Op::PrintExpr), &mut seen);
    let table = opcodes::table(module("language.pyc").version).unwrap();
    let missing: Vec<_> = table
        .rows
        .iter()
        .filter(|row| !FOLDED.iter().any(|&op| row.is(op)) && !seen.contains(row.name))
        .map(|row| row.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_instruction_of_other_versions_lifts() {
    // The compiler emits these only where a local may be unbound, for patterns with many names and in
    // interactive input, or not at all since its optimiser has something shorter.
    const UNSEEN: [&str; 5] = [
        "PRINT_EXPR",
        "ROT_N",
        "SETUP_ANNOTATIONS",
        "LOAD_FAST_CHECK",
        "JUMP_BACKWARD_NO_INTERRUPT",
    ];
    // Each operator has an instruction in 3.10, of which the sources have some.
    let is_arithmetic = |name: &str| name.starts_with("BINARY_") || name.starts_with("INPLACE_");
    for version in ["3.10", "3.12", "3.13", "3.14", "3.15"] {
        let mut seen = BTreeSet::new();
        let newest = matches!(version, "3.14" | "3.15").then_some("templates");
        let generic = (version != "3.10").then_some("generics");
        for name in ["language", "functions"]
            .into_iter()
            .chain(generic)
            .chain(newest)
        {
            lift_all(&module(&format!("{name}.{version}.pyc")), &mut seen);
        }
        let code = module(&format!("language.{version}.pyc"));
        let table = opcodes::table(code.version).unwrap();
        let rows = table.rows.iter();
        let missing: Vec<_> = rows
            .filter(|row| !FOLDED.iter().any(|&op| row.is(op)) && !seen.contains(row.name))
            .map(|row| row.name)
            .filter(|name| !UNSEEN.contains(name) && !is_arithmetic(name))
            .collect();
        assert!(missing.is_empty(), "{version}: {missing:?}");
    }
}
