//! Code objects as `py.code` operations, and back.

use crate::{
    attributes::{
        attribute_bytes, attribute_text, bytes_attribute, elements, from_attribute,
        integer_attribute, to_attribute,
    },
    code::CodeObject,
    diagnostic::Diagnostic,
    location::line_location,
    value::Value,
    version::Version,
};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Operation, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
    },
};
use pyopt_dialects::ods::py;
use std::{collections::HashMap, sync::Arc};

/// What a function has besides its code.
#[derive(Clone, Copy, Default)]
pub struct FunctionAttributes<'c> {
    /// Default values of the last positional parameters: constants.
    pub defaults: Option<ArrayAttribute<'c>>,
    /// Default values of keyword-only parameters, by name.
    pub keyword_defaults: Option<DictionaryAttribute<'c>>,
    /// The options of the decorator that made a compiled function of it.
    pub options: Option<DictionaryAttribute<'c>>,
}

/// A `py.code` operation, read.
pub struct PyCode<'c> {
    /// The symbol.
    pub symbol: String,
    /// The prefix of the bindings of global names.
    pub globals: String,
    /// The code object; nested code is among its constants by symbol.
    pub code: CodeObject,
    /// What else the function has.
    pub attributes: FunctionAttributes<'c>,
}

/// Appends a code object, and those nested in it, to the body of a module.
///
/// Nested code gets the symbol of what it is nested in, `.<locals>.` and its name; a number follows
/// where that is taken.
pub fn append_code<'c>(
    context: &'c Context,
    body: &Block<'c>,
    code: &CodeObject,
    symbol: &str,
    globals: &str,
    attributes: FunctionAttributes<'c>,
) -> Result<(), Diagnostic> {
    let mut taken = HashMap::new();
    let mut nested = Vec::new();
    let constants = code.constants.iter().map(|constant| match constant {
        Value::Code(inner) => {
            let mut name = format!("{symbol}.<locals>.{}", inner.name);
            let uses = taken.entry(inner.name.clone()).or_insert(0u32);
            if *uses != 0 {
                name.push_str(&format!(".{uses}"));
            }
            *uses += 1;
            nested.push((name.clone(), inner.clone()));
            Value::CodeSymbol(name.into())
        }
        other => other.clone(),
    });
    let constants: Vec<Value> = constants.collect();
    body.append_operation(code_operation(
        context, code, &constants, symbol, globals, attributes,
    )?);
    nested.iter().try_for_each(|(name, inner)| {
        append_code(
            context,
            body,
            inner,
            name,
            globals,
            FunctionAttributes::default(),
        )
    })
}

fn code_operation<'c>(
    context: &'c Context,
    code: &CodeObject,
    constants: &[Value],
    symbol: &str,
    globals: &str,
    attributes: FunctionAttributes<'c>,
) -> Result<Operation<'c>, Diagnostic> {
    let text = |text: &str| bytes_attribute(context, text.as_bytes());
    let number = |value: u32| integer_attribute(context, value.into());
    let names = |names: &[Arc<str>]| {
        let names: Vec<Attribute> = names.iter().map(|name| text(name).into()).collect();
        ArrayAttribute::new(context, &names)
    };
    let constants: Vec<_> = constants
        .iter()
        .map(|constant| {
            to_attribute(context, constant).ok_or_else(|| {
                let (name, what) = (&code.qualified_name, constant.type_name());
                Diagnostic::at_start(code, format!("'{name}' has a constant that is a {what}"))
            })
        })
        .collect::<Result<_, _>>()?;
    // From here on nothing may fail: a builder that is dropped keeps its memory.
    let mut builder = py::CodeOperation::builder(
        context,
        line_location(context, &code.filename, code.first_line),
    )
    .sym_name(text(symbol))
    .version(text(&code.version.to_string()))
    .globals(text(globals))
    .filename(text(&code.filename))
    .qualname(text(&code.qualified_name))
    .firstlineno(integer_attribute(context, code.first_line.into()))
    .argcount(number(code.argument_count))
    .posonlyargcount(number(code.positional_only_count))
    .kwonlyargcount(number(code.keyword_only_count))
    .flags(number(code.flags))
    .stacksize(number(code.stack_size))
    .bytecode(bytes_attribute(context, &code.bytecode))
    .consts(ArrayAttribute::new(context, &constants))
    .names(names(&code.names))
    .localsplusnames(names(&code.local_names))
    .localspluskinds(bytes_attribute(context, &code.local_kinds))
    .linetable(bytes_attribute(context, &code.line_table))
    .exceptiontable(bytes_attribute(context, &code.exception_table));
    if let Some(defaults) = attributes.defaults {
        builder = builder.defaults(defaults);
    }
    if let Some(defaults) = attributes.keyword_defaults {
        builder = builder.kwdefaults(defaults.into());
    }
    if let Some(options) = attributes.options {
        builder = builder.options(options.into());
    }
    Ok(builder.build().into())
}

