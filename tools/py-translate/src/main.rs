//! `py-translate`: Python source or a `.pyc` file to an MLIR module.
//!
//! The module holds a `py.code` for every function, a `py.binding` for every global name they use
//! and, with `--specialize`, the requests that `infer-types` answers. `pyopt` takes it from there.

mod compiler;
mod frames;
mod interpreter;
mod lifting;
mod output;
mod source;
mod specialize;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Location, Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
use pyopt_frontend::{
    diagnostic::Diagnostic,
    render::{Medium, Severity},
};
use std::{path::PathBuf, process::ExitCode};

/// Turns Python source or a .pyc file into a module of py.code and py.binding operations.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// A .py file, compiled by the Python of --python, or a .pyc file, read without any Python.
    #[arg(required_unless_present = "check_interpreter")]
    input: Vec<PathBuf>,
    /// Lifts every function of the inputs, which may be directories, in memory and verifies them;
    /// prints how many were lifted, which were refused and why, and how long that took.
    #[arg(long)]
    check_lifting: bool,
    /// Compares the opcodes, the marshal format and the frames of the Python of --python with what is known
    /// of its version, or of the newest one if it is newer, and prints what differs.
    #[arg(long)]
    check_interpreter: bool,
    /// A function and its argument types, as in 'add(si64, f64)' or
    /// 'norm(!typed.array<1, f64, C>) -> f64'; can be given several times.
    #[arg(short, long, value_name = "SIGNATURE")]
    specialize: Vec<String>,
    /// Where the module goes; standard output without it.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The CPython that compiles .py files.
    #[arg(long, value_name = "PROGRAM", default_value = "python3.11")]
    python: PathBuf,
    /// Takes types of dialects that it doesn't know, those of extensions, as pyopt does with the flag of this name.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Prints locations, as pyopt does with the flag of this name.
    #[arg(long)]
    mlir_print_debuginfo: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let medium = Medium::standard_error();
            let text = match error.downcast_ref::<Diagnostic>() {
                Some(diagnostic) => diagnostic.render(Severity::Error, medium),
                None => format!("error: {error:#}"),
            };
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if arguments.check_interpreter {
        return interpreter::compare(&arguments.python);
    }
    if arguments.check_lifting {
        return lifting::check(&arguments.input, &arguments.python);
    }
    let [input] = &*arguments.input else {
        bail!("one input makes a module; --check-lifting takes several");
    };
    let code = source::read(input, &arguments.python)?;

    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    context.set_allow_unregistered_dialects(arguments.allow_unregistered_dialect);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();

    let path = input.display().to_string();
    let module = Module::new(Location::new(&context, &path, 1, 1));
    let globals = input
        .file_stem()
        .map_or("module".into(), |stem| stem.to_string_lossy());
    for note in pyopt_frontend::bindings::append_module(&context, &module.body(), &code, &globals)?
    {
        eprintln!(
            "{}",
            note.render(Severity::Warning, Medium::standard_error())
        );
    }
    for request in &arguments.specialize {
        specialize::append(&context, &module, request)
            .with_context(|| format!("can't specialize '{request}'"))?;
    }
    if !module.as_operation().verify() {
        bail!("the module does not verify");
    }

    let mut flags = OperationPrintingFlags::new();
    if arguments.mlir_print_debuginfo {
        flags = flags.enable_debug_info(true, false);
    }
    let text = module.as_operation().to_string_with_flags(flags)?;
    match &arguments.output {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
        }
        None => output::write(&text),
    }
}
