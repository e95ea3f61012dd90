//! The last step for a host: a lowered module as LLVM IR, and what the host has to know of it.

pub use crate::types::exception_classes::HANDLED_BY_HOST;

use crate::{
    infra::{
        AttributeExt, BlockExt, OperationAttributes, OperationExt, RegionExt, dictionary_entry,
        ops::{func, marks, py, stencil},
    },
    lowering::take_image,
    parfor::diagnostics::places,
    types::{exception_classes, iteration::resumed_item},
};
use melior::{
    Context,
    ir::{
        Attribute, Module, OperationRef, attribute::StringAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};
use mlir_sys::{LLVMContextRef, LLVMModuleRef, mlirTranslateModuleToLLVMIR};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};
use pyopt_frontend::attributes::attribute_bytes;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A place where an exception is raised, or a call that one passes through.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// The status that says it; from one.
    pub id: i64,
    /// The class of the exception; empty for a call.
    pub exception: String,
    /// The exception's argument.
    pub message: Option<String>,
    /// The typed types of the exception's arguments, where they are known at run time.
    pub arguments: Vec<String>,
    /// The file, when the location is known.
    pub file: Option<String>,
    /// The line, from one.
    pub line: Option<i64>,
    /// The column, from one.
    pub column: Option<i64>,
    /// The function it is in.
    pub function: String,
}

/// A function that the host can call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    /// The symbol, of type `int32_t (int64_t *ret, PyoptError *err, const int64_t *args)`.
    pub symbol: String,
    /// The name of the function it was made for.
    pub function: String,
    /// The typed types of the arguments.
    pub arguments: Vec<String>,
    /// The typed types of the results.
    pub results: Vec<String>,
    /// For a function that returns a generator the symbol of the function that resumes it, of the
    /// same type, and the type of its items. Its result is an item and whether there is one.
    pub generator: Option<(String, String)>,
}

/// Python code that compiled code calls.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// What is called.
    pub code: ObjectCode,
    /// The typed types of the arguments.
    pub arguments: Vec<String>,
    /// The typed type of the tuple that it returns.
    pub result: String,
}

/// What a host finds the code of a call by.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum ObjectCode {
    /// A part of a function of the program.
    Block(ObjectBlock),
    /// A function of the host's, by its qualified name.
    Function(String),
}

/// A part of a function as a code object: what it has in place of the function's.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct ObjectBlock {
    /// The symbol of the function that it is a part of.
    pub function: String,
    /// `co_code`.
    pub bytecode: Vec<u8>,
    /// `co_exceptiontable`.
    pub exception_table: Vec<u8>,
    /// `co_linetable`.
    pub line_table: Vec<u8>,
    /// `co_varnames`.
    pub variables: Vec<String>,
    /// `co_cellvars`.
    pub cells: Vec<String>,
    /// `co_argcount`.
    pub argument_count: u32,
    /// `co_stacksize`.
    pub stack_size: u32,
    /// `co_flags`.
    pub flags: u32,
}

/// The parameters whose values a requested function is to be compiled for, as `py-literals` has noted.
pub fn literal_parameters(module: &Module) -> Vec<usize> {
    let requests = root(module).nested_ops::<py::Specialize>();
    let requested = |function: &py::Func| {
        let mut callees = requests.iter().map(|request| request.callee());
        callees.any(|callee| callee == function.sym_name())
    };
    let functions = root(module).nested_ops::<py::Func>().into_iter();
    let marked = functions.filter(requested);
    marked
        .filter_map(|function| function.i64_array_attr(marks::LITERAL_PARAMETERS))
        .flatten()
        .map(|position| position as usize)
        .collect()
}