/// What a `py.code` operation has where code objects differ whose functions are otherwise the same:
/// the bytecode, with the locals, tables and stack it needs.
pub fn bytecode_attributes<'c>(
    context: &'c Context,
    code: &CodeObject,
) -> [(&'static str, Attribute<'c>); 6] {
    let bytes = |bytes: &[u8]| bytes_attribute(context, bytes).into();
    let names = code.local_names.iter().map(|name| bytes(name.as_bytes()));
    let names: Vec<Attribute> = names.collect();
    [
        ("bytecode", bytes(&code.bytecode)),
        ("linetable", bytes(&code.line_table)),
        ("exceptiontable", bytes(&code.exception_table)),
        ("localspluskinds", bytes(&code.local_kinds)),
        (
            "localsplusnames",
            ArrayAttribute::new(context, &names).into(),
        ),
        (
            "stacksize",
            integer_attribute(context, code.stack_size.into()).into(),
        ),
    ]
}

/// Reads a `py.code` operation; the error names the attribute that is not what it should be.
pub fn read_code<'c>(
    context: &'c Context,
    operation: OperationRef<'c, '_>,
) -> Result<PyCode<'c>, String> {
    let attribute = |name: &str| operation.attribute(name).ok();
    let wrong =
        |name: &str| format!("'py.code' op attribute '{name}' is not what a code object has there");
    let string =
        |name: &str| attribute(name).and_then(|value| StringAttribute::try_from(value).ok());
    let bytes = |name: &str| string(name).map(attribute_bytes).ok_or_else(|| wrong(name));
    let text = |name: &str| {
        string(name)
            .and_then(attribute_text)
            .ok_or_else(|| wrong(name))
    };
    let number = |name: &str| {
        let integer = attribute(name).and_then(|value| IntegerAttribute::try_from(value).ok());
        integer
            .map(|integer| integer.value())
            .ok_or_else(|| wrong(name))
    };
    let count = |name: &str| u32::try_from(number(name)?).map_err(|_| wrong(name));
    let values = |name: &str| {
        let values = attribute(name).and_then(elements)?;
        values
            .into_iter()
            .map(from_attribute)
            .collect::<Option<Vec<_>>>()
    };
    let names = |name: &str| -> Result<Arc<[Arc<str>]>, String> {
        let names = values(name).ok_or_else(|| wrong(name))?;
        names
            .iter()
            .map(|value| value.as_str().cloned())
            .collect::<Option<_>>()
            .ok_or_else(|| wrong(name))
    };
    let version = text("version")?
        .split_once('.')
        .and_then(|(major, minor)| Some(Version::new(major.parse().ok()?, minor.parse().ok()?)));
    let qualified_name: Arc<str> = text("qualname")?.into();
    let code = CodeObject {
        version: version.ok_or_else(|| wrong("version"))?,
        argument_count: count("argcount")?,
        positional_only_count: count("posonlyargcount")?,
        keyword_only_count: count("kwonlyargcount")?,
        stack_size: count("stacksize")?,
        flags: count("flags")?,
        bytecode: bytes("bytecode")?.into(),
        constants: values("consts").ok_or_else(|| wrong("consts"))?.into(),
        names: names("names")?,
        local_names: names("localsplusnames")?,
        local_kinds: bytes("localspluskinds")?.into(),
        filename: text("filename")?.into(),
        name: qualified_name.rsplit('.').next().unwrap_or_default().into(),
        qualified_name,
        first_line: i32::try_from(number("firstlineno")?).map_err(|_| wrong("firstlineno"))?,
        line_table: bytes("linetable")?.into(),
        exception_table: bytes("exceptiontable")?.into(),
    };
    if code.local_kinds.len() != code.local_names.len() {
        return Err(wrong("localspluskinds"));
    }
    if code.parameter_count() > code.local_names.len() {
        return Err(wrong("argcount"));
    }
    let dictionary =
        |name: &str| attribute(name).and_then(|value| DictionaryAttribute::try_from(value).ok());
    Ok(PyCode {
        symbol: text("sym_name")?.into(),
        globals: text("globals")?.into(),
        code,
        attributes: FunctionAttributes {
            defaults: attribute("defaults")
                .and_then(elements)
                .map(|values| ArrayAttribute::new(context, &values)),
            keyword_defaults: dictionary("kwdefaults"),
            options: dictionary("options"),
        },
    })
}
