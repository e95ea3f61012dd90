//! Generates the dialects' C++ from their `.td` files and compiles it.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// What `mlir-tblgen` makes of a dialect's operations file: generator flags and file ending.
const OPERATIONS: &[(&[&str], &str)] = &[
    (&["-gen-op-decls"], "Ops.h.inc"),
    (&["-gen-op-defs"], "Ops.cpp.inc"),
    (&["-gen-dialect-decls"], "Dialect.h.inc"),
    (&["-gen-dialect-defs"], "Dialect.cpp.inc"),
];
const ENUMS: &[(&[&str], &str)] = &[
    (&["-gen-enum-decls"], "Enums.h.inc"),
    (&["-gen-enum-defs"], "Enums.cpp.inc"),
];
const TYPES: &[(&[&str], &str)] = &[
    (&["-gen-typedef-decls"], "Types.h.inc"),
    (&["-gen-typedef-defs"], "Types.cpp.inc"),
];
const ATTRIBUTES: &[(&[&str], &str)] = &[
    (&["-gen-attrdef-decls"], "Attributes.h.inc"),
    (&["-gen-attrdef-defs"], "Attributes.cpp.inc"),
];

/// What it makes of a dialect's interfaces file.
const INTERFACES: &[(&[&str], &str)] = &[
    (&["-gen-op-interface-decls"], "Interfaces.h.inc"),
    (&["-gen-op-interface-defs"], "Interfaces.cpp.inc"),
];

fn main() {
    let prefix = PathBuf::from(
        env::var("MLIR_SYS_220_PREFIX").expect("MLIR_SYS_220_PREFIX is set in .cargo/config.toml"),
    );
    let generated = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("include");
    for (name, tables) in [
        ("Py", &[OPERATIONS, ENUMS, TYPES, ATTRIBUTES][..]),
        ("Typed", &[OPERATIONS, ENUMS, TYPES, ATTRIBUTES][..]),
        ("Parfor", &[OPERATIONS][..]),
        ("Stencil", &[OPERATIONS][..]),
    ] {
        let directory = generated.join("pyopt").join(name);
        std::fs::create_dir_all(&directory).expect("the output directory is writable");
        for (flags, ending) in tables.iter().copied().flatten() {
            run_tblgen(
                &prefix,
                name,
                "Ops",
                flags,
                &directory.join(format!("{name}{ending}")),
            );
        }
    }
    for (flags, ending) in INTERFACES {
        let output = generated.join(format!("pyopt/Py/Py{ending}"));
        run_tblgen(&prefix, "Py", "Interfaces", flags, &output);
    }

    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-semantic-interposition")
        .warnings(false)
        .opt_level(1)
        .include("include")
        .include(&generated)
        .include(prefix.join("include"));
    for entry in std::fs::read_dir("lib").expect("dialects/lib exists") {
        let path = entry.expect("a readable directory entry").path();
        if path.extension().is_some_and(|extension| extension == "cpp") {
            build.file(path);
        }
    }
    build.compile("pyopt_dialects");

    // Dependents compile C++ against the same headers.
    println!("cargo::metadata=generated={}", generated.display());
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=lib");
    println!("cargo::rerun-if-env-changed=MLIR_SYS_220_PREFIX");
}

fn run_tblgen(prefix: &Path, name: &str, part: &str, flags: &[&str], output: &Path) {
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    if part == "Ops" {
        command.arg(format!("-dialect={}", name.to_lowercase()));
    }
    let status = command
        .args(flags)
        .arg("-I")
        .arg("include")
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(format!("include/pyopt/{name}/{name}{part}.td"))
        .arg("-o")
        .arg(output)
        .status()
        .expect("mlir-tblgen runs: it is part of mlir-22-tools");
    assert!(
        status.success(),
        "mlir-tblgen {flags:?} failed for {name}{part}.td"
    );
}
