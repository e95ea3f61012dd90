//! The same source gives the same functions, whichever CPython compiled it.

mod common;

use common::{code_module, code_operations, context, data, interpreter};
use melior::ir::operation::OperationLike;
use pyopt_frontend::{
    code::CodeObject,
    lift::{Form, lift},
    opcodes, pyc,
    version::Version,
};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// Comprehensions are part of the function around them.
const INLINED: &str = "a comprehension is inlined";
/// A return behind a branch is copied into the branches.
const COPIED: &str = "the end of the function is copied";
/// Blocks lie in another order, or there is one more that only branches.
const ORDER: &str = "blocks are in another order";
/// A literal in a format specification begins with an empty text.
const EMPTY: &str = "a format specification has an empty part more";
/// The text that is formatted with a computed specification is converted first.
const CONVERTED: &str = "a conversion comes before the specification";
/// Class bodies store names that 3.11 doesn't know.
const NAMES: &str = "a class body has more names";
/// Annotations are made by a function.
const ANNOTATIONS: &str = "annotations are made when somebody asks for them";
/// The generator makes the iterator, not the function around it.
const ITERATOR: &str = "the iterator is made in the generator";

/// `await` doesn't say whose method it waits for, and looping over what is awaited takes a block more.
const AWAIT: &str = "what is awaited is not named";
/// The three `None`s for a context's exit are one value.
const SHARED: &str = "one constant is copied";
/// The other way is taken where a value is `None`.
const NEGATED: &str = "a test is negated";
/// Items of a sequence are taken one by one.
const SUBSCRIPTS: &str = "patterns take items by their number";

/// The functions of `functions.py` and `language.py` that differ from those of CPython 3.11, and
/// in which minor versions and why.
const DIFFERENT: &[(&str, RangeInclusive<u8>, &str)] = &[
    ("<module>", 14..=15, ANNOTATIONS),
    ("<module>", 14..=15, ANNOTATIONS),
    ("asynchronous_generator", 10..=10, AWAIT),
    ("asynchronous_generator", 12..=15, INLINED),
    ("chained", 10..=10, COPIED),
    ("chained", 12..=15, COPIED),
    ("classes.<locals>.Inner", 13..=15, NAMES),
    ("closures", 12..=12, EMPTY),
    ("closures", 13..=15, CONVERTED),
    ("conditional", 10..=10, COPIED),
    ("conditional", 12..=15, COPIED),
    ("containers", 12..=15, INLINED),
    ("contexts", 10..=10, SHARED),
    ("contexts", 12..=15, ORDER),
    ("coroutine", 10..=10, AWAIT),
    ("coroutine", 12..=15, INLINED),
    ("coroutine.<locals>.<listcomp>", 10..=10, AWAIT),
    ("doloops", 10..=10, COPIED),
    ("doloops", 12..=15, ORDER),
    ("exceptions", 10..=10, ORDER),
    ("exceptions", 12..=15, ORDER),
    ("generator", 10..=10, ORDER),
    ("generator", 12..=15, ORDER),
    ("generator.<locals>.<genexpr>", 12..=15, ORDER),
    ("generator_expression", 15..=15, ITERATOR),
    ("generator_expression.<locals>.<genexpr>", 15..=15, ITERATOR),
    ("groups", 12..=15, ORDER),
    ("local_class.<locals>.Point", 13..=15, NAMES),
    ("loops", 10..=10, ORDER),
    ("loops", 12..=15, ORDER),
    ("none_tests", 10..=10, NEGATED),
    ("operators", 10..=10, COPIED),
    ("operators", 12..=15, COPIED),
    ("patterns", 10..=10, SUBSCRIPTS),
    ("scale", 12..=15, INLINED),
    ("text", 12..=12, EMPTY),
    ("while_sum", 12..=15, ORDER),
    ("with_block", 10..=10, SHARED),
];

