//! The last step for a host: a lowered module as LLVM IR, and what the host has to know of it.

use crate::{
    infra::{AttributeExt, OperationAttributes, OperationExt},
    lowering::{ENTRY_PREFIX, SIGNATURE, SITES},
};
use melior::{
    Context, StringRef,
    ir::{Attribute, AttributeLike, Module, OperationRef, r#type::FunctionType},
};
use mlir_sys::{
    LLVMContextRef, LLVMModuleRef, mlirAttributeIsADictionary, mlirDictionaryAttrGetElementByName,
    mlirTranslateModuleToLLVMIR,
};

/// A place where an exception is raised, or a call that one passes through.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Site {
    /// The status that says it; from one.
    pub id: i64,
    /// The class of the exception; empty for a call.
    pub exception: String,
    /// The exception's argument.
    pub message: Option<String>,
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
    let table = root(module).array_attr(SITES).unwrap_or_default();
    table.into_iter().map(site).collect()
}

fn site(entry: Attribute) -> Site {
    let field = |name| field(entry, name);
    let text = |name| {
        field(name)
            .and_then(|value| value.string_value())
            .map(str::to_owned)
    };
    let number = |name| field(name).and_then(|value| value.integer_value());
    Site {
        id: number("id").unwrap_or(0),
        exception: text("exception").unwrap_or_default(),
        message: text("message"),
        file: text("file"),
        line: number("line"),
        column: number("column"),
        function: text("function").unwrap_or_default(),
    }
}

fn field<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    // SAFETY: the kind is checked before the accessor is used, which may find nothing.
    unsafe {
        mlirAttributeIsADictionary(dictionary.to_raw())
            .then(|| {
                let raw = mlirDictionaryAttrGetElementByName(
                    dictionary.to_raw(),
                    StringRef::new(name).to_raw(),
                );
                (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
            })
            .flatten()
    }
}

/// Finds the functions that the host can call.
pub fn entries(module: &Module) -> Vec<Entry> {
    root(module)
        .pre_order()
        .into_iter()
        .filter_map(|function| {
            let symbol = function.symbol_name()?;
            let r#type = FunctionType::try_from(function.type_attr(SIGNATURE)?).ok()?;
            let arguments = (0..r#type.input_count()).filter_map(|at| r#type.input(at).ok());
            let results = (0..r#type.result_count()).filter_map(|at| r#type.result(at).ok());
            Some(Entry {
                function: symbol.strip_prefix(ENTRY_PREFIX)?.to_owned(),
                symbol: symbol.to_owned(),
                arguments: arguments.map(|r#type| r#type.to_string()).collect(),
                results: results.map(|r#type| r#type.to_string()).collect(),
            })
        })
        .collect()
}

fn root<'c, 'a>(module: &'a Module<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the operation is the module's and lives as long.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}
