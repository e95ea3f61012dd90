//! Running the pipelines of the compiler.

use melior::Context;
use melior::ir::Module;
use pyopt_passes::compile::{
    self, Neighborhood, Site, entries, kernels, neighborhoods, objects, sites, symbols,
};
use pyopt_passes::infra::{
    Diagnostic, PipelineError, PipelineSpec, Prepared, Severity, pipeline_prefix, run_pipeline,
};
use pyopt_passes::linking::LibraryCall;
use pyopt_passes::pipelines;
use pyopt_runtime::engine::{CompiledModule, Remark, Tier, has_debuggers, show_to_gdb};
use serde::{Deserialize, Serialize};

use super::{
    CompileError, Compiled, DeviceTarget, ErrorKind, ErrorModel, Generated, Request, View, engine,
    module, spare::with_prepared,
};
use crate::types::TypeDesc;

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// Compiles a request.
pub fn generate(request: &Request) -> Result<Generated> {
    let options = request.options();
    with_prepared(&pipeline(request, Told::Warnings)?, |prepared| {
        let context = prepared.context();
        let (mut module, warnings) = lower(prepared, request)?;
        if options.describes_variables() {
            show_to_gdb().map_err(engine::failed)?;
        } else {
            add_lines(context, &mut module)?;
        }
        let (returns, resume) = return_type(&module)?;
        Ok(Generated {
            module: engine::compile(context, &module, options.unoptimized)?,
            symbols: symbols(&module),
            returns,
            resume,
            sites: sites(&module),
            objects: objects(&module),
            parallel: options.parallel,
            warnings: warnings
                .into_iter()
                .filter(|one| one.severity == Severity::Warning)
                .collect(),
        })
    })
}

/// Runs the pipeline on a request. With which ids LLVM's SPIR-V back end writes kernels depends on addresses:
/// what `typed-to-abi` refuses of them is compiled again, where other memory is.
fn lower<'c>(prepared: &'c Prepared, request: &Request) -> Result<(Module<'c>, Vec<Diagnostic>)> {
    let mut tries = if request.device.is_some() { 5 } else { 1 };
    let mut taken = Vec::new();
    loop {
        let mut module = module::build(prepared.context(), request)?;
        tries -= 1;
        match prepared.run(&mut module) {
            Ok(told) => return Ok((module, told)),
            Err(error) if tries > 0 && error.pass.as_deref() == Some("typed-to-abi") => {
                taken.push(memory_of_blocks());
            }
            Err(error) => return Err(failure(error)),
        }
    }
}

/// Takes the memory that was given back of sizes that blocks, and the slabs that they are in, have: those that
/// are made while it is held are where none was before.
fn memory_of_blocks() -> Vec<Vec<u8>> {
    let small = (1..=16).flat_map(|units| [16 * units; 512]);
    let slabs = (9..=16).flat_map(|power| [1 << power; 64]);
    small.chain(slabs).map(Vec::with_capacity).collect()
}

/// Makes code callable in this process.
pub fn load(generated: Generated) -> Result<Compiled> {
    Ok(Compiled {
        code: engine::load(generated.module, generated.parallel)?,
        returns: generated.returns,
        resume: generated.resume,
        sites: generated.sites,
        objects: generated.objects,
        parallel: generated.parallel,
        warnings: generated.warnings,
    })
}

/// What is to be told of the parallel loops of a request: warnings, and remarks as many as `level`,
/// from 1 to 4, asks for.
pub fn diagnose(request: &Request, level: i64) -> Result<Vec<Diagnostic>> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let told = Told::ParallelLoops(level);
    run(&context, &mut module, &pipeline(request, told)?)
}

/// What was done to the loops of a request: what our passes say, and what LLVM's say when they
/// optimise for a tier.
pub fn explain(request: &Request, tier: Tier) -> Result<(Vec<Diagnostic>, Vec<Remark>)> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let options = request.options();
    let told = run(&context, &mut module, &pipeline(request, Told::Loops)?)?;
    if !options.describes_variables() {
        run(&context, &mut module, LINES)?;
    }
    let remarks = match options.unoptimized {
        true => Vec::new(),
        false => engine::remarks(&context, &module, tier)?,
    };
    Ok((told, remarks))
}

/// A function of the library, compiled by itself.
#[derive(Serialize, Deserialize)]
pub struct LibraryFunction {
    /// The code: its entry is of type [`super::Entry`].
    pub module: CompiledModule,
    /// Every status the entry can return.
    pub sites: Vec<Site>,
}

/// Compiles a function of the library by itself.
pub fn compile_library(call: &LibraryCall) -> Result<LibraryFunction> {
    let context = context();
    let mut module = module::build_library(&context, call)?;
    let spec = named_pipeline("py-library-pipeline")?;
    run(&context, &mut module, &spec.text(&spec.default_options()))?;
    add_lines(&context, &mut module)?;
    Ok(LibraryFunction {
        module: engine::compile(&context, &module, false)?,
        sites: sites(&module),
    })
}

