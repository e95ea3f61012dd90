//! The discardable attributes that passes note on operations: their names for Rust, and for the
//! verifier in C++ what they may be.

use pyopt_build::{Record, Records};
use std::fmt::Write;

/// A discardable attribute.
pub struct Mark {
    /// Its name in the IR, with the dialect's.
    name: String,
    /// Its name without.
    key: String,
    /// The operations that it is on.
    on: String,
    /// What it says of them.
    says: String,
    /// What its kind is called.
    kind: String,
    /// A C++ expression: whether `value` is of its kind.
    check: String,
}

/// Reads the attributes that a dialect declares.
pub fn read(dialect: &str, records: &Records) -> Vec<Mark> {
    let records = records.of_class("Pyopt_Mark").into_iter();
    records
        .map(|record| {
            let key = record.text("key");
            Mark {
                name: format!("{dialect}.{key}"),
                key: key.to_owned(),
                on: record.text("on").to_owned(),
                says: record.text("says").to_owned(),
                kind: record.text("summary").to_owned(),
                check: predicate(record, "value"),
            }
        })
        .collect()
}

/// Writes the module with the names.
pub fn rust(marks: &[Mark]) -> String {
    let mut text = String::from(
        "/// The names of the discardable attributes that passes note on operations.\n\
         pub mod marks {\n",
    );
    for Mark {
        name,
        key,
        on,
        says,
        kind,
        ..
    } in marks
    {
        let doc = format!("On {on}: {says} ({kind}).");
        let constant = key.to_uppercase();
        write!(
            text,
            "#[doc = {doc:?}]\npub const {constant}: &str = {name:?};\n"
        )
        .expect("text can be written");
    }
    text + "}\n"
}

/// Writes the table of the verifier.
pub fn cpp(marks: &[Mark]) -> String {
    let mut text = String::from(
        "// Generated from MarksDialect.td by build/marks.rs.\n\nstatic const Mark MARKS[] = {\n",
    );
    for Mark {
        name, kind, check, ..
    } in marks
    {
        writeln!(
            text,
            "  {{{name:?}, {kind:?},\n   [](::mlir::Attribute value) -> bool {{ return {check}; }}}},"
        )
        .expect("text can be written");
    }
    text + "};\n"
}

/// The C++ expression that a constraint's predicate stands for, of a C++ variable.
fn predicate(constraint: Record, variable: &str) -> String {
    let predicate = constraint.record("predicate");
    expression(predicate.expect("a constraint has a predicate")).replace("$_self", variable)
}

/// The C++ expression of a predicate, of `$_self`.
fn expression(predicate: Record) -> String {
    let Some(combiner) = predicate.record("kind") else {
        return predicate.text("predExpr").to_owned();
    };
    let children: Vec<_> = (predicate.list("children").into_iter())
        .map(expression)
        .collect();
    match (combiner.name(), &children[..]) {
        ("PredCombinerAnd", []) => "true".to_owned(),
        ("PredCombinerAnd", _) => format!("({})", children.join(" && ")),
        ("PredCombinerOr", []) => "false".to_owned(),
        ("PredCombinerOr", _) => format!("({})", children.join(" || ")),
        ("PredCombinerNot", [child]) => format!("!{child}"),
        ("PredCombinerSubstLeaves", [child]) => {
            child.replace(predicate.text("pattern"), predicate.text("replacement"))
        }
        ("PredCombinerConcat", [child]) => {
            let [before, after] = ["prefix", "suffix"].map(|field| predicate.text(field));
            format!("{before}{child}{after}")
        }
        (name, _) => panic!("a predicate combined by {name}"),
    }
}
