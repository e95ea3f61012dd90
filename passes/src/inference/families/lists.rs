//! Mutable lists: references to items of one type.
//!
//! A list that is never mutated is a [sequence](super::sequences): its items may have several
//! types, and it costs nothing. A mutation wishes for a mutable list where the value is made: see
//! [`refinement`](super::refinement). Most methods are functions of the overload library, on top of
//! `append`, items and a few intrinsics.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        operator_kinds, rules,
        val::Val,
    },
    infra::{
        OperationExt, ValueExt,
        ops::{arith, py, typed},
    },
    library,
    types::{
        display::display,
        iteration::item_type,
        join::{changing, item_of, join_all, join_items},
        lists::{is_any_list, is_nothing, list_item, list_of},
        number::Number,
        sequences::is_list,
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyCompareKind},
    typed::TypedType,
};

const METHODS: &[&str] = &[
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort",
];

/// Whether lists have a method of this name.
pub(crate) fn has_method(name: &str) -> bool {
    METHODS.contains(&name)
}

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
        let message = format!(
            "{} can't be seen as {}: both would change",
            display(operand.ty),
            display(ty)
        );
        return Some(Err(
            Stop::issue(message).hint("make the list with items of one type, or copy it")
        ));
    }
    let items = e.unpack(operand).unwrap_or_default();
    Some(make(e, item, &items))
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
    for value in items {
        let value = e.coerce(*value, item)?;
        e.effect(|b| typed::ListPush::create(b, value.ir(), list.ir()));
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

fn mixed(items: &[Val]) -> Stop {
    let types = crate::types::display::display_list(items.iter().map(|item| item.ty));
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

fn reserve<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>, count: Val<'c, 'a>) {
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

/// `list.append(item)`.
pub(crate) fn append<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let context = e.context();
    let item = item_of(context, list.ty).ok_or_else(|| mixed(&[list, value]))?;
    let joined = changing(context, value.ty).and_then(|ty| join_items(context, item, ty));
    let Some(joined) = joined else {
        return Err(Stop::issue(format!(
            "{} can't be put into {}",
            display(value.ty),
            display(list.ty)
        ))
        .hint("the items of a list have one type"));
    };
    check_item(joined)?;
    let list = as_changing(e, list, joined)?;
    let value = e.coerce(value, joined)?;
    let one = e.int(1);
    reserve(e, list, one);
    e.effect(|b| typed::ListPush::create(b, value.ir(), list.ir()));
    Ok(e.none())
}

/// Refuses types that can't be items.
fn check_item(item: Type) -> Typing<()> {
    if let Some(elements) = elements(item) {
        return elements.into_iter().try_for_each(check_item);
    }
    let data = Number::of(item).is_some()
        || is_nothing(item)
        || matches!(
            TypedType::from(item),
            TypedType::Array(_)
                | TypedType::List(_)
                | TypedType::Str
                | TypedType::None
                | TypedType::Range(_)
                | TypedType::Slice(_)
                | TypedType::Optional(_)
        );
    match data {
        true => Ok(()),
        false => stop(format!("{} can't be an item of a list", display(item))),
    }
}

/// The list as one that changes and has items of a type. What isn't one is to be one where it is
/// made.
fn as_changing<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    item: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let ty = list_of(e.context(), item);
    if list.ty == ty {
        return Ok(list);
    }
    e.wish(list, ty);
    if !e.is_emitting() {
        return Ok(Val::new(ty, None));
    }
    match list_item(list.ty) {
        Some(_) => Err(Stop::issue(format!(
            "{} can't be put into {}, which others see too",
            display(item),
            display(list.ty)
        ))
        .hint("make the list with items of a type that holds both, or copy it")),
        None => refuse_change(),
    }
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

/// The list as one that changes, with items of the type it has.
fn changed<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let item = item_of(e.context(), list.ty).ok_or_else(|| mixed(&[list]))?;
    as_changing(e, list, item)
}

