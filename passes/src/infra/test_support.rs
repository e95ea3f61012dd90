//! A context and passes for the tests of this crate.

use super::{
    OptionSpec, PassContext, PassResult, PassSpec, PipelineSpec, StatisticSpec,
    pipeline::{nest, option, pass},
    register_pass, register_pipeline,
};
use melior::{
    Context,
    ir::{OperationRef, operation::OperationLike},
};

/// Options and statistics of every kind, written into a remark.
pub(crate) static OPTIONS: PassSpec = PassSpec {
    options: &[
        OptionSpec::bool("flag", "a truth value", false),
        OptionSpec::int("number", "an integer", -3),
        OptionSpec::text("text", "a string", "none"),
        OptionSpec::ints("numbers", "integers", &[1, 2]),
        OptionSpec::texts("texts", "strings", &["a"]),
    ],
    statistics: &[StatisticSpec::new("runs", "how often the pass ran")],
    ..PassSpec::new("test-options", "write the options as a remark", |cx, op| {
        let options = cx.options();
        cx.bump("runs", 1);
        cx.remark(
            op.location(),
            format!(
                "{} {} {} {:?} {:?}",
                options.bool("flag"),
                options.int("number"),
                options.text("text"),
                options.ints("numbers"),
                options.texts("texts"),
            ),
        );
        Ok(())
    })
};

static PANIC: PassSpec = PassSpec::new("test-panic", "panic", |_, _| panic!("out of tea"));

static FAIL: PassSpec = PassSpec {
    anchor: "func.func",
    ..PassSpec::new("test-fail", "fail with an error", fail)
};

fn fail(cx: &PassContext, op: OperationRef) -> PassResult {
    Err(cx.error(op.location(), "this function is no good"))
}

static NEEDS: PassSpec = PassSpec {
    dialects: &["no_such_dialect"],
    ..PassSpec::new("test-needs", "need a dialect", |_, _| Ok(()))
};

static PIPELINE: PipelineSpec = PipelineSpec {
    name: "test-pipeline",
    summary: "pass an option on",
    options: &[OptionSpec::int("number", "an integer", 7)],
    steps: &[
        nest("func.func", &[pass("cse")]),
        pass("test-options").with(&[option("number", "number")]),
    ],
};

/// Makes a context with all dialects in which the tests' passes are registered.
pub(crate) fn context() -> Context {
    melior::utility::register_all_passes();
    for pass in [&OPTIONS, &PANIC, &FAIL, &NEEDS] {
        register_pass(pass);
    }
    register_pipeline(&PIPELINE);

    let context = crate::create_context();
    context.load_all_available_dialects();
    context
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::{Diagnostic, Severity, expand_pipeline, run_pipeline};
    use melior::ir::Module;

    fn run(pipeline: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let context = context();
        let source = "func.func @f() { return } loc(\"f.py\":7:3)";
        let mut module = Module::parse(&context, source).expect("the module is well-formed");
        run_pipeline(&context, &mut module, pipeline).map_err(|error| error.diagnostics)
    }

    #[test]
    fn options_have_defaults() {
        let remarks = run("builtin.module(test-options)").unwrap();
        assert_eq!(remarks[0].severity, Severity::Remark);
        assert_eq!(remarks[0].message, "false -3 none [1, 2] [\"a\"]");
    }

    #[test]
    fn options_are_read() {
        let remarks =
            run("builtin.module(test-options{flag=true number=5 text=x numbers=4,-5,6 texts=b,c})")
                .unwrap();
        assert_eq!(remarks[0].message, "true 5 x [4, -5, 6] [\"b\", \"c\"]");
    }

    #[test]
    fn statistics_are_counted() {
        let runs = || {
            crate::infra::statistics()
                .into_iter()
                .find(|statistic| (statistic.pass, statistic.name) == ("test-options", "runs"))
                .map_or(0, |statistic| statistic.value)
        };
        let before = runs();
        run("builtin.module(test-options,test-options)").unwrap();
        assert!(runs() >= before + 2);
    }

    #[test]
    fn a_panic_fails_the_pass() {
        let errors = run("builtin.module(test-panic)").unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, "pass 'test-panic' panicked: out of tea");
    }

    #[test]
    fn an_error_has_its_location() {
        let errors = run("builtin.module(func.func(test-fail))").unwrap_err();
        assert_eq!(errors[0].message, "this function is no good");
        let position = errors[0].position.as_ref().unwrap();
        assert_eq!(
            (&*position.file, position.line, position.column),
            ("f.py", 7, 3)
        );
    }

    #[test]
    fn a_missing_dialect_is_an_error() {
        let errors = run("builtin.module(test-needs)").unwrap_err();
        assert_eq!(
            errors[0].message,
            "pass 'test-needs' needs dialect 'no_such_dialect', which is not registered"
        );
    }

    #[test]
    fn pipelines_take_options() {
        let remarks = run("builtin.module(test-pipeline{number=9})").unwrap();
        assert_eq!(remarks[0].message, "false 9 none [1, 2] [\"a\"]");

        let mut options = PIPELINE.default_options();
        options.set_int("number", 11);
        let remarks = run(&PIPELINE.text(&options)).unwrap();
        assert_eq!(remarks[0].message, "false 11 none [1, 2] [\"a\"]");
    }

    #[test]
    fn pipelines_are_expanded() {
        let expanded = expand_pipeline(&context(), "builtin.module(test-pipeline)").unwrap();
        assert!(
            expanded.starts_with("builtin.module(func.func(cse),test-options{"),
            "{expanded}"
        );
    }
}
