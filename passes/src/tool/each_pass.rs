//! `--try-each-pass`: every pass of the tool alone on modules that weren't made for it.
//!
//! A pass may refuse what it can't handle, with a diagnostic. It must not panic, and what it leaves
//! must verify.

use crate::infra::{Collector, PassSpec, PipelineError, registered_passes, run_unverified};
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
};
use std::{fs, io};

/// What separates the modules of a file, as for `--split-input-file`.
const SEPARATOR: &str = "// -----";

/// Runs each pass on each module of a file that parses; returns how often one misbehaved.
pub(super) fn run(context: &Context, path: &str) -> io::Result<usize> {
    let text = match path {
        "-" => io::read_to_string(io::stdin())?,
        path => fs::read_to_string(path)?,
    };
    let passes = registered_passes();
    let (mut modules, mut misbehaviour) = (0, 0);
    for (number, text) in split(&text).iter().enumerate() {
        let collector = Collector::new(context);
        let is_module = Module::parse(context, text).is_some();
        collector.finish();
        if !is_module {
            continue;
        }
        modules += 1;
        for spec in &passes {
            // A crash ends the process: this line is the last one then.
            eprintln!("module {number}: {}", spec.name);
            let module = Module::parse(context, text).expect("it parsed before");
            if let Some(what) = misbehaves(context, module, spec) {
                println!("module {number}: {} {what}", spec.name);
                misbehaviour += 1;
            }
        }
    }
    println!("{modules} modules, {} passes", passes.len());
    Ok(misbehaviour)
}

/// The parts of a file.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        match line.starts_with(SEPARATOR) {
            true => parts.push(String::new()),
            false => {
                let part = parts.last_mut().expect("there is a first part");
                part.push_str(line);
                part.push('\n');
            }
        }
    }
    parts
}

/// What a pass does to a module that it must not.
fn misbehaves(context: &Context, mut module: Module, spec: &PassSpec) -> Option<String> {
    let text = match spec.anchor {
        "" | "builtin.module" => format!("builtin.module({})", spec.name),
        anchor => format!("builtin.module({anchor}({}))", spec.name),
    };
    match run_unverified(context, &mut module, &text) {
        Err(error) => unreasoned(spec, &error),
        Ok(_) => {
            let collector = Collector::new(context);
            let is_valid = module.as_operation().verify();
            let told = collector.finish();
            let why = told.first().map_or("", |diagnostic| &diagnostic.message);
            (!is_valid).then(|| format!("leaves an invalid module: {why}"))
        }
    }
}

/// Whether a failure is one that no diagnostic explains.
fn unreasoned(spec: &PassSpec, error: &PipelineError) -> Option<String> {
    let found = error.diagnostics.iter().find_map(|diagnostic| {
        let told = diagnostic.message.strip_prefix("pass ")?;
        let told = told.strip_prefix(&format!("'{}' ", spec.name))?;
        (told.starts_with("panicked") || told == "failed without saying why").then_some(told)
    });
    found.map(str::to_owned)
}