/// The types of the arguments of the function that the host asked for, once `infer-types` has seen it: what it
/// passes without items has the types of those that the function puts in.
pub fn argument_types(module: &Module) -> Option<Vec<String>> {
    let functions = root(module).nested_ops::<func::Func>();
    let is_entry = |function: &func::Func| function.flag_attr(marks::ENTRY);
    let entry = functions.into_iter().find(is_entry)?;
    let r#type = FunctionType::try_from(entry.function_type()).ok()?;
    let types = (0..r#type.input_count()).filter_map(|at| r#type.input(at).ok());
    Some(types.map(|r#type| r#type.to_string()).collect())
}

/// The lines that the result of a stencil's kernel is from, as `FILE:LINE`, and the lowest and highest
/// offset of each dimension.
pub type Neighborhood = (Vec<String>, Vec<(i64, i64)>);

/// The neighborhoods of the stencils that `stencil-infer-neighborhood` has seen.
pub fn neighborhoods(module: &Module) -> Vec<Neighborhood> {
    let stencils = root(module).nested_ops::<stencil::Apply>().into_iter();
    let found = stencils.filter_map(|apply| {
        let blocks = apply.body().block_list().into_iter();
        let end = blocks.filter_map(BlockExt::terminator_op).next_back()?;
        let offsets = apply.neighborhood()?;
        let pairs = offsets.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        Some((places(end.location()), pairs.collect()))
    });
    found.collect()
}

/// Reads what `typed-to-abi` noted of the Python code that a module calls, by number.
pub fn objects(module: &Module) -> Vec<Object> {
    let table = root(module).array_attr(marks::OBJECTS).unwrap_or_default();
    table.into_iter().filter_map(object).collect()
}

fn object(entry: Attribute) -> Option<Object> {
    let signature =
        FunctionType::try_from(dictionary_entry(entry, "signature")?.type_value()?).ok()?;
    let arguments = (0..signature.input_count()).filter_map(|at| signature.input(at).ok());
    let code = match PyAttribute::from(dictionary_entry(entry, "code")?) {
        PyAttribute::ObjectCode(function, parts) => ObjectCode::Block(block(function, parts)?),
        PyAttribute::Named(name) | PyAttribute::Module(name) => ObjectCode::Function(name.into()),
        _ => return None,
    };
    Some(Object {
        code,
        arguments: arguments.map(|ty| ty.to_string()).collect(),
        result: signature.result(0).ok()?.to_string(),
    })
}

fn block(function: &str, parts: Attribute) -> Option<ObjectBlock> {
    let bytes = |name| {
        let text = StringAttribute::try_from(dictionary_entry(parts, name)?).ok()?;
        Some(attribute_bytes(text).to_vec())
    };
    let number = |name| u32::try_from(dictionary_entry(parts, name)?.integer_value()?).ok();
    let names = |name| {
        let names = dictionary_entry(parts, name)?.elements()?;
        let names = names
            .into_iter()
            .map(|name| Some(name.string_value()?.to_owned()));
        names.collect::<Option<Vec<_>>>()
    };
    Some(ObjectBlock {
        function: function.into(),
        bytecode: bytes("bytecode")?,
        exception_table: bytes("exceptiontable")?,
        line_table: bytes("linetable")?,
        variables: names("varnames")?,
        cells: names("cellvars")?,
        argument_count: number("argcount")?,
        stack_size: number("stacksize")?,
        flags: number("flags")?,
    })
}

/// Translates a module of the llvm dialect to LLVM IR; null when MLIR has reported an error.
///
/// # Safety
///
/// `llvm` must be a live LLVM context that no other thread uses. The module lives in it and is the
/// caller's.
pub unsafe fn to_llvm_ir(
    context: &Context,
    module: &Module,
    llvm: LLVMContextRef,
) -> LLVMModuleRef {
    melior::utility::register_all_llvm_translations(context);
    // SAFETY: the module is valid, the caller vouches for the context.
    unsafe { mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), llvm) }
}

/// Reads the table of sites that `typed-to-abi` left in a module.
pub fn sites(module: &Module) -> Vec<Site> {
    let table = root(module).array_attr(marks::SITES).unwrap_or_default();
    table.into_iter().map(site).collect()
}

fn site(entry: Attribute) -> Site {
    let field = |name| dictionary_entry(entry, name);
    let text = |name| {
        field(name)
            .and_then(|value| value.string_value())
            .map(str::to_owned)
    };
    let number = |name| field(name).and_then(|value| value.integer_value());
    Site {
        id: number("id").unwrap_or(0),
        exception: field("exception")
            .and_then(|class| exception_classes::names(class).first().copied())
            .unwrap_or_default()
            .to_owned(),
        message: text("message"),
        arguments: field("arguments")
            .and_then(|types| types.elements())
            .unwrap_or_default()
            .into_iter()
            .filter_map(|ty| Some(ty.type_value()?.to_string()))
            .collect(),
        file: text("file"),
        line: number("line"),
        column: number("column"),
        function: text("function").unwrap_or_default(),
    }
}

/// The symbols at the top of a module: what its code defines or refers to.
pub fn symbols(module: &Module) -> Vec<String> {
    let operations = root(module).region_list().into_iter();
    let blocks = operations.flat_map(|region| region.block_list());
    let operations = blocks.flat_map(|block| block.operation_list());
    let names = operations.filter_map(|one| one.symbol_name().map(str::to_owned));
    names.collect()
}

/// The code of a module's kernels, where that is text.
pub fn kernels(module: &Module) -> Option<String> {
    let image = take_image(root(module)).ok()??;
    String::from_utf8(image).ok()
}

/// Finds the functions that the host can call.
pub fn entries(module: &Module) -> Vec<Entry> {
    let context = module.context();
    let operations = root(module).pre_order();
    let named = |operation: &OperationRef| {
        let function = operation.str_attr(marks::ENTRY)?;
        Some((function.to_owned(), operation.symbol_name()?.to_owned()))
    };
    let symbols: HashMap<_, _> = operations.iter().filter_map(named).collect();
    operations
        .into_iter()
        .filter_map(|operation| {
            let function = operation.str_attr(marks::ENTRY)?;
            let symbol = operation.symbol_name()?;
            let r#type = FunctionType::try_from(operation.type_attr(marks::SIGNATURE)?).ok()?;
            let first = r#type.result(0).map(TypedType::from);
            let generator = match first {
                Ok(TypedType::Generator(resume, item)) => {
                    // SAFETY: the context outlives the module, whose types this function shows.
                    let context = unsafe { context.to_ref() };
                    let item = resumed_item(context, item).to_string();
                    Some((symbols.get(resume)?.clone(), item))
                }
                _ => None,
            };
            let arguments = (0..r#type.input_count()).filter_map(|at| r#type.input(at).ok());
            let results = (0..r#type.result_count()).filter_map(|at| r#type.result(at).ok());
            Some(Entry {
                function: function.to_owned(),
                symbol: symbol.to_owned(),
                arguments: arguments.map(|r#type| r#type.to_string()).collect(),
                results: results.map(|r#type| r#type.to_string()).collect(),
                generator,
            })
        })
        .collect()
}

fn root<'c, 'a>(module: &'a Module<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the operation is the module's and lives as long.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}
