//! Lifting of whole source trees without executing them: what lifts, what is refused, how fast.

use crate::{
    compiler::{Compiler, is_source},
    output,
};
use anyhow::{Context as _, Result, ensure};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{BlockLike, Location, Module, operation::OperationLike},
};
use pyopt_frontend::{
    code::CodeObject,
    code_op::{FunctionAttributes, append_code},
    lift, pyc,
};
use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// What lifting a tree gave.
#[derive(Default)]
struct Report {
    modules: usize,
    functions: usize,
    bytecode_size: usize,
    /// The refusals: a reason, and the places where it holds.
    refused: BTreeMap<String, Vec<String>>,
    /// What Python's own compiler refuses.
    not_compiled: Vec<(PathBuf, String)>,
    /// Modules that don't verify.
    invalid: Vec<PathBuf>,
    reading: Duration,
    lifting: Duration,
    verifying: Duration,
}

/// Lifts every function of every module of files and directories and prints a summary; an error
/// where one is refused or a module doesn't verify.
pub fn check(paths: &[PathBuf], python: &Path) -> Result<()> {
    let mut files = Vec::new();
    for path in paths {
        find(path, &mut files)?;
    }
    let mut compiler = Compiler::start(python)?;
    let mut report = Report::default();
    for file in &files {
        let bytes = match is_source(file) {
            true => compiler.compile(file)?,
            false => {
                let bytes = std::fs::read(file);
                Ok(bytes.with_context(|| format!("can't read {}", file.display()))?)
            }
        };
        match bytes {
            Ok(bytes) => report.module(file, &bytes)?,
            Err(reason) => report.not_compiled.push((file.clone(), reason)),
        }
    }
    output::write(&report.to_string())?;
    ensure!(
        report.invalid.is_empty(),
        "{} modules do not verify",
        report.invalid.len()
    );
    let refused = report.refused();
    ensure!(refused == 0, "{refused} functions are not lifted");
    Ok(())
}

/// The `.py` and `.pyc` files under a path, sorted; a cache beside sources is not looked into.
fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    let entries =
        std::fs::read_dir(path).with_context(|| format!("can't read {}", path.display()))?;
    let mut entries = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for entry in entries {
        let is_compiled = entry
            .extension()
            .is_some_and(|extension| extension == "pyc");
        if is_source(&entry) || is_compiled || entry.is_dir() && !entry.ends_with("__pycache__") {
            find(&entry, files)?;
        }
    }
    Ok(())
}

impl Report {
    /// Lifts a module in a context of its own, so that memory stays bounded.
    fn module(&mut self, file: &Path, bytes: &[u8]) -> Result<()> {
        let start = Instant::now();
        let code = pyc::load(bytes)
            .with_context(|| format!("{} is no usable .pyc", file.display()))?
            .code;
        self.reading += start.elapsed();
        self.modules += 1;

        let registry = DialectRegistry::new();
        pyopt_dialects::register(&registry);
        let context = Context::new();
        context.enable_multi_threading(false);
        context.append_dialect_registry(&registry);
        for dialect in ["py", "cf"] {
            context.get_or_load_dialect(dialect);
        }
        let start = Instant::now();
        let codes = Module::new(Location::unknown(&context));
        let lifted = Module::new(Location::unknown(&context));
        append_code(
            &context,
            &codes.body(),
            &code,
            "module",
            "module",
            FunctionAttributes::default(),
        )?;
        let operations = std::iter::successors(codes.body().first_operation(), |operation| {
            operation.next_in_block()
        });
        for operation in operations {
            self.functions += 1;
            match lift::lift(&context, operation, lift::Form::Values) {
                Ok(function) => {
                    lifted.body().append_operation(function);
                }
                Err(error) => {
                    let place = match error.position.line {
                        Some(line) => format!("{}:{line}", file.display()),
                        None => file.display().to_string(),
                    };
                    self.refused.entry(error.message).or_default().push(place);
                }
            }
        }
        self.lifting += start.elapsed();
        let start = Instant::now();
        if !lifted.as_operation().verify() {
            self.invalid.push(file.into());
        }
        self.verifying += start.elapsed();
        self.bytecode_size += bytecode_size(&code);
        Ok(())
    }

    fn refused(&self) -> usize {
        self.refused.values().map(Vec::len).sum()
    }
}

impl Display for Report {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        let refused = self.refused();
        writeln!(to, "modules              {:>9}", self.modules)?;
        writeln!(to, "functions lifted     {:>9}", self.functions - refused)?;
        writeln!(to, "functions refused    {refused:>9}")?;
        writeln!(to, "bytes of bytecode    {:>9}", self.bytecode_size)?;
        writeln!(to, "modules invalid      {:>9}", self.invalid.len())?;
        writeln!(
            to,
            "not compiled         {:>9}  (by Python itself)",
            self.not_compiled.len()
        )?;
        for (what, time) in [
            ("reading", self.reading),
            ("lifting", self.lifting),
            ("verifying", self.verifying),
        ] {
            writeln!(to, "{what:<12}         {:>9.3} s", time.as_secs_f64())?;
        }
        let total = self.reading + self.lifting + self.verifying;
        let rate = self.functions as f64 / total.as_secs_f64().max(f64::MIN_POSITIVE);
        writeln!(to, "functions per second {rate:>9.0}")?;
        for (reason, places) in &self.refused {
            writeln!(
                to,
                "refused {} times: {reason}, first at {}",
                places.len(),
                places[0]
            )?;
        }
        for file in &self.invalid {
            writeln!(to, "does not verify: {}", file.display())?;
        }
        for (file, reason) in &self.not_compiled {
            writeln!(to, "not compiled: {}: {reason}", file.display())?;
        }
        Ok(())
    }
}

/// The size of the bytecode of a code object and of those nested in it.
fn bytecode_size(code: &CodeObject) -> usize {
    let nested = code
        .constants
        .iter()
        .filter_map(|constant| constant.as_code());
    code.bytecode.len() + nested.map(|code| bytecode_size(code)).sum::<usize>()
}