/// `list.name(arguments)`.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if name == "append" {
        let value = arguments.one()?;
        return append(e, list, value);
    }
    let mut list = changed(e, list)?;
    // What is put in may ask for items of another type.
    let put = match (name, arguments.positional.as_slice()) {
        ("insert", &[_, value]) => changing(e.context(), value.ty),
        ("extend", &[items]) => items_of(e, items),
        _ => None,
    };
    if let Some(put) = put
        && let Some(item) = list_item(list.ty)
        && let Some(joined) = join_items(e.context(), item, put)
        && joined != item
    {
        list = as_changing(e, list, joined)?;
    }
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, list);
    call_library(e, name, &arguments)
}

/// The type of the items that something gives.
fn items_of<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: Val<'c, 'a>) -> Option<Type<'c>> {
    let context = e.context();
    if is_any_list(items.ty) {
        return item_of(context, items.ty);
    }
    let builder = e.builder.take();
    let iterator = rules::iterate(e, items);
    e.builder = builder;
    item_type(context, iterator.ok()?.ty)
}

fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match library::find(&format!("list.{name}")) {
        Some(source) => rules::call_library(e, source, arguments),
        None => stop(format!("lists have no '{name}' in compiled code")),
    }
}

fn call_with<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    call_library(e, name, &Arguments::new(operands, None))
}

fn require_items<'c>(list: Val<'c, '_>) -> Typing<Type<'c>> {
    match list_item(list.ty) {
        Some(item) if !is_nothing(item) => Ok(item),
        _ => Err(Stop::issue("the type of this list's items isn't known")
            .hint("put something into the list, or make it with an item")),
    }
}

/// `list[index]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let list = changed(e, list)?;
    if let TypedType::Slice(_) = TypedType::from(index.ty) {
        return call_with(e, "__getitem__", &[list, index]);
    }
    let item = require_items(list)?;
    let position = position(e, list, index, "list index out of range")?;
    Ok(e.op(item, |b| {
        typed::ListGet::create(b, list.ir(), position.ir())
    }))
}

fn position<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
    message: &str,
) -> Typing<Val<'c, 'a>> {
    if !e.is_int(index.ty) {
        return Err(
            Stop::issue(format!("a list can't be indexed by {}", display(index.ty)))
                .hint("use an integer or a slice"),
        );
    }
    if e.is_library() {
        let si64 = e.si64();
        return Ok(e.cast(index, si64));
    }
    let length = len(e, list);
    e.wrap_index(index, length, message)
}

/// `list[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    if let TypedType::Slice(_) = TypedType::from(index.ty) {
        let list = changed(e, list)?;
        return call_with(e, "__setitem__", &[list, index, value]).map(drop);
    }
    let context = e.context();
    let before = item_of(context, list.ty).ok_or_else(|| mixed(&[list, value]))?;
    let joined = changing(context, value.ty).and_then(|ty| join_items(context, before, ty));
    let list = as_changing(e, list, joined.unwrap_or(before))?;
    let item = require_items(list)?;
    check_item(item)?;
    let position = position(e, list, index, "list assignment index out of range")?;
    let value = e.coerce(value, item)?;
    e.effect(|b| typed::ListSet::create(b, value.ir(), list.ir(), position.ir()));
    Ok(())
}

/// `del list[index]`.
pub(crate) fn delete_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<()> {
    let list = changed(e, list)?;
    call_with(e, "__delitem__", &[list, index]).map(drop)
}

/// `lhs op rhs` where one is a list; nothing where none changes or has to.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let [is_left, is_right] = [lhs, rhs].map(|operand| is_any_list(operand.ty));
    let (name, operands) = match kind {
        PyBinaryKind::Add if is_left && is_right => {
            let changes = [lhs, rhs].iter().any(|side| list_item(side.ty).is_some());
            if !changes {
                return None;
            }
            ("__add__", [lhs, rhs])
        }
        PyBinaryKind::Mul if is_left && e.is_int(rhs.ty) => ("__mul__", [lhs, rhs]),
        PyBinaryKind::Mul if is_right && e.is_int(lhs.ty) => ("__mul__", [rhs, lhs]),
        _ => return None,
    };
    Some(copied(e, &operands).and_then(|operands| call_with(e, name, &operands)))
}

