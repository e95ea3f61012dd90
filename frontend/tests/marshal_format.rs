//! Reading of marshal data against what CPython says of the objects, with each interpreter that is at hand.

mod common;

use common::interpreter;
use pyopt_frontend::{
    marshal_metadata::{SCRIPT, differences},
    opcodes,
};

#[test]
fn objects_are_read_as_cpython_wrote_them() {
    for table in opcodes::TABLES {
        let Some(python) = interpreter(table.version) else {
            println!("skipped: no CPython {} at hand", table.version);
            continue;
        };
        let output = python.command().args(["-c", SCRIPT]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let theirs = String::from_utf8(output.stdout).expect("the script prints ASCII");
        println!("compared with {}", python.name());
        let found = differences(table.version, &theirs);
        assert!(found.is_empty(), "{}: {}", table.version, found.join("\n"));

        // The comparison finds what is read otherwise, and what can't be read.
        let changed =
            theirs
                .replacen("\t-7\n", "\t-8\n", 1)
                .replacen("a float\t", "a float\t01", 1);
        assert_eq!(differences(table.version, &changed).len(), 2, "{changed}");
    }
}
