//! `cargo xtask <command>`: set-up, build, tests, demo, benchmarks and generated documentation.
//!
//! This crate builds with nothing but Rust. Every command that needs more (LLVM/MLIR, a Python
//! environment) runs the set-up first, which is quick when there is nothing left to install.

mod commands;
mod environment;
mod layers;
mod lit_tests;
mod process;
mod progress;
mod setup;
mod shared;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use commands::{
    bench, build, cpython_tests, demo, docs, extensions, libraries, numba_tests, test, wheel,
};
use workspace::Workspace;

/// Tasks of the pyopt workspace.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    arg_required_else_help = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// One task.
#[derive(Subcommand)]
enum Command {
    /// Install what is missing: LLVM/MLIR 22 packages and the Python environment in target/venv
    Setup,
    /// Build the tools and the Python extension (after `setup`)
    Build {
        /// Build the extension for this version of CPython instead, in target/python<VERSION>
        #[arg(long, value_name = "VERSION")]
        python: Option<String>,
    },
    /// Build, then run every test suite, or a choice of tests; exits with status 1 if one fails
    Test {
        #[command(flatten)]
        choice: test::Choice,
        /// Run the Python package's tests in this version of CPython instead, as in 3.13, or 3.14t for the build
        /// without a global lock
        #[arg(long, value_name = "VERSION")]
        python: Option<String>,
    },
    /// Make a wheel in target/wheels, and try it in an environment that has nothing else of this project
    Wheel {
        /// Make the wheel of this version of CPython instead
        #[arg(long, value_name = "VERSION")]
        python: Option<String>,
        /// Make the source distribution, not a wheel
        #[arg(long, conflicts_with = "python")]
        sdist: bool,
    },
    /// Build, then run each demo program under CPython, NumPy and pyopt and check the results
    Demo {
        /// Run only this program (may be repeated)
        #[arg(long, value_name = "NAME")]
        program: Vec<String>,
    },
    /// Build, then measure CPython, NumPy, pyopt and, when installed, Numba
    Bench {
        /// Install the pinned Numba into target/venv first
        #[arg(long)]
        with_numba: bool,
        /// Also write every sample to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Further arguments of the harness (`-- --help` lists them)
        #[arg(last = true, value_name = "ARGS")]
        harness_arguments: Vec<String>,
    },
    /// Build, then generate docs/dialects/*.md, docs/passes.md and what pages show of programs
    Docs {
        /// Change nothing; fail when a committed page is stale
        #[arg(long)]
        check: bool,
    },
    /// Make a directory with an extension of its own: a dialect, a pass, a tool, a package, tests
    NewExtension {
        /// The name of the dialect, the crate and the package
        name: String,
        /// Where to make the directory
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        folder: PathBuf,
        /// Define the dialect in IRDL, without C++
        #[arg(long)]
        irdl: bool,
    },
    /// Check what the modules of passes/src import against the order of their layers
    Layers,
    /// Install Numba, build, then compile the use-cases of Numba's own tests and compare with CPython
    NumbaTests {
        /// Arguments of the driver (`-- --help` lists them): test modules of Numba's package
        #[arg(last = true, value_name = "ARGS")]
        driver_arguments: Vec<String>,
    },
    /// Build, then run the tests of libraries built on Numba, under it and under pyopt
    Libraries {
        /// Arguments of the driver (`-- --help` lists them): libraries, how many of their tests
        #[arg(last = true, value_name = "ARGS")]
        driver_arguments: Vec<String>,
    },
    /// Build, then run CPython's tests of its built-in types with their expressions in compiled code
    BuiltinTests {
        /// Run the tests of this version of CPython instead, in that version
        #[arg(long, value_name = "VERSION")]
        python: Option<String>,
        /// Arguments of the driver (`-- --help` lists them): test modules
        #[arg(last = true, value_name = "ARGS")]
        driver_arguments: Vec<String>,
    },
    /// Build, then run CPython's tests over standard-library modules in object mode
    Stdlib {
        /// Arguments of the driver (`-- --help` lists them): modules, which parts of them
        #[arg(last = true, value_name = "ARGS")]
        driver_arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one task; `false` when what it ran reported a failure itself.
fn run(command: Command) -> Result<bool> {
    let mut workspace = Workspace::locate()?;
    if let Command::Build { python }
    | Command::Test { python, .. }
    | Command::Wheel { python, .. }
    | Command::BuiltinTests { python, .. } = &command
        && let Some(version) = python
    {
        workspace = workspace.with_python(version);
    }
    setup::run(&workspace)?;
    match command {
        Command::Setup => {
            eprintln!("set-up complete: LLVM/MLIR 22 and the Python environment in target/venv");
            Ok(true)
        }
        Command::Build { .. } => build::run(&workspace).map(|()| true),
        Command::Test { choice, .. } => test::run(&workspace, &choice),
        Command::Wheel { sdist: true, .. } => wheel::source_distribution(&workspace).map(|()| true),
        Command::Wheel { .. } => wheel::run(&workspace).map(|()| true),
        Command::Demo { program } => demo::run(&workspace, &program),
        Command::Bench {
            with_numba,
            json,
            harness_arguments,
        } => bench::run(&workspace, with_numba, json.as_deref(), &harness_arguments),
        Command::Docs { check } => {
            build::run(&workspace)?;
            docs::run(&workspace, check)
        }
        Command::NewExtension { name, folder, irdl } => {
            extensions::create(&workspace, &name, &folder, irdl).map(|()| true)
        }
        Command::Layers => layers::run(&workspace),
        Command::Libraries { driver_arguments } => libraries::run(&workspace, &driver_arguments),
        Command::NumbaTests { driver_arguments } => numba_tests::run(&workspace, &driver_arguments),
        Command::BuiltinTests {
            driver_arguments, ..
        } => cpython_tests::run(&workspace, "builtin_tests", &driver_arguments),
        Command::Stdlib { driver_arguments } => {
            cpython_tests::run(&workspace, "stdlib", &driver_arguments)
        }
    }
}
