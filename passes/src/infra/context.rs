//! The context of a running pass.

use super::{
    diagnostics::{Report, Severity},
    ffi::{pyoptRunOthers, raw_str},
    options::{Options, REMARKS},
    spec::{PassFailure, PassResult, PassSpec},
};
use melior::{
    Context,
    ir::{Location, OperationRef},
};
use std::{
    fmt::Display,
    sync::atomic::{AtomicU64, Ordering},
};

/// One run of a pass: the MLIR context, the options, the statistics and the diagnostics.
#[derive(Debug)]
pub struct PassContext<'c> {
    context: &'c Context,
    spec: &'static PassSpec,
    options: Options,
    counters: &'static [AtomicU64],
}

impl<'c> PassContext<'c> {
    pub(super) fn new(
        context: &'c Context,
        spec: &'static PassSpec,
        options: Options,
        counters: &'static [AtomicU64],
    ) -> Self {
        Self {
            context,
            spec,
            options,
            counters,
        }
    }

    /// Returns the MLIR context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Returns the pass's table.
    pub fn spec(&self) -> &'static PassSpec {
        self.spec
    }

    /// Returns the values of the pass's options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Runs a pipeline on an operation: the one that the pass runs on, or one inside of it. Its passes
    /// make operations of dialects that are loaded.
    pub fn run_others(&self, operation: OperationRef, pipeline: &str) -> PassResult {
        // SAFETY: the pass manager lends the operation for the run of this pass, which is the one
        // that the thread runs.
        match unsafe { pyoptRunOthers(operation.to_raw(), raw_str(pipeline)) } {
            true => Ok(()),
            false => Err(PassFailure::Reported),
        }
    }

    /// Adds to a statistic.
    pub fn bump(&self, statistic: &str, by: u64) {
        let index = self
            .spec
            .statistics
            .iter()
            .position(|spec| spec.name == statistic)
            .unwrap_or_else(|| panic!("statistic '{statistic}' is not declared"));
        self.counters[index].fetch_add(by, Ordering::Relaxed);
    }

    /// Reports an error. The return value is for `return Err(cx.error(…))`.
    pub fn error(&self, location: Location<'c>, message: impl Display) -> PassFailure {
        self.fail(Report::new(Severity::Error, location, message))
    }

    /// Reports an error with notes, made by [`Report::new`].
    pub fn fail(&self, report: Report<'c>) -> PassFailure {
        report.emit();
        PassFailure::Reported
    }

    /// Reports a warning.
    pub fn warning(&self, location: Location<'c>, message: impl Display) {
        Report::new(Severity::Warning, location, message).emit();
    }

    /// Reports a remark.
    pub fn remark(&self, location: Location<'c>, message: impl Display) {
        Report::new(Severity::Remark, location, message).emit();
    }

    /// Reports a remark whose kind programs can ask for.
    pub fn remark_on(&self, kind: &str, location: Location<'c>, message: impl Display) {
        let report = Report::new(Severity::Remark, location, message);
        report.kind(kind).emit();
    }

    /// Counts what was done to a loop, and says so where the pass's option `remarks` is on. The
    /// remark's kind is the pass.
    pub fn transformed(&self, statistic: &str, location: Location<'c>, message: impl Display) {
        self.bump(statistic, 1);
        if self.options.bool(REMARKS.name) {
            self.remark_on(self.spec.name, location, message);
        }
    }
}
