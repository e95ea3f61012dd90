//! Registering passes and pipelines with MLIR, once a process.

use super::{
    context::PassContext,
    diagnostics::{Report, Severity},
    ffi::{
        RawOptionSpec, RawPassSpec, RawPipelineSpec, pyoptRegisterPass, pyoptRegisterPipeline,
        raw_str,
    },
    options::{OptionSpec, Options},
    pipeline::PipelineSpec,
    spec::{PassFailure, PassSpec},
};
use melior::{
    ContextRef,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirOperation, MlirStringCallback, mlirOperationGetContext};
use std::{
    any::Any,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// A registered pass and its counters. Never freed: MLIR keeps its address.
struct RegisteredPass {
    spec: &'static PassSpec,
    counters: Vec<AtomicU64>,
}

static PASSES: Mutex<Vec<&'static RegisteredPass>> = Mutex::new(Vec::new());
static PIPELINES: Mutex<Vec<&'static PipelineSpec>> = Mutex::new(Vec::new());

/// Registers a pass. Doing it again does nothing.
///
/// # Panics
///
/// When another pass has the name.
pub fn register_pass(spec: &'static PassSpec) {
    let mut passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = passes.iter().find(|pass| pass.spec.name == spec.name) {
        assert!(
            ptr::eq(known.spec, spec),
            "two passes are named '{}'",
            spec.name
        );
        return;
    }

    let registered: &RegisteredPass = Box::leak(Box::new(RegisteredPass {
        spec,
        counters: spec.statistics.iter().map(|_| AtomicU64::new(0)).collect(),
    }));
    passes.push(registered);

    let options = leak_options(spec.options);
    let dialects: &[_] = spec
        .dialects
        .iter()
        .map(|dialect| raw_str(dialect))
        .collect::<Vec<_>>()
        .leak();
    let raw = Box::leak(Box::new(RawPassSpec {
        name: raw_str(spec.name),
        summary: raw_str(spec.summary),
        anchor: raw_str(spec.anchor),
        options: options.as_ptr(),
        option_count: options.len() as isize,
        dialects: dialects.as_ptr(),
        dialect_count: dialects.len() as isize,
        user_data: ptr::from_ref(registered).cast(),
        run: run_pass,
    }));
    // SAFETY: the table and all it points to are leaked, so they outlive the registry.
    unsafe { pyoptRegisterPass(raw) }
}

/// Whether one of our passes has a name.
pub fn is_registered(name: &str) -> bool {
    pass_spec(name).is_some()
}

/// The table of one of our passes.
pub(crate) fn pass_spec(name: &str) -> Option<&'static PassSpec> {
    let passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut specs = passes.iter().map(|pass| pass.spec);
    specs.find(|spec| spec.name == name)
}

/// Registers a named pipeline. Doing it again does nothing.
///
/// # Panics
///
/// When another pipeline has the name.
pub fn register_pipeline(spec: &'static PipelineSpec) {
    let mut pipelines = PIPELINES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = pipelines.iter().find(|known| known.name == spec.name) {
        assert!(
            ptr::eq(*known, spec),
            "two pipelines are named '{}'",
            spec.name
        );
        return;
    }
    pipelines.push(spec);

    let options = leak_options(spec.options);
    let raw = Box::leak(Box::new(RawPipelineSpec {
        name: raw_str(spec.name),
        summary: raw_str(spec.summary),
        options: options.as_ptr(),
        option_count: options.len() as isize,
        user_data: ptr::from_ref(spec).cast(),
        build: build_pipeline,
    }));
    // SAFETY: the table and all it points to are leaked, so they outlive the registry.
    unsafe { pyoptRegisterPipeline(raw) }
}

/// All passes that were registered, in that order.
pub(crate) fn registered_passes() -> Vec<&'static PassSpec> {
    let passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    passes.iter().map(|pass| pass.spec).collect()
}

/// All pipelines that were registered, in that order.
pub fn registered_pipelines() -> Vec<&'static PipelineSpec> {
    PIPELINES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// A statistic's owner, name, value and description.
pub(crate) struct StatisticValue {
    pub pass: &'static str,
    pub name: &'static str,
    pub value: u64,
    pub description: &'static str,
}

/// Reads all statistics of all passes, ordered by pass.
pub(crate) fn statistics() -> Vec<StatisticValue> {
    let passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut values: Vec<_> = passes
        .iter()
        .flat_map(|pass| {
            let counters = pass.spec.statistics.iter().zip(&pass.counters);
            counters.map(|(statistic, counter)| StatisticValue {
                pass: pass.spec.name,
                name: statistic.name,
                value: counter.load(Ordering::Relaxed),
                description: statistic.description,
            })
        })
        .collect();
    values.sort_by_key(|statistic| statistic.pass);
    values
}

fn leak_options(options: &[OptionSpec]) -> &'static [RawOptionSpec] {
    options
        .iter()
        .map(|option| option.to_raw())
        .collect::<Vec<_>>()
        .leak()
}

/// Runs a pass for the glue. Panics end here, as diagnostics.
unsafe extern "C" fn run_pass(
    registered: *const c_void,
    options: *const c_void,
    operation: MlirOperation,
) -> bool {
    // SAFETY: `register_pass` handed this pointer over.
    let pass: &'static RegisteredPass = unsafe { &*registered.cast() };
    // SAFETY: MLIR runs passes on live operations only. The reference to the context doesn't
    // outlive this frame, which holds `context`.
    let (operation, context) = unsafe {
        (
            OperationRef::from_raw(operation),
            ContextRef::from_raw(mlirOperationGetContext(operation)),
        )
    };

    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the glue made the options from the same table; for the context see above.
        let cx = unsafe {
            PassContext::new(
                context.to_ref(),
                pass.spec,
                Options::read(pass.spec.options, options),
                &pass.counters,
            )
        };
        (pass.spec.run)(&cx, operation)
    }));

    let message = match result {
        Ok(Ok(())) => return true,
        Ok(Err(PassFailure::Reported)) => return false,
        Ok(Err(PassFailure::Message(message))) => {
            format!("pass '{}' failed: {message}", pass.spec.name)
        }
        Err(panic) => format!(
            "pass '{}' panicked: {}",
            pass.spec.name,
            panic_message(&*panic)
        ),
    };
    Report::new(Severity::Error, operation.location(), message).emit();
    false
}

/// Builds a pipeline for the glue.
unsafe extern "C" fn build_pipeline(
    spec: *const c_void,
    options: *const c_void,
    sink: MlirStringCallback,
    sink_data: *mut c_void,
) -> bool {
    // SAFETY: `register_pipeline` handed this pointer over.
    let spec: &'static PipelineSpec = unsafe { &*spec.cast() };
    let result = catch_unwind(|| {
        // SAFETY: the glue made the options from the same table.
        let options = unsafe { Options::read(spec.options, options) };
        spec.body(&options)
    });
    let (success, text) = match result {
        Ok(text) => (true, text),
        Err(panic) => (
            false,
            format!(
                "pipeline '{}' panicked: {}",
                spec.name,
                panic_message(&*panic)
            ),
        ),
    };
    if let Some(sink) = sink {
        // SAFETY: the glue copies the text during the call.
        unsafe { sink(raw_str(&text), sink_data) };
    }
    success
}

/// Returns the text of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
