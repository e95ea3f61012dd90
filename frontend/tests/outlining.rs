//! What outlining writes is bytecode of the same version: it is decoded and lifted like any other.

mod common;

use common::{code_module, code_operations, context, module};
use melior::ir::operation::OperationLike;
use pyopt_frontend::{
    bytecode,
    code::CodeObject,
    lift::{Form, lift},
    outline::{InnerStores, lift_loops, lift_with_blocks},
};

/// The suffixes of the fixtures by the version that compiled them.
const VERSIONS: [&str; 6] = ["", ".3.10", ".3.12", ".3.13", ".3.14", ".3.15"];

/// The functions of a fixture with those in them.
fn functions(name: &str, suffix: &str) -> Vec<CodeObject> {
    let mut found = vec![CodeObject::clone(&module(&format!("{name}{suffix}.pyc")))];
    let mut next = 0;
    while let Some(code) = found.get(next) {
        let nested = code.constants.iter().filter_map(|one| one.as_code());
        let nested: Vec<_> = nested.map(|code| CodeObject::clone(code)).collect();
        found.extend(nested);
        next += 1;
    }
    found
}

/// Lifts a function that was written, and checks its tables.
fn check(code: &CodeObject) {
    let context = context();
    for operation in code_operations(&code_module(&context, code)) {
        let function = lift(&context, operation, Form::Values)
            .unwrap_or_else(|error| panic!("{}: {error}", code.version));
        assert!(function.verify(), "{function}");
    }
    let instructions = bytecode::decode(code).unwrap();
    let starts = |offset| instructions.iter().any(|one| one.offset == offset);
    let size = code.bytecode.len() as u32;
    for handler in code.exception_handlers().unwrap() {
        assert!(
            starts(handler.start) && starts(handler.target),
            "{handler:?}"
        );
        assert!(handler.end == size || starts(handler.end), "{handler:?}");
    }
}

/// The functions of the fixtures whose loops are lifted in a version, once for each loop; what is
/// written is checked.
fn lift_all(suffix: &str) -> Vec<String> {
    let codes = ["functions", "language"].map(|name| functions(name, suffix));
    let mut lifted = Vec::new();
    for code in codes.concat() {
        if let Some((rest, loops)) = lift_loops(&code, "loop").unwrap() {
            check(&rest);
            for one in &loops {
                check(&one.code);
            }
            let name = code.qualified_name.to_string();
            lifted.extend(std::iter::repeat_n(name, loops.len()));
        }
    }
    lifted
}

/// A function whose loop 3.12 and later leave in more than one place, and 3.10: they copy its end.
const COPIED_END: &str = "doloops";

#[test]
fn loops_are_written_in_each_version() {
    let [first, newer @ ..] = VERSIONS.map(lift_all);
    assert_eq!(first.len(), 8);
    let expected: Vec<_> = first
        .into_iter()
        .filter(|name| name != COPIED_END)
        .collect();
    for names in newer {
        assert_eq!(names, expected);
    }
}

#[test]
fn blocks_are_written_in_each_version() {
    for suffix in VERSIONS {
        let mut counts = Vec::new();
        for code in functions("blocks", suffix) {
            let lifted = lift_with_blocks(&code, "block", &InnerStores::new(), |_| {
                Ok(Some(Vec::new()))
            })
            .unwrap();
            if let Some((rest, blocks)) = lifted {
                check(&rest);
                for one in &blocks {
                    check(&one.code);
                }
                counts.push(blocks.len());
            }
        }
        assert_eq!(counts, [2, 1], "{suffix}");
    }
}
