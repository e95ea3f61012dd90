//! The join of types: the least type that holds the values of both, where paths meet.
//!
//! A family of types that has rules of its own gives `None` for types that aren't of it.

use crate::types::{
    choices, exceptions, functions, lists, optional, sequences, tables::Table, tuples,
};
use melior::{
    Context,
    ir::{Type, r#type::TupleType},
};
use pyopt_dialects::{
    times::{Time, Unit},
    typed::{Layout, TypedType},
};

/// The limit of nested lists: without it types could grow without bound.
const MAX_DEPTH: usize = 6;

/// The join of two types, if there is one.
pub(crate) fn join_types<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Type<'c>> {
    if a == b {
        return Some(a);
    }
    // Members of enumerations of ints join numbers, and those of others, as the ints they are; so do texts.
    if let (Some(x), Some(y)) = (sequences::held_number(a), sequences::held_number(b)) {
        return Some(x.promote(y).to_type(context));
    }
    if let (Some(x), Some(y)) = (sequences::held_text(a), sequences::held_text(b)) {
        return (x == y).then_some(x);
    }
    if let Some(joined) = join_optionals(context, a, b) {
        return joined;
    }
    // The fact about a generator's items only grows.
    if let (TypedType::Generator(function, x), TypedType::Generator(other, y)) =
        (TypedType::from(a), TypedType::from(b))
    {
        let item = join_items(context, x, y).filter(|_| function == other)?;
        return Some(TypedType::Generator(function, item).to_type(context));
    }
    if let Some(joined) = join_times(context, a, b) {
        return Some(joined);
    }
    if let Some(joined) = join_lists(context, a, b) {
        return joined;
    }
    if let Some(joined) = join_tables(context, a, b) {
        return joined;
    }
    if let Some(joined) = choices::join(context, a, b) {
        return Some(joined);
    }
    match (TypedType::from(a), TypedType::from(b)) {
        (TypedType::Sequence(x, class), TypedType::Sequence(y, other)) if class == other => {
            let items = join_types(context, x, y)?;
            return Some(TypedType::Sequence(items, class).to_type(context));
        }
        (TypedType::Sequence(..), _) if has_items(b, sequences::long_tuple_item(a)) => {
            return Some(a);
        }
        (_, TypedType::Sequence(..)) if has_items(a, sequences::long_tuple_item(b)) => {
            return Some(b);
        }
        (TypedType::Sequence(..), _) | (_, TypedType::Sequence(..)) => return None,
        _ => {}
    }
    if let (Some(x), Some(y)) = (tuples::elements(a), tuples::elements(b)) {
        if x.len() != y.len() {
            return None;
        }
        let joined = x
            .into_iter()
            .zip(y)
            .map(|(x, y)| join_types(context, x, y))
            .collect::<Option<Vec<_>>>()?;
        return Some(TupleType::new(context, &joined).into());
    }
    if exceptions::is_instance(a) && exceptions::is_instance(b) {
        return Some(TypedType::Exception.to_type(context));
    }
    match (TypedType::from(a), TypedType::from(b)) {
        (TypedType::Array(x), TypedType::Array(y))
            if x.rank == y.rank && x.element == y.element =>
        {
            let mut array = x;
            array.layout = match (x.layout, y.layout) {
                (a, b) if a == b => a,
                (Layout::Bytes, _) | (_, Layout::Bytes) => Layout::Bytes,
                _ => Layout::A,
            };
            array.readonly |= y.readonly;
            Some(array.to_type(context))
        }
        _ => None,
    }
}

/// The type of a value of either type where one of them is None or an optional: no type when there
/// is none that holds both. Nothing when neither is.
fn join_optionals<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Option<Type<'c>>> {
    let is_flagged = |ty| {
        matches!(
            TypedType::from(ty),
            TypedType::None | TypedType::Optional(_)
        )
    };
    if !is_flagged(a) && !is_flagged(b) {
        return None;
    }
    let joined = match (optional::value_type(a), optional::value_type(b)) {
        (Some(a), Some(b)) => join_types(context, a, b),
        (a, b) => a.or(b),
    };
    // What is known of one function alone is nothing that could be absent.
    let joined = joined.map(|ty| choices::as_choice(context, ty));
    let joined = joined.filter(|ty| optional::can_be_absent(*ty));
    Some(joined.map(|ty| TypedType::Optional(ty).to_type(context)))
}

