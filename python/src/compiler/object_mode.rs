//! Object mode: one function, from its marshalled code to loaded machine code.

use melior::Context;
use melior::ir::attribute::{DictionaryAttribute, IntegerAttribute, StringAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, BlockLike, Location, Module};
use pyopt_dialects::ops::marks;
use pyopt_frontend::attributes::{attribute_text, elements, from_attribute};
use pyopt_frontend::code_op::{FunctionAttributes, append_code};
use pyopt_frontend::marshal;
use pyopt_frontend::value::Value;
use pyopt_passes::infra::pipeline_prefix;
use pyopt_passes::pipelines::OBJECT;
use pyopt_runtime::engine::{LoadedCode, Tier, emit_assembly, emit_object, run_pipeline};

use crate::host::VERSION;

use super::{CompileError, ErrorKind, View, driver, engine as lowered};

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// The symbol that the function has in its module.
const SYMBOL: &str = "function";

/// The symbol of the machine code.
const ENTRY: &str = "pyopt_object_entry_function";

/// What makes straight code of one call after another good enough, for little time.
const OPTIMISE: &str = "cgscc(inline),function(sroa,early-cse,simplifycfg)";

/// An entry of the table of objects that a function refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectEntry {
    /// An interned string.
    Name(String),
    /// A tuple of interned strings.
    Names(Vec<String>),
    /// A constant of the code object, by its place.
    Constant(usize),
    /// A constant that has no place of its own among those.
    Value(Value),
    /// Words for the runtime's own use, zero at first.
    Cache(usize),
}

/// A compiled function.
pub struct ObjectFunction {
    /// The loaded code.
    pub code: LoadedCode,
    /// The address of the entry.
    pub address: usize,
    /// What the table of objects holds.
    pub environment: Vec<ObjectEntry>,
}

/// Compiles marshalled code.
pub fn compile_object(code: &[u8]) -> Result<ObjectFunction> {
    let context = driver::context();
    let module = lower(&context, code, None)?;
    let environment = environment(&module)?;
    let mut llvm = lowered::translate(&context, &module)?;
    run_pipeline(&mut llvm, OPTIMISE, Tier::None).map_err(lowered::failed)?;
    let object = emit_object(&llvm, Tier::None).map_err(lowered::failed)?;
    let code = LoadedCode::load(&object).map_err(lowered::failed)?;
    let address = code.lookup(ENTRY).map_err(lowered::failed)?.as_ptr() as usize;
    Ok(ObjectFunction {
        code,
        address,
        environment,
    })
}

/// Renders a view of a compilation.
pub fn inspect_object(code: &[u8], view: &View) -> Result<String> {
    let context = driver::context();
    let stage = match view {
        View::Ir(stage) => Some(stage.as_str()),
        View::Llvm(_) | View::Asm(_) => None,
        View::Ptx(_) => {
            let message = "functions in object mode have no kernels";
            return Err(CompileError::plain(ErrorKind::Option, message));
        }
    };
    let module = lower(&context, code, stage)?;
    if stage.is_some() {
        return Ok(module.as_operation().to_string());
    }
    let mut llvm = lowered::translate(&context, &module)?;
    run_pipeline(&mut llvm, OPTIMISE, Tier::None).map_err(lowered::failed)?;
    match view {
        View::Asm(tier) => emit_assembly(&llvm, *tier).map_err(lowered::failed),
        _ => Ok(llvm.to_text()),
    }
}

/// The module of the llvm dialect, or what it is after a pass.
fn lower<'c>(context: &'c Context, code: &[u8], stage: Option<&str>) -> Result<Module<'c>> {
    let code = marshal::load_code(code, VERSION)
        .map_err(|error| CompileError::plain(ErrorKind::Unsupported, error.to_string()))?;
    let mut module = Module::new(Location::unknown(context));
    append_code(
        context,
        &module.body(),
        &code,
        SYMBOL,
        SYMBOL,
        FunctionAttributes::default(),
    )
    .map_err(|error| CompileError::new(ErrorKind::Unsupported, error))?;
    let mut pipeline = OBJECT.text(&OBJECT.default_options());
    if let Some(stage) = stage {
        pipeline = pipeline_prefix(context, &pipeline, stage)
            .map_err(|error| CompileError::new(ErrorKind::Option, error))?;
    }
    driver::run(context, &mut module, &pipeline)?;
    Ok(module)
}

/// Reads the table of objects.
fn environment(module: &Module) -> Result<Vec<ObjectEntry>> {
    let broken = || CompileError::plain(ErrorKind::Lowering, "the module has no compiled function");
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        next = operation.next_in_block();
        if let Some(entries) = operation
            .attribute(marks::ENVIRONMENT)
            .ok()
            .and_then(elements)
        {
            let entries = entries.into_iter().map(entry);
            return entries.collect::<Option<_>>().ok_or_else(broken);
        }
    }
    Err(broken())
}

fn entry(attribute: Attribute) -> Option<ObjectEntry> {
    let fields = DictionaryAttribute::try_from(attribute).ok()?;
    let field = |name: &str| fields.element_by_name(name);
    let text = |value: Attribute| {
        let value = StringAttribute::try_from(value).ok()?;
        attribute_text(value).map(str::to_string)
    };
    let number = |value: Attribute| {
        let value = IntegerAttribute::try_from(value).ok()?.value();
        usize::try_from(value).ok()
    };
    if let Some(name) = field("name") {
        return text(name).map(ObjectEntry::Name);
    }
    if let Some(names) = field("names") {
        let names = elements(names)?.into_iter().map(text);
        return names.collect::<Option<_>>().map(ObjectEntry::Names);
    }
    if let Some(index) = field("const") {
        return number(index).map(ObjectEntry::Constant);
    }
    if let Some(words) = field("cache") {
        return number(words).map(ObjectEntry::Cache);
    }
    from_attribute(field("value")?).map(ObjectEntry::Value)
}
