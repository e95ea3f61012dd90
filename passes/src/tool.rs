//! `pyopt`, the mlir-opt of this project, as a library function.
//!
//! A crate that adds dialects or passes builds its own tool from it:
//!
//! ```no_run
//! use pyopt_library_bytecode::LIBRARY;
//! use pyopt_passes::tool;
//!
//! tool::main("my-opt", &[], &LIBRARY);
//! ```

mod catalog;
mod each_pass;

pub use crate::extension::Extension;

use crate::{
    extension,
    infra::{
        Diagnostic, Options, ToolHooks, owned_str, pyoptLspServerMain, pyoptOptMain,
        pyoptReduceMain, raw_str, statistics,
    },
    pipelines,
};
use melior::{Context, ContextRef, dialect::DialectRegistry};
use mlir_sys::{MlirContext, MlirStringRef};
use pyopt_frontend::render::Medium;
use pyopt_library::Library;
use std::{
    env,
    ffi::{CStr, CString, OsString, c_char},
    process,
};

/// Runs the tool over the process's arguments and exits.
///
/// Every upstream dialect, pass and translation is there beside ours, and extensions; what programs call of
/// NumPy's and Python's is the library's. With `reduce`
/// or `lsp-server` as the first argument it is MLIR's tool of that name instead. To be called once,
/// from `main`: MLIR's command line lives in global variables and exits the process on bad
/// arguments.
///
/// # Panics
///
/// When an extension can't be registered.
pub fn main(name: &str, extensions: &[&'static Extension], library: &'static Library) -> ! {
    pyopt_library::install(library);
    crate::register_passes();
    for &extension in extensions {
        if let Err(error) = extension::register(extension) {
            panic!("{error}");
        }
    }
    let arguments = added_passes(env::args_os().collect()).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        process::exit(1)
    });

    let registry = DialectRegistry::new();
    crate::register_all_dialects(&registry);

    let mut arguments: Vec<_> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument.into_encoded_bytes()).ok())
        .collect();
    let subcommand = Subcommand::of(&arguments);
    if subcommand.is_some() {
        arguments.remove(1);
    }
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    if let Some(subcommand) = subcommand {
        process::exit(subcommand.run(&mut pointers, &registry));
    }
    // SAFETY: the arguments are terminated strings that live to the end of the process, the
    // registry outlives the call, and this function, which never returns, calls once.
    let status = unsafe {
        pyoptOptMain(
            pointers.len() as i32,
            pointers.as_mut_ptr(),
            raw_str(name),
            registry.to_raw(),
            raw_str(&extension::irdl()),
            &ToolHooks {
                prepare,
                print_pipeline,
                dump_registry,
                try_each_pass,
            },
        )
    };

    if arguments
        .iter()
        .any(|argument| asks_for_statistics(argument))
    {
        print_statistics();
    }
    process::exit(status)
}

/// Another of MLIR's tools, with the same dialects and passes.
#[derive(Clone, Copy)]
enum Subcommand {
    /// mlir-reduce.
    Reduce,
    /// mlir-lsp-server.
    LspServer,
}

impl Subcommand {
    /// The one that the first argument names.
    fn of(arguments: &[CString]) -> Option<Self> {
        match arguments.get(1)?.to_bytes() {
            b"reduce" => Some(Self::Reduce),
            b"lsp-server" => Some(Self::LspServer),
            _ => None,
        }
    }

    /// Runs it on the arguments behind its name; its exit status.
    fn run(self, arguments: &mut [*mut c_char], registry: &DialectRegistry) -> i32 {
        let count = arguments.len() as i32;
        let arguments = arguments.as_mut_ptr();
        match self {
            Self::Reduce => {
                let context = Context::new();
                context.append_dialect_registry(registry);
                extension::prepare(&context);
                // SAFETY: the arguments are terminated strings, and the context outlives the call.
                unsafe { pyoptReduceMain(count, arguments, context.to_raw()) }
            }
            // SAFETY: as above, of the registry.
            Self::LspServer => unsafe { pyoptLspServerMain(count, arguments, registry.to_raw()) },
        }
    }
}

