//! Every test suite, each run whether or not the ones before it passed.

use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::ValueEnum;

use super::{build, docs};
use crate::environment::Environment;
use crate::layers;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// The crate of the Python extension.
const EXTENSION: &str = "pyopt-python";

/// What every cargo test run begins with.
const TEST: [&str; 2] = ["test", "--release"];

/// One test suite.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// What modules of the compiler import, against the order of their layers
    Layers,
    /// The crates' unit and documentation tests
    Rust,
    /// The FileCheck tests of lit-tests, as written and under --verify-roundtrip
    Lit,
    /// The Python package's tests
    Pytest,
    /// Whether the generated dialect reference is up to date
    Docs,
}

/// How one run of a suite ended.
struct Outcome {
    name: &'static str,
    passed: bool,
    duration: Duration,
}

/// Builds, runs the chosen suites (all when none is chosen) and sums up.
pub fn run(workspace: &Workspace, chosen: &[Suite]) -> Result<bool> {
    build::run(workspace)?;
    let mut outcomes = Vec::new();
    for suite in Suite::value_variants() {
        if chosen.is_empty() || chosen.contains(suite) {
            run_suite(workspace, *suite, &mut outcomes);
        }
    }
    headline("summary");
    for Outcome {
        name,
        passed,
        duration,
    } in &outcomes
    {
        let verdict = if *passed { "passed" } else { "FAILED" };
        eprintln!("{name:<24} {verdict}  {:>7.1} s", duration.as_secs_f64());
    }
    Ok(outcomes.iter().all(|outcome| outcome.passed))
}

/// Runs one suite, in as many runs as it has.
fn run_suite(workspace: &Workspace, suite: Suite, outcomes: &mut Vec<Outcome>) {
    let mut record = |name, run: &mut dyn FnMut() -> Result<bool>| {
        headline(name);
        let started = Instant::now();
        let passed = run().unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            false
        });
        outcomes.push(Outcome {
            name,
            passed,
            duration: started.elapsed(),
        });
    };
    match suite {
        Suite::Layers => record("layers", &mut || layers::run(workspace, false)),
        Suite::Rust => {
            record("cargo test", &mut || {
                let selection = ["--workspace", "--exclude", EXTENSION];
                process::succeeds(workspace.cargo().args(TEST).args(selection))
            });
            record("cargo test (extension)", &mut || {
                process::succeeds(&mut extension_tests(workspace)?)
            });
        }
        Suite::Lit => {
            record("lit", &mut || process::succeeds(&mut lit(workspace)));
            record("lit --verify-roundtrip", &mut || {
                process::succeeds(lit(workspace).args(["--param", "roundtrip=1"]))
            });
        }
        Suite::Pytest => record("pytest", &mut || {
            let mut pytest = Command::new(workspace.venv_program("pytest"));
            process::succeeds(
                pytest
                    .current_dir(&workspace.root)
                    .env("PYOPT_CACHE_DIR", workspace.root.join("target/cache"))
                    .args(["-q", "python/tests"]),
            )
        }),
        Suite::Docs => record("docs --check", &mut || docs::run(workspace, true)),
    }
}

/// The command that runs the extension's unit tests: executables that embed an interpreter, where
/// an extension module is loaded by one. `--lib`, because building anything else of the crate
/// would replace the extension by one that is linked to libpython.
fn extension_tests(workspace: &Workspace) -> Result<Command> {
    let mut libraries = vec![Environment::query(workspace)?.library_folder];
    libraries.extend(env::split_paths(
        &env::var_os("LD_LIBRARY_PATH").unwrap_or_default(),
    ));
    let mut command = workspace.cargo();
    command
        .args(TEST)
        .args(["--package", EXTENSION, "--no-default-features", "--lib"])
        .env("LD_LIBRARY_PATH", env::join_paths(libraries)?);
    Ok(command)
}

/// The command that runs the FileCheck tests.
fn lit(workspace: &Workspace) -> Command {
    let mut command = Command::new(workspace.venv_program("lit"));
    command
        .current_dir(&workspace.root)
        .env("LLVM_BIN", workspace.llvm_prefix().join("bin"))
        .args(["-v", "lit-tests"]);
    command
}
