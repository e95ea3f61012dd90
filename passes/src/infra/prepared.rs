//! A context and the passes of a pipeline, made before there is a module for them.

use super::{
    diagnostics::Diagnostic,
    runner::{ParsedPipeline, PipelineError},
};
use melior::{
    Context,
    ir::{Location, Module},
};

/// A context with a pipeline for its modules.
pub struct Prepared {
    /// Goes before its context.
    pipeline: ParsedPipeline,
    context: Context,
}

// SAFETY: a context without threads is not bound to one, and everything that refers to it is in
// this value or borrows it.
unsafe impl Send for Prepared {}

impl Prepared {
    /// Parses a textual pipeline, `builtin.module(…)`, for a context that
    /// [`create_context`](crate::create_context) made. The module is verified where the pipeline
    /// has a `verify-module`, not after each pass.
    pub fn new(context: Context, pipeline: &str) -> Result<Self, PipelineError> {
        let pipeline = ParsedPipeline::new(&context, pipeline)?;
        pipeline.verify_each(false);
        Ok(Self { pipeline, context })
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Does the one-time work of the pipeline: loads the dialects that its passes declare, and
    /// collects their patterns. Returns whether that succeeded; if not, the value must not be used
    /// any more.
    #[must_use]
    pub fn warm_up(&self) -> bool {
        // Passes are initialised again when dialects were loaded since, which the first run does.
        (0..2).all(|_run| {
            let mut module = Module::new(Location::unknown(&self.context));
            self.run(&mut module).is_ok()
        })
    }

    /// Runs the pipeline on a module of the context, as [`run_pipeline`](super::run_pipeline) does.
    /// After a failure it can't run again.
    pub fn run(&self, module: &mut Module) -> Result<Vec<Diagnostic>, PipelineError> {
        self.pipeline.run(&self.context, module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::test_support;

    const PIPELINE: &str = "builtin.module(func.func(canonicalize),cse)";
    const MODULE: &str = "func.func @f(%a: i32) -> i32 {
        %0 = arith.addi %a, %a : i32
        %1 = arith.addi %a, %a : i32
        %2 = arith.addi %0, %1 : i32
        return %2 : i32
    }";

    #[test]
    fn what_another_thread_prepared_compiles() {
        let make = || {
            let prepared = Prepared::new(test_support::context(), PIPELINE).unwrap();
            assert!(prepared.warm_up());
            prepared
        };
        let prepared = std::thread::spawn(make).join().unwrap();
        let mut module = Module::parse(prepared.context(), MODULE).unwrap();
        prepared.run(&mut module).unwrap();
        let text = module.as_operation().to_string();
        assert_eq!(text.matches("arith.addi").count(), 2, "{text}");
    }

    #[test]
    fn a_pass_that_fails_is_named() {
        let pipeline = "builtin.module(cse,test-panic)";
        let prepared = Prepared::new(test_support::context(), pipeline).unwrap();
        assert!(!prepared.warm_up());
        let prepared = Prepared::new(test_support::context(), pipeline).unwrap();
        let mut module = Module::parse(prepared.context(), MODULE).unwrap();
        let error = prepared.run(&mut module).unwrap_err();
        assert_eq!(error.pass.as_deref(), Some("test-panic"));
    }
}