/// Does what arguments ask for that have to come before MLIR reads the others, and gives these: adds
/// passes to pipelines.
fn added_passes(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut others = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        let option = text
            .strip_prefix("--")
            .or_else(|| text.strip_prefix('-'))
            .and_then(|option| option.strip_prefix("add-pass="));
        let Some(added) = option else {
            others.push(argument);
            continue;
        };
        let (place, passes) = added
            .split_once('=')
            .ok_or_else(|| format!("--add-pass takes PLACE=PASS, not '{added}'"))?;
        extension::add_pass(place, passes)?;
    }
    Ok(others)
}

/// Prepares a context for a pipeline.
extern "C" fn prepare(context: MlirContext, shows_diagnostics: bool) {
    // SAFETY: the tool lends its context, to which the handler belongs from now on.
    let context = unsafe { ContextRef::from_raw(context) };
    // SAFETY: as above.
    let context = unsafe { context.to_ref() };
    extension::complete(context);
    if shows_diagnostics {
        show_python_source(context);
    }
}

/// Has what passes say about Python files shown as in Python's exceptions. The rest is about the
/// tool's input, which upstream shows.
fn show_python_source(context: &Context) {
    context.attach_diagnostic_handler(|diagnostic| {
        let diagnostic = Diagnostic::from_mlir(&diagnostic);
        let is_python = diagnostic
            .position
            .as_ref()
            .is_some_and(|position| position.file.ends_with(".py"));
        if is_python {
            eprintln!("{}", diagnostic.render(Medium::standard_error()));
        }
        is_python
    });
}

/// Prints a pipeline, `name` or `name{opt=value}`, or says what is wrong.
extern "C" fn print_pipeline(text: MlirStringRef) -> bool {
    // SAFETY: the command line lends its argument for this call.
    match show_pipeline(&unsafe { owned_str(text) }) {
        Ok(shown) => print!("{shown}"),
        Err(message) => {
            eprintln!("error: {message}");
            return false;
        }
    }
    true
}

/// The table of a pipeline, or for given options the passes that run, one a line.
fn show_pipeline(text: &str) -> Result<String, String> {
    let (name, options) = match text.split_once('{') {
        None => (text, None),
        Some((name, rest)) => match rest.strip_suffix('}') {
            Some(options) => (name, Some(options)),
            None => return Err(format!("'{text}' is not a name or name{{opt=value}}")),
        },
    };
    let spec = pipelines::find(name)?;
    let Some(options) = options else {
        return Ok(spec.table());
    };
    let passes = spec.passes(&Options::parse(spec.options, options)?);
    Ok(passes.join("\n") + "\n")
}

/// Prints what is registered, for the documentation.
extern "C" fn dump_registry() {
    println!("{}", catalog::json());
}

/// Runs each pass alone on the modules of a file; whether none misbehaves.
extern "C" fn try_each_pass(context: MlirContext, path: MlirStringRef) -> bool {
    // SAFETY: the tool lends its context and argument for this call.
    let (context, path) = unsafe { (ContextRef::from_raw(context), owned_str(path)) };
    // SAFETY: as above.
    let context = unsafe { context.to_ref() };
    extension::prepare(context);
    match each_pass::run(context, &path) {
        Ok(misbehaviour) => misbehaviour == 0,
        Err(error) => {
            eprintln!("error: can't read {path}: {error}");
            false
        }
    }
}

/// Whether an argument is `--mlir-pass-statistics`, which may have one dash or two.
fn asks_for_statistics(argument: &CStr) -> bool {
    let name = argument.to_bytes();
    let name = name.strip_prefix(b"-").unwrap_or(name);
    matches!(
        name,
        b"-mlir-pass-statistics" | b"mlir-pass-statistics" | b"-mlir-pass-statistics=true"
    )
}

/// Prints what our passes counted, below the report's header that MLIR printed.
///
/// Release builds of LLVM leave statistics out, so they can't be in MLIR's own report.
fn print_statistics() {
    let mut pass = "";
    for statistic in statistics() {
        if statistic.pass != pass {
            pass = statistic.pass;
            eprintln!("{pass}");
        }
        eprintln!(
            "  (S) {:>4} {} - {}",
            statistic.value, statistic.name, statistic.description
        );
    }
}