/// A request for NVIDIA's devices.
fn for_cuda(request: &Request, chip: Option<&str>) -> Result<Request> {
    if !request.options().parallel {
        let message = "kernels are made of the loops of functions with parallel=True";
        return Err(CompileError::plain(ErrorKind::Option, message));
    }
    let is_number = |text: &str| text.starts_with(|digit: char| digit.is_ascii_digit());
    if chip.is_some_and(|chip| !chip.strip_prefix("sm_").is_some_and(is_number)) {
        let message = format!(
            "'{}' is no architecture such as 'sm_80'",
            chip.unwrap_or_default()
        );
        return Err(CompileError::plain(ErrorKind::Option, message));
    }
    let own = request.device.as_ref().filter(|one| one.driver == "cuda");
    let chip = chip
        .or(own.map(|one| one.chip.as_str()))
        .unwrap_or_default();
    Ok(Request {
        device: Some(DeviceTarget {
            driver: "cuda".to_owned(),
            chip: chip.to_owned(),
            has_f64: true,
            max_block: 1024,
            local_memory: 48 << 10,
        }),
        ..request.clone()
    })
}

/// Renders a view of a request's compilation.
pub fn inspect(request: &Request, view: &View) -> Result<String> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let options = request.options();
    let tier = |tier| match options.unoptimized {
        true => Tier::None,
        false => tier,
    };
    let mut pipeline = match view {
        View::Ptx(chip) => self::pipeline(&for_cuda(request, chip.as_deref())?, Told::Warnings)?,
        _ => pipeline(request, Told::Warnings)?,
    };
    if let View::Ir(stage) = view {
        pipeline = prefix(&context, &pipeline, stage)?;
    }
    if let View::Ptx(_) = view {
        // Before the kernels go into what launches them.
        pipeline = prefix(&context, &pipeline, "gpu-module-to-binary")?;
    }
    run(&context, &mut module, &pipeline)?;
    match view {
        View::Ir(_) => Ok(module.as_operation().to_string()),
        View::Ptx(_) => Ok(kernels(&module).unwrap_or_default()),
        View::Llvm(asked) => engine::llvm_text(&context, &module, tier(*asked)),
        View::Asm(asked) => engine::assembly(&context, &module, tier(*asked)),
    }
}

/// The parameters whose values the function of a request is to be compiled for.
pub fn literal_parameters(request: &Request) -> Result<Vec<usize>> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let pipeline = pipeline(request, Told::Warnings)?;
    run(
        &context,
        &mut module,
        &prefix(&context, &pipeline, "py-literals")?,
    )?;
    Ok(compile::literal_parameters(&module))
}

/// The types of a request's arguments where lists, dicts and sets that are passed without items are of what the
/// function puts in; nothing where it puts nothing in, or can't be compiled.
pub fn filled_arguments(request: &Request) -> Option<Vec<TypeDesc>> {
    let context = context();
    let mut module = module::build(&context, request).ok()?;
    let pipeline = pipeline(request, Told::Warnings).ok()?;
    let pipeline = prefix(&context, &pipeline, "infer-types").ok()?;
    run(&context, &mut module, &pipeline).ok()?;
    let types = compile::argument_types(&module)?;
    let types: Vec<_> = types
        .iter()
        .map(|text| TypeDesc::parse(text))
        .collect::<std::result::Result<_, _>>()
        .ok()?;
    let fills = types.len() == request.arguments.len()
        && request
            .arguments
            .iter()
            .zip(&types)
            .all(|(before, after)| before.is_filled_by(after));
    (fills && types != request.arguments).then_some(types)
}

/// The neighborhoods of the stencils that a request applies, each with lines of its kernel.
pub fn stencil_neighborhoods(request: &Request) -> Result<Vec<Neighborhood>> {
    let context = context();
    let mut module = module::build(&context, request)?;
    let pipeline = pipeline(request, Told::Warnings)?;
    let pipeline = prefix(&context, &pipeline, "stencil-infer-neighborhood")?;
    run(&context, &mut module, &pipeline)?;
    Ok(neighborhoods(&module))
}

/// A pipeline up to a pass.
fn prefix(context: &Context, pipeline: &str, stage: &str) -> Result<String> {
    pipeline_prefix(context, pipeline, stage)
        .map_err(|error| CompileError::new(ErrorKind::Option, error))
}

/// A context with the dialects of this project, and the passes.
pub(super) fn context() -> Context {
    pyopt_passes::register_passes();
    let context = pyopt_passes::create_context();
    // Kernels are translated by a pass of the pipeline.
    for name in pyopt_dialects::NAMES {
        context.get_or_load_dialect(name);
    }
    pyopt_passes::extension::prepare(&context);
    context
}

/// What passes are to tell.
#[derive(Clone, Copy)]
enum Told {
    /// Warnings alone.
    Warnings,
    /// What became of parallel loops, on a level from 1 to 4.
    ParallelLoops(i64),
    /// What was done to all loops.
    Loops,
}

