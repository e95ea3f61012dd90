//! `py-lift-with`: makes functions of `with objmode(…)` blocks.
//!
//! Numba's `WithLifting`, on bytecode: the block's body becomes a code object of its own, which the
//! interpreter runs, and the rest calls it as a free variable. So any statement can be in a block,
//! and the rest is a function like any other for the passes that follow.

use super::{bindings::Bindings, diagnostics::fail, type_syntax};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassFailure, PassResult, PassSpec,
    RegionExt, StatisticSpec, ops::py,
};
use melior::ir::{
    Attribute, Identifier, OperationRef, Type,
    attribute::{ArrayAttribute, DictionaryAttribute, TypeAttribute},
    operation::OperationLike,
};
use pyopt_dialects::py::PyAttribute;
use pyopt_frontend::{
    code_op::{self, PyCode},
    diagnostic::Diagnostic,
    outline::{Argument, InnerStores, Outlined, Path, WithBlock, inner_stores, lift_with_blocks},
    value::Value,
};
use std::{collections::HashSet, sync::Arc};

/// `with objmode(…)`.
pub static PASS: PassSpec = PassSpec {
    description: "The body of a `with objmode(x=\"type\")` block becomes a function for the \
                  interpreter, bound as `#py.object_code` with the types of what it hands out, \
                  and the block a call of it. A block that is left by return, break or continue \
                  is an error, and so are a variable that leaves it without a type and a block \
                  in an inner function.",
    dialects: &["py", "typed"],
    statistics: &[StatisticSpec::new("lifted", "blocks that became functions")],
    ..PassSpec::new("py-lift-with", "make functions of objmode blocks", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    let names = Names(Bindings::read(cx.context(), root));
    if !names.0.mentions("objmode") {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), root);
    let codes: Vec<_> = (body.operation_list().into_iter())
        .filter_map(py::Code::of)
        .collect();
    let constants = codes.iter().flat_map(|code| code.consts());
    let inner: HashSet<_> = constants.filter_map(AttributeExt::symbol_value).collect();
    let functions = (codes.into_iter())
        .map(|code| {
            let function = code_op::read_code(cx.context(), *code);
            let function = function.map_err(|message| cx.error(code.location(), message))?;
            Ok((*code, function))
        })
        .collect::<Result<Vec<_>, PassFailure>>()?;
    let read = functions.iter().map(|(_, one)| (&*one.symbol, &one.code));
    let stores = inner_stores(read).map_err(|error| fail(cx, &error))?;
    for (operation, function) in &functions {
        if function.code.has_with() {
            let place = Place {
                is_inner: inner.contains(&*function.symbol),
                stores: &stores,
            };
            lift(cx, &builder, &names, &place, function, *operation)?;
        }
    }
    Ok(())
}

/// Where a function is among the others.
struct Place<'a> {
    /// Whether another function makes it.
    is_inner: bool,
    /// What inner functions write.
    stores: &'a InnerStores,
}

fn lift<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    names: &Names<'c, '_>,
    place: &Place,
    function: &PyCode,
    operation: OperationRef<'c, 'a>,
) -> PassResult {
    let context = cx.context();
    let mut outputs = Vec::new();
    let lifted = lift_with_blocks(&function.code, "objmode", place.stores, |block| {
        if !names.is_objmode(function, &block.callee) {
            return Ok(None);
        }
        // The interpreter takes globals and closure of the function that the block is of; there is no object
        // for one that compiled code makes.
        if place.is_inner {
            let message = "an objmode block in an inner function is not supported";
            return Err(Diagnostic::new(&function.code, block.position, message)
                .with_note("define the function at module level"));
        }
        let types = output_types(cx, names, function, block)?;
        outputs.push(types);
        let keywords = block.keywords.iter();
        Ok(Some(keywords.map(|(name, _)| name.clone()).collect()))
    });
    let lifted = lifted.map_err(|error| fail(cx, &error))?;
    let Some((rest, blocks)) = lifted else {
        return Ok(());
    };
    builder.before(operation).at(operation.location());
    for (block, types) in blocks.iter().zip(outputs) {
        let symbol = format!("{}.{}", function.symbol, block.name);
        let value = object_code(cx, &function.symbol, block, &types);
        py::Binding::create(builder, &symbol, value);
        cx.bump("lifted", 1);
    }
    for (name, value) in code_op::bytecode_attributes(context, &rest) {
        operation.set_attr(name, value);
    }
    Ok(())
}

/// What the names of a module are bound to.
struct Names<'c, 'a>(Bindings<'c, 'a>);

