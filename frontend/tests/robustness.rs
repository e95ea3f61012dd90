//! Malformed input: whatever is changed in a `.pyc` file or a code object, reading and lifting
//! return, and what lifts verifies.
//!
//! The changes are pseudo-random with a fixed seed, so a failure repeats.

mod common;

use common::{code_module, code_operations, context, data, module};
use melior::{
    Context,
    ir::{BlockLike, Location, Module, operation::OperationLike},
};
use pyopt_frontend::{
    code::CodeObject,
    code_op::{FunctionAttributes, append_code},
    factor,
    lift::{Form, lift},
    opcodes,
    outline::{InnerStores, lift_loops, lift_with_blocks},
    pyc,
    value::Value,
};

const FIXTURES: [&str; 3] = ["language.pyc", "functions.pyc", "module.pyc"];

/// Fixtures of versions that outlining doesn't write.
const FOREIGN: [&str; 9] = [
    "language.3.10.pyc",
    "language.3.12.pyc",
    "generics.3.12.pyc",
    "language.3.13.pyc",
    "generics.3.13.pyc",
    "language.3.14.pyc",
    "generics.3.14.pyc",
    "language.3.15.pyc",
    "generics.3.15.pyc",
];

/// Numbers that look random: xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A code object and those nested in it.
fn all_codes(code: &CodeObject, codes: &mut Vec<CodeObject>) {
    codes.push(code.clone());
    for nested in code
        .constants
        .iter()
        .filter_map(|constant| constant.as_code())
    {
        all_codes(nested, codes);
    }
}

/// Lifts the first of the `py.code` operations of a code object.
fn lift_verified(context: &Context, code: &CodeObject) -> bool {
    let codes = code_module(context, code);
    let lifts = |form| match lift(context, code_operations(&codes)[0], form) {
        Ok(function) => {
            assert!(function.verify(), "{function}");
            true
        }
        Err(_) => false,
    };
    lifts(Form::Frame) && lifts(Form::Values)
}

/// Takes the loops and `with` blocks out of code that lifts: all parts lift too. Says how many.
fn outline_verified(context: &Context, code: &CodeObject) -> usize {
    let loops = lift_loops(code, "loop");
    let blocks = lift_with_blocks(code, "objmode", &InnerStores::new(), |_| {
        Ok(Some(Vec::new()))
    });
    let mut count = 0;
    for (rest, parts) in [loops, blocks].into_iter().flatten().flatten() {
        assert!(lift_verified(context, &rest), "the rest of {code:?}");
        for part in &parts {
            assert!(lift_verified(context, &part.code), "{part:?}");
        }
        count += parts.len();
    }
    count
}

/// Found by fuzzing: half of an operation was made, and lost, before this was seen.
#[test]
fn a_constant_that_no_attribute_stands_for_is_refused() {
    let mut code = CodeObject::clone(&module("functions.pyc"));
    code.constants = [Value::StopIteration].into();
    let context = context();
    let module = Module::new(Location::unknown(&context));
    let attributes = FunctionAttributes::default();
    let refused = append_code(&context, &module.body(), &code, "f", "m", attributes)
        .expect_err("StopIteration is no constant of CPython's compiler");
    assert!(
        refused.message.contains("has a constant that is"),
        "{refused}"
    );
    assert!(module.body().first_operation().is_none());
}

#[test]
fn changed_files_are_read_or_refused() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for fixture in FIXTURES {
        let original = data(fixture);
        for _ in 0..4000 {
            let mut bytes = original.clone();
            match numbers.below(3) {
                0 => bytes.truncate(numbers.below(bytes.len())),
                1 => {
                    let at = numbers.below(bytes.len());
                    bytes[at] ^= 1 << numbers.below(8);
                }
                _ => {
                    let (at, from) = (numbers.below(bytes.len()), numbers.below(bytes.len()));
                    bytes[at] = bytes[from];
                }
            }
            if let Ok(pyc) = pyc::load(&bytes) {
                read += 1;
                let mut codes = Vec::new();
                all_codes(&pyc.code, &mut codes);
                for code in codes {
                    let _ = factor::control_flow(&code);
                }
            }
        }
    }
    // A flipped bit in a name or a constant harms nobody.
    assert!(read > 1000, "{read}");
}

/// A code object with a few changes to its bytecode and exception table.
fn changed(code: &CodeObject, opcodes: &[u8], numbers: &mut Numbers) -> CodeObject {
    let mut changed = code.clone();
    let mut bytes = code.bytecode.to_vec();
    let mut table = code.exception_table.to_vec();
    for _ in 0..=numbers.below(3) {
        let unit = 2 * numbers.below(bytes.len() / 2);
        match numbers.below(5) {
            0 => bytes[unit] = opcodes[numbers.below(opcodes.len())],
            1 => bytes[unit + 1] = numbers.below(8) as u8,
            2 => bytes[unit + 1] = numbers.below(256) as u8,
            3 => {
                let other = 2 * numbers.below(bytes.len() / 2);
                bytes.swap(unit, other);
                bytes.swap(unit + 1, other + 1);
            }
            _ if table.is_empty() => {}
            _ => {
                let at = numbers.below(table.len());
                table[at] = numbers.below(128) as u8;
            }
        }
    }
    changed.bytecode = bytes.into();
    changed.exception_table = table.into();
    changed
}

/// The numbers of the opcodes that a code object may have.
fn opcode_numbers(code: &CodeObject) -> Vec<u8> {
    let table = opcodes::table(code.version).expect("the fixtures are of versions that are read");
    table.rows.iter().map(|row| row.number).collect()
}

#[test]
fn changed_code_lifts_or_is_refused() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut codes = Vec::new();
    for fixture in FIXTURES {
        all_codes(&module(fixture), &mut codes);
    }
    let opcodes = opcode_numbers(&codes[0]);
    let (mut lifted, mut refused, mut outlined) = (0, 0, 0);
    for code in &codes {
        let context = context();
        assert!(lift_verified(&context, code), "{code:?}");
        outlined += outline_verified(&context, code);
        for _ in 0..100 {
            let changed = changed(code, &opcodes, &mut numbers);
            match lift_verified(&context, &changed) {
                true => {
                    lifted += 1;
                    outlined += outline_verified(&context, &changed);
                }
                false => refused += 1,
            }
        }
    }
    assert!(lifted > 1000 && refused > 1000, "{lifted} {refused}");
    assert!(outlined > 200, "{outlined}");
}

#[test]
fn changed_code_of_other_versions_lifts_or_is_refused() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut lifted, mut refused) = (0, 0);
    for fixture in FOREIGN {
        let mut codes = Vec::new();
        all_codes(&module(fixture), &mut codes);
        let opcodes = opcode_numbers(&codes[0]);
        let context = context();
        let lifts = |code: &CodeObject| {
            let codes = code_module(&context, code);
            let function = lift(&context, code_operations(&codes)[0], Form::Values).ok();
            function.map(|function| assert!(function.verify(), "{function}"))
        };
        for code in &codes {
            assert!(lifts(code).is_some(), "{code:?}");
            for _ in 0..100 {
                match lifts(&changed(code, &opcodes, &mut numbers)) {
                    Some(()) => lifted += 1,
                    None => refused += 1,
                }
            }
        }
    }
    assert!(lifted > 1000 && refused > 1000, "{lifted} {refused}");
}
