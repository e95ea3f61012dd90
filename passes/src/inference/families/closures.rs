//! Inner functions as values: a function together with the values of its free variables.
//!
//! `py-convert-closures` made the free variables the function's first parameters. A closure is a
//! `!typed.sequence` of their values whose class is the function; one without free variables is the
//! function itself.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::objects,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::{
        OperationAttributes, ValueExt,
        ops::{marks, py, typed},
    },
    py::mentions,
    types::{
        choices::{self, is_choice},
        display::display,
        exceptions::is_instance,
        functions::{function, is_function, signature},
        tuples::elements,
    },
};
use melior::{
    Context,
    ir::{OperationRef, Type, r#type::TupleType},
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};
use pyopt_library as library;

/// The function object that a `py.make_function` makes.
pub(crate) fn make<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    maker: py::MakeFunction<'c, 'a>,
    parts: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    if let Some(refusal) = refusal(*maker) {
        return Err(refusal);
    }
    let symbol = maker.code();
    match (maker.int_attr(marks::CAPTURES), parts) {
        (Some(0), _) => Ok(e.singleton(TypedType::Function(symbol))),
        (Some(_), &[values]) => {
            let class = PyAttribute::Function(symbol).to_attribute(e.context());
            Ok(e.of_class(values, class))
        }
        _ => Err(
            Stop::issue("a function defined in a function is not supported here")
                .hint("define the function at module level and pass what it needs as arguments"),
        ),
    }
}

/// What is passed to a function for a bound method: a closure of its object and the library's function that
/// calls a method of this name.
pub(crate) fn of_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let caller = match TypedType::from(value.ty) {
        TypedType::Method(ty, name) => library::find(&format!("pyopt.bound.{name}")).zip(Some(ty)),
        _ => None,
    };
    let Some((caller, ty)) = caller else {
        objects::check_kept(value.ty)?;
        return Ok(value);
    };
    let receiver = e.tuple(&[Val::new(ty, value.value)]);
    let class = PyAttribute::Function(caller.symbol).to_attribute(e.context());
    Ok(e.of_class(receiver, class))
}

/// Why a function object can't be made, if `py-convert-closures` said so.
fn refusal(maker: OperationRef) -> Option<Stop> {
    let reason = maker.str_attr(marks::REASON)?;
    let message = format!("this function is passed on and uses {reason}");
    Some(Stop::issue(message).hint("pass what it needs as an argument"))
}

/// The function object that a cell is made for and that can't be made, and why.
pub(crate) fn refusal_of_cell<'c, 'a>(
    cell: py::MakeCell<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, Stop)> {
    let closures = cell.result().users().into_iter();
    let closures = closures.filter_map(py::BuildTuple::of);
    let mut makers = closures.flat_map(|closure| closure.result().users());
    makers.find_map(|maker| Some((maker, refusal(maker)?)))
}

/// Refuses to return exceptions to the host, and functions but those that it passed, or that names stand for.
pub(crate) fn check_entry_result(e: &Emit, ty: Type) -> Typing<()> {
    if let Some(items) = elements(ty) {
        return items
            .into_iter()
            .try_for_each(|item| check_entry_result(e, item));
    }
    if is_instance(ty) {
        return Err(Stop::issue("an exception can't be returned to Python")
            .hint("raise it, or return its text"));
    }
    let arguments = &e.program.specializations[e.specialization].arguments;
    let is_made = |symbol: &str| {
        let passed = arguments
            .iter()
            .any(|argument| mentions::in_type(*argument).contains(&symbol));
        !passed && !e.program.is_named(symbol)
    };
    let made = match TypedType::from(ty) {
        TypedType::Function(symbol) => is_made(symbol),
        TypedType::Literal(value) => matches!(PyAttribute::from(value), PyAttribute::Stencil(..)),
        _ if signature(ty).is_some() => false,
        _ if is_choice(ty) => {
            let members = choices::members(e.context(), ty).unwrap_or_default();
            members
                .into_iter()
                .flat_map(mentions::in_value)
                .any(is_made)
        }
        _ => is_function(ty),
    };
    match made {
        true => Err(
            Stop::issue(format!("{} can't be returned to Python", display(ty)))
                .hint("return what it computes"),
        ),
        false => Ok(()),
    }
}

/// Calls a closure.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    closure: Val<'c, 'a>,
    symbol: &str,
    mut arguments: Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut values = values(e, closure);
    // What the function does with a list is to be known where that is made.
    let maker = closure.origin.and_then(py::MakeFunction::defining);
    let parts = maker.map(py::MakeFunction::parts).unwrap_or_default();
    if let Some(captured) = parts.first().copied().and_then(py::BuildTuple::defining) {
        for (value, origin) in values.iter_mut().zip(captured.elements()) {
            value.origin = Some(origin);
        }
    } else {
        arguments.closure = Some(closure);
    }
    values.append(&mut arguments.positional);
    arguments.positional = values;
    rules::call_function(e, symbol, &arguments)
}

/// The type of a closure whose value of a free variable has another type; nothing where it has no such variable.
pub(crate) fn with_value<'c>(
    context: &'c Context,
    closure: Type<'c>,
    index: usize,
    value: Type<'c>,
) -> Option<Type<'c>> {
    let TypedType::Sequence(values, class) = TypedType::from(closure) else {
        return None;
    };
    let mut types = elements(values)?;
    *types.get_mut(index)? = value;
    let values = TupleType::new(context, &types).into();
    Some(TypedType::Sequence(values, class).to_type(context))
}

/// The values of the free variables.
fn values<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, closure: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
    let TypedType::Sequence(items, _) = TypedType::from(closure.ty) else {
        return Vec::new();
    };
    let mut values = e.op(items, |b| typed::AsTuple::create(b, closure.ir()));
    values.literal = closure.literal;
    e.unpack(values).unwrap_or_default()
}

/// Converts a closure to one whose values have wider types; nothing for anything else.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    function(operand.ty).filter(|own| function(ty) == Some(own))?;
    let TypedType::Sequence(items, class) = TypedType::from(ty) else {
        return None;
    };
    let values = values(e, operand);
    let values = e.tuple(&values);
    Some(
        e.coerce(values, items)
            .map(|values| e.of_class(values, class)),
    )
}
