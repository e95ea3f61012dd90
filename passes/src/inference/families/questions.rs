//! What hosts are asked about calls: questions, and notes of those that nobody could answer.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        resolver::{Argument, Resolver},
        val::Val,
    },
    infra::{AttributeExt, ops::py},
    types::{
        number::Number,
        sequences::{is_list, keyword_names},
        tables::Table,
        tuples,
    },
};
use melior::ir::{Attribute, Type, TypeLike, ValueLike, attribute::AttributeLike};
use pyopt_dialects::typed::TypedType;

/// Has a resolver take down a question about a name that has no overloads. Another process, where it has
/// some, must not use the code without asking them.
pub(super) fn note<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    resolver: &dyn Resolver,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) {
    let positional = arguments.positional.iter().map(|value| (None, value));
    let keywords = arguments
        .keywords
        .iter()
        .map(|(name, value)| (Some(*name), value));
    let seen = positional.chain(keywords);
    let seen = seen.map(|(keyword, value)| (keyword, identities(value)));
    let question = (name.to_owned(), seen.collect());
    if !e.program.unanswered.insert(question) {
        return;
    }
    resolver.note(name, describe(arguments, |ty| ty));
    if arguments.values().any(is_optional) {
        resolver.note(name, describe(arguments, without_none));
    }
}

/// What [`describe`] reads of a value. Dicts are told apart by where they are made, and so are displays.
fn identities(value: &Val) -> [usize; 3] {
    let literal = value.constant().map(|literal| literal.to_raw().ptr.addr());
    let origin = value
        .origin
        .filter(|_| Table::of(value.ty).is_some() || is_display(value.ty))
        .map(|origin| origin.to_raw().ptr.addr());
    let ty = value.ty.to_raw().ptr.addr();
    [ty, literal.unwrap_or_default(), origin.unwrap_or_default()]
}

/// Whether a value may be None.
pub(super) fn is_optional(value: &Val) -> bool {
    matches!(TypedType::from(value.ty), TypedType::Optional(_))
}

/// The type of a value that isn't None.
pub(super) fn without_none(ty: Type) -> Type {
    match TypedType::from(ty) {
        TypedType::Optional(inner) => inner,
        _ => ty,
    }
}

/// The arguments as a host sees them, with the types that `seen` gives.
pub(super) fn describe<'c, 'a>(
    arguments: &Arguments<'c, 'a>,
    seen: impl Fn(Type<'c>) -> Type<'c>,
) -> Vec<Argument> {
    let describe = |keyword: Option<&str>, value: &Val<'c, 'a>| Argument {
        keyword: keyword.map(ToOwned::to_owned),
        r#type: seen(value.ty).to_string(),
        literal: match value.constant() {
            Some(literal) => literal_type(value.ty, literal),
            None => dict_display(value),
        }
        .or_else(|| mixed_display(value)),
    };
    let positional = arguments
        .positional
        .iter()
        .map(|value| describe(None, value));
    let keywords = arguments
        .keywords
        .iter()
        .map(|(keyword, value)| describe(Some(keyword), value));
    positional.chain(keywords).collect()
}

/// The text of the type that says the value of an int, truth value or text, or those in a tuple or list.
fn literal_type(ty: Type, literal: Attribute) -> Option<String> {
    if let (Some(types), Some(values)) = (tuples::elements(ty), literal.elements()) {
        let items = types
            .into_iter()
            .zip(values)
            .map(|(ty, value)| literal_type(ty, value))
            .collect::<Option<Vec<_>>>()?;
        let class = if is_list(ty) { "list" } else { "tuple" };
        // A list without items says no type.
        let is_known = class == "tuple" || !items.is_empty();
        return is_known.then(|| format!("{class}<{}>", items.join(", ")));
    }
    let is_int = Number::of(ty) == Some(Number::INT64);
    let is_bool = Number::of(ty) == Some(Number::Bool);
    let is_text = TypedType::from(ty) == TypedType::Str;
    (is_int || is_bool || is_text).then(|| literal_text(literal))?
}

/// The text of the type that says an int, truth value or text.
fn literal_text(value: Attribute) -> Option<String> {
    if value.bool_value().is_some() || value.string_value().is_some() {
        return Some(format!("!typed.literal<{value}>"));
    }
    let number = value.integer_value()?;
    Some(format!("!typed.literal<{number} : i64>"))
}

/// Whether a type is that of a list or dict whose items may have several types, as nobody changes it.
fn is_display(ty: Type) -> bool {
    is_list(ty) || keyword_names(ty).is_some()
}

/// The text of the type of a display of several types that says the values of the items that are constants.
fn mixed_display(value: &Val) -> Option<String> {
    let TypedType::Sequence(types, class) = TypedType::from(value.ty) else {
        return None;
    };
    if !is_display(value.ty) {
        return None;
    }
    let types = tuples::elements(types)?;
    let literals = known_items(value, &types)?;
    let is_mixed = types.iter().any(|ty| *ty != types[0]);
    if !is_mixed || literals.len() != types.len() || literals.iter().all(Option::is_none) {
        return None;
    }
    let shown = types.iter().zip(literals);
    let shown: Vec<_> = shown
        .map(|(ty, literal)| literal.unwrap_or_else(|| ty.to_string()))
        .collect();
    Some(format!(
        "!typed.sequence<tuple<{}>, {class}>",
        shown.join(", ")
    ))
}

/// The texts of the types that say the values of the items of a display, as far as they are known.
fn known_items(display: &Val, types: &[Type]) -> Option<Vec<Option<String>>> {
    if let Some(values) = display.constant().and_then(Attribute::elements) {
        let items = types.iter().zip(values);
        return Some(items.map(|(ty, value)| literal_type(*ty, value)).collect());
    }
    let origin = display.origin?;
    let items: Vec<_> = match py::BuildMap::defining(origin) {
        // Each stands behind its key.
        Some(map) => map.elements().into_iter().skip(1).step_by(2).collect(),
        None => py::BuildList::defining(origin)?.elements(),
    };
    let literal = |item| literal_text(py::Constant::defining(item)?.value());
    Some(items.into_iter().map(literal).collect())
}

/// The text of the type that says what a dict was made of, where it is a display of constants. Like Numba's,
/// it says so of a dict that is changed later, too.
fn dict_display(dict: &Val) -> Option<String> {
    Table::of(dict.ty)?.value?;
    let parts = py::BuildMap::defining(dict.origin?)?.elements().into_iter();
    let parts = parts.map(|part| literal_text(py::Constant::defining(part)?.value()));
    let parts = parts.collect::<Option<Vec<_>>>()?;
    (!parts.is_empty()).then(|| format!("dict<{}>", parts.join(", ")))
}
