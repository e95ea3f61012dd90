//! Operands, results, regions, successors and attributes by position and name.

use super::{FromAttribute, ToAttribute};
use crate::attributes::AttributeExt;
use melior::{
    StringRef,
    ir::{Attribute, AttributeLike, BlockRef, OperationRef, RegionRef, Value, ValueLike},
};
use mlir_sys::{
    mlirOperationGetAttributeByName, mlirOperationGetContext, mlirOperationGetNumOperands,
    mlirOperationGetNumRegions, mlirOperationGetNumResults, mlirOperationGetNumSuccessors,
    mlirOperationGetOperand, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationGetSuccessor, mlirOperationRemoveAttributeByName, mlirOperationSetAttributeByName,
    mlirOperationSetOperand, mlirOperationSetOperands,
};
use std::ops::Range;

/// The attribute with the number of operands in each group.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";

/// The attribute with the number of results in each group.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The operand at a position.
#[inline]
pub fn operand<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    assert!(index < operand_count(operation), "no operand {index}");
    // SAFETY: the operation is valid and has the operand.
    unsafe { Value::from_raw(mlirOperationGetOperand(operation.to_raw(), index as isize)) }
}

/// The result at a position.
#[inline]
pub fn result<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    assert!(index < result_count(operation), "no result {index}");
    // SAFETY: the operation is valid and has the result.
    unsafe { Value::from_raw(mlirOperationGetResult(operation.to_raw(), index as isize)) }
}

/// The operands at some positions.
pub fn operands<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    range: Range<usize>,
) -> Vec<Value<'c, 'a>> {
    range.map(|index| operand(operation, index)).collect()
}

/// The results at some positions.
pub fn results<'c, 'a>(operation: OperationRef<'c, 'a>, range: Range<usize>) -> Vec<Value<'c, 'a>> {
    range.map(|index| result(operation, index)).collect()
}

/// The operand of a group of at most one.
pub fn optional_operands<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    mut range: Range<usize>,
) -> Option<Value<'c, 'a>> {
    range.next().map(|index| operand(operation, index))
}

/// The result of a group of at most one.
pub fn optional_results<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    mut range: Range<usize>,
) -> Option<Value<'c, 'a>> {
    range.next().map(|index| result(operation, index))
}

/// The positions of a group of operands, by the attribute that tells the sizes.
pub fn operand_segment(operation: OperationRef, group: usize) -> Range<usize> {
    segment(operation, OPERAND_SEGMENTS, group)
}

/// The positions of a group of results, by the attribute that tells the sizes.
pub fn result_segment(operation: OperationRef, group: usize) -> Range<usize> {
    segment(operation, RESULT_SEGMENTS, group)
}

fn segment(operation: OperationRef, key: &str, group: usize) -> Range<usize> {
    let sizes: Vec<i32> = attribute(operation, key);
    let start = sizes[..group].iter().sum::<i32>() as usize;
    start..start + sizes[group] as usize
}

/// The positions of the group of operands `group` of `groups`, of which `variadic` share what is
/// left by the others evenly and `before` of these stand before it.
pub fn operand_range(
    operation: OperationRef,
    group: usize,
    before: usize,
    variadic: usize,
    groups: usize,
    is_variadic: bool,
) -> Range<usize> {
    let count = operand_count(operation);
    even_range(count, group, before, variadic, groups, is_variadic)
}

/// As [`operand_range`], for results.
pub fn result_range(
    operation: OperationRef,
    group: usize,
    before: usize,
    variadic: usize,
    groups: usize,
    is_variadic: bool,
) -> Range<usize> {
    let count = result_count(operation);
    even_range(count, group, before, variadic, groups, is_variadic)
}

fn even_range(
    count: usize,
    group: usize,
    before: usize,
    variadic: usize,
    groups: usize,
    is_variadic: bool,
) -> Range<usize> {
    let each = (count - (groups - variadic)) / variadic.max(1);
    let start = group - before + before * each;
    start..start + if is_variadic { each } else { 1 }
}

/// Replaces an operand.
pub fn set_operand<'c>(operation: OperationRef<'c, '_>, index: usize, value: Value<'c, '_>) {
    assert!(index < operand_count(operation), "no operand {index}");
    // SAFETY: operation and value are valid and the operation has the operand.
    unsafe { mlirOperationSetOperand(operation.to_raw(), index as isize, value.to_raw()) }
}

