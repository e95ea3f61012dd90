//! Lists that change: the runtime's `List`, behind the header of an owner.

use super::{
    Lowered, Site,
    array::{length, owners},
    refuse,
    text::cast_to_index,
};
use crate::{
    analysis::ownership::{BORROWED, HANDED_OVER},
    infra::{
        CmpInt, OperationAttributes, OperationExt, PassResult,
        ops::{arith, llvm, marks, typed},
    },
    lowering::{emit::Emit, slots::Slots},
    types::layout::{slot_count, tuple_elements},
};
use melior::ir::{Attribute, OperationRef, Type, Value, attribute::IntegerAttribute};
use pyopt_dialects::typed::TypedType;

/// Where the fields lie, in words from the start of the owner.
pub(super) const ITEMS: i32 = 8;
pub(super) const LENGTH: i32 = 9;
const ROOM: i32 = 10;
pub(super) const CHANGED: i32 = 11;

/// The most words of an item: the number of bits in the mask of owners.
const MAX_WORDS: usize = 64;

/// Lowers `typed.list_new`.
pub(super) fn new<'c, 'a>(_: typed::ListNew<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    make(site, "pyopt_list_new")
}

/// Calls the function of the runtime that makes a list, of words of an item and a mask of owners.
pub(super) fn make<'c, 'a>(site: &Site<'_, 'c, 'a>, maker: &str) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let TypedType::List(item) = TypedType::from(site.result_type()) else {
        return refuse("the result is no list");
    };
    let row = row(e, &[item])?;
    let call = e.call(maker, &row, &[e.ptr()]);
    Ok(vec![call.part0()])
}

/// How many words a row of values of these types has, and the mask of those that are owners.
pub(super) fn row<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    types: &[Type<'c>],
) -> PassResult<[Value<'c, 'a>; 2]> {
    let words: usize = types.iter().map(|ty| slot_count(*ty)).sum();
    if words > MAX_WORDS {
        let largest = types.iter().max_by_key(|ty| slot_count(**ty));
        let largest = largest.map(ToString::to_string).unwrap_or_default();
        return refuse(format!(
            "a list, dict or set can't hold values as large as {largest}"
        ));
    }
    let (mut word, mut owners) = (0, 0);
    for ty in types {
        mark_owners(*ty, &mut word, &mut owners);
    }
    Ok([e.i64(words as i64), e.i64(owners)])
}

