//! The dialects of an extension.

use crate::{
    Dialect, Tablegen, export_for_plugins, glue,
    settle::settle_mlir_sys,
    tables::{ATTRIBUTES, DIALECT, ENUMS, OPERATIONS, PATTERNS, TYPES},
    views,
};
use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

/// Where Debian's packages are, unless `MLIR_SYS_220_PREFIX` names another folder.
const PREFIX: &str = "/usr/lib/llvm-22";

/// The folder of an extension's `.td` and `.cpp` files.
const FOLDER: &str = "dialect";

/// What generated C++ classes may refer to.
const HEADERS: &[&str] = &[
    "mlir/Bytecode/BytecodeOpInterface.h",
    "mlir/Dialect/Arith/IR/Arith.h",
    "mlir/Dialect/Func/IR/FuncOps.h",
    "mlir/IR/Builders.h",
    "mlir/IR/BuiltinAttributes.h",
    "mlir/IR/BuiltinTypes.h",
    "mlir/IR/Dialect.h",
    "mlir/IR/DialectImplementation.h",
    "mlir/IR/Matchers.h",
    "mlir/IR/OpDefinition.h",
    "mlir/IR/OpImplementation.h",
    "mlir/IR/PatternMatch.h",
    "mlir/IR/SymbolTable.h",
    "mlir/Interfaces/CallInterfaces.h",
    "mlir/Interfaces/CastInterfaces.h",
    "mlir/Interfaces/ControlFlowInterfaces.h",
    "mlir/Interfaces/FunctionInterfaces.h",
    "mlir/Interfaces/InferTypeOpInterface.h",
    "mlir/Interfaces/LoopLikeInterface.h",
    "mlir/Interfaces/SideEffectInterfaces.h",
    "pyopt/Typed/Typed.h",
    "llvm/ADT/TypeSwitch.h",
];

/// Builds the dialects of an extension, for its build script.
///
/// Of a dialect `poly`, `dialect/poly.td` defines the dialect, its operations, types, attributes, enums and
/// declarative rewrites, in any C++ namespace; all `.cpp` files beside it have what these leave to C++
/// (verifiers, folders), and begin with `#include "poly.h"`, which is generated. What else a dialect needs in
/// C++ is generated too. With `hasCanonicalizer` the declarative rewrites (`Pat`) are its canonicalisation.
///
/// The Rust side is included by `pyopt_dialects::include_dialects!()`: a module a dialect with views and
/// builders of its operations, its types, its enums and `DIALECT`. The crate has `pyopt-dialects` among its
/// dependencies, where pyopt's own `.td` files come from. A crate without such dialects gives no names: the rest
/// of what its tool and module need is done.
///
/// # Panics
///
/// Where something can't be built: the message is cargo's to show.
pub fn dialects(names: &[&'static str]) {
    settle_mlir_sys();
    write_version();
    println!("cargo::rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    // Plugins of MLIR's load into the extension's tool, and those of pyopt's into its package.
    println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic");
    export_for_plugins();
    if names.is_empty() {
        return;
    }
    let prefix = env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| PREFIX.into(), PathBuf::from);
    let output = PathBuf::from(variable("OUT_DIR"));
    let generated = output.join("include");
    fs::create_dir_all(&generated).expect("the output directory is writable");
    let includes = [
        PathBuf::from(FOLDER),
        generated.clone(),
        metadata("INCLUDE"),
        metadata("GENERATED"),
    ];
    let tablegen = Tablegen::new(&prefix, &output, &includes);

    let mut read = Vec::new();
    let mut classes = String::new();
    let mut tables = Vec::new();
    for &name in names {
        let file = format!("{FOLDER}/{name}.td");
        let records = tablegen.records(name, &[&format!("{name}.td")]);
        let mut defined = records.of_class("Dialect").into_iter();
        let found = defined.find(|one| one.text("name") == name);
        let found = found.unwrap_or_else(|| panic!("{file} defines no dialect '{name}'"));
        let class = Class {
            name,
            namespace: found.text("cppNamespace").to_owned(),
            class: found.name().replace('_', ""),
            canonicalizes: found.number("hasCanonicalizer") == 1
                && !records.of_class("Pattern").is_empty(),
        };
        for (flag, ending) in [DIALECT, ENUMS, TYPES, ATTRIBUTES, OPERATIONS].concat() {
            let flags = [&format!("-dialect={name}"), flag];
            tablegen.classes(&flags, &file, &generated.join(format!("{name}{ending}")));
        }
        for (flag, ending) in PATTERNS {
            let path = generated.join(format!("{name}{ending}"));
            // What rewrites are made of is known only to files that include it.
            match records.of_class("Pattern").is_empty() {
                true => write(&path, ""),
                false => tablegen.classes(&[flag], &file, &path),
            }
        }
        write(&generated.join(format!("{name}.h")), &class.header());
        classes += &class.source();
        tables.push(class.table());
        let dialect = Dialect::read(name, |_| true, true, names, &records);
        read.push(dialect.with_types(&records));
    }

    let identities = format!("pyoptOperationIdentities_{}", names.join("_"));
    let mut rust = views(&read, &identities);
    for (name, table) in names.iter().zip(&tables) {
        rust = rust.replacen(&format!("pub mod {name} {{\n"), table, 1);
    }
    write(&output.join("dialects.rs"), &rust);
    let headers: Vec<_> = names.iter().map(|name| format!("{name}.h")).collect();
    let headers: Vec<_> = headers.iter().map(String::as_str).collect();
    let source = output.join("dialects.cpp");
    write(&source, &(glue(&read, &headers, &identities) + &classes));

    let mut build = compiler(&prefix, &includes);
    build.file(source);
    let own = fs::read_dir(FOLDER).unwrap_or_else(|error| panic!("{FOLDER}: {error}"));
    for entry in own {
        let path = entry.expect("a readable directory entry").path();
        if path.extension().is_some_and(|extension| extension == "cpp") {
            build.file(path);
        }
    }
    build.compile(&format!("{}_dialects", names.join("_")));
}

/// A C++ compiler for code that uses MLIR: clang of the same release where nothing else is asked for.
pub fn compiler(prefix: &Path, includes: &[PathBuf]) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-semantic-interposition")
        .warnings(false)
        .opt_level(1)
        .includes(includes)
        .include(prefix.join("include"));
    let clang = prefix.join("bin/clang++");
    if env::var_os("CXX").is_none() && clang.exists() {
        build.compiler(clang);
    }
    build
}