/// Replaces the operands at some positions, which are the group `segment` where an attribute tells
/// the sizes of groups.
pub fn set_operands<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    range: Range<usize>,
    segment: Option<usize>,
    values: &[Value<'c, 'a>],
) {
    let mut all = operands(operation, 0..operand_count(operation));
    all.splice(range, values.iter().copied());
    // SAFETY: operation and values are valid; a value is a transparent pointer.
    unsafe {
        mlirOperationSetOperands(operation.to_raw(), all.len() as isize, all.as_ptr().cast());
    }
    if let Some(segment) = segment {
        let mut sizes: Vec<i32> = attribute(operation, OPERAND_SEGMENTS);
        sizes[segment] = values.len() as i32;
        set_attribute(operation, OPERAND_SEGMENTS, Some(&sizes[..]));
    }
}

/// The region at a position.
pub fn region<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> RegionRef<'c, 'a> {
    // SAFETY: the operation is valid.
    let count = unsafe { mlirOperationGetNumRegions(operation.to_raw()) };
    assert!((index as isize) < count, "no region {index}");
    // SAFETY: it has the region.
    unsafe { RegionRef::from_raw(mlirOperationGetRegion(operation.to_raw(), index as isize)) }
}

/// The regions from a position on.
pub fn regions<'c, 'a>(operation: OperationRef<'c, 'a>, first: usize) -> Vec<RegionRef<'c, 'a>> {
    // SAFETY: the operation is valid.
    let count = unsafe { mlirOperationGetNumRegions(operation.to_raw()) } as usize;
    (first..count)
        .map(|index| region(operation, index))
        .collect()
}

/// The successor at a position.
pub fn successor<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> BlockRef<'c, 'a> {
    // SAFETY: the operation is valid.
    let count = unsafe { mlirOperationGetNumSuccessors(operation.to_raw()) };
    assert!((index as isize) < count, "no successor {index}");
    // SAFETY: it has the successor.
    unsafe {
        BlockRef::from_raw(mlirOperationGetSuccessor(
            operation.to_raw(),
            index as isize,
        ))
    }
}

/// The successors from a position on.
pub fn successors<'c, 'a>(operation: OperationRef<'c, 'a>, first: usize) -> Vec<BlockRef<'c, 'a>> {
    // SAFETY: the operation is valid.
    let count = unsafe { mlirOperationGetNumSuccessors(operation.to_raw()) } as usize;
    (first..count)
        .map(|index| successor(operation, index))
        .collect()
}

/// An attribute that verified operations have.
///
/// # Panics
///
/// When it is missing or of another kind.
pub fn attribute<'c, T: FromAttribute<'c>>(operation: OperationRef<'c, '_>, key: &str) -> T {
    optional_attribute(operation, key)
        .unwrap_or_else(|| panic!("an operation has no usable attribute '{key}'"))
}

/// An attribute that may be missing.
pub fn optional_attribute<'c, T: FromAttribute<'c>>(
    operation: OperationRef<'c, '_>,
    key: &str,
) -> Option<T> {
    T::from_attribute(find(operation, key)?)
}

/// Whether a unit attribute is there.
pub fn has_attribute(operation: OperationRef, key: &str) -> bool {
    find(operation, key).is_some_and(|attribute| attribute.bool_value() != Some(false))
}

fn find<'c>(operation: OperationRef<'c, '_>, key: &str) -> Option<Attribute<'c>> {
    // SAFETY: operation and key are valid; an attribute lives as long as the context.
    unsafe {
        Attribute::from_option_raw(mlirOperationGetAttributeByName(
            operation.to_raw(),
            StringRef::new(key).to_raw(),
        ))
    }
}

/// Sets an attribute, or takes it away.
pub fn set_attribute<'c>(
    operation: OperationRef<'c, '_>,
    key: &str,
    value: Option<impl ToAttribute<'c>>,
) {
    // SAFETY: operation and key are valid; the context outlives the operation.
    unsafe {
        let key = StringRef::new(key).to_raw();
        let Some(value) = value else {
            mlirOperationRemoveAttributeByName(operation.to_raw(), key);
            return;
        };
        // `to_ref` borrows the reference itself, which has to live as long as it is used.
        let context = melior::ContextRef::from_raw(mlirOperationGetContext(operation.to_raw()));
        let value = value.to_attribute(context.to_ref());
        mlirOperationSetAttributeByName(operation.to_raw(), key, value.to_raw());
    }
}

fn operand_count(operation: OperationRef) -> usize {
    // SAFETY: the operation is valid.
    unsafe { mlirOperationGetNumOperands(operation.to_raw()) as usize }
}

fn result_count(operation: OperationRef) -> usize {
    // SAFETY: the operation is valid.
    unsafe { mlirOperationGetNumResults(operation.to_raw()) as usize }
}
