//! Making lists, and conversions to them.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        rules,
        val::{Val, values},
    },
    infra::{
        OperationExt, ValueExt,
        ops::{arith, py, typed},
    },
    types::{
        display::{display, display_list},
        join::{item_of, join_all},
        lists::{is_any_list, is_nothing, list_item, list_of},
    },
};
use melior::ir::Type;
use pyopt_library as library;

/// Converts to a list; nothing when none is asked for.
///
/// Items of a value that has a name in the program are not copied: others would not see changes.
/// Such a value is to be a list where it is made.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    let item = list_item(ty)?;
    if !is_any_list(operand.ty) {
        return None;
    }
    if !is_constant(operand) {
        e.wish(operand, ty);
        if !e.is_emitting() {
            return Some(Ok(Val::new(ty, None)));
        }
    }
    if operand.origin.is_some() && !is_constant(operand) || list_item(operand.ty).is_some() {
        return Some(Err(refuse_sharing(operand.ty, ty)));
    }
    let items = e.unpack(operand).unwrap_or_default();
    Some(make(e, item, &items))
}

/// Refuses to see a list as one of another type.
pub(crate) fn refuse_sharing<'c>(given: Type<'c>, ty: Type<'c>) -> Stop {
    Stop::issue(format!(
        "{} can't be seen as {}: both would change",
        display(given),
        display(ty)
    ))
    .hint("make the list with items of one type, or copy it")
}

/// Whether a list is a constant of the program, so that a copy can't be told from it.
fn is_constant(operand: Val) -> bool {
    let made = operand.origin.and_then(ValueExt::defining_op);
    made.is_some_and(|made| {
        made.isa::<py::Constant>() || made.isa::<py::Global>() || made.isa::<arith::Constant>()
    })
}

/// Makes a list of items.
pub(crate) fn make<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    item: Type<'c>,
    items: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let count = e.int(items.len() as i64);
    let list = with_room(e, list_of(e.context(), item), count);
    let mut pushed = Vec::with_capacity(items.len());
    for value in items {
        pushed.push(e.coerce(*value, item)?);
    }
    if !pushed.is_empty() {
        e.effect(|b| typed::ListPush::create(b, list.ir(), &values(&pushed)));
    }
    Ok(list)
}

/// Makes a list of what a growing display begins with.
pub(crate) fn begin<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    wanted: Option<Type<'c>>,
    items: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let types = items.iter().map(|item| item.ty).collect();
    let item = match wanted.and_then(list_item) {
        Some(item) => item,
        None => join_all(e.context(), types).ok_or_else(|| mixed(items))?,
    };
    make(e, item, items)
}

/// What to say of items that have no common type.
pub(super) fn mixed(items: &[Val]) -> Stop {
    let types = display_list(items.iter().map(|item| item.ty));
    Stop::issue(format!(
        "a list that changes can't have items of types {types}"
    ))
    .hint("its items must have one type")
}

/// An empty list of a type, with room for some items.
pub(crate) fn with_room<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ty: Type<'c>,
    room: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let list = e.op(ty, |b| typed::ListNew::create(b, ty));
    if room.literal_int() != Some(0) {
        reserve(e, list, room);
    }
    list
}

/// Makes room for so many more items.
pub(super) fn reserve<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>, count: Val<'c, 'a>) {
    let failed = e.op(e.i1(), |b| {
        typed::ListReserve::create(b, list.ir(), count.ir())
    });
    e.raise_if(failed, "MemoryError", Some("unable to make room in a list"));
}

/// `len(list)`.
pub(crate) fn len<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Val<'c, 'a> {
    let si64 = e.si64();
    e.op(si64, |b| typed::ListLen::create(b, list.ir(), si64))
}

/// A new list with the items of one, which has items of another type.
pub(crate) fn converted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let length = len(e, list);
    let made = with_room(e, ty, length);
    call_with(e, "extend", &[made, list])?;
    Ok(made)
}

/// `list(items)` of what has no known number of items.
pub(crate) fn convert<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match list_item(items.ty) {
        Some(item) if is_nothing(item) => make(e, item, &[]),
        Some(_) => call_with(e, "copy", &[items]),
        None => call_with(e, "of", &[items]),
    }
}

/// A list that nobody changes, as one of any length if the callee's own parameter is a list of another length:
/// a recursion would have a type for each level. It is a copy, which can't be told from the list: a function
/// that changed its parameter would have one that changes.
pub(crate) fn for_recursion<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    argument: Val<'c, 'a>,
    own: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let is_fixed = |ty| is_any_list(ty) && list_item(ty).is_none();
    if argument.ty == own || !is_fixed(argument.ty) || !is_fixed(own) {
        return Ok(argument);
    }
    let item = item_of(e.context(), argument.ty).filter(|item| !is_nothing(*item));
    match (item, e.unpack(argument)) {
        (Some(item), Some(items)) => make(e, item, &items),
        _ => Ok(argument),
    }
}

/// Calls the library's function for a method of lists.
pub(super) fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match library::find(&format!("list.{name}")) {
        Some(source) => rules::call_library(e, source, arguments),
        None => stop(format!("lists have no '{name}' in compiled code")),
    }
}

/// The same for operands without keywords.
pub(super) fn call_with<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    call_library(e, name, &Arguments::new(operands, None))
}
