//! Running the pipelines of the compiler.

use melior::Context;
use melior::ir::attribute::{StringAttribute, TypeAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::FunctionType;
use melior::ir::{BlockLike, Module};
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use pyopt_passes::pipelines::PIPELINES;

use super::diagnostics::Errors;
use super::{
    CompileError, Compiled, ErrorKind, ErrorModel, Options, Request, View, engine, module, stages,
};
use crate::types::TypeDesc;

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// The passes whose failures are the program's, not the compiler's, and of what kind.
const STAGES: [(&str, ErrorKind); 2] = [
    ("py-translate-bytecode", ErrorKind::Unsupported),
    (INFERENCE, ErrorKind::Typing),
];

/// The pass behind which a function's types are known.
const INFERENCE: &str = "infer-types";

/// Compiles a request.
pub fn compile(request: &Request) -> Result<Compiled> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let pipeline = pipeline(&request.options())?;
    let mut returns = None;
    run(&context, &mut module, &pipeline, |stage, module| {
        if stage == INFERENCE {
            returns = Some(return_type(module)?);
        }
        Ok(())
    })?;
    let returns = returns
        .ok_or_else(|| CompileError::plain(ErrorKind::Lowering, "the pipeline infers no types"))?;
    let sites = engine::sites(&module);
    let (entry, keepalive) = engine::load(&context, &module)?;
    Ok(Compiled {
        entry,
        keepalive,
        returns,
        sites,
        parallel: request.options().parallel,
    })
}

/// Renders a view of a request's compilation.
pub fn inspect(request: &Request, view: &View) -> Result<String> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let mut pipeline = pipeline(&request.options())?;
    if let View::Ir(stage) = view {
        pipeline = stages::up_to(&pipeline, stage).ok_or_else(|| {
            let known = stages::names(&pipeline).join(", ");
            let message = format!("the pipeline has no pass '{stage}'; it has {known}");
            CompileError::plain(ErrorKind::Option, message)
        })?;
    }
    run(&context, &mut module, &pipeline, |_, _| Ok(()))?;
    match view {
        View::Ir(_) => Ok(module.as_operation().to_string()),
        View::Llvm => engine::llvm_text(&context, &module),
        View::Asm => engine::assembly(&context, &module),
    }
}

/// A context with the dialects of this project.
pub(super) fn context() -> Context {
    let context = pyopt_passes::create_context();
    for name in pyopt_dialects::NAMES {
        context.get_or_load_dialect(name);
    }
    context
}

/// The named pipeline that options lead to, expanded.
fn pipeline(options: &Options) -> Result<String> {
    let name = if options.parallel {
        "py-parallel-pipeline"
    } else {
        "py-nopython-pipeline"
    };
    let spec = PIPELINES
        .iter()
        .find(|pipeline| pipeline.name == name)
        .ok_or_else(|| {
            CompileError::plain(ErrorKind::Option, format!("there is no pipeline '{name}'"))
        })?;
    let mut values = spec.default_options();
    if options.error_model == ErrorModel::Numpy {
        values.set_text("error-model", "numpy");
    }
    values.set_bool("boundscheck", options.boundscheck);
    let flags: Vec<_> = options.fastmath.iter().map(String::as_str).collect();
    values.set_texts("fastmath", &flags);
    if options.parallel {
        for name in &options.parallel_off {
            values.set_bool(name, false);
        }
    }
    Ok(spec.text(&values))
}

/// Runs a pipeline, with a look at the module after each of [`STAGES`].
fn run<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    pipeline: &str,
    mut after: impl FnMut(&str, &Module<'c>) -> Result<()>,
) -> Result<()> {
    pyopt_passes::register_passes();
    let mut rest = Some(pipeline.to_string());
    for (stage, kind) in STAGES {
        let Some(text) = rest.take() else {
            return Ok(());
        };
        match stages::up_to(&text, stage) {
            None => rest = Some(text),
            Some(part) => {
                run_part(context, module, &part, kind)?;
                after(stage, module)?;
                rest = stages::after(&text, stage);
            }
        }
    }
    rest.map_or(Ok(()), |text| {
        run_part(context, module, &text, ErrorKind::Lowering)
    })
}

/// Runs a pipeline; what it reports is an error of the given kind.
pub(super) fn run_part(context: &Context, module: &mut Module, pipeline: &str, kind: ErrorKind) -> Result<()> {
    let errors = Errors::collect(context);
    let manager = PassManager::new(context);
    if let Err(error) = parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline) {
        return Err(errors.finish(ErrorKind::Option, &error.to_string()));
    }
    match manager.run(module) {
        Ok(()) => {
            errors.discard();
            Ok(())
        }
        Err(error) => Err(errors.finish(kind, &error.to_string())),
    }
}

/// What the entry function returns.
fn return_type(module: &Module) -> Result<TypeDesc> {
    let lowering = |message: &str| CompileError::plain(ErrorKind::Lowering, message);
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        next = operation.next_in_block();
        let name = operation
            .attribute("sym_name")
            .ok()
            .map(StringAttribute::try_from);
        if !name.is_some_and(|name| name.is_ok_and(|name| name.value() == module::ENTRY)) {
            continue;
        }
        let ty = operation
            .attribute("function_type")
            .and_then(TypeAttribute::try_from)
            .and_then(|attribute| FunctionType::try_from(attribute.value()))
            .map_err(|_| lowering("the entry is no function"))?;
        let Ok(result) = ty.result(0) else {
            return Ok(TypeDesc::None);
        };
        return TypeDesc::parse(&result.to_string()).map_err(|_| {
            let message = format!("a value of type {result} cannot be returned to Python");
            CompileError::plain(ErrorKind::Typing, message)
        });
    }
    Err(lowering("inference made no entry"))
}
