//! What a Python module with the compiler in it exports.

use crate::settle::settle_mlir_sys;
use std::{env, fs, path::Path, process::Command};

/// The name by which a library that was linked against the module finds it in a process that has it loaded.
pub const HOST: &str = "libpyopt_core.so";

/// Has the library of a crate export MLIR's C API and pyopt's C functions, whole, for libraries that are
/// loaded later and have no MLIR of their own.
///
/// rustc's own version script hides all but what is declared in Rust; the linker takes a second one. The
/// functions call each other directly, so that they don't have to be looked up when the module is loaded.
pub fn export_for_plugins() {
    let output = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let script = Path::new(&output).join("exports.map");
    fs::write(&script, "PYOPT_1 {\n  global: mlir*; pyopt*;\n};\n")
        .expect("the output directory is writable");
    for argument in [
        &format!("--version-script={}", script.display()),
        &format!("-soname={HOST}"),
        "--undefined-glob=mlir[A-Z]*",
        "-Bsymbolic",
    ] {
        println!("cargo::rustc-link-arg-cdylib=-Wl,{argument}");
    }
}

/// Links the library of a crate against the `pyopt._core` of a Python, for the build script of an extension
/// that is loaded: the interpreter that `PYO3_PYTHON` names, or `python3`.
///
/// The library then has no MLIR of its own, though its dependencies bring one: what is found first counts.
///
/// # Panics
///
/// Where that Python has no pyopt: the message is cargo's to show.
pub fn plugin() {
    const FIND: &str =
        "import importlib.util; print(importlib.util.find_spec('pyopt._core').origin)";
    settle_mlir_sys();
    println!("cargo::rerun-if-env-changed=PYO3_PYTHON");
    let python = env::var_os("PYO3_PYTHON").unwrap_or_else(|| "python3".into());
    let run = Command::new(&python).args(["-c", FIND]).output();
    let run = run.unwrap_or_else(|error| panic!("{} doesn't run: {error}", python.display()));
    let told = String::from_utf8_lossy(&run.stdout);
    let module = fs::canonicalize(told.trim());
    let module = module.unwrap_or_else(|_| {
        let reason = String::from_utf8_lossy(&run.stderr);
        panic!("{} has no pyopt: {reason}", python.display())
    });
    let [folder, name] = [module.parent(), module.file_name().map(Path::new)]
        .map(|part| part.expect("the module is a file").display());
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=dylib:+verbatim={name}");
}