/// The named pipeline that a request leads to, expanded.
fn pipeline(request: &Request, told: Told) -> Result<String> {
    let options = request.options();
    let name = match &request.device {
        Some(_) => "py-gpu-pipeline",
        None if options.parallel => "py-parallel-pipeline",
        None => "py-nopython-pipeline",
    };
    let spec = named_pipeline(name)?;
    let mut values = spec.default_options();
    if let Some(device) = &request.device {
        values.set_text("device", &device.driver);
        if !device.chip.is_empty() {
            values.set_text("chip", &device.chip);
        }
        values.set_bool("fp64", device.has_f64);
        values.set_bool("chosen", request.enters_devices);
    }
    if options.error_model == Some(ErrorModel::Numpy) {
        values.set_text("error-model", "numpy");
    }
    values.set_bool("boundscheck", options.boundscheck);
    values.set_bool("debug", options.describes_variables());
    values.set_bool("remarks", matches!(told, Told::Loops));
    let flags = options.fastmath.iter().flatten();
    let flags: Vec<_> = flags.map(String::as_str).collect();
    values.set_texts("fastmath", &flags);
    if options.parallel {
        values.set_int(
            "diagnostics",
            match told {
                Told::Warnings => 0,
                Told::ParallelLoops(level) => level,
                Told::Loops => 3,
            },
        );
        for name in &options.parallel_off {
            values.set_bool(name, false);
        }
    } else {
        // What is kept was compiled without flags.
        values.set_bool("link-library", flags.is_empty());
    }
    Ok(spec.text(&values))
}

fn named_pipeline(name: &str) -> Result<&'static PipelineSpec> {
    pipelines::find(name).map_err(|message| CompileError::plain(ErrorKind::Option, message))
}

/// Runs a pipeline, and gives its warnings and remarks. The pass that fails tells what kind of error it
/// is.
pub(super) fn run(
    context: &Context,
    module: &mut Module,
    pipeline: &str,
) -> Result<Vec<Diagnostic>> {
    run_pipeline(context, module, pipeline).map_err(failure)
}

/// Says which function and line of Python an instruction is of.
const LINES: &str = "builtin.module(describe-lines)";

/// Does so where a debugger is to know.
fn add_lines(context: &Context, module: &mut Module) -> Result<()> {
    match has_debuggers() {
        true => run(context, module, LINES).map(|_| ()),
        false => Ok(()),
    }
}

impl From<PipelineError> for Box<CompileError> {
    fn from(error: PipelineError) -> Self {
        failure(error)
    }
}

/// The first error that was reported. Warnings and remarks are for the tool, not for a caller of the
/// function.
fn failure(error: PipelineError) -> Box<CompileError> {
    let kind = match error.pass.as_deref() {
        None => ErrorKind::Option,
        Some("py-lift-with" | "py-translate-bytecode") => ErrorKind::Unsupported,
        Some("py-literals") => ErrorKind::Literal,
        Some("infer-types") => ErrorKind::Typing,
        // Passes before inference refuse programs, as inference does.
        Some(pass) if pass.starts_with("py-") => ErrorKind::Typing,
        Some(_) => ErrorKind::Lowering,
    };
    let mut diagnostics = error.diagnostics.into_iter();
    let first = diagnostics.find(|diagnostic| diagnostic.severity == Severity::Error);
    let diagnostic = first.unwrap_or_else(|| Diagnostic::error("the pipeline failed"));
    // What contradicts a stencil's options is a ValueError in Python, and says that it is about one.
    let kind = match diagnostic.message.starts_with("stencil") {
        true => ErrorKind::Stencil,
        false => kind,
    };
    CompileError::new(kind, diagnostic)
}

/// What the entry function returns. For a generator it is the type of its items, with the symbol of
/// the function that resumes it.
fn return_type(module: &Module) -> Result<(TypeDesc, Option<String>)> {
    let entries = entries(module);
    let entry = entries.iter().find(|entry| entry.function == module::ENTRY);
    let entry = entry.ok_or_else(|| {
        CompileError::plain(ErrorKind::Lowering, "the pipeline makes no entry point")
    })?;
    let (result, resume) = match (&entry.generator, entry.results.first()) {
        (Some((symbol, item)), _) => (item, Some(symbol.clone())),
        (None, Some(result)) => (result, None),
        (None, None) => return Ok((TypeDesc::None, None)),
    };
    let returns = TypeDesc::parse(result).map_err(|_| {
        let module = result
            .strip_prefix("!typed.named<\"")
            .and_then(|rest| rest.strip_suffix("\">"));
        let shown = module.map_or_else(|| result.clone(), |name| format!("Module({name})"));
        let message = format!("cannot convert native {shown} to Python object");
        CompileError::plain(ErrorKind::Typing, message)
    })?;
    Ok((returns, resume))
}
