//! Values of the last iteration that are live out of the loop, its induction variable among them.

use super::body::{argument, body, init, next};
use crate::{
    analysis::effects::{Footprint, Raises, any_alias},
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, OperationInterfaces, ValueExt,
        emit::{Emit, mapped},
        ops::{arith, scf},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::array_type;

/// Recomputes such values after the loop, where they depend only on the induction variable and on
/// arrays that the loop doesn't write to.
pub(super) fn resolve<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: scf::For<'c, 'a>) {
    let footprint = Footprint::of(*operation);
    for position in 0..operation.result_values().len() {
        let result = operation.result_value(position);
        if !result.has_uses() || argument(operation, position).has_uses() {
            continue;
        }
        let mut needed = Vec::new();
        if !footprint.unknown
            && computable(
                operation,
                &footprint,
                next(operation, position),
                &mut needed,
            )
        {
            recompute(builder, operation, position, &needed);
        }
    }
}

/// Whether a value can be computed after the loop as well; `needed` are the operations for it, in
/// order.
fn computable<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    footprint: &Footprint<'c, 'a>,
    value: Value<'c, 'a>,
    needed: &mut Vec<OperationRef<'c, 'a>>,
) -> bool {
    let outside = |block: BlockRef<'c, 'a>| {
        let parent = block.parent();
        parent.is_none_or(|parent| !parent.is_within(*operation))
    };
    if outside(value.defining_block()) {
        return true;
    }
    let Some(maker) = value.defining_op() else {
        return value == body(operation).argument_value(0);
    };
    if needed.contains(&maker) {
        return true;
    }
    let own = Footprint::of(maker);
    let plain = !own.writes_anything()
        && own.raises == Raises::Nothing
        && !any_alias(&own.reads, &footprint.writes)
        && !any_alias(&made(maker), &footprint.writes);
    let inside = |one: Value<'c, 'a>| one.is_inside(maker);
    let ready = plain
        && maker.pre_order().into_iter().all(|one| {
            one.operand_values()
                .into_iter()
                .all(|operand| inside(operand) || computable(operation, footprint, operand, needed))
        });
    if ready {
        needed.push(maker);
    }
    ready
}

/// The arrays that an operation makes: made again, they lack what the loop has written to them.
fn made<'c: 'a, 'a>(maker: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    if maker.view_source().is_some() {
        return Vec::new();
    }
    let results = maker.result_values().into_iter();
    results
        .filter(|result| array_type(result.ty()).is_some())
        .collect()
}

fn recompute<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
    position: usize,
    needed: &[OperationRef<'c, 'a>],
) {
    builder.after(*operation).at(operation.location());
    let upper = operation.upper_bound();
    let any = builder.cmpi(CmpInt::Sgt, upper, builder.index(0));
    let result = operation.result_value(position);
    let (made, yes, no) = builder.scf_if(any, &[result.ty()]);
    builder.at_end(yes);
    let last = builder.bin(arith::SubI::NAME, upper, builder.index(1));
    let mut mapping = vec![(body(operation).argument_value(0), last)];
    for maker in needed {
        let copy = builder.clone_op(*maker, &mapping);
        mapping.extend(maker.result_values().into_iter().zip(copy.result_values()));
    }
    builder.scf_yield(&[mapped(&mapping, next(operation, position))]);
    builder.at_end(no);
    builder.scf_yield(&[init(operation, position)]);
    result.replace_all_uses(made.result_value(0));
}
