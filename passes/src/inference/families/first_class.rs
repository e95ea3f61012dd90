//! Functions of which the signature alone is known: parameters that a program has declared so.
//!
//! Such a value is a `!typed.sequence` of the address by which the host finds a function, whose class is
//! the signature. The host calls it, so that one specialisation does for all functions. It also makes the
//! value of a function that is known, which is converted to a signature where it is kept or returned.

use super::{addresses, objects};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Typing, stop},
        val::Val,
    },
    infra::ops::marks,
    types::{choices, display::display, functions},
};
use melior::ir::{
    Type,
    r#type::{FunctionType, TupleType},
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The host's function that calls one by its address.
const CALL: &str = "pyopt_call_function";
/// The host's function that gives a function back, as what its result's type says.
const AS_VALUE: &str = "pyopt.first_class.as_value";

/// Calls a function: arguments are converted to the types of its parameters.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    signature: FunctionType<'c>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !arguments.keywords.is_empty() {
        return stop("a function of which the type alone is known takes no keyword arguments");
    }
    let (given, expected) = (arguments.positional.len(), signature.input_count());
    if given != expected {
        let plural = if expected == 1 { "" } else { "s" };
        return stop(format!(
            "{} takes {expected} argument{plural} ({given} given)",
            display(callee.ty)
        ));
    }
    let Ok(result) = signature.result(0) else {
        return stop(format!("{} returns nothing", display(callee.ty)));
    };
    let mut inputs = vec![callee];
    for (at, value) in arguments.positional.iter().enumerate() {
        let Ok(ty) = signature.input(at) else {
            continue;
        };
        inputs.push(e.coerce(*value, ty)?);
    }
    Ok(objects::call_native(e, CALL, &inputs, result))
}

/// Converts a function to one of which the signature alone is known; nothing for anything else.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Val<'c, 'a>> {
    functions::signature(ty)?;
    if !choices::has_object(e.context(), operand.ty) {
        return None;
    }
    let code = PyAttribute::Named(AS_VALUE).to_attribute(e.context());
    let result = TupleType::new(e.context(), &[ty]).into();
    let code = (marks::OBJECT, code);
    let made = objects::call_declared(e, code, "function", &[operand], result);
    Some(e.tuple_get(made, 0))
}

/// The value that stands for no function.
pub(crate) fn nothing<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
    let TypedType::Sequence(_, class) = TypedType::from(ty) else {
        return e.none();
    };
    let void = TypedType::Pointer(TypedType::None.to_type(e.context())).to_type(e.context());
    let null = addresses::c_function(e, void, 0);
    let items = e.tuple(&[null]);
    e.of_class(items, class)
}