/// The type that holds times of both: in the finer unit.
pub(crate) fn join_times<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Type<'c>> {
    let (a, b) = (Time::of(a)?, Time::of(b)?);
    let is_generic = a.unit == Unit::Generic || b.unit == Unit::Generic;
    let fits = is_generic || !a.is_delta || a.unit.is_calendar() == b.unit.is_calendar();
    let unit = match a.unit {
        Unit::Generic => b.unit,
        _ if b.unit == Unit::Generic => a.unit,
        unit => unit.max(b.unit),
    };
    (a.is_delta == b.is_delta && fits).then(|| Time { unit, ..a }.to_type(context))
}

/// The item type of any list; `None` where the items have no common type.
pub(crate) fn item_of<'c>(context: &'c Context, list: Type<'c>) -> Option<Type<'c>> {
    if let Some(item) = lists::list_item(list) {
        return Some(item);
    }
    let items = tuples::elements(list).filter(|_| sequences::is_list(list))?;
    join_all(context, items)
}

/// The type of the items of a mutable list that holds values of these types.
pub(crate) fn join_all<'c>(context: &'c Context, types: Vec<Type<'c>>) -> Option<Type<'c>> {
    let mut types = types.into_iter().map(|ty| changing(context, ty));
    types.try_fold(lists::nothing(context), |joined, ty| {
        join_items(context, joined, ty?)
    })
}

/// The type of a list in a mutable list: mutable too.
pub(crate) fn changing<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    match sequences::is_list(ty) {
        true => Some(lists::list_of(context, item_of(context, ty)?)),
        false => Some(ty),
    }
}

/// The type of the items of a list that holds items of both types.
pub(crate) fn join_items<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Type<'c>> {
    if lists::is_nothing(a) {
        return Some(b);
    }
    if lists::is_nothing(b) {
        return Some(a);
    }
    join_types(context, a, b).filter(|item| lists::depth(*item) < MAX_DEPTH)
}

/// Whether a type is another one with item types where that has lists, dicts and sets which hold nothing.
pub(crate) fn fills(before: Type, after: Type) -> bool {
    if before == after {
        return true;
    }
    let all = |before: &[Type], after: &[Type]| {
        before.len() == after.len() && before.iter().zip(after).all(|(x, y)| fills(*x, *y))
    };
    match (TypedType::from(before), TypedType::from(after)) {
        (TypedType::List(x), TypedType::List(y)) | (TypedType::Set(x), TypedType::Set(y)) => {
            lists::is_nothing(x) || fills(x, y)
        }
        (TypedType::Optional(x), TypedType::Optional(y)) => fills(x, y),
        (TypedType::Dict(x), TypedType::Dict(y)) => lists::is_nothing(x[0]) || all(&x, &y),
        (TypedType::Other(_), TypedType::Other(_)) => tuples::elements(before)
            .zip(tuples::elements(after))
            .is_some_and(|(x, y)| all(&x, &y)),
        _ => false,
    }
}

/// Whether a list, dict or set is to be one of another type, or one in a tuple.
pub(crate) fn is_other_container(given: Type, wanted: Type) -> bool {
    if given == wanted {
        return false;
    }
    if lists::is_any_list(given) {
        return lists::list_item(wanted).is_some();
    }
    if Table::of(given).is_some() {
        return Table::of(wanted).is_some();
    }
    if let Some([given, wanted]) = functions::values_of_both(given, wanted) {
        return is_other_container(given, wanted);
    }
    let items = tuples::elements(given).zip(tuples::elements(wanted));
    items.is_some_and(|(given, wanted)| {
        let mut pairs = given.iter().zip(&wanted);
        given.len() == wanted.len() && pairs.any(|(x, y)| is_other_container(*x, *y))
    })
}

