//! Code objects as `py.code` operations, and back.

use crate::{
    attributes::{attribute_bytes, attribute_text, elements, from_attribute, to_attribute},
    code::CodeObject,
    diagnostic::Diagnostic,
    location::line_location,
    value::Value,
    version::Version,
};
use melior::{
    Context,
    ir::{
        Attribute, Block, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
    },
};
use pyopt_dialects::{
    ops::py,
    view::{Integer, Place, ToAttribute},
};
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
    let location = line_location(context, &code.filename, code.first_line);
    let end = Place::end(context, body, location);
    append_operation(context, &end, code, &constants, symbol, globals, attributes)?;
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

fn append_operation<'c>(
    context: &'c Context,
    place: &Place<'c, '_>,
    code: &CodeObject,
    constants: &[Value],
    symbol: &str,
    globals: &str,
    attributes: FunctionAttributes<'c>,
) -> Result<(), Diagnostic> {
    let constants: Vec<_> = constants
        .iter()
        .map(|constant| {
            to_attribute(context, constant).ok_or_else(|| {
                let (name, what) = (&code.qualified_name, constant.type_name());
                Diagnostic::at_start(code, format!("'{name}' has a constant that is a {what}"))
            })
        })
        .collect::<Result<_, _>>()?;
    let operation = py::Code::create(
        place,
        symbol,
        &code.version.to_string(),
        globals,
        &code.filename,
        &code.qualified_name,
        code.first_line.into(),
        code.argument_count.into(),
        code.positional_only_count.into(),
        code.keyword_only_count.into(),
        code.flags.into(),
        code.stack_size.into(),
        &code.bytecode,
        &constants,
        &texts(context, &code.names),
        &texts(context, &code.local_names),
        &code.local_kinds,
        &code.line_table,
        &code.exception_table,
    );
    let defaults = attributes
        .defaults
        .and_then(|defaults| elements(defaults.into()));
    operation.set_defaults(defaults.as_deref());
    operation.set_kwdefaults(attributes.keyword_defaults.map(Attribute::from));
    operation.set_options(attributes.options.map(Attribute::from));
    Ok(())
}

fn texts<'c>(context: &'c Context, texts: &[Arc<str>]) -> Vec<Attribute<'c>> {
    let texts = texts.iter().map(|text| (**text).to_attribute(context));
    texts.collect()
}

/// What a `py.code` operation has where code objects differ whose functions are otherwise the same:
/// the bytecode, with the locals, tables and stack it needs.
pub fn bytecode_attributes<'c>(
    context: &'c Context,
    code: &CodeObject,
) -> [(&'static str, Attribute<'c>); 6] {
    let bytes = |bytes: &[u8]| bytes.to_attribute(context);
    let names = &texts(context, &code.local_names)[..];
    let stack_size = Integer(code.stack_size.into(), 64);
    [
        (py::Code::BYTECODE_ATTR, bytes(&code.bytecode)),
        (py::Code::LINETABLE_ATTR, bytes(&code.line_table)),
        (py::Code::EXCEPTIONTABLE_ATTR, bytes(&code.exception_table)),
        (py::Code::LOCALSPLUSKINDS_ATTR, bytes(&code.local_kinds)),
        (py::Code::LOCALSPLUSNAMES_ATTR, names.to_attribute(context)),
        (py::Code::STACKSIZE_ATTR, stack_size.to_attribute(context)),
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
    let version = text(py::Code::VERSION_ATTR)?
        .split_once('.')
        .and_then(|(major, minor)| Some(Version::new(major.parse().ok()?, minor.parse().ok()?)));
    let qualified_name: Arc<str> = text(py::Code::QUALNAME_ATTR)?.into();
    let code = CodeObject {
        version: version.ok_or_else(|| wrong(py::Code::VERSION_ATTR))?,
        argument_count: count(py::Code::ARGCOUNT_ATTR)?,
        positional_only_count: count(py::Code::POSONLYARGCOUNT_ATTR)?,
        keyword_only_count: count(py::Code::KWONLYARGCOUNT_ATTR)?,
        stack_size: count(py::Code::STACKSIZE_ATTR)?,
        flags: count(py::Code::FLAGS_ATTR)?,
        bytecode: bytes(py::Code::BYTECODE_ATTR)?.into(),
        constants: values(py::Code::CONSTS_ATTR)
            .ok_or_else(|| wrong(py::Code::CONSTS_ATTR))?
            .into(),
        names: names(py::Code::NAMES_ATTR)?,
        local_names: names(py::Code::LOCALSPLUSNAMES_ATTR)?,
        local_kinds: bytes(py::Code::LOCALSPLUSKINDS_ATTR)?.into(),
        filename: text(py::Code::FILENAME_ATTR)?.into(),
        name: qualified_name.rsplit('.').next().unwrap_or_default().into(),
        qualified_name,
        first_line: i32::try_from(number(py::Code::FIRSTLINENO_ATTR)?)
            .map_err(|_| wrong(py::Code::FIRSTLINENO_ATTR))?,
        line_table: bytes(py::Code::LINETABLE_ATTR)?.into(),
        exception_table: bytes(py::Code::EXCEPTIONTABLE_ATTR)?.into(),
    };
    if code.local_kinds.len() != code.local_names.len() {
        return Err(wrong(py::Code::LOCALSPLUSKINDS_ATTR));
    }
    if code.parameter_count() > code.local_names.len() {
        return Err(wrong(py::Code::ARGCOUNT_ATTR));
    }
    let dictionary =
        |name: &str| attribute(name).and_then(|value| DictionaryAttribute::try_from(value).ok());
    Ok(PyCode {
        symbol: text(py::Code::SYM_NAME_ATTR)?.into(),
        globals: text(py::Code::GLOBALS_ATTR)?.into(),
        code,
        attributes: FunctionAttributes {
            defaults: attribute(py::Code::DEFAULTS_ATTR)
                .and_then(elements)
                .map(|values| ArrayAttribute::new(context, &values)),
            keyword_defaults: dictionary(py::Code::KWDEFAULTS_ATTR),
            options: dictionary(py::Code::OPTIONS_ATTR),
        },
    })
}
