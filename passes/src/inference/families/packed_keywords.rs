//! What a `**kwargs` parameter holds, and a display of a dict with values of several types: a dict whose keys
//! are known wherever it goes.
//!
//! It is a sequence of the values, of a class that has the names (`#py.keywords`), so values may have
//! different types, and a function is specialised for the names that it is called with. Only what can
//! be answered without keys at run time is there: items by constant names, `in`, `get`, `len`, the
//! views, and passing all of it on behind `**`. Nothing changes such a dict.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::ops::typed,
    types::sequences::keyword_names,
};
use melior::ir::attribute::{ArrayAttribute, StringAttribute};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The methods that it has.
const METHODS: [&str; 5] = ["copy", "get", "items", "keys", "values"];

/// The methods of dicts that would change it.
const CHANGING: [&str; 6] = [
    "clear",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "__setitem__",
];

/// Packs the keywords that no parameter is named by.
pub(crate) fn pack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    keywords: &[(&'c str, Val<'c, 'a>)],
) -> Val<'c, 'a> {
    let context = e.context();
    let names: Vec<_> = keywords
        .iter()
        .map(|(name, _)| StringAttribute::new(context, name).into())
        .collect();
    let values: Vec<_> = keywords.iter().map(|(_, value)| *value).collect();
    let names = ArrayAttribute::new(context, &names).into();
    let class = PyAttribute::Keywords(names).to_attribute(context);
    let values = e.tuple(&values);
    e.of_class(values, class)
}

/// The names and values of packed keywords; nothing for any other value.
pub(crate) fn unpack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    packed: Val<'c, 'a>,
) -> Option<Vec<(&'c str, Val<'c, 'a>)>> {
    let names = keyword_names(packed.ty)?;
    let values = values(e, packed);
    let values = e.unpack(values)?;
    Some(names.into_iter().zip(values).collect())
}

/// The values as a tuple.
fn values<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, packed: Val<'c, 'a>) -> Val<'c, 'a> {
    match TypedType::from(packed.ty) {
        TypedType::Sequence(items, _) => {
            let mut tuple = e.op(items, |b| typed::AsTuple::create(b, packed.ir()));
            tuple.literal = packed.literal;
            tuple
        }
        _ => packed,
    }
}

fn value<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, packed: Val<'c, 'a>, at: usize) -> Val<'c, 'a> {
    let values = values(e, packed);
    e.tuple_get(values, at)
}

/// The names as a tuple of texts: what iteration goes over.
pub(crate) fn names<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, packed: Val<'c, 'a>) -> Val<'c, 'a> {
    let names = keyword_names(packed.ty).unwrap_or_default();
    let names: Vec<_> = names.into_iter().map(|name| e.string(name)).collect();
    e.tuple(&names)
}

/// How many keywords there are; nothing for any other value.
pub(crate) fn count(packed: Val) -> Option<usize> {
    keyword_names(packed.ty).map(|names| names.len())
}

/// Where a name is among those of packed keywords.
fn position(packed: Val, name: Val) -> Typing<Option<usize>> {
    let names = keyword_names(packed.ty).unwrap_or_default();
    match name.literal.and_then(|_| name.literal_str()) {
        Some(name) => Ok(names.iter().position(|known| *known == name)),
        None => Err(Stop::issue(
            "the keywords behind '**' are asked for a name that isn't constant",
        )
        .hint("write the name as a text, or pass a dict instead of keywords")),
    }
}

/// `packed[name]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    packed: Val<'c, 'a>,
    name: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match position(packed, name)? {
        Some(at) => Ok(value(e, packed, at)),
        None => Err(Stop::Raises(
            "KeyError",
            name.literal_str().unwrap_or_default().into(),
        )),
    }
}

/// `name in packed`.
pub(crate) fn contains<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: Val<'c, 'a>,
    packed: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let found = position(packed, name)?.is_some();
    Ok(e.bool(found))
}

/// Whether packed keywords have a method, or one that would change them, which calling it says.
pub(crate) fn has_method(packed: Val, name: &str) -> bool {
    keyword_names(packed.ty).is_some() && (METHODS.contains(&name) || CHANGING.contains(&name))
}

/// Calls a method.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    packed: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if name == "get" {
        let [key, default] = arguments.bind(["key", "default"], 1)?;
        let key = key.ok_or(Stop::Unknown)?;
        return Ok(match (position(packed, key)?, default) {
            (Some(at), _) => value(e, packed, at),
            (None, Some(default)) => default,
            (None, None) => e.none(),
        });
    }
    if CHANGING.contains(&name) {
        return stop(format!(
            "{name}() would change the keywords behind '**', which are as the call has them"
        ));
    }
    let [] = arguments.bind([], 0)?;
    match name {
        // Nothing changes it, so that no other one is needed.
        "copy" => Ok(packed),
        "keys" => Ok(names(e, packed)),
        "values" => Ok(values(e, packed)),
        _ => {
            let items = unpack(e, packed).unwrap_or_default().into_iter();
            let items: Vec<_> = items
                .map(|(name, value)| {
                    let name = e.string(name);
                    e.tuple(&[name, value])
                })
                .collect();
            Ok(e.tuple(&items))
        }
    }
}
