//! `pyopt`, the mlir-opt of this project, as a library function.
//!
//! A crate that adds dialects or passes builds its own tool from it:
//!
//! ```no_run
//! use pyopt_passes::tool::{self, Extension};
//!
//! tool::main("my-opt", Extension::default());
//! ```

mod catalog;
mod each_pass;

use crate::{
    infra::{
        Diagnostic, InterfaceModel, Options, PassSpec, PipelineSpec, ToolHooks, owned_str,
        pyoptOptMain, raw_str, register_pass, register_pipeline, registered_pipelines, statistics,
    },
    pipelines,
    rewrite::{RewriteSpec, register_rewrite},
};
use melior::{Context, ContextRef, dialect::DialectRegistry};
use mlir_sys::{MlirContext, MlirStringRef};
use pyopt_frontend::render::Medium;
use std::{
    env,
    ffi::{CStr, CString, c_char},
    process,
    sync::{Arc, OnceLock},
};

/// What a tool has beyond `pyopt` itself.
#[derive(Default)]
pub struct Extension<'a> {
    /// Adds dialects to the registry.
    pub register_dialects: Option<fn(&DialectRegistry)>,
    /// Further passes.
    pub passes: &'a [&'static PassSpec],
    /// Further pipelines.
    pub pipelines: &'a [&'static PipelineSpec],
    /// Further rewrites.
    pub rewrites: &'a [&'static RewriteSpec],
    /// What operations of a dialect without C++ say of themselves, by their names. They are
    /// attached where the dialect is loaded, as by `--irdl-file`.
    pub interfaces: &'a [(&'static str, &'static InterfaceModel)],
}

/// The interfaces of the tool's extension.
static INTERFACES: OnceLock<Vec<(&str, &InterfaceModel)>> = OnceLock::new();

/// Runs the tool over the process's arguments and exits.
///
/// Every upstream dialect, pass and translation is there beside ours. To be called once, from
/// `main`: MLIR's command line lives in global variables and exits the process on bad arguments.
///
/// # Panics
///
/// When a pass or rewrite has the name of another one.
pub fn main(name: &str, extension: Extension) -> ! {
    crate::register_passes();
    extension.passes.iter().copied().for_each(register_pass);
    extension
        .pipelines
        .iter()
        .copied()
        .for_each(register_pipeline);
    for &rewrite in extension.rewrites {
        register_rewrite(Arc::new(rewrite)).expect("names of rewrites are their own");
    }

    INTERFACES
        .set(extension.interfaces.to_vec())
        .expect("a tool has one main");

    let registry = DialectRegistry::new();
    crate::register_all_dialects(&registry);
    if let Some(register) = extension.register_dialects {
        register(&registry);
    }

    let arguments: Vec<_> = env::args_os()
        .filter_map(|argument| CString::new(argument.into_encoded_bytes()).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    // SAFETY: the arguments are terminated strings that live to the end of the process, the
    // registry outlives the call, and this function, which never returns, calls once.
    let status = unsafe {
        pyoptOptMain(
            pointers.len() as i32,
            pointers.as_mut_ptr(),
            raw_str(name),
            registry.to_raw(),
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

/// Prepares a context for a pipeline.
extern "C" fn prepare(context: MlirContext, shows_diagnostics: bool) {
    // SAFETY: the tool lends its context, to which the handler belongs from now on.
    let context = unsafe { ContextRef::from_raw(context) };
    // SAFETY: as above.
    let context = unsafe { context.to_ref() };
    for (name, model) in INTERFACES.get().into_iter().flatten() {
        model.attach(context, name);
    }
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
    let spec = pipelines::find_in(&registered_pipelines(), name)?;
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
    match each_pass::run(unsafe { context.to_ref() }, &path) {
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