/// Unchanged lists among the operands as lists of their own: the operator makes a new one anyway.
fn copied<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: &[Val<'c, 'a>; 2],
) -> Typing<[Val<'c, 'a>; 2]> {
    let context = e.context();
    let items: Vec<_> = operands
        .iter()
        .filter(|operand| is_any_list(operand.ty))
        .filter_map(|operand| item_of(context, operand.ty))
        .collect();
    let joined = join_all(context, items).ok_or_else(|| mixed(operands))?;
    let mut made = *operands;
    for operand in &mut made {
        if is_list(operand.ty) {
            let items = e.unpack(*operand).unwrap_or_default();
            *operand = make(e, joined, &items)?;
        }
    }
    Ok(made)
}

/// `list += items` and `list *= count`.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    list: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let name = match kind {
        PyBinaryKind::Add => "extend",
        PyBinaryKind::Mul => "__imul__",
        _ => {
            let symbol = format!("{}=", operator_kinds::binary_symbol(kind));
            return stop(operator_kinds::no_operator(&symbol, &[list, rhs]));
        }
    };
    call_method(e, list, name, &Arguments::new(&[rhs], None))?;
    Ok(Val {
        origin: list.origin,
        ..list
    })
}

/// `lhs op rhs` for two lists of which one may change.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (name, lhs, rhs) = match kind {
        PyCompareKind::Eq | PyCompareKind::Ne => ("__eq__", lhs, rhs),
        PyCompareKind::Lt | PyCompareKind::Ge => ("__lt__", lhs, rhs),
        PyCompareKind::Gt | PyCompareKind::Le => ("__lt__", rhs, lhs),
    };
    let operands = copied_apart(e, [lhs, rhs])?;
    let result = call_with(e, name, &operands)?;
    Ok(match kind {
        PyCompareKind::Eq | PyCompareKind::Lt | PyCompareKind::Gt => result,
        PyCompareKind::Ne | PyCompareKind::Ge | PyCompareKind::Le => e.not(result),
    })
}

/// Each operand as a list with items of its own type.
fn copied_apart<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: [Val<'c, 'a>; 2],
) -> Typing<[Val<'c, 'a>; 2]> {
    let mut made = operands;
    for operand in &mut made {
        if is_list(operand.ty) {
            let item = item_of(e.context(), operand.ty).ok_or_else(|| mixed(&operands))?;
            let items = e.unpack(*operand).unwrap_or_default();
            *operand = make(e, item, &items)?;
        }
    }
    Ok(made)
}

/// The truth value.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Val<'c, 'a> {
    let length = len(e, list);
    let zero = e.int(0);
    e.compare(CompareKind::Ne, length, zero)
}

/// The items of a list that is unpacked to so many names.
pub(crate) fn unpack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    let item = require_items(list)?;
    let length = len(e, list);
    let expected = e.int(count as i64);
    for (kind, message) in [
        (CompareKind::Gt, "too many values to unpack"),
        (CompareKind::Lt, "not enough values to unpack"),
    ] {
        let wrong = e.compare(kind, length, expected);
        let message = format!("{message} (expected {count})");
        e.raise_if(wrong, "ValueError", Some(&message));
    }
    Ok((0..count)
        .map(|at| {
            let at = e.int(at as i64);
            e.op(item, |b| typed::ListGet::create(b, list.ir(), at.ir()))
        })
        .collect())
}

/// `list(items)` of what has no known number of items.
pub(crate) fn convert<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match list_item(items.ty) {
        Some(_) => call_with(e, "copy", &[items]),
        None => call_with(e, "of", &[items]),
    }
}

/// Refuses to change a list that can't be made one that changes.
fn refuse_change<T>() -> Typing<T> {
    Err(
        Stop::issue("this list can't be changed: it isn't known here where it is made")
            .hint("copy it first, with list(…), or make it in this function"),
    )
}
