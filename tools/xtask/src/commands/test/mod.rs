//! The test suites, each run whether or not the ones before it passed.
//!
//! A run is described by a [`Plan`]: everything, or what `--fast`, `--changed` and `--filter` leave
//! of it. How long each test took is kept in `target/test-durations.json`.

mod affected;
mod durations;
mod plan;
mod rust_tests;
mod selection;
mod versions;

use std::env;
use std::ffi::OsStr;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum};

use self::durations::Durations;
use self::plan::Plan;
use super::{build, docs, extensions};
use crate::environment::Environment;
use crate::layers;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// The crate of the Python extension, and that of its module.
const EXTENSION: &str = "pyopt-python";
const MODULE: &str = "pyopt-core";

/// What every cargo test run begins with.
const TEST: [&str; 2] = ["test", "--release"];

/// How many processes pytest runs tests in.
const WORKERS: &str = "2";

/// pytest's exit status when no test is selected.
const NOTHING_SELECTED: i32 = 5;

/// How many tests are shown as the slowest.
const SLOWEST: usize = 10;

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
    /// Whether the generated references are up to date
    Docs,
    /// The extensions outside the workspace: each is built and tested by its own script
    Extensions,
    /// One of the other versions of CPython that are here, as the commit says: its standard library is
    /// lifted, and a third of the Python tests run in it
    Versions,
}

/// What to test. The choices narrow one another down.
#[derive(Args)]
pub struct Choice {
    /// Run this suite only (may be repeated)
    #[arg(long, value_enum)]
    pub suite: Vec<Suite>,
    /// Run the tests whose file or name contains this, and lit tests whose RUN lines do; `-`, `_` and
    /// `/` are the same
    #[arg(long, value_name = "PATTERN")]
    pub filter: Option<String>,
    /// Run what the changes since the merge base with the main branch can affect
    #[arg(long)]
    pub changed: bool,
    /// The revision that --changed compares with, instead of that merge base
    #[arg(long, value_name = "REVISION", requires = "changed")]
    pub base: Option<String>,
    /// Run a fixed selection that takes less than two minutes
    #[arg(long)]
    pub fast: bool,
    /// Say what would be run, and run nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// How one run of a suite ended.
struct Outcome {
    name: String,
    passed: bool,
    duration: Duration,
}

/// How all runs ended.
#[derive(Default)]
struct Outcomes(Vec<Outcome>);

impl Outcomes {
    /// Runs something and notes how it ended; an error is a failure. Whether it passed.
    fn record(&mut self, name: impl Into<String>, run: impl FnOnce() -> Result<bool>) -> bool {
        let name = name.into();
        headline(&name);
        let started = Instant::now();
        let passed = run().unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            false
        });
        self.0.push(Outcome {
            name,
            passed,
            duration: started.elapsed(),
        });
        passed
    }
}

/// Builds, runs what was chosen (everything when nothing is) and sums up.
pub fn run(workspace: &Workspace, choice: &Choice) -> Result<bool> {
    let mut plan = Plan::new(workspace, choice)?;
    if !workspace.has_main_python() {
        // Everything else is tested once.
        plan.keep_suites(&[Suite::Pytest]);
    }
    if plan.is_empty() {
        eprintln!("nothing is to be tested");
        // A pattern that matches nothing is misspelt; changes may affect nothing.
        return Ok(choice.filter.is_none());
    }
    eprint!("{plan}");
    if choice.dry_run {
        return Ok(true);
    }
    if plan.needs_build() {
        build::run(workspace)?;
    }
    let mut durations = Durations::default();
    let mut outcomes = Outcomes::default();
    for suite in Suite::value_variants() {
        run_suite(workspace, *suite, &plan, &mut durations, &mut outcomes);
    }
    durations.store(workspace)?;
    headline("slowest tests");
    for (name, seconds) in durations.slowest(SLOWEST) {
        eprintln!("{seconds:>7.1} s  {name}");
    }
    headline("summary");
    eprintln!("CPython {}{}", workspace.python, said_of_others(workspace));
    for Outcome {
        name,
        passed,
        duration,
    } in &outcomes.0
    {
        let verdict = if *passed { "passed" } else { "FAILED" };
        eprintln!("{name:<24} {verdict}  {:>7.1} s", duration.as_secs_f64());
    }
    Ok(outcomes.0.iter().all(|outcome| outcome.passed))
}

/// Which other versions could be tested, for the summary.
fn said_of_others(workspace: &Workspace) -> String {
    let others = versions::others();
    match workspace.has_main_python() && !others.is_empty() {
        true => format!("; also here: {} (--python VERSION)", others.join(", ")),
        false => String::new(),
    }
}

