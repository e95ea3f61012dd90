//! Compiles the functions of `python/pyopt/library` to code objects, and writes the library they make.

use std::{env, error::Error, process::Command};

fn main() -> Result<(), Box<dyn Error>> {
    const SCRIPT: &str = "build_library.py";
    const SOURCES: &str = "../../../python/pyopt/library";
    println!("cargo:rerun-if-changed={SCRIPT}");
    println!("cargo:rerun-if-changed={SOURCES}");
    println!("cargo:rerun-if-env-changed=PYO3_PYTHON");
    let python = env::var_os("PYO3_PYTHON").unwrap_or_else(|| "python3.11".into());
    let output = env::var("OUT_DIR")?;
    let status = Command::new(&python)
        .args([SCRIPT, SOURCES])
        .arg(&output)
        .status()
        .map_err(|error| format!("can't run {}: {error}", python.display()))?;
    match status.success() {
        true => Ok(()),
        false => Err("the overload library does not compile".into()),
    }
}
