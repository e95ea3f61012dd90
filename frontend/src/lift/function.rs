//! The `py.func` around a lifted body.

use crate::{
    attributes::elements,
    code_op::{FunctionAttributes, PyCode},
};
use melior::ir::{Attribute, attribute::StringAttribute, r#type::FunctionType};
use pyopt_dialects::{
    enums::FunctionKind,
    ops::py,
    py::object_type,
    view::{Detached, OpBuilder},
};
use std::sync::Arc;

/// Makes the operation, without a body: what the code object and its function say of it.
pub(super) fn operation<'c: 'a, 'a>(
    place: &'a Detached<'c>,
    function: &PyCode<'c>,
) -> py::Func<'c, 'a> {
    let code = &function.code;
    let context = place.context();
    let object = object_type(context);
    let parameters = vec![object; code.parameter_count()];
    let names = |names: &mut dyn Iterator<Item = &Arc<str>>| -> Vec<Attribute<'c>> {
        names
            .map(|name| StringAttribute::new(context, name).into())
            .collect()
    };
    let operation = py::Func::create(
        &place,
        &function.symbol,
        FunctionType::new(context, &parameters, &[object]).into(),
        &names(&mut code.parameters().iter()),
        &function.globals,
    );
    if code.kind() != FunctionKind::Function {
        operation.set_kind(code.kind());
    }
    if code.free_names().next().is_some() {
        operation.set_freevars(Some(&names(&mut code.free_names())));
    }
    operation.set_namespaced(code.has_namespace());
    if code.keyword_only_count != 0 {
        operation.set_kwonlyargcount(code.keyword_only_count.into());
    }
    if code.positional_only_count != 0 {
        operation.set_posonlyargcount(code.positional_only_count.into());
    }
    operation.set_varargs(code.has_varargs());
    operation.set_varkeywords(code.has_varkeywords());
    let FunctionAttributes {
        defaults,
        keyword_defaults,
        options,
    } = function.attributes;
    let defaults = defaults.and_then(|defaults| elements(defaults.into()));
    operation.set_defaults(defaults.as_deref());
    operation.set_kwdefaults(keyword_defaults.map(Attribute::from));
    operation.set_options(options.map(Attribute::from));
    operation
}