/// Runs what the plan has of a suite, in as many runs as it takes.
fn run_suite(
    workspace: &Workspace,
    suite: Suite,
    plan: &Plan,
    durations: &mut Durations,
    outcomes: &mut Outcomes,
) {
    match suite {
        Suite::Layers if plan.layers => {
            outcomes.record("layers", || layers::run(workspace));
        }
        Suite::Rust if plan.rust.is_everything() => {
            outcomes.record("cargo test", || {
                let selection = ["--workspace", "--exclude", EXTENSION, "--exclude", MODULE];
                process::succeeds(workspace.cargo().args(TEST).args(selection))
            });
            outcomes.record("cargo test (extension)", || {
                process::succeeds(&mut extension_tests(workspace)?)
            });
        }
        Suite::Rust => {
            for (packages, arguments) in plan.rust.runs() {
                outcomes.record("cargo test (selection)", || {
                    let mut command = match packages[..] {
                        [EXTENSION] => extension_tests(workspace)?,
                        _ => {
                            let mut command = workspace.cargo();
                            let named = packages.iter().flat_map(|package| ["--package", package]);
                            command.args(TEST).args(named);
                            command
                        }
                    };
                    process::succeeds(command.args(&arguments))
                });
            }
        }
        Suite::Lit if !plan.lit.is_empty() => {
            outcomes.record("lit", || lit(workspace, plan, "lit", &[], durations));
            if plan.roundtrip {
                // The second run shows uses of freed memory as well.
                let roundtrip = ["--param", "roundtrip=1", "--param", "checked=1"];
                outcomes.record("lit --verify-roundtrip", || {
                    lit(workspace, plan, "lit-roundtrip", &roundtrip, durations)
                });
            }
        }
        Suite::Pytest if !plan.pytest.is_empty() => {
            let files = plan.pytest.arguments();
            let pattern = plan.pytest_pattern.as_deref();
            outcomes.record("pytest", || {
                pytest_in_parallel(workspace, &files, pattern, durations)
            });
            outcomes.record("pytest (serial)", || {
                pytest(workspace, &files, pattern, &["-m", "serial"], durations)
            });
        }
        Suite::Docs if plan.docs => {
            outcomes.record("docs --check", || docs::run(workspace, true));
        }
        Suite::Versions if plan.versions => {
            if let Err(error) = versions::run(workspace, durations, outcomes) {
                outcomes.record("other versions", || Err(error));
            }
        }
        Suite::Extensions if plan.extensions => {
            outcomes.record("extensions", || extensions::test(workspace));
        }
        _ => {}
    }
}

/// The command that runs the extension's unit tests: executables that embed an interpreter, where
/// an extension module is loaded by one.
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

/// Runs FileCheck tests.
fn lit(
    workspace: &Workspace,
    plan: &Plan,
    name: &str,
    arguments: &[&str],
    durations: &mut Durations,
) -> Result<bool> {
    let results = workspace
        .target()
        .join("xtask")
        .join(format!("{name}.json"));
    durations::clear(&results)?;
    let mut command = Command::new(workspace.venv_program("lit"));
    command
        .current_dir(&workspace.root)
        .env("LLVM_BIN", workspace.llvm_prefix().join("bin"))
        .arg("-v")
        .arg("--output")
        .arg(&results)
        .args(arguments)
        .args(plan.lit.arguments());
    let passed = process::succeeds(&mut command)?;
    durations.read_lit(&results, name)?;
    Ok(passed)
}

/// Runs the tests of the Python package that can run beside others.
fn pytest_in_parallel(
    workspace: &Workspace,
    files: &[impl AsRef<OsStr>],
    pattern: Option<&str>,
    durations: &mut Durations,
) -> Result<bool> {
    let parallel = ["-m", "not serial", "-n", WORKERS, "--dist", "loadfile"];
    pytest(workspace, files, pattern, &parallel, durations)
}

/// Runs tests of the Python package.
fn pytest(
    workspace: &Workspace,
    files: &[impl AsRef<OsStr>],
    pattern: Option<&str>,
    arguments: &[&str],
    durations: &mut Durations,
) -> Result<bool> {
    let results = workspace.target().join("xtask/pytest.json");
    durations::clear(&results)?;
    let mut command = Command::new(workspace.venv_program("pytest"));
    command
        .current_dir(&workspace.root)
        .env("PYOPT_CACHE_DIR", workspace.target().join("cache"))
        // python/tests/conftest.py writes it.
        .env("PYOPT_TEST_DURATIONS", &results)
        .arg("-q")
        .args(arguments);
    if let Some(pattern) = pattern {
        command.args(["-k", pattern]);
    }
    command.args(files);
    let status = process::status(&mut command)?;
    durations.read_pytest(&results)?;
    Ok(status.success() || status.code() == Some(NOTHING_SELECTED))
}
