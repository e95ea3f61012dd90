//! Generates the dialects' C++ and Rust from their `.td` files, and compiles the C++.

mod marks;

use pyopt_build::{
    Dialect, Tablegen,
    tables::{ATTRIBUTES, DIALECT, ENUMS, OPERATIONS, TYPES},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// What it makes of a dialect's interfaces file.
const INTERFACES: &[(&str, &str)] = &[
    ("-gen-op-interface-decls", ".h.inc"),
    ("-gen-op-interface-defs", ".cpp.inc"),
];

/// A dialect whose operations have views in Rust.
struct Source {
    name: &'static str,
    /// The files that define the operations.
    files: &'static [&'static str],
    /// The header with their C++ classes.
    header: &'static str,
    /// Which operations have views, by their names without the dialect. The few that we use of a
    /// large dialect keep the generated file short.
    wants: fn(&str) -> bool,
}

impl Source {
    /// Whether the dialect is one of ours.
    fn is_own(&self) -> bool {
        self.files.iter().all(|file| file.starts_with("pyopt/"))
    }
}

/// All operations.
const ALL: fn(&str) -> bool = |_| true;

/// The operations of `llvm` that aren't intrinsics, and the intrinsics that passes make or match.
const LLVM: fn(&str) -> bool = |name| {
    !name.starts_with("intr.")
        || name.starts_with("intr.mem")
        || name.starts_with("intr.stack")
        || name.starts_with("intr.dbg.")
        || name == "intr.vector.reduce.or"
        || name == "intr.assume"
        || name == "intr.expect.with.probability"
};

/// What offloading uses of `gpu`.
const GPU: fn(&str) -> bool = |name| {
    [
        "module",
        "binary",
        "func",
        "return",
        "launch",
        "launch_func",
        "terminator",
    ]
    .contains(&name)
        || ["thread_id", "block_id", "block_dim", "grid_dim", "barrier"].contains(&name)
};

/// The dialects with views. One line makes another of upstream's dialects readable.
#[rustfmt::skip]
const SOURCES: &[Source] = &[
    Source { name: "py", files: &["pyopt/Py/PyOps.td"], header: "pyopt/Py/Py.h", wants: ALL },
    Source { name: "typed", files: &["pyopt/Typed/TypedOps.td"], header: "pyopt/Typed/Typed.h", wants: ALL },
    Source { name: "parfor", files: &["pyopt/Parfor/ParforOps.td"], header: "pyopt/Parfor/Parfor.h", wants: ALL },
    Source { name: "stencil", files: &["pyopt/Stencil/StencilOps.td"], header: "pyopt/Stencil/Stencil.h", wants: ALL },
    Source { name: "builtin", files: &["mlir/IR/BuiltinOps.td"], header: "mlir/IR/BuiltinOps.h", wants: ALL },
    Source { name: "func", files: &["mlir/Dialect/Func/IR/FuncOps.td"], header: "mlir/Dialect/Func/IR/FuncOps.h", wants: ALL },
    Source { name: "cf", files: &["mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"], header: "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h", wants: ALL },
    Source { name: "scf", files: &["mlir/Dialect/SCF/IR/SCFOps.td"], header: "mlir/Dialect/SCF/IR/SCF.h", wants: ALL },
    Source { name: "arith", files: &["mlir/Dialect/Arith/IR/ArithOps.td"], header: "mlir/Dialect/Arith/IR/Arith.h", wants: ALL },
    Source { name: "math", files: &["mlir/Dialect/Math/IR/MathOps.td"], header: "mlir/Dialect/Math/IR/Math.h", wants: ALL },
    Source { name: "complex", files: &["mlir/Dialect/Complex/IR/ComplexOps.td"], header: "mlir/Dialect/Complex/IR/Complex.h", wants: ALL },
    Source { name: "ub", files: &["mlir/Dialect/UB/IR/UBOps.td"], header: "mlir/Dialect/UB/IR/UBOps.h", wants: ALL },
    Source { name: "memref", files: &["mlir/Dialect/MemRef/IR/MemRefOps.td"], header: "mlir/Dialect/MemRef/IR/MemRef.h", wants: ALL },
    Source { name: "gpu", files: &["mlir/Dialect/GPU/IR/GPUOps.td"], header: "mlir/Dialect/GPU/IR/GPUDialect.h", wants: GPU },
    Source { name: "llvm", files: &["mlir/Dialect/LLVMIR/LLVMOps.td", "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td"], header: "mlir/Dialect/LLVMIR/LLVMDialect.h", wants: LLVM },
];

/// The C++ function that tells the identities of operations.
const IDENTITIES: &str = "pyoptOperationIdentities";