/// The source of a module, for a version.
fn source(name: &str, version: Version) -> String {
    let mut source = String::from_utf8(data(name)).unwrap();
    if version < Version::PYTHON_3_11
        && let Some(start) = source.find("def groups(")
    {
        // It has `except*`.
        let end = source[start..].find("\n\n\n").expect("it isn't the last");
        source.replace_range(start..start + end + 3, "");
    }
    source
}

/// The lifted functions of a module by symbol, without locations.
fn functions(code: &CodeObject) -> BTreeMap<String, String> {
    let context = context();
    let module = code_module(&context, code);
    let lifted = code_operations(&module).into_iter().map(|operation| {
        let function = lift(&context, operation, Form::Values);
        let function = function.unwrap_or_else(|error| panic!("{}: {error}", code.version));
        assert!(function.verify(), "{function}");
        let symbol = operation.attribute("sym_name").unwrap().to_string();
        let symbol = symbol
            .trim_matches('"')
            .trim_start_matches("<module>.<locals>.");
        (symbol.to_string(), function.to_string())
    });
    lifted.collect()
}

#[test]
fn versions_give_the_same_functions() {
    let Some(reference) = interpreter(Version::PYTHON_3_11) else {
        println!("skipped: no CPython 3.11 at hand");
        return;
    };
    for table in opcodes::TABLES {
        let Some(python) = interpreter(table.version) else {
            println!("skipped: no CPython {} at hand", table.version);
            continue;
        };
        let mut different = Vec::new();
        let mut compared = 0;
        for name in ["functions.py", "language.py"] {
            let read = |pyc: Vec<u8>| functions(&pyc::load(&pyc).unwrap().code);
            let (expected, found) = (
                read(reference.compile(&source(name, table.version))),
                read(python.compile(&source(name, table.version))),
            );
            for (symbol, text) in &expected {
                let Some(other) = found.get(symbol) else {
                    assert!(
                        symbol.ends_with("comp>"),
                        "{} has no {symbol}",
                        table.version
                    );
                    continue;
                };
                compared += 1;
                if other != text {
                    different.push(symbol.clone());
                }
            }
        }
        println!("compared {compared} functions of {}", python.name());
        let minor = table.version.minor;
        let known = DIFFERENT
            .iter()
            .filter(|(_, minors, _)| minors.contains(&minor));
        let known: Vec<_> = known.map(|(symbol, ..)| symbol.to_string()).collect();
        different.sort();
        assert_eq!(different, known, "{}", table.version);
    }
}

/// The lifted text of the only function of a source, by each interpreter that is at hand.
fn lifted_by(version: Version, source: &str) -> Option<String> {
    let python = interpreter(version)?;
    let code = pyc::load(&python.compile(source)).unwrap().code;
    functions(&code).remove("f")
}

#[test]
fn locals_beside_comprehensions_keep_their_values() {
    // Nobody reads `x` behind the comprehension: nothing is kept.
    let forgotten = "def f(a):\n for x in a: pass\n return [x for x in a]\n";
    // It is read, and bound or not.
    let kept = "def f(a, b):\n if b: x = 1\n c = [x for x in a]\n return c, x\n";
    // It is bound.
    let bound = "def f(a, x):\n c = [[x for x in y] for y in x]\n return c, x\n";
    for table in opcodes::TABLES {
        let version = table.version;
        if version < Version::PYTHON_3_12 {
            continue;
        }
        let Some(text) = lifted_by(version, forgotten) else {
            println!("skipped: no CPython {version} at hand");
            continue;
        };
        assert!(
            !text.contains("py.unbound") && !text.contains("unwind"),
            "{text}"
        );
        let text = lifted_by(version, kept).unwrap();
        assert!(
            text.contains("py.check_bound") && text.contains("py.unbound"),
            "{text}"
        );
        let text = lifted_by(version, bound).unwrap();
        assert!(!text.contains("py.check_bound"), "{text}");
        assert!(text.contains(", %arg1)\n"), "{text}");
    }
}
