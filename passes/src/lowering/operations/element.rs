//! Elements of arrays.

use super::{
    Lowered, Site,
    array::{WrapAround, indices, operand_array, parts},
    complex,
};
use crate::{
    infra::{
        CmpInt, OperationExt, PassResult, ValueExt,
        ops::{arith, memref, typed},
    },
    loops::alias_scopes::{ALIAS_SCOPES, NOALIAS_SCOPES},
    lowering::{emit::Emit, types::memory_element},
    types::layout::{complex_part, element_size},
};
use melior::ir::{Attribute, OperationRef, Type, Value};
use pyopt_dialects::typed::{ArrayType, Layout};

/// Lowers `typed.load`.
pub(super) fn load<'c, 'a>(op: typed::Load<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::Load::ARRAY_OPERAND;
    let (array, values) = (operand_array(site, at)?, &site.operands[at]);
    let wraparound = match op.wraparound() {
        true => WrapAround::Rarely,
        false => WrapAround::Never,
    };
    let indices = indices(site, (array, values), op.indices_range(), wraparound)?;
    let memory = memory_element(e.context(), array.element);

    let value = if array.layout == Layout::Bytes {
        let address = byte_address(e, array, values, &indices);
        load_at(e, address, memory, Some(1))
    } else {
        let load = memref::Load::create(e, site.one_memref(at)?, &indices);
        copy_scopes(*op, *load);
        load.result()
    };
    Ok(vec![vec![from_memory(e, value, array.element)]])
}

/// Lowers `typed.store`.
pub(super) fn store<'c, 'a>(op: typed::Store<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::Store::ARRAY_OPERAND;
    let (array, values) = (operand_array(site, at)?, &site.operands[at]);
    let wraparound = match op.wraparound() {
        // A load that has the same index computes where it is.
        true if op.indices().into_iter().any(is_loaded_from) => WrapAround::Rarely,
        true => WrapAround::Unawaited,
        false => WrapAround::Never,
    };
    let indices = indices(site, (array, values), op.indices_range(), wraparound)?;
    let value = to_memory(e, site.one(typed::Store::VALUE_OPERAND)?, array.element);

    if array.layout == Layout::Bytes {
        let address = byte_address(e, array, values, &indices);
        store_at(e, value, address, Some(1));
    } else {
        let store = memref::Store::create(e, value, site.one_memref(at)?, &indices);
        copy_scopes(*op, *store);
    }
    Ok(vec![])
}

fn is_loaded_from(index: Value) -> bool {
    index
        .users()
        .into_iter()
        .any(|user| user.isa::<typed::Load>())
}

/// Gives an access what another says about what it may share memory with.
fn copy_scopes<'c>(from: OperationRef<'c, '_>, to: OperationRef<'c, '_>) {
    for (name, list) in scopes(from) {
        to.set_attr(name, list);
    }
}

/// The attributes of an access that say what it may share memory with.
pub(in crate::lowering) fn scopes<'c>(
    access: OperationRef<'c, '_>,
) -> Vec<(&'static str, Attribute<'c>)> {
    [ALIAS_SCOPES, NOALIAS_SCOPES]
        .into_iter()
        .filter_map(|name| Some((name, access.attr(name)?)))
        .collect()
}

impl<'c, 'a> Site<'_, 'c, 'a> {
    /// The memref of an array operand.
    fn one_memref(&self, index: usize) -> PassResult<Value<'c, 'a>> {
        match self.operands[index].first() {
            Some(memref) => Ok(*memref),
            None => super::refuse("the array has no memref"),
        }
    }
}

fn byte_address<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
    indices: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let parts = parts(e, array, values);
    indices
        .iter()
        .zip(&parts.strides)
        .fold(parts.data, |address, (index, stride)| {
            let index = e.index_cast(*index, e.i(64));
            e.offset(address, e.bin(arith::MulI::NAME, index, *stride), e.i(8))
        })
}

/// Converts an element from its memory type to its value type: a bool is an `i1`.
pub(super) fn from_memory<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    element: Type<'c>,
) -> Value<'c, 'a> {
    if element == e.i(1) {
        return e.cmpi(CmpInt::Ne, value, e.int(value.ty(), 0));
    }
    value
}

/// Converts an element from its value type to its memory type: a bool is a byte.
pub(super) fn to_memory<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    element: Type<'c>,
) -> Value<'c, 'a> {
    if element == e.i(1) {
        return e.to(arith::ExtUI::NAME, value, e.i(8));
    }
    value
}

/// Loads an element of a memory type from an address.
pub(in crate::lowering) fn load_at<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    address: Value<'c, 'a>,
    r#type: Type<'c>,
    alignment: Option<i64>,
) -> Value<'c, 'a> {
    let Some(part) = complex_part(r#type) else {
        return e.load(address, r#type, alignment);
    };
    let imaginary = e.offset_by(address, element_size(part) as i32, e.i(8));
    let re = e.load(address, part, alignment);
    let im = e.load(imaginary, part, alignment);
    complex::create(e, r#type, re, im)
}

/// Stores an element of a memory type at an address.
pub(in crate::lowering) fn store_at<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    address: Value<'c, 'a>,
    alignment: Option<i64>,
) {
    let Some(part) = complex_part(value.ty()) else {
        return e.store(value, address, alignment);
    };
    let imaginary = e.offset_by(address, element_size(part) as i32, e.i(8));
    let (re, im) = complex::parts(e, value);
    e.store(re, address, alignment);
    e.store(im, imaginary, alignment);
}
