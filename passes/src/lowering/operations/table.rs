//! Dicts and sets: the runtime's `Table`, behind the header of an owner. It begins as a list of its entries.

use super::{
    Lowered, Site,
    array::owners,
    list::{CHANGED, ITEMS, LENGTH, acquire_kept, acquire_taken, header, row, set_header},
    refuse,
};
use crate::{
    infra::{
        CmpInt, PassResult,
        ops::{arith, typed},
    },
    lowering::slots::Slots,
    types::{layout::slot_count, tables::Table},
};
use melior::ir::{OperationRef, Type, Value};
use pyopt_dialects::enums::TableNumber;

/// Where the fields behind those of a list lie, in words from the start of the owner.
const SLOTS: i32 = 14;
const MASK: i32 = 15;
const HOLES: i32 = 16;
const LIMIT: i32 = 17;

/// The bits of a word of the bitmap of holes.
const BITS: i64 = 64;

/// Lowers `typed.table_new`.
pub(super) fn new<'c, 'a>(_: typed::TableNew<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let parts: Vec<_> = table_of(site.result_type())?.parts().collect();
    let row = row(e, &parts)?;
    let call = e.call("pyopt_table_new", &row, &[e.ptr()]);
    Ok(vec![call.part0()])
}

/// Lowers `typed.table_grow`.
pub(super) fn grow<'c, 'a>(
    _: typed::TableGrow<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableGrow::TABLE_OPERAND)?;
    let more = site.one(typed::TableGrow::MORE_OPERAND)?;
    let failed = e.call_value("pyopt_table_grow", &[table, more], e.i(32));
    Ok(vec![vec![e.to(arith::TruncI::NAME, failed, e.i(1))]])
}

/// Lowers `typed.table_copy`.
pub(super) fn copy<'c, 'a>(
    _: typed::TableCopy<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableCopy::TABLE_OPERAND)?;
    let made = site.one(typed::TableCopy::MADE_OPERAND)?;
    let failed = e.call_value("pyopt_table_copy", &[table, made], e.i(32));
    Ok(vec![vec![e.to(arith::TruncI::NAME, failed, e.i(1))]])
}

/// Lowers `typed.table_get`.
pub(super) fn get<'c, 'a>(op: typed::TableGet<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableGet::TABLE_OPERAND)?;
    let load = |word| header(site, table, word, e.i(64));
    let number = match op.number() {
        TableNumber::Size => e.bin(arith::SubI::NAME, load(LENGTH), load(HOLES)),
        TableNumber::End => load(LENGTH),
        TableNumber::Mask => load(MASK),
        TableNumber::Limit => load(LIMIT),
    };
    Ok(vec![vec![number]])
}

/// Lowers `typed.table_slot`.
pub(super) fn slot<'c, 'a>(
    _: typed::TableSlot<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableSlot::TABLE_OPERAND)?;
    let position = site.one(typed::TableSlot::POSITION_OPERAND)?;
    let slots = header(site, table, SLOTS, e.ptr());
    let slot = e.load(e.offset(slots, position, e.i(64)), e.i(64), None);
    Ok(vec![vec![slot]])
}

/// Lowers `typed.table_set_slot`.
pub(super) fn set_slot<'c, 'a>(
    _: typed::TableSetSlot<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableSetSlot::TABLE_OPERAND)?;
    let position = site.one(typed::TableSetSlot::POSITION_OPERAND)?;
    let slots = header(site, table, SLOTS, e.ptr());
    let slot = site.one(typed::TableSetSlot::SLOT_OPERAND)?;
    e.store(slot, e.offset(slots, position, e.i(64)), None);
    Ok(vec![])
}

/// Lowers `typed.table_has`: a bit of the bitmap behind the slots, where there are holes at all.
pub(super) fn has<'c, 'a>(_: typed::TableHas<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = site.one(typed::TableHas::TABLE_OPERAND)?;
    let entry = site.one(typed::TableHas::ENTRY_OPERAND)?;
    let load = |word| header(site, table, word, e.i(64));
    let none = e.cmpi(CmpInt::Eq, load(HOLES), e.i64(0));
    let found = e.if_else(
        none,
        &[e.i(1)],
        || vec![e.bool(true)],
        || {
            let slots = header(site, table, SLOTS, e.ptr());
            let count = e.bin(arith::AddI::NAME, load(MASK), e.i64(1));
            let word = e.bin(arith::DivUI::NAME, entry, e.i64(BITS));
            let at = e.bin(arith::AddI::NAME, count, word);
            let bits = e.load(e.offset(slots, at, e.i(64)), e.i(64), None);
            let bit = e.bin(arith::RemUI::NAME, entry, e.i64(BITS));
            let shifted = e.bin(arith::ShRUI::NAME, bits, bit);
            let hole = e.to(arith::TruncI::NAME, shifted, e.i(1));
            vec![e.bin(arith::XOrI::NAME, hole, e.bool(true))]
        },
    );
    Ok(vec![found])
}

/// Lowers `typed.table_key`.
pub(super) fn key<'c, 'a>(op: typed::TableKey<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let operands = [
        typed::TableKey::TABLE_OPERAND,
        typed::TableKey::ENTRY_OPERAND,
    ];
    read(*op, site, operands, false)
}

