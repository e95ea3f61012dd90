//! Where an interpreter's headers have the fields that object mode touches.

use crate::interpreter::run;
use anyhow::{Context as _, Result};
use pyopt_frontend::frame_311 as known;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The fields: the structure, the field, and where it is known to be.
pub const FIELDS: &[(&str, &str, usize)] = &[
    ("_PyInterpreterFrame", "f_func", known::frame::FUNCTION),
    ("_PyInterpreterFrame", "f_globals", known::frame::GLOBALS),
    ("_PyInterpreterFrame", "f_builtins", known::frame::BUILTINS),
    ("_PyInterpreterFrame", "f_code", known::frame::CODE),
    ("_PyInterpreterFrame", "previous", known::frame::PREVIOUS),
    (
        "_PyInterpreterFrame",
        "prev_instr",
        known::frame::INSTRUCTION,
    ),
    ("_PyInterpreterFrame", "stacktop", known::frame::STACK_TOP),
    ("_PyInterpreterFrame", "localsplus", known::frame::LOCALS),
    ("PyObject", "ob_type", known::object::TYPE),
    ("PyCellObject", "ob_ref", known::cell::VALUE),
    ("PyTypeObject", "tp_iternext", known::types::NEXT),
    ("PyDictObject", "ma_version_tag", known::dict::VERSION),
    ("PyThreadState", "interp", known::thread::INTERPRETER),
    (
        "PyInterpreterState",
        "ceval.eval_breaker",
        known::interpreter::BREAKER,
    ),
    ("PyCodeObject", "co_nlocalsplus", known::code::LOCALS),
    ("PyCodeObject", "co_code_adaptive", known::code::BYTECODE),
];

/// Headers that are asked, as far as there are any of the name.
const HEADERS: &[&str] = &[
    "pycore_frame.h",
    "pycore_interpframe_structs.h",
    "pycore_interp.h",
];

/// What the headers say.
pub enum Comparison {
    /// Why there is nothing to compare.
    Without(String),
    /// The fields that are elsewhere.
    Differences(Vec<String>),
}

/// Compares the headers of an interpreter with what is known. A field that is elsewhere is one for which a C
/// program that claims it doesn't compile.
pub fn differences(python: &Path) -> Result<Comparison> {
    let folder = run(
        python,
        "import sysconfig; print(sysconfig.get_path('include'))",
    )?;
    let folder = PathBuf::from(folder.trim_end());
    if !folder.join("Python.h").exists() {
        return Ok(Comparison::Without(format!(
            "there is no {}/Python.h",
            folder.display()
        )));
    }
    let mut program =
        "#define Py_BUILD_CORE 1\n#include <Python.h>\n#include <stddef.h>\n".to_owned();
    for header in HEADERS {
        if folder.join("internal").join(header).exists() {
            program += &format!("#include \"internal/{header}\"\n");
        }
    }
    if !compiles(&folder, &program)? {
        return Ok(Comparison::Without("the headers don't compile".into()));
    }
    let mut differences = Vec::new();
    for (structure, field, place) in FIELDS {
        let known = format!("offsetof({structure}, {field}) == {place}");
        if compiles(
            &folder,
            &format!("{program}_Static_assert({known}, \"\");\n"),
        )? {
            continue;
        }
        let is_there = format!("{program}enum {{ there = offsetof({structure}, {field}) }};\n");
        differences.push(match compiles(&folder, &is_there)? {
            true => format!("{structure}.{field} is not at {place}"),
            false => format!("{structure} has no {field}"),
        });
    }
    Ok(Comparison::Differences(differences))
}

/// Whether the C compiler takes a program.
fn compiles(headers: &Path, program: &str) -> Result<bool> {
    let mut compiler = Command::new("cc")
        .args(["-fsyntax-only", "-x", "c", "-"])
        .arg("-I")
        .arg(headers)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("can't run cc")?;
    let mut input = compiler.stdin.take().context("the compiler reads")?;
    input.write_all(program.as_bytes())?;
    drop(input);
    Ok(compiler.wait()?.success())
}
