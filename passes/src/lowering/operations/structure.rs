//! Structures that all their names share: the runtime's lists, of one tuple each.

use super::{
    Lowered, Site,
    alloc::HEADER,
    array::{self, Parts, owners, to_bytes},
    list::{self, field},
    refuse,
};
use crate::{
    infra::{
        CmpInt, PassResult,
        ops::{arith, llvm, typed},
    },
    lowering::{emit::Emit, slots::Slots, types},
    types::layout::{element_size, slot_count, tuple_elements},
};
use melior::ir::{Type, Value};
use pyopt_dialects::typed::{ArrayType, TypedType};

/// Lowers `typed.struct_new`.
pub(super) fn new<'c, 'a>(_: typed::StructNew<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    list::make(site, "pyopt_struct_new")
}

/// Where the words of a structure's fields begin, in words from the start of the owner: behind the list.
const FIELDS: i32 = 14;

/// Lowers `typed.field_get`.
pub(super) fn get<'c, 'a>(op: typed::FieldGet<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let r#type = site.result_type();
    let address = address(site, typed::FieldGet::STRUCTURE_OPERAND, op.position())?;
    let values = read(e, address, r#type)?;
    list::acquire_taken(*op, site, &values);
    Ok(vec![values])
}

/// Lowers `typed.field_set`.
pub(super) fn set<'c, 'a>(op: typed::FieldSet<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let value = typed::FieldSet::VALUE_OPERAND;
    let r#type = site.operand_type(value);
    let address = address(site, typed::FieldSet::STRUCTURE_OPERAND, op.position())?;
    // What the field had may be the last reference to what it gets.
    let before = match owners(e, r#type, &site.operands[value]).is_empty() {
        true => Vec::new(),
        false => owners(e, r#type, &read(e, address, r#type)?),
    };
    for owner in owners(e, r#type, &site.operands[value]) {
        e.call("pyopt_acquire", &[owner], &[]);
    }
    if Slots::new(e, address)
        .write(r#type, &site.operands[value])
        .is_none()
    {
        return refuse(format!("a structure can't have fields of type {type}"));
    }
    for owner in before {
        e.call("pyopt_release", &[owner], &[]);
    }
    Ok(vec![])
}

/// Lowers `typed.keep`.
pub(super) fn keep<'c, 'a>(_: typed::Keep<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let operand = typed::Keep::VALUE_OPERAND;
    let (r#type, values) = (site.operand_type(operand), &site.operands[operand]);
    Ok(vec![kept(&site.emit, r#type, values)])
}

/// The values of one that may outlive the call.
fn kept<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    r#type: Type<'c>,
    values: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let mut made = values.to_vec();
    let keep = |owner: &mut Value<'c, 'a>| {
        *owner = e.call_value("pyopt_keep", &[*owner], e.ptr());
    };
    match TypedType::from(r#type) {
        TypedType::Array(array) if array.readonly => {
            let mut parts = array::parts(e, array, values);
            keep_constant(e, &mut parts, array);
            made = array::assemble(e, array, &parts);
        }
        TypedType::Array(_) => made.last_mut().into_iter().for_each(keep),
        TypedType::Str | TypedType::Bytes => {
            let [address, length, width, owner] = values[..] else {
                return made;
            };
            let width = e.to(arith::ExtUI::NAME, width, e.i(64));
            let bytes = e.bin(arith::MulI::NAME, length, width);
            let (address, owner) = keep_bytes(e, address, (e.i64(0), bytes), owner);
            (made[0], made[3]) = (address, owner);
        }
        TypedType::List(_)
        | TypedType::Dict(_)
        | TypedType::Set(_)
        | TypedType::DictView(..)
        | TypedType::Generator(..) => made.iter_mut().take(1).for_each(keep),
        TypedType::Optional(inner) | TypedType::Unbound(inner) => {
            let flag = values.len() - 1;
            made.splice(..flag, kept(e, inner, &values[..flag]));
        }
        _ => {
            let mut at = 0;
            for element in tuple_elements(r#type).unwrap_or_default() {
                let count = types::convert(e.context(), element).map_or(0, |types| types.len());
                let part = at..at + count;
                made.splice(part.clone(), kept(e, element, &values[part]));
                at += count;
            }
        }
    }
    made
}

/// Gives an array that may be a constant of the code memory that outlives the code.
fn keep_constant<'c, 'a>(e: &Emit<'_, 'c, 'a>, parts: &mut Parts<'c, 'a>, array: ArrayType<'c>) {
    let zero = e.i64(0);
    let mut first = zero;
    let mut behind = e.i64(element_size(array.element));
    let mut is_empty = e.int(e.i(1), 0);
    for (size, stride) in parts.sizes.iter().zip(&parts.strides) {
        let last = e.bin(arith::SubI::NAME, *size, e.i64(1));
        let step = to_bytes(e, array, *stride);
        let reach = e.bin(arith::MulI::NAME, last, step);
        let down = e.bin(arith::MinSI::NAME, reach, zero);
        let up = e.bin(arith::MaxSI::NAME, reach, zero);
        first = e.bin(arith::AddI::NAME, first, down);
        behind = e.bin(arith::AddI::NAME, behind, up);
        is_empty = e.bin(arith::OrI::NAME, is_empty, e.cmpi(CmpInt::Eq, *size, zero));
    }
    let bytes = e.bin(arith::SubI::NAME, behind, first);
    let bytes = e.select(is_empty, zero, bytes);
    let range = (first, bytes);
    (parts.data, parts.owner) = keep_bytes(e, parts.data, range, parts.owner);
}

/// Gives the address and the owner of data that may outlive the code: constants of the code have no
/// owner, and are copied. `range` says where the data begins, from the address, and how many bytes it has.
fn keep_bytes<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    address: Value<'c, 'a>,
    (first, bytes): (Value<'c, 'a>, Value<'c, 'a>),
    owner: Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>) {
    let start = e.offset(address, first, e.i(8));
    let kept = e.call_value("pyopt_keep_bytes", &[owner, start, bytes], e.ptr());
    let null = e.zero(e.ptr());
    let is_null = |owner| llvm::ICmp::create(e, llvm::ICmpPredicate::Eq, owner, null).res();
    let had_none = is_null(owner);
    let is_copied = e.select(is_null(kept), e.int(e.i(1), 0), had_none);
    let back = e.bin(arith::SubI::NAME, e.i64(i64::from(HEADER)), first);
    let copied = e.offset(kept, back, e.i(8));
    let address = llvm::Select::create(e, is_copied, copied, address).res();
    (address, kept)
}

/// Where a field of the structure that is an operand is.
fn address<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    structure: usize,
    position: i64,
) -> PassResult<Value<'c, 'a>> {
    let e = &site.emit;
    let TypedType::List(fields) = TypedType::from(site.operand_type(structure)) else {
        return refuse("the operand is no structure");
    };
    let fields = tuple_elements(fields).unwrap_or_default();
    let before: usize = fields
        .into_iter()
        .take(position as usize)
        .map(slot_count)
        .sum();
    Ok(field(e, site.one(structure)?, FIELDS + before as i32))
}

fn read<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    address: Value<'c, 'a>,
    r#type: Type<'c>,
) -> PassResult<Vec<Value<'c, 'a>>> {
    match Slots::new(e, address).read(r#type) {
        Some(values) => Ok(values),
        None => refuse(format!("a structure can't have fields of type {type}")),
    }
}