/// Lowers `typed.table_value`.
pub(super) fn value<'c, 'a>(
    op: typed::TableValue<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let operands = [
        typed::TableValue::TABLE_OPERAND,
        typed::TableValue::ENTRY_OPERAND,
    ];
    read(*op, site, operands, true)
}

/// Reads a part of the entry of a table that are operands, with a reference of its own unless it is lent.
fn read<'c, 'a>(
    op: OperationRef<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
    [table, entry]: [usize; 2],
    is_value: bool,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let address = part(site, table, site.one(entry)?, is_value)?;
    let r#type = site.result_type();
    let Some(values) = Slots::new(e, address).read(r#type) else {
        return refuse(format!("a dict or set can't hold values of type {type}"));
    };
    acquire_taken(op, site, &values);
    Ok(vec![values])
}

/// Lowers `typed.table_set_value`.
pub(super) fn set_value<'c, 'a>(
    _: typed::TableSetValue<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let value = typed::TableSetValue::VALUE_OPERAND;
    let table = typed::TableSetValue::TABLE_OPERAND;
    let entry = site.one(typed::TableSetValue::ENTRY_OPERAND)?;
    let r#type = site.operand_type(value);
    let address = part(site, table, entry, true)?;
    // What the dict had may be the last reference to what it gets.
    let before = match owners(e, r#type, &site.operands[value]).is_empty() {
        true => Vec::new(),
        false => match Slots::new(e, address).read(r#type) {
            Some(values) => owners(e, r#type, &values),
            None => return refuse(format!("a dict can't hold values of type {type}")),
        },
    };
    for owner in owners(e, r#type, &site.operands[value]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    write(site, value, address)?;
    note_change(site, table)?;
    for owner in before {
        e.call("pyopt_release", &[owner], &[]);
    }
    Ok(vec![])
}

/// Lowers `typed.table_push`.
pub(super) fn push<'c, 'a>(
    push: typed::TablePush<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let table = typed::TablePush::TABLE_OPERAND;
    let owner = site.one(table)?;
    let end = header(site, owner, LENGTH, e.i(64));
    let parts = table + 1..table + 1 + push.parts().len();
    for (at, operand) in parts.enumerate() {
        acquire_kept(*push, site, operand);
        let address = part(site, table, end, at > 0)?;
        write(site, operand, address)?;
    }
    note_change(site, table)?;
    set_header(e, e.bin(arith::AddI::NAME, end, e.i64(1)), owner, LENGTH);
    Ok(vec![])
}

/// Lowers `typed.table_remove`.
pub(super) fn remove<'c, 'a>(
    _: typed::TableRemove<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let table = site.one(typed::TableRemove::TABLE_OPERAND)?;
    let operands = [table, site.one(typed::TableRemove::ENTRY_OPERAND)?];
    site.emit.call("pyopt_table_remove", &operands, &[]);
    Ok(vec![])
}

/// Lowers `typed.table_clear`.
pub(super) fn clear<'c, 'a>(
    _: typed::TableClear<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let table = site.one(typed::TableClear::TABLE_OPERAND)?;
    site.emit.call("pyopt_table_clear", &[table], &[]);
    Ok(vec![])
}

/// Lowers `typed.dict_view`, which is its dict.
pub(super) fn view<'c, 'a>(_: typed::DictView<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    Ok(vec![site.operands[typed::DictView::DICT_OPERAND].clone()])
}

/// Lowers `typed.viewed_dict`.
pub(super) fn viewed<'c, 'a>(
    _: typed::ViewedDict<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    Ok(vec![site.operands[typed::ViewedDict::VIEW_OPERAND].clone()])
}

fn table_of(r#type: Type<'_>) -> PassResult<Table<'_>> {
    match Table::of(r#type) {
        Some(table) => Ok(table),
        None => refuse(format!("{type} is no dict or set")),
    }
}

/// The address of an entry's key, or of its value, in the table that is an operand.
fn part<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    table: usize,
    entry: Value<'c, 'a>,
    is_value: bool,
) -> PassResult<Value<'c, 'a>> {
    let e = &site.emit;
    let of = table_of(site.operand_type(table))?;
    let words = e.i64(of.parts().map(slot_count).sum::<usize>() as i64);
    let entries = header(site, site.one(table)?, ITEMS, e.ptr());
    let word = e.bin(arith::MulI::NAME, entry, words);
    let address = e.offset(entries, word, e.i(64));
    Ok(match is_value {
        true => e.offset_by(address, slot_count(of.key) as i32, e.i(64)),
        false => address,
    })
}

/// Writes an operand to where a part of an entry is.
fn write<'c, 'a>(site: &Site<'_, 'c, 'a>, operand: usize, address: Value<'c, 'a>) -> PassResult {
    let r#type = site.operand_type(operand);
    match Slots::new(&site.emit, address).write(r#type, &site.operands[operand]) {
        Some(()) => Ok(()),
        None => refuse(format!("a dict or set can't hold values of type {type}")),
    }
}

/// Notes that the table that is an operand changed.
fn note_change<'c, 'a>(site: &Site<'_, 'c, 'a>, table: usize) -> PassResult {
    let e = &site.emit;
    set_header(e, e.i64(1), site.one(table)?, CHANGED);
    Ok(())
}
