//! Running pipelines as a library: no command line, no output, no exit.

use super::{
    diagnostics::{Collector, Diagnostic, Severity},
    ffi::{append_to_string, pyoptOnPassFailure, raw_str},
};
use melior::{Context, ir::Module, pass::PassManager};
use mlir_sys::{mlirParsePassPipeline, mlirPrintPassPipeline};
use std::{cell::UnsafeCell, ptr};

/// Why a pipeline stopped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PipelineError {
    /// The pass that failed; `None` when the pipeline is malformed.
    pub pass: Option<String>,
    /// What was reported; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a textual pipeline, `builtin.module(…)`, on a module.
///
/// The dialects that the passes need must be registered with the context, and the passes with
/// [`register_passes`](crate::register_passes). The result holds what was reported: on success
/// warnings and remarks. After a failure the module is in whatever state the failed pass left it.
pub fn run_pipeline(
    context: &Context,
    module: &mut Module,
    text: &str,
) -> Result<Vec<Diagnostic>, PipelineError> {
    ParsedPipeline::new(context, text)?.run(context, module)
}

/// Does the same without verifying the module after each pass.
pub(crate) fn run_unverified(
    context: &Context,
    module: &mut Module,
    text: &str,
) -> Result<Vec<Diagnostic>, PipelineError> {
    let pipeline = ParsedPipeline::new(context, text)?;
    pipeline.verify_each(false);
    pipeline.run(context, module)
}

/// The passes of a pipeline for modules of one context, which outlives it.
pub(super) struct ParsedPipeline {
    manager: PassManager<'static>,
    /// The pass that failed: the manager writes it.
    failed: Box<UnsafeCell<String>>,
}

impl ParsedPipeline {
    pub(super) fn new(context: &Context, text: &str) -> Result<Self, PipelineError> {
        let manager = parse(context, text).map_err(|error| PipelineError {
            pass: None,
            diagnostics: vec![error],
        })?;
        let failed = Box::<UnsafeCell<String>>::default();
        // SAFETY: the manager is valid; it writes to the string, which lives as long, while it runs.
        unsafe {
            pyoptOnPassFailure(
                manager.to_raw(),
                Some(append_to_string),
                failed.get().cast(),
            );
        }
        Ok(Self { manager, failed })
    }

    /// Sets whether the module is verified after each pass, as it is by default.
    pub(super) fn verify_each(&self, each: bool) {
        self.manager.enable_verifier(each);
    }

    /// Runs the passes on a module of the context. After a failure this can't run again.
    pub(super) fn run(
        &self,
        context: &Context,
        module: &mut Module,
    ) -> Result<Vec<Diagnostic>, PipelineError> {
        let collector = Collector::new(context);
        let result = self.manager.run(module);
        let mut diagnostics = collector.finish();
        if result.is_ok() {
            return Ok(diagnostics);
        }

        // SAFETY: only a manager that runs writes to it, and `UnsafeCell` keeps this on one thread.
        let pass = unsafe { (*self.failed.get()).clone() };
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        if !diagnostics.iter().any(is_error) {
            let message = format!("pass '{pass}' failed without saying why");
            diagnostics.push(Diagnostic::error(message));
        }
        Err(PipelineError {
            pass: (!pass.is_empty()).then_some(pass),
            diagnostics,
        })
    }
}

/// Expands a pipeline: named pipelines are replaced by their passes.
pub fn expand_pipeline(context: &Context, text: &str) -> Result<String, Diagnostic> {
    let manager = parse(context, text)?;
    let mut expanded = String::new();
    // SAFETY: the manager is valid, and the text is appended during the call only.
    unsafe {
        mlirPrintPassPipeline(
            manager.as_operation_pass_manager().to_raw(),
            Some(append_to_string),
            ptr::from_mut(&mut expanded).cast(),
        );
    }
    Ok(expanded)
}

/// Cuts a pipeline off behind a pass, for a look at the module between two passes.
///
/// `stage` is the name of a pass; `name#2` means its second appearance.
pub fn pipeline_prefix(context: &Context, text: &str, stage: &str) -> Result<String, Diagnostic> {
    let expanded = expand_pipeline(context, text)?;
    let (name, appearance) = match stage.split_once('#') {
        Some((name, number)) => (name, number.parse::<usize>().unwrap_or(0)),
        None => (stage, 1),
    };

    let passes = passes_in(&expanded);
    let mut appearances = passes.iter().filter(|pass| pass.name == name);
    let Some(pass) = appearance
        .checked_sub(1)
        .and_then(|index| appearances.nth(index))
    else {
        let mut names: Vec<_> = passes.iter().map(|pass| pass.name).collect();
        names.dedup();
        return Err(Diagnostic::error(format!(
            "the pipeline has no pass '{stage}'; it has {}",
            names.join(", ")
        )));
    };
    Ok(format!(
        "{}{}",
        &expanded[..pass.end],
        ")".repeat(pass.depth)
    ))
}

/// A pass in a textual pipeline.
struct PassText<'t> {
    name: &'t str,
    /// Where its options end.
    end: usize,
    /// How many anchors are open.
    depth: usize,
}

