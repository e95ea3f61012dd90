//! `match`: what patterns ask of a value. Its type answers, so cases that can't match are never typed.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::overloads,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{AttributeExt, ops::py},
    types::{
        display::display,
        lists::is_any_list,
        sequences::{class_of, is_own},
        tables::Table,
        tuples,
    },
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};
use pyopt_library as library;

/// Whether a sequence pattern may take a value: texts and arrays are no sequences to Python.
pub(crate) fn is_sequence<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, subject: Val<'c, 'a>) -> Val<'c, 'a> {
    let is_tuple = tuples::elements(subject.ty).is_some() && !is_own(subject.ty);
    let is_range = matches!(TypedType::from(subject.ty), TypedType::Range(_));
    e.bool(is_tuple || is_range || is_any_list(subject.ty))
}

/// Whether a mapping pattern may take a value.
pub(crate) fn is_mapping<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, subject: Val<'c, 'a>) -> Val<'c, 'a> {
    let table = Table::of(subject.ty);
    e.bool(table.is_some_and(|table| table.value.is_some()))
}

/// The values of the keys of a mapping pattern, or None if the subject lacks one.
pub(crate) fn values<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    subject: Val<'c, 'a>,
    keys: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let source = library::find("dict.values_of_keys").ok_or(Stop::Unknown)?;
    rules::call_library(e, source, &Arguments::new(&[subject, keys], None))
}

/// The intrinsic of CPython 3.10 that copies what a mapping pattern leaves; later ones delete the keys of a copy.
pub(crate) const REST_OF_DICT: &str = "rest_of_dict";

/// A copy of a dict without some keys.
pub(crate) fn rest<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    subject: Val<'c, 'a>,
    keys: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let source = library::find("dict.rest_without_keys").ok_or(Stop::Unknown)?;
    rules::call_library(e, source, &Arguments::new(&[subject, keys], None))
}

/// How many items a subject has.
pub(crate) fn length<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    subject: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    call_builtin(e, "builtins.len", &[subject])
}

/// The attributes that a class pattern binds, or None if the subject isn't of the class.
pub(crate) fn attributes<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pattern: py::MatchClass<'c, 'a>,
    [subject, class, names]: [Val<'c, 'a>; 3],
) -> Typing<Val<'c, 'a>> {
    match call_builtin(e, "builtins.isinstance", &[subject, class])?.literal_bool() {
        Some(true) => {}
        Some(false) => return Ok(e.none()),
        None => {
            return Err(Stop::issue(
                "a class pattern on a value that may be None is not supported",
            )
            .hint("match None in a case before"));
        }
    }
    let count = usize::try_from(pattern.positional()).unwrap_or_default();
    let mut found = by_position(e, subject, class, count)?;
    let names = names.literal.and_then(AttributeExt::elements);
    for name in names.unwrap_or_default() {
        let name = name.string_value().ok_or(Stop::Unknown)?;
        found.push(attribute(e, subject, name)?);
    }
    Ok(e.tuple(&found))
}

/// What the patterns without a name take: the fields of a named tuple in order, the attributes that the class
/// of an own type's value lists in `__match_args__`, or the one of a builtin class the value itself.
fn by_position<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    subject: Val<'c, 'a>,
    class: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    if is_own(subject.ty) {
        let named = (0..count).map(|at| format!("__match_args__[{at}]"));
        return named.map(|name| attribute(e, subject, &name)).collect();
    }
    let fields = match class_of(subject.ty) {
        Some(PyAttribute::NamedTuple(..)) if class_of(subject.ty) == literal_class(class) => {
            e.unpack(subject).unwrap_or_default()
        }
        _ => vec![subject],
    };
    match fields.get(..count) {
        Some(fields) => Ok(fields.to_vec()),
        None => stop(format!(
            "{} has {} positional sub-patterns, not {count}",
            display(class.ty),
            fields.len()
        )),
    }
}

/// An attribute as the program asks for it, of overloads first.
fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    subject: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    match overloads::attribute(e, subject, name)? {
        Some(value) => Ok(value),
        None => rules::attribute(e, subject, name),
    }
}

/// Calls a builtin function, whatever its name means in the program.
fn call_builtin<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &'static str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let callee = e.singleton(TypedType::Named(name));
    rules::call(e, callee, Arguments::new(operands, None))
}

/// The class that a value is, if that is a named tuple's.
fn literal_class<'c>(class: Val<'c, '_>) -> Option<PyAttribute<'c>> {
    match TypedType::from(class.ty) {
        TypedType::Literal(known) => Some(PyAttribute::from(known)),
        _ => None,
    }
}
