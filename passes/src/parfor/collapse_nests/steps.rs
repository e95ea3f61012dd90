//! Reductions of an inner loop that are part of the outer one's.

use crate::{
    analysis::{
        nest::Nest,
        reduction::{Combination, identity_attribute, neutral_attribute, operator},
    },
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{scf, typed},
    },
};
use melior::{
    Context,
    ir::{OperationRef, Value},
};
use pyopt_dialects::enums::CombineKind;

/// What an iteration of an inner loop does to a reduction.
pub(super) struct Step<'c, 'a> {
    /// What it contributes.
    pub contribution: Value<'c, 'a>,
    /// Where the loop carries the value: the operation that combines it with the contribution, and what
    /// it starts with.
    pub carried: Option<(OperationRef<'c, 'a>, Value<'c, 'a>)>,
}

/// What an inner loop does to each reduction of the nest; `None` if it does something else. The results
/// of the inner loop are what an iteration of the outer one contributes, in order, and nothing more; each
/// starts with what changes nothing.
pub(super) fn steps<'c: 'a, 'a>(
    context: &'c Context,
    nest: &Nest<'c, 'a>,
    inner: OperationRef<'c, 'a>,
) -> Option<Vec<Step<'c, 'a>>> {
    let results = inner.result_values();
    if results != nest.yielded() || results.iter().any(|result| result.uses().len() != 1) {
        return None;
    }
    let of_inner = Nest::of(inner);
    let reductions = nest.reductions.iter().enumerate();
    reductions
        .map(|(at, reduction)| {
            let Combination::Operator(kind) = reduction.kind else {
                return None;
            };
            let (step, start) = match &of_inner {
                Some(of_inner) => {
                    let own = of_inner.reductions.get(at)?;
                    let step = Step {
                        contribution: of_inner.yielded().get(at).copied()?,
                        carried: None,
                    };
                    (own.kind == reduction.kind).then_some((step, own.init))?
                }
                None => carried(scf::For::of(inner)?, at, kind)?,
            };
            changes_nothing(context, start, kind).then_some(step)
        })
        .collect()
}

/// The step of a value that a loop carries, and what the value starts with: it is used for nothing else.
fn carried<'c: 'a, 'a>(
    each: scf::For<'c, 'a>,
    at: usize,
    kind: CombineKind,
) -> Option<(Step<'c, 'a>, Value<'c, 'a>)> {
    let body = each.region().entry()?;
    let before = body.argument_value(at + 1);
    let after = body.terminator_op()?.operand_value(at);
    if matches!(kind, CombineKind::NpMin | CombineKind::NpMax) {
        return None;
    }
    let combining = typed::Binary::defining(after).filter(|one| one.kind() == operator(kind))?;
    let contribution = match (combining.lhs() == before, combining.rhs() == before) {
        (true, false) => combining.rhs(),
        (false, true) => combining.lhs(),
        _ => return None,
    };
    let once = before.uses().len() == 1 && after.uses().len() == 1;
    let is_here = combining.parent_block() == Some(body);
    let start = *each.init_args().get(at)?;
    let step = Step {
        contribution,
        carried: Some((*combining, start)),
    };
    (once && is_here).then_some((step, start))
}

/// Whether a value is a constant that changes nothing in a reduction.
fn changes_nothing<'c: 'a, 'a>(
    context: &'c Context,
    value: Value<'c, 'a>,
    kind: CombineKind,
) -> bool {
    let Some(constant) = typed::Constant::defining(value) else {
        return false;
    };
    let found = Some(constant.value());
    [identity_attribute, neutral_attribute]
        .into_iter()
        .any(|attribute| attribute(context, kind, value.ty()) == found)
}
