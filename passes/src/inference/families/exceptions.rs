//! Exceptions in the typed program: classes, instances, and which one is being handled.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::{Val, values},
    },
    infra::{
        AttributeExt, BlockExt, RegionExt,
        ops::{py, typed},
    },
    py::edges::Edge,
    types::{
        display::display,
        exception_classes as classes,
        exceptions::{self, class, class_name, constant_instance},
        sequences::{held_number, is_own, member_number},
        tuples::elements,
    },
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value,
    attribute::{ArrayAttribute, StringAttribute},
    block::BlockLike,
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};
use std::collections::{HashMap, HashSet};

/// A call of an exception class. With a text or nothing as its argument the exception is known at
/// compile time.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let Some((name, _)) = arguments.keywords.first() {
        return Err(Stop::issue(format!(
            "{}() got a keyword argument '{name}'",
            class_name(class)
        ))
        .hint("exceptions of compiled code take their arguments by position"));
    }
    let context = e.context();
    let message = match arguments.positional.as_slice() {
        [] => Some(Attribute::unit(context)),
        [one] => one.literal.filter(|value| value.string_value().is_some()),
        _ => None,
    };
    let Some(message) = message else {
        return with_arguments(e, class, &arguments.positional);
    };
    let parts = ArrayAttribute::new(context, &[class, message]).into();
    Ok(e.singleton(TypedType::Literal(parts)))
}

/// An exception that a name is bound to: a new one of the same class with the same arguments.
pub(crate) fn bound<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    arguments: Attribute<'c>,
) -> Typing<Val<'c, 'a>> {
    let class = rules::constant(e, class)?;
    let class = exceptions::class(e.context(), class.ty).ok_or(Stop::Unknown)?;
    let arguments = arguments.elements().unwrap_or_default();
    let arguments = arguments
        .into_iter()
        .map(|argument| rules::constant(e, argument))
        .collect::<Typing<Vec<_>>>()?;
    call(e, class, &Arguments::new(&arguments, None))
}

/// The class of an exception, of which the name is known when the program runs.
pub(crate) fn class_of<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, exception: Val<'c, 'a>) -> Val<'c, 'a> {
    let class = PyAttribute::Named("builtins.type").to_attribute(e.context());
    let exception = e.tuple(&[exception]);
    e.of_class(exception, class)
}

/// What exceptions don't tell in compiled code, where they are numbers of places.
pub(crate) fn not_kept(what: &str) -> Stop {
    Stop::issue(format!("{what} isn't known in compiled code"))
        .hint("let the exception leave the function, or keep what it is made of in variables")
}

/// Makes the exception of an instance that is known, or of a class. `None` for what is no exception.
pub(crate) fn make<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Option<Val<'c, 'a>> {
    if TypedType::from(value.ty) == TypedType::Exception {
        return Some(value);
    }
    let (class, message) = match class(e.context(), value.ty) {
        Some(class) => (class, None),
        None => constant_instance(value.ty)?,
    };
    Some(construct(e, class, message, &[]))
}

/// Makes an exception.
pub(crate) fn construct<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    message: Option<&str>,
    arguments: &[Val<'c, 'a>],
) -> Val<'c, 'a> {
    let ty = e.type_of(TypedType::Exception);
    e.op(ty, |b| {
        let made = typed::Exception::create(b, class, &values(arguments), &[ty]);
        made.set_message(message);
        made
    })
}

/// Makes an exception with arguments that are known at run time.
fn with_arguments<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    arguments: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    match arguments.iter().find(|argument| !can_be_kept(argument.ty)) {
        Some(argument) => Err(Stop::issue(format!(
            "an exception can't hold {}",
            display(argument.ty)
        ))
        .hint("give it numbers, texts, None, arrays, or tuples and lists of these")),
        None => Ok(construct(e, class, None, arguments)),
    }
}