/// Finds the passes in a well-formed pipeline.
fn passes_in(text: &str) -> Vec<PassText<'_>> {
    let mut passes = Vec::new();
    let mut depth = 0;
    let mut start = 0;

    while start < text.len() {
        let rest = &text[start..];
        let length = rest
            .find(|character| "(){},".contains(character))
            .unwrap_or(rest.len());
        let name = rest[..length].trim();
        let mut end = start + length;

        match rest[length..].chars().next() {
            Some('(') => depth += 1,
            other => {
                if other == Some('{') {
                    end += matching_brace(&text[end..]);
                }
                if !name.is_empty() {
                    passes.push(PassText { name, end, depth });
                }
                if text[end..].starts_with(')') {
                    depth -= 1;
                }
            }
        }
        start = end + 1;
    }
    passes
}

/// Returns the length of the braces at the start of a text.
fn matching_brace(text: &str) -> usize {
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    text.len()
}

/// Parses a pipeline.
fn parse(context: &Context, text: &str) -> Result<PassManager<'static>, Diagnostic> {
    let manager = PassManager::new(context);
    let mut message = String::new();
    // SAFETY: the manager is valid, and the message is appended to during the call only.
    let result = unsafe {
        mlirParsePassPipeline(
            manager.as_operation_pass_manager().to_raw(),
            raw_str(text),
            Some(append_to_string),
            ptr::from_mut(&mut message).cast(),
        )
    };
    if result.value != 0 {
        Ok(manager)
    } else {
        Err(Diagnostic::error(format!(
            "malformed pipeline: {}",
            message.trim()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::test_support;

    const MODULE: &str = "func.func @f(%a: i32) -> i32 {
        %0 = arith.addi %a, %a : i32
        %1 = arith.addi %a, %a : i32
        %2 = arith.addi %0, %1 : i32
        return %2 : i32
    }";

    #[test]
    fn finds_passes() {
        let text = "builtin.module(a{x={1,2} y=b},func.func(b,c{z=(}),d)";
        let found: Vec<_> = passes_in(text)
            .iter()
            .map(|pass| (pass.name, &text[..pass.end], pass.depth))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "builtin.module(a{x={1,2} y=b}", 1),
                ("b", "builtin.module(a{x={1,2} y=b},func.func(b", 2),
                ("c", "builtin.module(a{x={1,2} y=b},func.func(b,c{z=(}", 2),
                (
                    "d",
                    "builtin.module(a{x={1,2} y=b},func.func(b,c{z=(}),d",
                    1
                ),
            ]
        );
    }

    #[test]
    fn module_after_a_stage() {
        let context = test_support::context();
        let pipeline = "builtin.module(func.func(cse),test-panic)";
        let prefix = pipeline_prefix(&context, pipeline, "cse").unwrap();
        assert_eq!(prefix, "builtin.module(func.func(cse))");

        let mut module = Module::parse(&context, MODULE).unwrap();
        run_pipeline(&context, &mut module, &prefix).unwrap();
        let text = module.as_operation().to_string();
        assert_eq!(text.matches("arith.addi").count(), 2, "{text}");
    }

    #[test]
    fn second_appearance() {
        let context = test_support::context();
        let pipeline = "builtin.module(cse,symbol-dce,cse,symbol-dce)";
        assert_eq!(
            pipeline_prefix(&context, pipeline, "cse#2").unwrap(),
            "builtin.module(cse,symbol-dce,cse)"
        );
    }

    #[test]
    fn unknown_stage() {
        let context = test_support::context();
        let error = pipeline_prefix(&context, "builtin.module(cse,symbol-dce)", "licm");
        assert_eq!(
            error.unwrap_err().message,
            "the pipeline has no pass 'licm'; it has cse, symbol-dce"
        );
    }

    #[test]
    fn the_failed_pass_is_named() {
        let context = test_support::context();
        for (pipeline, pass) in [
            ("builtin.module(cse,test-panic,cse)", "test-panic"),
            (
                "builtin.module(cse,func.func(cse,test-fail),test-panic)",
                "test-fail",
            ),
            (
                "builtin.module(test-pipeline,any(cse,test-options),func.func(test-fail))",
                "test-fail",
            ),
        ] {
            let mut module = Module::parse(&context, MODULE).unwrap();
            let error = run_pipeline(&context, &mut module, pipeline).unwrap_err();
            assert_eq!(error.pass.as_deref(), Some(pass), "{pipeline}");
        }
    }

    #[test]
    fn malformed_pipelines() {
        let context = test_support::context();
        for text in [
            "",
            "cse",
            "builtin.module(",
            "builtin.module(no-such-pass)",
            "builtin.module(cse{no-such-option=1})",
            "builtin.module(func.func(test-panic))",
        ] {
            let mut module = Module::parse(&context, MODULE).unwrap();
            let error = run_pipeline(&context, &mut module, text).unwrap_err();
            assert_eq!(error.pass, None);
            assert_eq!(error.diagnostics[0].severity, Severity::Error, "{text}");
        }
    }
}