/// Whether a type is that of a function with values of free variables, or of a tuple with one.
pub(crate) fn holds_closure(ty: Type) -> bool {
    match tuples::elements(ty) {
        Some(elements) => elements.into_iter().any(holds_closure),
        None => functions::function(ty).is_some(),
    }
}

/// Whether a list is one of lists, dicts or sets that are to be others.
pub(crate) fn has_other_items(list: Type, item: Type) -> bool {
    let items = match lists::list_item(list) {
        Some(of) => vec![of],
        None if lists::is_any_list(list) => tuples::elements(list).unwrap_or_default(),
        None => Vec::new(),
    };
    items.into_iter().any(|of| is_other_container(of, item))
}

/// Whether a type is another one but for lists that aren't known to change, and lists, dicts and sets that hold
/// nothing so far: what has it may be said to have the other one without being converted.
pub(crate) fn becomes<'c>(context: &'c Context, given: Type<'c>, wanted: Type<'c>) -> bool {
    if given == wanted {
        return true;
    }
    let all = |given: &[Type<'c>], wanted: &[Type<'c>]| {
        let mut pairs = given.iter().zip(wanted);
        given.len() == wanted.len() && pairs.all(|(x, y)| becomes(context, *x, *y))
    };
    if let (Some(given), Some(wanted)) = (item_of(context, given), lists::list_item(wanted)) {
        return lists::is_nothing(given) || becomes(context, given, wanted);
    }
    if let (Some(given), Some(wanted)) = (Table::of(given), Table::of(wanted)) {
        let parts = |table: Table<'c>| [Some(table.key), table.value].into_iter().flatten();
        let [given_parts, parts] = [given, wanted].map(|table| parts(table).collect::<Vec<_>>());
        return given_parts.len() == parts.len() && (given.is_empty() || all(&given_parts, &parts));
    }
    if let Some([given, wanted]) = functions::values_of_both(given, wanted) {
        return becomes(context, given, wanted);
    }
    match (tuples::elements(given), tuples::elements(wanted)) {
        (Some(x), Some(y)) if !lists::is_any_list(given) => all(&x, &y),
        _ => false,
    }
}

/// The join of two types of dicts or of sets.
fn join_tables<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Option<Type<'c>>> {
    let (Some(a), Some(b)) = (Table::of(a), Table::of(b)) else {
        return None;
    };
    let joined = || {
        let value = match (a.value, b.value) {
            (Some(a), Some(b)) => Some(join_items(context, a, b)?),
            (None, None) => None,
            _ => return None,
        };
        let key = join_items(context, a.key, b.key)?;
        Some(Table { key, value }.to_type(context))
    };
    Some(joined())
}

/// The join of two types of lists of which one is mutable or whose lengths differ; `None` where
/// there is no such list among them.
fn join_lists<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Option<Type<'c>>> {
    if !lists::is_any_list(a) || !lists::is_any_list(b) {
        return (lists::list_item(a).is_some() || lists::list_item(b).is_some()).then_some(None);
    }
    if let (Some(x), Some(y)) = (tuples::elements(a), tuples::elements(b))
        && x.len() == y.len()
    {
        return None;
    }
    let items = item_of(context, a).zip(item_of(context, b));
    let item = items.and_then(|(x, y)| join_items(context, x, y));
    Some(item.map(|item| lists::list_of(context, item)))
}

/// Whether a type is that of tuples all of whose items have one type, if that is known.
fn has_items<'c>(tuple: Type<'c>, item: Option<Type<'c>>) -> bool {
    let items = TupleType::try_from(tuple)
        .ok()
        .and_then(|_| tuples::elements(tuple));
    item.zip(items)
        .is_some_and(|(item, items)| items.into_iter().all(|one| one == item))
}