/// Sets the bits of the owner mask for the words of a value that are owners, from a word on.
fn mark_owners(r#type: Type, word: &mut usize, owners: &mut i64) {
    if let Some(elements) = tuple_elements(r#type) {
        for element in elements {
            mark_owners(element, word, owners);
        }
        return;
    }
    let end = *word + slot_count(r#type);
    match TypedType::from(r#type) {
        // The owner comes first.
        TypedType::Array(_)
        | TypedType::List(_)
        | TypedType::Dict(_)
        | TypedType::Set(_)
        | TypedType::DictView(..)
        | TypedType::Str
        | TypedType::Bytes => *owners |= 1 << *word,
        TypedType::Optional(inner) => mark_owners(inner, word, owners),
        _ => {}
    }
    *word = end;
}

/// Lowers `typed.list_reserve`.
pub(super) fn reserve<'c, 'a>(
    _: typed::ListReserve<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let list = site.one(typed::ListReserve::LIST_OPERAND)?;
    let count = site.one(typed::ListReserve::COUNT_OPERAND)?;
    let [length, room] = [LENGTH, ROOM].map(|word| header(site, list, word, e.i(64)));
    let free = e.bin(arith::SubI::NAME, room, length);
    let short = e.cmpi(CmpInt::Sgt, count, free);
    let failed = e.if_else(
        short,
        &[e.i(1)],
        || {
            let failed = e.call_value("pyopt_list_reserve", &[list, count], e.i(32));
            vec![e.to(arith::TruncI::NAME, failed, e.i(1))]
        },
        || vec![e.bool(false)],
    );
    Ok(vec![failed])
}

/// Lowers `typed.list_len`.
pub(super) fn len<'c, 'a>(_: typed::ListLen<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let list = site.one(typed::ListLen::LIST_OPERAND)?;
    let count = header(site, list, LENGTH, e.i(64));
    length(site, count)
}

/// Lowers `typed.list_get`.
pub(super) fn get<'c, 'a>(op: typed::ListGet<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let position = position(site, typed::ListGet::POSITION_OPERAND)?;
    let values = read(site, typed::ListGet::LIST_OPERAND, position)?;
    acquire_taken(*op, site, &values);
    Ok(vec![values])
}

/// Takes a reference of an item that was read, unless its container lends it.
pub(super) fn acquire_taken<'c, 'a>(
    read: OperationRef<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
    values: &[Value<'c, 'a>],
) {
    if read.flag_attr(BORROWED) {
        return;
    }
    let e = &site.emit;
    for owner in owners(e, site.result_type(), values) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
}

/// Takes a reference of an operand for the container that it is put into, unless it comes with one.
pub(super) fn acquire_kept<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
    operand: usize,
) {
    if operation.flag_attr(HANDED_OVER) {
        return;
    }
    let e = &site.emit;
    for owner in owners(e, site.operand_type(operand), &site.operands[operand]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
}

/// Lowers `typed.list_set`.
pub(super) fn set<'c, 'a>(_: typed::ListSet<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (item, list) = (typed::ListSet::ITEM_OPERAND, typed::ListSet::LIST_OPERAND);
    let r#type = site.operand_type(item);
    let position = position(site, typed::ListSet::POSITION_OPERAND)?;
    // What the list had may be the last reference to what it gets.
    let before = read(site, list, position)?;
    for owner in owners(e, r#type, &site.operands[item]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    write(site, item, list, position)?;
    for owner in owners(e, r#type, &before) {
        e.call("pyopt_release", &[owner], &[]);
    }
    Ok(vec![])
}

/// Lowers `typed.list_push`. The fields of the list are read and written once for all items: LLVM's
/// analyses of memory take the square of the number of stores between which they are read again.
pub(super) fn push<'c, 'a>(
    push: typed::ListPush<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let list = typed::ListPush::LIST_OPERAND;
    let count = push.items().len();
    let items = list + 1..list + 1 + count;
    for item in items.clone() {
        acquire_kept(*push, site, item);
    }
    let owner = site.one(list)?;
    let end = header(site, owner, LENGTH, e.i(64));
    let (first, r#type) = item_at(site, list, end)?;
    let words = slot_count(r#type) as i32;
    for (at, item) in items.enumerate() {
        let address = e.offset_by(first, at as i32 * words, e.i(64));
        write_item(site, item, address, r#type)?;
    }
    note_change(site, list)?;
    let behind = e.bin(arith::AddI::NAME, end, e.i64(count as i64));
    set_header(e, behind, owner, LENGTH);
    Ok(vec![])
}

/// Lowers `typed.list_grow`.
pub(super) fn grow<'c, 'a>(_: typed::ListGrow<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let list = site.one(typed::ListGrow::LIST_OPERAND)?;
    let end = header(site, list, LENGTH, e.i(64));
    let count = site.one(typed::ListGrow::COUNT_OPERAND)?;
    set_header(e, e.bin(arith::AddI::NAME, end, count), list, LENGTH);
    Ok(vec![])
}

/// Lowers `typed.list_truncate`.
pub(super) fn truncate<'c, 'a>(
    _: typed::ListTruncate<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::ListTruncate::LIST_OPERAND;
    let list = site.one(at)?;
    let length = site.one(typed::ListTruncate::LENGTH_OPERAND)?;
    let (mut words, mut owners) = (0, 0);
    mark_owners(item_of(site, at)?, &mut words, &mut owners);
    if owners == 0 {
        // Items that refer to nothing are gone with the number that counts them.
        note_change(site, at)?;
        set_header(e, length, list, LENGTH);
    } else {
        e.call("pyopt_list_truncate", &[list, length], &[]);
    }
    Ok(vec![])
}

/// Loads a word of the header of a container that is an operand.
pub(super) fn header<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    container: Value<'c, 'a>,
    word: i32,
    r#type: Type<'c>,
) -> Value<'c, 'a> {
    let e = &site.emit;
    let load = llvm::Load::create(e, field(e, container, word), r#type);
    load.set_attr(marks::HEADER, word_attribute(e, word));
    if site.op.flag_attr(marks::ALIVE) {
        load.set_attr(marks::ALIVE, Attribute::unit(e.context()));
    }
    load.res()
}

/// Stores a word of the header of a container.
pub(super) fn set_header<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    container: Value<'c, 'a>,
    word: i32,
) {
    let store = llvm::Store::create(e, value, field(e, container, word));
    store.set_attr(marks::HEADER, word_attribute(e, word));
}

/// The number of a word, for [`marks::HEADER`].
fn word_attribute<'c>(e: &Emit<'_, 'c, '_>, word: i32) -> IntegerAttribute<'c> {
    IntegerAttribute::new(e.i(64), word.into())
}

pub(super) fn field<'c, 'a>(e: &Emit<'_, 'c, 'a>, list: Value<'c, 'a>, word: i32) -> Value<'c, 'a> {
    e.offset_by(list, word, e.i(64))
}

/// A position as a number of 64 bits.
fn position<'c, 'a>(site: &Site<'_, 'c, 'a>, at: usize) -> PassResult<Value<'c, 'a>> {
    let e = &site.emit;
    let index = cast_to_index(e, site.one(at)?, site.operand_type(at))?;
    Ok(e.index_cast(index, e.i(64)))
}

/// The type of the items of the list that is an operand.
fn item_of<'c>(site: &Site<'_, 'c, '_>, list: usize) -> PassResult<Type<'c>> {
    match TypedType::from(site.operand_type(list)) {
        TypedType::List(item) => Ok(item),
        _ => refuse("the operand is no list"),
    }
}

