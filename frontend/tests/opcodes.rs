//! The opcode tables against CPython's own, with each interpreter that is at hand.

mod common;

use common::interpreter;
use pyopt_frontend::{
    opcode_metadata::{SCRIPT, differences},
    opcodes::{self, Op},
    version::Version,
};

#[test]
fn the_tables_are_those_of_cpython() {
    for table in opcodes::TABLES {
        let Some(python) = interpreter(table.version) else {
            println!("skipped: no CPython {} at hand", table.version);
            continue;
        };
        let output = python.command().args(["-c", SCRIPT]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let theirs = String::from_utf8(output.stdout).expect("the script prints ASCII");
        println!("compared with {}", python.name());
        let differences = differences(table, &theirs);
        assert!(
            differences.is_empty(),
            "{}: {differences:#?}",
            table.version
        );
        // The comparison finds what is missing.
        let shortened = theirs.replacen(" POP_TOP ", " POP ", 1);
        assert_eq!(
            pyopt_frontend::opcode_metadata::differences(table, &shortened).len(),
            2
        );
    }
}

#[test]
fn rows_ascend() {
    for table in opcodes::TABLES {
        assert!(table.rows.is_sorted_by(|a, b| a.number < b.number));
        assert!(table.rows.iter().any(|row| row.is(Op::ExtendedArg)));
        assert_eq!(Version::from_magic(table.magic), Some(table.version));
    }
}