/// The dialect of the discardable attributes that passes note on operations, and its file.
const MARKS: (&str, &str) = ("pyopt", "pyopt/Marks/MarksDialect.td");

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=lib");
    println!("cargo::rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = PathBuf::from(
        env::var("MLIR_SYS_220_PREFIX").expect("MLIR_SYS_220_PREFIX is set in .cargo/config.toml"),
    );
    let output = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let tablegen = Tablegen::new(&prefix, &output, &["include".into()]);

    let generated = output.join("include");
    generate_classes(&tablegen, &generated);
    let glue = generate_views(&tablegen, &output, &generated);
    compile(&prefix, &generated, &glue);
    // Dependents compile C++ against the same headers.
    println!("cargo::metadata=generated={}", generated.display());
    let include = env::current_dir()
        .expect("cargo sets the folder")
        .join("include");
    println!("cargo::metadata=include={}", include.display());
}

/// The C++ classes of our dialects, as upstream's generators make them.
fn generate_classes(tablegen: &Tablegen, generated: &Path) {
    for (name, tables) in [
        ("Py", &[DIALECT, OPERATIONS, ENUMS, TYPES, ATTRIBUTES][..]),
        (
            "Typed",
            &[DIALECT, OPERATIONS, ENUMS, TYPES, ATTRIBUTES][..],
        ),
        ("Parfor", &[DIALECT, OPERATIONS, ENUMS, ATTRIBUTES][..]),
        ("Stencil", &[DIALECT, OPERATIONS][..]),
    ] {
        let directory = generated.join("pyopt").join(name);
        fs::create_dir_all(&directory).expect("the output directory is writable");
        let dialect = format!("-dialect={}", name.to_lowercase());
        for (flag, ending) in tables.iter().copied().flatten() {
            let input = format!("include/pyopt/{name}/{name}Ops.td");
            let output = directory.join(format!("{name}{ending}"));
            tablegen.classes(&[&dialect, flag], &input, &output);
        }
    }
    let directory = generated.join("pyopt/Marks");
    fs::create_dir_all(&directory).expect("the output directory is writable");
    let (dialect, file) = MARKS;
    for (flag, ending) in DIALECT {
        let input = format!("include/{file}");
        let output = directory.join(format!("Marks{ending}"));
        tablegen.classes(&[&format!("-dialect={dialect}"), flag], &input, &output);
    }
    for (folder, name) in [("Py", "PyInterfaces"), ("Interfaces", "Interfaces")] {
        fs::create_dir_all(generated.join("pyopt").join(folder))
            .expect("the output directory is writable");
        for (flag, ending) in INTERFACES {
            let input = format!("include/pyopt/{folder}/{name}.td");
            let output = generated.join(format!("pyopt/{folder}/{name}{ending}"));
            tablegen.classes(&[flag], &input, &output);
        }
    }
}

/// The Rust views of operations and enums with the names of marks, and the C++ files that tell the
/// identities of operations and the kinds of marks; returns the path of the former.
fn generate_views(tablegen: &Tablegen, output: &Path, generated: &Path) -> PathBuf {
    let names: Vec<_> = SOURCES.iter().map(|source| source.name).collect();
    let dialects: Vec<Dialect> = SOURCES
        .iter()
        .map(|source| {
            let records = tablegen.records(source.name, source.files);
            let own = source.is_own();
            Dialect::read(source.name, source.wants, own, &names, &records)
        })
        .collect();
    let (dialect, file) = MARKS;
    let marks = marks::read(dialect, &tablegen.records(dialect, &[file]));
    let text = pyopt_build::views(&dialects, IDENTITIES)
        + &pyopt_build::union_of_all(&dialects)
        + &marks::rust(&marks);
    write(&output.join("ops.rs"), &text);
    write(
        &generated.join("pyopt/Marks/Marks.cpp.inc"),
        &marks::cpp(&marks),
    );
    let glue = output.join("identities.cpp");
    let headers: Vec<&str> = SOURCES.iter().map(|source| source.header).collect();
    write(&glue, &pyopt_build::glue(&dialects, &headers, IDENTITIES));
    glue
}

/// Writes a file.
fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the output directory is writable");
}

/// Compiles what is in `lib`, and the generated glue.
fn compile(prefix: &Path, generated: &Path, glue: &Path) {
    let includes = [PathBuf::from("include"), generated.to_owned()];
    let mut build = pyopt_build::compiler(prefix, &includes);
    build.file(glue);
    for entry in fs::read_dir("lib").expect("dialects/lib exists") {
        let path = entry.expect("a readable directory entry").path();
        if path.extension().is_some_and(|extension| extension == "cpp") {
            build.file(path);
        }
    }
    build.compile("pyopt_dialects");
}
