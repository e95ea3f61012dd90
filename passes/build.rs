//! Compiles the C++ glue, and makes the table of passes from the stages' modules.

use std::{env, error::Error, fmt::Write, fs, path::Path};

/// The stages, in the order in which a program goes through them.
const STAGES: &[&str] = &[
    "analysis", "py", "rewrite", "typed", "parfor", "stencil", "loops", "object", "lowering",
];

/// The stage in which some modules have a rewrite beside the pass.
const REWRITES: &str = "rewrite";

const GLUE: &[&str] = &[
    "Canonicalize.cpp",
    "Conversion.cpp",
    "Ir.cpp",
    "Pass.cpp",
    "Structure.cpp",
    "Subcommands.cpp",
    "Tool.cpp",
];

fn main() -> Result<(), Box<dyn Error>> {
    write_registry()?;
    compile_glue()
}

/// Writes the lists of passes and rewrites.
fn write_registry() -> Result<(), Box<dyn Error>> {
    let mut tables = Tables::default();
    for stage in STAGES {
        tables.add_folder(stage)?;
    }
    let folder = env::var("OUT_DIR")?;
    let list = |entries: &str| format!("&[\n{entries}]\n");
    fs::write(
        Path::new(&folder).join("pass_table.rs"),
        list(&tables.passes),
    )?;
    fs::write(
        Path::new(&folder).join("rewrite_table.rs"),
        list(&tables.rewrites),
    )?;
    Ok(())
}

/// The entries of the tables of passes and rewrites.
#[derive(Default)]
struct Tables {
    passes: String,
    rewrites: String,
}

impl Tables {
    /// Adds what the public modules of a folder below `src` define: each is a pass, or a folder of
    /// passes with a `mod.rs` of its own.
    fn add_folder(&mut self, folder: &str) -> Result<(), Box<dyn Error>> {
        let path = format!("src/{folder}/mod.rs");
        println!("cargo:rerun-if-changed={path}");
        for line in fs::read_to_string(&path)?.lines() {
            let Some(name) = line
                .strip_prefix("pub mod ")
                .and_then(|rest| rest.strip_suffix(';'))
            else {
                continue;
            };
            let module = format!("{folder}/{name}");
            if Path::new(&format!("src/{module}/mod.rs")).exists() {
                self.add_folder(&module)?;
                continue;
            }
            let path = module.replace('/', "::");
            writeln!(self.passes, "    &crate::{path}::PASS,")?;
            if folder == REWRITES {
                let file = format!("src/{module}.rs");
                println!("cargo:rerun-if-changed={file}");
                if fs::read_to_string(&file)?.contains("\npub static REWRITE: ") {
                    writeln!(self.rewrites, "    &crate::{path}::REWRITE,")?;
                }
            }
        }
        Ok(())
    }
}

fn compile_glue() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=glue");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX")
        .map_err(|_| "MLIR_SYS_220_PREFIX must name the LLVM/MLIR 22 installation")?;
    let prefix = Path::new(&prefix);

    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        // MLIR is built without exceptions; what Rust hands over never unwinds.
        .flag("-fno-exceptions")
        .include(prefix.join("include"))
        .warnings(false)
        .flag("-Wall")
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-comment")
        .files(GLUE.iter().map(|file| Path::new("glue").join(file)));
    let clang = prefix.join("bin/clang++");
    if env::var_os("CXX").is_none() && clang.exists() {
        build.compiler(clang);
    }
    build.try_compile("pyopt_passes_glue")?;
    Ok(())
}
