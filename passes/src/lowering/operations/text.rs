//! Constants, and operations on str, bytes and range.

use super::{Lowered, Site, binary::predicate, cast, complex, refuse};
use crate::{
    analysis::affine::constant_of,
    infra::{
        AttributeExt, CmpInt, PassResult, ValueExt,
        ops::{arith, typed},
    },
    lowering::{emit::Emit, types::convert},
    types::layout::complex_part,
};
use melior::ir::{Attribute, Type, Value, attribute::StringAttribute};
use pyopt_dialects::{enums::CompareKind, typed::TypedType};
use pyopt_frontend::attributes::attribute_bytes;

/// Lowers `typed.constant`.
pub(super) fn constant<'c, 'a>(
    op: typed::Constant<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let r#type = site.result_type();
    let value = op.value();
    if let (TypedType::Bytes, Ok(bytes)) =
        (TypedType::from(r#type), StringAttribute::try_from(value))
    {
        return Ok(vec![bytes_constant(e, attribute_bytes(bytes))]);
    }
    if let Some(text) = value.string_value() {
        return Ok(vec![text_constant(e, text)]);
    }
    let number = match (complex_part(r#type), value.elements()) {
        (Some(part), Some(parts)) if parts.len() == 2 => {
            let (re, im) = (number(e, part, parts[0]), number(e, part, parts[1]));
            re.zip(im)
                .map(|(re, im)| complex::create(e, r#type, re, im))
        }
        _ => convert(e.context(), r#type).and_then(|types| number(e, *types.first()?, value)),
    };
    match number {
        Some(value) => Ok(vec![vec![value]]),
        None => refuse(format!("constant {value} has no run-time form")),
    }
}

fn number<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    r#type: Type<'c>,
    value: Attribute<'c>,
) -> Option<Value<'c, 'a>> {
    match value.float_value() {
        Some(number) => Some(e.float(r#type, number)),
        None => value.integer_value().map(|number| e.int(r#type, number)),
    }
}

/// A bytes object: the bytes are its code units.
fn bytes_constant<'c, 'a>(e: &Emit<'_, 'c, 'a>, bytes: &[u8]) -> Vec<Value<'c, 'a>> {
    let address = e.data(bytes.to_vec());
    let length = e.i64(bytes.len() as i64);
    vec![address, length, e.int(e.i(32), 1), e.zero(e.ptr())]
}

/// A str in the narrowest of CPython's forms: one, two or four bytes a code point.
fn text_constant<'c, 'a>(e: &Emit<'_, 'c, 'a>, text: &str) -> Vec<Value<'c, 'a>> {
    let widest = text.chars().map(u32::from).max().unwrap_or(0);
    let width = match widest {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 4,
    };
    let units = text
        .chars()
        .flat_map(|unit| u32::from(unit).to_le_bytes().into_iter().take(width))
        .collect();
    let address = e.data(units);
    let length = e.i64(text.chars().count() as i64);
    // What the code itself holds has no owner.
    vec![
        address,
        length,
        e.int(e.i(32), width as i64),
        e.zero(e.ptr()),
    ]
}

/// Lowers `typed.item`.
pub(super) fn item<'c, 'a>(_: typed::Item<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (operand, position) = (typed::Item::OPERAND_OPERAND, typed::Item::POSITION_OPERAND);
    let from = site.operand_type(position);
    let values = &site.operands[operand];
    let position = site.one(position)?;
    match TypedType::from(site.operand_type(operand)) {
        TypedType::Range(element) => {
            let Some(position) = cast::cast(e, position, from, element) else {
                return refuse("the position is no integer");
            };
            let distance = e.bin(arith::MulI::NAME, position, values[2]);
            Ok(vec![vec![e.bin(arith::AddI::NAME, values[0], distance)]])
        }
        TypedType::Str => {
            let position = e.index_cast(cast_to_index(e, position, from)?, e.i(64));
            let width = e.to(arith::ExtUI::NAME, values[2], e.i(64));
            let address = e.offset(values[0], e.bin(arith::MulI::NAME, position, width), e.i(8));
            Ok(vec![vec![address, e.i64(1), values[2], values[3]]])
        }
        TypedType::Bytes => {
            let position = e.index_cast(cast_to_index(e, position, from)?, e.i(64));
            let byte = e.load(e.offset(values[0], position, e.i(8)), e.i(8), None);
            Ok(vec![vec![e.to(arith::ExtUI::NAME, byte, e.i(64))]])
        }
        _ => refuse(format!("{} has no items", site.operand_type(operand))),
    }
}

/// Whether two texts of the same length are equal. Those of one small character, as loops over characters
/// compare, are a byte each: no call. What is known to be one character is never compared by a call, which would
/// be in the way of what LLVM does to such loops.
fn equal_of_same_length<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: &[Value<'c, 'a>],
    y: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let widths = e.bin(arith::OrI::NAME, x[2], y[2]);
    let are_small = e.cmpi(CmpInt::Eq, widths, e.int(widths.ty(), 1));
    let bytes = || {
        let [x, y] = [x[0], y[0]].map(|units| e.load(units, e.i(8), None));
        vec![e.cmpi(CmpInt::Eq, x, y)]
    };
    if [x, y].iter().any(|text| constant_of(text[1]) == Some(1)) {
        let characters = || vec![e.cmpi(CmpInt::Eq, character(e, x), character(e, y))];
        return e.if_else(are_small, &[e.i(1)], bytes, characters)[0];
    }
    let is_one = e.cmpi(CmpInt::Eq, x[1], e.i64(1));
    let call = || {
        let arguments = [&x[..3], &y[..3]].concat();
        let equal = e.call_value("pyopt_str_equal", &arguments, e.i(32));
        vec![e.to(arith::TruncI::NAME, equal, e.i(1))]
    };
    e.if_else(e.and(is_one, are_small), &[e.i(1)], bytes, call)[0]
}

/// The first character of a text that has one.
fn character<'c, 'a>(e: &Emit<'_, 'c, 'a>, text: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let has_width = |width: i64| e.cmpi(CmpInt::Eq, text[2], e.int(text[2].ty(), width));
    let unit = |bits: u32| {
        let unit = e.load(text[0], e.i(bits), None);
        if bits == 32 {
            return vec![unit];
        }
        vec![e.to(arith::ExtUI::NAME, unit, e.i(32))]
    };
    e.if_else(
        has_width(1),
        &[e.i(32)],
        || unit(8),
        || e.if_else(has_width(2), &[e.i(32)], || unit(16), || unit(32)),
    )[0]
}

/// An integer as `index`.
pub(super) fn cast_to_index<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    from: Type<'c>,
) -> PassResult<Value<'c, 'a>> {
    match cast::cast(e, x, from, e.index_type()) {
        Some(index) => Ok(index),
        None => refuse(format!("{from} is no integer")),
    }
}

/// Compares two strs by code points, or two bytes objects.
pub(super) fn compare<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: CompareKind,
    x: &[Value<'c, 'a>],
    y: &[Value<'c, 'a>],
) -> PassResult<Value<'c, 'a>> {
    if let CompareKind::Eq | CompareKind::Ne = kind {
        // Texts of other lengths aren't looked at.
        let same_length = e.cmpi(CmpInt::Eq, x[1], y[1]);
        let equal = e.if_else(
            same_length,
            &[e.i(1)],
            || vec![equal_of_same_length(e, x, y)],
            || vec![e.bool(false)],
        );
        return Ok(match kind {
            CompareKind::Eq => equal[0],
            _ => e.bin(arith::XOrI::NAME, equal[0], e.bool(true)),
        });
    }
    let arguments = [&x[..3], &y[..3]].concat();
    let order = e.call_value("pyopt_compare_str", &arguments, e.i(32));
    Ok(e.cmpi(predicate(kind, false), order, e.int(order.ty(), 0)))
}
