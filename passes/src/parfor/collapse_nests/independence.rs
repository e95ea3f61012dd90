//! Whether the iterations of a serial loop may run at the same time.

use crate::{
    analysis::{
        affine::counts_with,
        effects::{Footprint, may_alias},
        element_access::ElementAccess,
    },
    infra::{
        OperationExt, ValueExt,
        disjoint::Disjoint,
        ops::{scf, typed},
        view_root,
    },
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::{Layout, array_type};

/// Whether each store in a loop, which the program says is parallel, is to an element that depends on the
/// iteration; where the array is read, too, to one that no other iteration stores to. Others are what
/// reductions into elements do, `sums[i] += …` and `counts[i, digits[j]] += 1`, which are right as long
/// as the loop is serial.
pub(super) fn stores_differ<'c: 'a, 'a>(
    each: OperationRef<'c, 'a>,
    position: Value<'c, 'a>,
) -> bool {
    let loads = each.nested_ops::<typed::Load>().into_iter();
    let read: Vec<_> = loads.map(|load| view_root(load.array())).collect();
    let is_fixed = |value: Value<'c, 'a>| !value.is_inside(each);
    let mut stores = each.nested_ops::<typed::Store>().into_iter();
    stores.all(|store| {
        let mut indices = store.indices().into_iter();
        match read.contains(&view_root(store.array())) {
            true => indices.any(|index| counts_with(index, position, &is_fixed)),
            false => indices.any(|index| depends(index, position, each)),
        }
    })
}

/// Whether a value is computed of another one in a loop.
fn depends<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    position: Value<'c, 'a>,
    each: OperationRef<'c, 'a>,
) -> bool {
    let inside = value
        .defining_op()
        .filter(|operation| operation.is_within(each));
    value == position
        || inside.is_some_and(|operation| {
            let mut operands = operation.operand_values().into_iter();
            operands.any(|operand| depends(operand, position, each))
        })
}

/// The arrays that must be disjoint for the iterations of a loop to be independent; `None` if they aren't
/// in any case. Each element that is stored to is accessed in one iteration alone: an index of it is the
/// induction variable plus what is the same in all iterations, and other accesses to the array are to
/// the same element.
pub(super) fn disjoint_arrays<'c: 'a, 'a>(
    nest: OperationRef<'c, 'a>,
    each: scf::For<'c, 'a>,
    position: Value<'c, 'a>,
) -> Option<Disjoint<'c, 'a>> {
    let footprint = Footprint::of(*each);
    let accesses = each.pre_order().into_iter().filter_map(ElementAccess::of);
    let accesses: Vec<_> = accesses.collect();
    let stores = || {
        let accesses = accesses.iter();
        accesses.filter(|access| matches!(access, ElementAccess::Store(_)))
    };
    if footprint.unknown || footprint.writes.len() != stores().count() {
        return None;
    }
    let is_fixed = |value: Value<'c, 'a>| !value.is_inside(*each);
    let mut pairs = Disjoint::default();
    for store in stores() {
        let target = store.array();
        let layout = array_type(target.ty()).map(|array| array.layout);
        let counts = |index: &Value<'c, 'a>| counts_with(*index, position, &is_fixed);
        if target.is_inside(nest)
            || !matches!(layout, Some(Layout::C | Layout::F))
            || store.wraparound()
            || !store.indices().iter().any(counts)
        {
            return None;
        }
        let of_target = |access: &&ElementAccess<'c, 'a>| access.array() == target;
        let mut same = accesses.iter().filter(of_target);
        if !same.all(|other| other.indices() == store.indices()) {
            return None;
        }
        // Nothing reads it otherwise, such as all of it at once.
        let loads = (accesses.iter().filter(of_target))
            .filter(|access| matches!(access, ElementAccess::Load(_)));
        let reads = footprint.reads.iter().filter(|read| **read == target);
        if reads.count() != loads.count() {
            return None;
        }
        for other in footprint.reads.iter().chain(&footprint.writes) {
            if *other == target || !may_alias(*other, target) {
                continue;
            }
            if other.is_inside(nest) {
                return None;
            }
            pairs.require(target, *other);
        }
    }
    Some(pairs)
}