impl<'c: 'a, 'a> Names<'c, 'a> {
    /// What a name in a function is bound to; of what a module has, its qualified name.
    fn find(&self, function: &PyCode, path: &Path) -> Option<Result<Attribute<'c>, String>> {
        // Of a program's own modules and classes the dotted name is bound as a whole.
        let (mut value, rest) = (0..=path.attributes.len()).rev().find_map(|count| {
            let (known, rest) = path.attributes.split_at(count);
            let names = [&path.root].into_iter().chain(known);
            let name = names.map(|name| &**name).collect::<Vec<_>>().join(".");
            let bound = |prefix: &str| self.0.binding(&format!("{prefix}.{name}"));
            let value = bound(&function.globals).or_else(|| bound(&function.symbol))?;
            Some((Ok::<_, String>(value), rest))
        })?;
        for attribute in rest {
            let owner = match &value {
                Ok(value) => match PyAttribute::from(*value) {
                    PyAttribute::Module(name) | PyAttribute::Named(name) => name.to_owned(),
                    _ => return None,
                },
                Err(name) => name.clone(),
            };
            let name = format!("{owner}.{attribute}");
            value = self.0.binding(&name).ok_or(name);
        }
        Some(value)
    }

    /// The type that a text or name stands for which only the host can read: of containers and classes of
    /// its own.
    fn written_type(&self, function: &PyCode, text: &str) -> Option<Type<'c>> {
        let bound = format!("{}.<type {text}>", function.symbol);
        self.0.binding(&bound)?.type_value()
    }

    fn is_objmode(&self, function: &PyCode, path: &Path) -> bool {
        match self.find(function, path) {
            Some(Ok(value)) => {
                matches!(PyAttribute::from(value), PyAttribute::Named(name) if is_ours(name, "objmode"))
            }
            Some(Err(name)) => is_ours(&name, "objmode"),
            None => false,
        }
    }
}

/// Whether a qualified name is that of a thing of ours, or Numba's.
fn is_ours(name: &str, thing: &str) -> bool {
    let (package, rest) = name.split_once('.').unwrap_or((name, ""));
    matches!(package, "pyopt" | "numba") && rest == thing
}

/// The types of what a block hands out.
fn output_types<'c>(
    cx: &PassContext<'c>,
    names: &Names<'c, '_>,
    function: &PyCode,
    block: &WithBlock,
) -> Result<Vec<Type<'c>>, Diagnostic> {
    let refuse = |message: &str| {
        Diagnostic::new(&function.code, block.position, message)
            .with_note("write objmode(x=\"float64\", a=\"int64[:]\")")
    };
    if block.positional != 0 {
        return Err(refuse("objmode takes the types of variables by name"));
    }
    let types = block.keywords.iter().map(|(name, argument)| {
        let found = match argument {
            Argument::Constant(Value::Str(text)) => type_syntax::parse(cx.context(), text)
                .or_else(|| names.written_type(function, text)),
            Argument::Name(path) => match names.find(function, path) {
                Some(Ok(value)) => value
                    .type_value()
                    .or_else(|| names.written_type(function, &path.root)),
                Some(Err(name)) => match name.rsplit_once('.') {
                    Some(("pyopt.types" | "numba.types" | "pyopt" | "numba", name)) => {
                        type_syntax::parse(cx.context(), name)
                    }
                    _ => None,
                },
                None => None,
            },
            _ => None,
        };
        found.ok_or_else(|| {
            let what = match argument {
                Argument::Constant(Value::Str(text)) => format!("'{text}'"),
                _ => "this".into(),
            };
            refuse(&format!(
                "objmode takes types as constant strings or by their names; for '{name}' {what} is none"
            ))
        })
    });
    types.collect()
}

/// A block's code, by what it has in place of its function's.
fn object_code<'c>(
    cx: &PassContext<'c>,
    function: &str,
    block: &Outlined,
    types: &[Type<'c>],
) -> Attribute<'c> {
    let context = cx.context();
    let bytes = |bytes: &[u8]| pyopt_frontend::attributes::bytes_attribute(context, bytes).into();
    let number =
        |number: u32| pyopt_frontend::attributes::integer_attribute(context, number.into()).into();
    let array = |values: Vec<Attribute<'c>>| ArrayAttribute::new(context, &values).into();
    let names = |names: Vec<&Arc<str>>| {
        array(
            names
                .into_iter()
                .map(|name| bytes(name.as_bytes()))
                .collect(),
        )
    };
    let code = &block.code;
    let types = types.iter().map(|ty| TypeAttribute::new(*ty).into());
    let entries: [(&str, Attribute<'c>); 9] = [
        ("argcount", number(code.argument_count)),
        ("bytecode", bytes(&code.bytecode)),
        ("cellvars", names(code.cell_names().collect())),
        ("exceptiontable", bytes(&code.exception_table)),
        ("flags", number(code.flags)),
        ("linetable", bytes(&code.line_table)),
        ("outputs", array(types.collect())),
        ("stacksize", number(code.stack_size)),
        ("varnames", names(code.variable_names().collect())),
    ];
    let entries = entries.map(|(name, value)| (Identifier::new(context, name), value));
    let parts = DictionaryAttribute::new(context, &entries).into();
    PyAttribute::ObjectCode(function, parts).to_attribute(context)
}
