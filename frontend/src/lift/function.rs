//! The `py.func` around a lifted body.

use crate::{
    code_op::{FunctionAttributes, PyCode},
    location::line_location,
};
use melior::{
    Context,
    ir::{
        Attribute, Operation, Region,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
        r#type::FunctionType,
    },
};
use pyopt_dialects::{enums::FunctionKind, ods::py, py::object_type};
use std::sync::Arc;

/// Makes the operation: the body with what the code object and its function say of it.
pub(super) fn operation<'c>(
    context: &'c Context,
    function: &PyCode<'c>,
    body: Region<'c>,
) -> Operation<'c> {
    let code = &function.code;
    let object = object_type(context);
    let parameters = vec![object; code.parameter_count()];
    let names = |names: &mut dyn Iterator<Item = &Arc<str>>| {
        let names: Vec<Attribute> = names
            .map(|name| StringAttribute::new(context, name).into())
            .collect();
        ArrayAttribute::new(context, &names)
    };
    let count = |value: u32| crate::attributes::integer_attribute(context, value.into());
    let mut builder = py::FuncOperation::builder(
        context,
        line_location(context, &code.filename, code.first_line),
    )
    .sym_name(StringAttribute::new(context, &function.symbol))
    .function_type(TypeAttribute::new(
        FunctionType::new(context, &parameters, &[object]).into(),
    ))
    .arg_names(names(&mut code.parameters().iter()))
    .globals(StringAttribute::new(context, &function.globals))
    .body(body);
    if code.kind() != FunctionKind::Function {
        builder = builder.kind(code.kind().to_attribute(context));
    }
    if code.free_names().next().is_some() {
        builder = builder.freevars(names(&mut code.free_names()));
    }
    if code.has_namespace() {
        builder = builder.namespaced(Attribute::unit(context));
    }
    if code.keyword_only_count != 0 {
        builder = builder.kwonlyargcount(count(code.keyword_only_count));
    }
    if code.positional_only_count != 0 {
        builder = builder.posonlyargcount(count(code.positional_only_count));
    }
    if code.has_varargs() {
        builder = builder.varargs(Attribute::unit(context));
    }
    if code.has_varkeywords() {
        builder = builder.varkeywords(Attribute::unit(context));
    }
    let FunctionAttributes {
        defaults,
        keyword_defaults,
        options,
    } = function.attributes;
    if let Some(defaults) = defaults {
        builder = builder.defaults(defaults);
    }
    if let Some(defaults) = keyword_defaults {
        builder = builder.kwdefaults(defaults.into());
    }
    if let Some(options) = options {
        builder = builder.options(options.into());
    }
    builder.build().into()
}
