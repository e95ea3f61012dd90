//! Lists that change: the runtime's `List`, behind the header of an owner.

use super::{
    Lowered, Site,
    array::{length, owners},
    refuse,
    text::cast_to_index,
};
use crate::{
    infra::{CmpInt, PassResult},
    lowering::{emit::Emit, slots::Slots, types::tuple_elements},
};
use melior::ir::{Type, Value};
use pyopt_dialects::typed::TypedType;

/// Where the fields lie, in words from the start of the owner.
const ITEMS: i32 = 8;
const LENGTH: i32 = 9;
const ROOM: i32 = 10;
const CHANGED: i32 = 11;

/// The most words of an item: the number of bits in the mask of owners.
const MAX_WORDS: usize = 64;

/// Lowers `typed.list_new`.
pub(super) fn new<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let TypedType::List(item) = TypedType::from(site.result_type()) else {
        return refuse("the result is no list");
    };
    let words = Slots::count(item);
    if words > MAX_WORDS {
        return refuse(format!("a list can't have items as large as {item}"));
    }
    let mut owners = 0;
    mark_owners(item, &mut 0, &mut owners);
    let operands = [e.i64(words as i64), e.i64(owners)];
    let list = e.call_value("pyopt_list_new", &operands, e.ptr());
    Ok(vec![vec![list]])
}

/// Sets the bits of the owner mask for the words of a value that are owners, from a word on.
fn mark_owners(r#type: Type, word: &mut usize, owners: &mut i64) {
    if let Some(elements) = tuple_elements(r#type) {
        for element in elements {
            mark_owners(element, word, owners);
        }
        return;
    }
    let end = *word + Slots::count(r#type);
    match TypedType::from(r#type) {
        // The owner comes first.
        TypedType::Array(_) | TypedType::List(_) => *owners |= 1 << *word,
        TypedType::Optional(inner) => mark_owners(inner, word, owners),
        _ => {}
    }
    *word = end;
}

/// Lowers `typed.list_reserve`.
pub(super) fn reserve<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (list, count) = (site.one(0)?, site.one(1)?);
    let [length, room] = [LENGTH, ROOM].map(|word| e.load(field(e, list, word), e.i(64), None));
    let free = e.bin("arith.subi", room, length);
    let short = e.cmpi(CmpInt::Sgt, count, free);
    let failed = e.if_else(
        short,
        &[e.i(1)],
        || {
            let failed = e.call_value("pyopt_list_reserve", &[list, count], e.i(32));
            vec![e.to("arith.trunci", failed, e.i(1))]
        },
        || vec![e.bool(false)],
    );
    Ok(vec![failed])
}

/// Lowers `typed.list_len`.
pub(super) fn len<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let count = e.load(field(e, site.one(0)?, LENGTH), e.i(64), None);
    length(site, count)
}

/// Lowers `typed.list_get`.
pub(super) fn get<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let position = position(site, 1)?;
    let values = read(site, 0, position)?;
    for owner in owners(e, site.result_type(), &values) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    Ok(vec![values])
}

/// Lowers `typed.list_set`.
pub(super) fn set<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let item = site.operand_type(0);
    let position = position(site, 2)?;
    // Acquire first: the list's old item may hold the last reference to the new one.
    let before = read(site, 1, position)?;
    for owner in owners(e, item, &site.operands[0]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    write(site, position)?;
    for owner in owners(e, item, &before) {
        e.call("pyopt_release", &[owner], &[]);
    }
    Ok(vec![])
}

/// Lowers `typed.list_push`.
pub(super) fn push<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    for owner in owners(e, site.operand_type(0), &site.operands[0]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    let address = field(e, site.one(1)?, LENGTH);
    let end = e.load(address, e.i(64), None);
    write(site, end)?;
    e.store(e.bin("arith.addi", end, e.i64(1)), address, None);
    Ok(vec![])
}

/// Lowers `typed.list_grow`.
pub(super) fn grow<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let address = field(e, site.one(0)?, LENGTH);
    let end = e.load(address, e.i(64), None);
    e.store(e.bin("arith.addi", end, site.one(1)?), address, None);
    Ok(vec![])
}

/// Lowers `typed.list_truncate`.
pub(super) fn truncate<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let operands = [site.one(0)?, site.one(1)?];
    site.emit.call("pyopt_list_truncate", &operands, &[]);
    Ok(vec![])
}

fn field<'c, 'a>(e: &Emit<'_, 'c, 'a>, list: Value<'c, 'a>, word: i32) -> Value<'c, 'a> {
    e.offset_by(list, word, e.i(64))
}

/// A position as a number of 64 bits.
fn position<'c, 'a>(site: &Site<'_, 'c, 'a>, at: usize) -> PassResult<Value<'c, 'a>> {
    let e = &site.emit;
    let index = cast_to_index(e, site.one(at)?, site.operand_type(at))?;
    Ok(e.index_cast(index, e.i(64)))
}

/// The address of an item of the list that is an operand, and the type of items.
fn item_at<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    list: usize,
    position: Value<'c, 'a>,
) -> PassResult<(Value<'c, 'a>, Type<'c>)> {
    let e = &site.emit;
    let TypedType::List(item) = TypedType::from(site.operand_type(list)) else {
        return refuse("the operand is no list");
    };
    let items = e.load(field(e, site.one(list)?, ITEMS), e.ptr(), None);
    let words = e.i64(Slots::count(item) as i64);
    let word = e.bin("arith.muli", position, words);
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

/// Stores the first operand in the list that is the second one, and marks the list as changed.
fn write<'c, 'a>(site: &Site<'_, 'c, 'a>, position: Value<'c, 'a>) -> PassResult {
    let e = &site.emit;
    let (address, item) = item_at(site, 1, position)?;
    if Slots::new(e, address)
        .write(item, &site.operands[0])
        .is_none()
    {
        return refuse(format!("a list can't have items of type {item}"));
    }
    e.store(e.i64(1), field(e, site.one(1)?, CHANGED), None);
    Ok(())
}