/// The address of an item of the list that is an operand, and the type of items.
fn item_at<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    list: usize,
    position: Value<'c, 'a>,
) -> PassResult<(Value<'c, 'a>, Type<'c>)> {
    let e = &site.emit;
    let item = item_of(site, list)?;
    let items = header(site, site.one(list)?, ITEMS, e.ptr());
    let words = e.i64(slot_count(item) as i64);
    let word = e.bin(arith::MulI::NAME, position, words);
    Ok((e.offset(items, word, e.i(64)), item))
}

fn read<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    list: usize,
    position: Value<'c, 'a>,
) -> PassResult<Vec<Value<'c, 'a>>> {
    let (address, item) = item_at(site, list, position)?;
    match Slots::new(&site.emit, address).read(item) {
        Some(values) => Ok(values),
        None => refuse(format!("a list can't have items of type {item}")),
    }
}

/// Replaces an item of the list that is an operand by another operand.
fn write<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    item: usize,
    list: usize,
    position: Value<'c, 'a>,
) -> PassResult {
    let (address, r#type) = item_at(site, list, position)?;
    write_item(site, item, address, r#type)?;
    note_change(site, list)
}

/// Writes an operand to where an item of a type is.
fn write_item<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    item: usize,
    address: Value<'c, 'a>,
    r#type: Type<'c>,
) -> PassResult {
    let written = Slots::new(&site.emit, address).write(r#type, &site.operands[item]);
    match written {
        Some(_) => Ok(()),
        None => refuse(format!("a list can't have items of type {type}")),
    }
}

/// Notes that the list that is an operand changed.
fn note_change<'c, 'a>(site: &Site<'_, 'c, 'a>, list: usize) -> PassResult {
    let e = &site.emit;
    set_header(e, e.i64(1), site.one(list)?, CHANGED);
    Ok(())
}
