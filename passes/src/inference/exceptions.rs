//! Exceptions in the typed program: classes, instances, and which one is being handled.

use super::{
    display::display,
    emit::{Emit, Val},
    functions,
    issue::{Stop, Typing},
    number::Number,
    tuples,
};
use crate::{
    infra::{AttributeExt, BlockExt, OperationExt, RegionExt},
    py::edges::Edge,
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value,
    attribute::{ArrayAttribute, StringAttribute},
    block::BlockLike,
};
use pyopt_dialects::typed::TypedType;
use std::collections::{HashMap, HashSet};

/// The class and the message of an exception that is known at compile time.
pub(crate) fn constant_instance(ty: Type<'_>) -> Option<(&str, Option<&str>)> {
    let TypedType::Literal(parts) = TypedType::from(ty) else {
        return None;
    };
    match parts.elements()?.as_slice() {
        [class, message] => Some((class.string_value()?, message.string_value())),
        _ => None,
    }
}

/// The exception class that a value is.
pub(crate) fn class(ty: Type<'_>) -> Option<&str> {
    match TypedType::from(ty) {
        TypedType::Named(name) if functions::is_exception(name) => Some(functions::last_part(name)),
        _ => None,
    }
}

/// Whether a value is an exception: one that is known, or any.
pub(crate) fn is_instance(ty: Type) -> bool {
    TypedType::from(ty) == TypedType::Exception || constant_instance(ty).is_some()
}

/// Makes the exception of an instance that is known, or of a class. `None` for what is no exception.
pub(crate) fn make<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Option<Val<'c, 'a>> {
    if TypedType::from(value.ty) == TypedType::Exception {
        return Some(value);
    }
    let (class, message) = match class(value.ty) {
        Some(class) => (class, None),
        None => constant_instance(value.ty)?,
    };
    Some(construct(e, class, message, &[]))
}

/// Makes an exception.
pub(crate) fn construct<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: &str,
    message: Option<&str>,
    arguments: &[Val<'c, 'a>],
) -> Val<'c, 'a> {
    let attributes = attributes(e, class, message);
    let ty = e.type_of(TypedType::Exception);
    e.op("typed.exception", arguments, ty, &attributes)
}

/// Makes an exception with arguments that are known at run time.
pub(crate) fn with_arguments<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: &str,
    arguments: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    match arguments.iter().find(|argument| !can_be_kept(argument.ty)) {
        Some(argument) => Err(Stop::issue(format!(
            "an exception can't hold {}",
            display(argument.ty)
        ))
        .hint("give it numbers, constant texts, None, or tuples of these")),
        None => Ok(construct(e, class, None, arguments)),
    }
}

/// Whether an exception can hold values of a type: those that own no memory.
fn can_be_kept(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::None | TypedType::Str => true,
        TypedType::Optional(inner) => can_be_kept(inner),
        _ => match tuples::elements(ty) {
            Some(items) => items.into_iter().all(can_be_kept),
            None => Number::of(ty).is_some(),
        },
    }
}

/// The attributes of operations that raise a new exception.
pub(crate) fn attributes<'c>(
    e: &Emit<'_, 'c, '_>,
    class: &str,
    message: Option<&str>,
) -> Vec<(&'static str, Attribute<'c>)> {
    let text = |text: &str| StringAttribute::new(e.context(), text).into();
    let mut attributes = vec![("exception", text(class))];
    attributes.extend(message.map(|message| ("message", text(message))));
    attributes
}

/// `except class`: whether it takes an exception.
pub(crate) fn matches<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    exception: Val<'c, 'a>,
    caught: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let items = tuples::unpack(e, caught).unwrap_or_else(|| vec![caught]);
    let classes = items
        .into_iter()
        .map(|item| match class(item.ty) {
            Some(class) => Ok(StringAttribute::new(e.context(), class).into()),
            None => Err(
                Stop::issue(format!("'except' can't catch {}", display(item.ty)))
                    .hint("name an exception class, or a tuple of exception classes"),
            ),
        })
        .collect::<Typing<Vec<Attribute>>>()?;
    let classes = ArrayAttribute::new(e.context(), &classes).into();
    let bool = e.i1();
    Ok(e.op(
        "typed.exc_match",
        &[exception],
        bool,
        &[("classes", classes)],
    ))
}

/// For each `raise` without an exception the one that it means: that whose handler it is in.
#[derive(Debug, Default)]
pub(crate) struct Handled<'c, 'a>(HashMap<usize, Value<'c, 'a>>);

impl<'c: 'a, 'a> Handled<'c, 'a> {
    /// Follows what becomes the handled exception along all paths of a `py` function. Python's
    /// compiler makes the same one handled on all paths to a place.
    pub fn of(function: OperationRef<'c, 'a>) -> Self {
        let mut raises = HashMap::new();
        let mut seen = HashSet::new();
        let entry = function.region_list().first().and_then(|body| body.entry());
        let mut waiting: Vec<(BlockRef, Vec<Value>)> =
            entry.into_iter().map(|entry| (entry, Vec::new())).collect();
        while let Some((block, mut stack)) = waiting.pop() {
            if !seen.insert(block.to_raw().ptr.addr()) {
                continue;
            }
            for operation in block.operation_list() {
                match operation.full_name() {
                    "py.push_exc_info" => stack.push(operation.operand_value(0)),
                    "py.pop_except" => {
                        stack.pop();
                    }
                    "py.raise" => {
                        let handled = stack.last().map(|handled| (key(operation), *handled));
                        raises.extend(handled);
                    }
                    _ => {}
                }
            }
            let ways = block.terminator_op().map(Edge::of).unwrap_or_default();
            waiting.extend(ways.into_iter().map(|way| (way.target, stack.clone())));
        }
        Self(raises)
    }

    /// What a `raise` without an exception raises.
    pub fn at(&self, raise: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.0.get(&key(raise)).copied()
    }
}

fn key(operation: OperationRef) -> usize {
    operation.to_raw().ptr.addr()
}