/// `raise exception from cause`: the exception that is raised.
pub(crate) fn with_cause<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    exception: Val<'c, 'a>,
    cause: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let Some(cause) = make(e, cause) else {
        return Err(Stop::issue(format!(
            "{} can't be the cause of an exception",
            display(cause.ty)
        ))
        .hint("write an exception or None behind 'from'"));
    };
    let known = match class(e.context(), exception.ty) {
        Some(class) => Some((class, None)),
        None => constant_instance(exception.ty),
    };
    if let Some((class, message)) = known {
        let message = message.map(|message| e.string(message));
        let arguments: Vec<_> = message.into_iter().chain([cause]).collect();
        return Ok(construct(e, class, None, &arguments));
    }
    let made = exception.value.and_then(typed::Exception::defining);
    let (Some(made), Some(cause), Some(builder)) = (made, cause.value, e.builder) else {
        return Err(Stop::issue(format!(
            "{} can't be given a cause here",
            display(exception.ty)
        ))
        .hint("make the exception in the statement: 'raise ValueError(…) from error'"));
    };
    // Not the one that is there: the cause may have been made behind it.
    let arguments = [&made.arguments()[..], &[cause]].concat();
    let caused = typed::Exception::create(builder, made.exception(), &arguments, &[exception.ty]);
    Ok(Val {
        value: caused.result().first().copied(),
        ..exception
    })
}

/// Whether an exception can hold values of a type.
fn can_be_kept(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::None | TypedType::Str | TypedType::Bytes | TypedType::Array(_) => true,
        TypedType::Optional(inner) | TypedType::List(inner) => can_be_kept(inner),
        TypedType::Dict(parts) => parts.into_iter().all(can_be_kept),
        TypedType::Set(item) => can_be_kept(item),
        // As an object of Python's, which is made of its fields.
        TypedType::Sequence(fields, _) if is_own(ty) => can_be_kept(fields),
        _ => match elements(ty) {
            Some(items) => items.into_iter().all(can_be_kept),
            None => held_number(ty).is_some() || member_number(ty).is_some(),
        },
    }
}

/// `except class`: whether it takes an exception.
pub(crate) fn matches<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    exception: Val<'c, 'a>,
    caught: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let items = e.unpack(caught).unwrap_or_else(|| vec![caught]);
    let classes = items
        .into_iter()
        .map(|item| match class(e.context(), item.ty) {
            Some(class) => {
                let name = classes::names(class).first().copied();
                Ok(StringAttribute::new(e.context(), name.unwrap_or_default()).into())
            }
            None => Err(
                Stop::issue(format!("'except' can't catch {}", display(item.ty)))
                    .hint("name an exception class, or a tuple of exception classes"),
            ),
        })
        .collect::<Typing<Vec<Attribute>>>()?;
    Ok(e.op(e.i1(), |b| {
        typed::ExcMatch::create(b, &[exception.ir()], &classes)
    }))
}

/// For each `raise` without an exception the one that it means: that whose handler it is in.
#[derive(Debug, Default)]
pub(crate) struct Handled<'c, 'a>(HashMap<usize, Value<'c, 'a>>);

impl<'c: 'a, 'a> Handled<'c, 'a> {
    /// Follows what becomes the handled exception along all paths of a `py` function. Python's
    /// compiler makes the same one handled on all paths to a place.
    pub fn of(function: py::Func<'c, 'a>) -> Self {
        let mut raises = HashMap::new();
        let mut seen = HashSet::new();
        let entry = function.body().entry();
        let mut waiting: Vec<(BlockRef, Vec<Value>)> =
            entry.into_iter().map(|entry| (entry, Vec::new())).collect();
        while let Some((block, mut stack)) = waiting.pop() {
            if !seen.insert(block.to_raw().ptr.addr()) {
                continue;
            }
            for operation in block.operation_list() {
                match py::Op::of(operation) {
                    Some(py::Op::PushExcInfo(push)) => stack.push(push.exception()),
                    Some(py::Op::PopExcept(_)) => {
                        stack.pop();
                    }
                    Some(py::Op::Raise(_)) => {
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
    pub fn at(&self, raise: py::Raise<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.0.get(&key(*raise)).copied()
    }
}

fn key(operation: OperationRef) -> usize {
    operation.to_raw().ptr.addr()
}
