//! `pyopt`, the mlir-opt of this project, as a library function.
//!
//! A crate that adds dialects or passes builds its own tool from it:
//!
//! ```no_run
//! use pyopt_passes::tool::{self, Extension};
//!
//! tool::main("my-opt", Extension::default());
//! ```

use crate::{
    infra::{
        Diagnostic, PassSpec, PipelineSpec, pyoptOptMain, raw_str, register_pass,
        register_pipeline, statistics,
    },
    rewrite::{RewriteSpec, register_rewrite},
};
use melior::{ContextRef, dialect::DialectRegistry};
use mlir_sys::MlirContext;
use pyopt_frontend::render::Medium;
use std::{
    env,
    ffi::{CStr, CString, c_char},
    process,
    sync::Arc,
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
}

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
            show_python_source,
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

/// Has what passes say about Python files shown as in Python's exceptions. The rest is about the
/// tool's input, which upstream shows.
extern "C" fn show_python_source(context: MlirContext) {
    // SAFETY: the tool lends its context, to which the handler belongs from now on.
    let context = unsafe { ContextRef::from_raw(context).to_ref() };
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
