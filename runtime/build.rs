//! Names the static LLVM archives that the engine needs.
//!
//! `llvm-sys` would bundle whole archives into its own rlib, and a binary that also links
//! `mlir-sys` would carry LLVM twice. Naming the archives as plain `-l` libraries, as `mlir-sys`
//! does, lets the linker take every object from one place.

use std::{env, error::Error, path::PathBuf, process::Command};

/// LLVM components that hold the C entry points used by `src/engine`.
const COMPONENTS: [&str; 12] = [
    "analysis",
    "bitreader",
    "bitwriter",
    "core",
    "irreader",
    "native",
    "nvptx",
    "orcdebugging",
    "orcjit",
    "orctargetprocess",
    "passes",
    "target",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    // Before the libraries that it needs.
    compile_cpp()?;

    println!(
        "cargo:rustc-link-search=native={}",
        llvm_config(&["--libdir"])?
    );
    let mut libraries = vec!["--libnames"];
    libraries.extend(COMPONENTS);
    for file in llvm_config(&libraries)?.split_whitespace() {
        let name = file
            .strip_prefix("lib")
            .and_then(|name| name.strip_suffix(".a"))
            .ok_or_else(|| format!("'{file}' is not a static library"))?;
        println!("cargo:rustc-link-lib={name}");
    }
    for flag in llvm_config(&["--system-libs"])?.split_whitespace() {
        println!("cargo:rustc-link-lib={}", system_library(flag));
    }
    println!("cargo:rustc-link-lib=stdc++");
    Ok(())
}

/// Compiles what has no C API.
fn compile_cpp() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=lib");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .warnings(false)
        .opt_level(1)
        .include(llvm_config(&["--includedir"])?)
        .file("lib/Debuggers.cpp")
        .file("lib/OlderSystems.cpp")
        .file("lib/PassGate.cpp")
        .file("lib/Remarks.cpp")
        .file("lib/Target.cpp")
        .try_compile("pyopt_engine")?;
    Ok(())
}

/// The library name in a flag of `llvm-config --system-libs`: `-lz` or an absolute path.
fn system_library(flag: &str) -> &str {
    flag.strip_prefix("-l").unwrap_or_else(|| {
        let file = flag.rsplit('/').next().unwrap_or(flag);
        let stem = file.split(".so").next().unwrap_or(file);
        stem.strip_prefix("lib").unwrap_or(stem)
    })
}

/// Runs the `llvm-config` of the configured prefix, or the one on the path.
fn llvm_config(arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let program = env::var_os("LLVM_SYS_221_PREFIX")
        .map(|prefix| PathBuf::from(prefix).join("bin/llvm-config"))
        .unwrap_or_else(|| "llvm-config".into());
    let output = Command::new(&program)
        .args(["--link-static", "--ignore-libllvm"])
        .args(arguments)
        .output()
        .map_err(|error| format!("failed to run {}: {error}", program.display()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {message}", program.display()).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