/// The C++ class of a dialect.
struct Class {
    name: &'static str,
    namespace: String,
    class: String,
    canonicalizes: bool,
}

impl Class {
    /// The header that declares everything.
    fn header(&self) -> String {
        let name = self.name;
        let includes: String = (HEADERS.iter())
            .map(|header| format!("#include \"{header}\"\n"))
            .collect();
        format!(
            "// Generated from {name}.td by pyopt-build.\n#pragma once\n{includes}\
             #include \"{name}Dialect.h.inc\"\n#include \"{name}Enums.h.inc\"\n\
             #define GET_ATTRDEF_CLASSES\n#include \"{name}Attributes.h.inc\"\n\
             #define GET_TYPEDEF_CLASSES\n#include \"{name}Types.h.inc\"\n\
             #define GET_OP_CLASSES\n#include \"{name}Ops.h.inc\"\n"
        )
    }

    /// What registers and defines everything.
    fn source(&self) -> String {
        let Self {
            name,
            namespace,
            class,
            canonicalizes,
        } = self;
        let canonicalizer = match canonicalizes {
            false => String::new(),
            true => format!(
                "namespace {name}_patterns {{\nusing namespace mlir;\n\
                 #include \"{name}Patterns.cpp.inc\"\n}}\n\
                 void {namespace}::{class}::getCanonicalizationPatterns(\
                 ::mlir::RewritePatternSet &patterns) const {{\n  \
                 {name}_patterns::populateWithGenerated(patterns);\n}}\n"
            ),
        };
        format!(
            "\n#include \"mlir/CAPI/Registration.h\"\n\
             #include \"{name}Dialect.cpp.inc\"\n#include \"{name}Enums.cpp.inc\"\n\
             #define GET_ATTRDEF_CLASSES\n#include \"{name}Attributes.cpp.inc\"\n\
             #define GET_TYPEDEF_CLASSES\n#include \"{name}Types.cpp.inc\"\n\
             #define GET_OP_CLASSES\n#include \"{name}Ops.cpp.inc\"\n\
             void {namespace}::{class}::initialize() {{\n\
             {operations}{types}{attributes}}}\n\
             {canonicalizer}\
             extern \"C\" {{\n\
             MLIR_DEFINE_CAPI_DIALECT_REGISTRATION({class}, {name}, {namespace}::{class})\n}}\n",
            operations = self.add("Operations", "GET_OP_LIST", "Ops"),
            types = self.add("Types", "GET_TYPEDEF_LIST", "Types"),
            attributes = self.add("Attributes", "GET_ATTRDEF_LIST", "Attributes"),
        )
    }

    /// The call that adds the classes of a generated list.
    fn add(&self, what: &str, list: &str, file: &str) -> String {
        let name = self.name;
        format!("  add{what}<\n#define {list}\n#include \"{name}{file}.cpp.inc\"\n  >();\n")
    }

    /// The Rust table of it, a part of its module.
    fn table(&self) -> String {
        let name = self.name;
        format!(
            "pub mod {name} {{\n/// The dialect `{name}`.\n\
             pub static DIALECT: ::pyopt_dialects::DialectSpec = ::pyopt_dialects::DialectSpec {{\n\
             name: {name:?},\n\
             register: |registry| {{\n\
             unsafe extern \"C\" {{\n\
             fn mlirGetDialectHandle__{name}__() -> ::pyopt_dialects::view::MlirDialectHandle;\n}}\n\
             // SAFETY: the function returns a handle to static registration hooks.\n\
             let handle = unsafe {{ ::pyopt_dialects::view::DialectHandle::from_raw(\
             mlirGetDialectHandle__{name}__()) }};\n\
             handle.insert_dialect(registry);\n}},\n}};\n"
        )
    }
}

/// Tells the crate the version of its code: what functions were compiled to is kept on disk under it.
fn write_version() {
    let mut hash = DefaultHasher::new();
    for folder in ["src", FOLDER] {
        println!("cargo::rerun-if-changed={folder}");
        for file in files(Path::new(folder)) {
            file.hash(&mut hash);
            fs::read(&file).unwrap_or_default().hash(&mut hash);
        }
    }
    let version = variable("CARGO_PKG_VERSION");
    println!(
        "cargo::rustc-env=PYOPT_EXTENSION={version}+{:x}",
        hash.finish()
    );
}

/// The files in a folder and those in it, in the order of their names; none where there is no folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    };
    paths.into_iter().flat_map(below).collect()
}

/// What the build script of `pyopt-dialects` says to those that depend on it.
fn metadata(what: &str) -> PathBuf {
    let name = format!("DEP_PYOPT_DIALECTS_{what}");
    let value = env::var_os(name);
    let value = value.unwrap_or_else(|| panic!("the crate must depend on pyopt-dialects"));
    value.into()
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} isn't set: this is for build scripts"))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the output directory is writable");
}
