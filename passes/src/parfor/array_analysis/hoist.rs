//! Hoists checks of sizes out of loops.

use super::source::Source;
use crate::{
    analysis::effects::{Footprint, Raises},
    infra::{BlockExt, Builder, CmpInt, OperationExt, ValueExt, ops::scf},
};
use melior::ir::{OperationRef, Value};

/// The place that a check is hoisted to, and the bounds of the loops around it.
#[derive(Debug)]
pub(super) struct Way<'c, 'a> {
    /// The outermost of those loops.
    pub before: OperationRef<'c, 'a>,
    bounds: Vec<[Value<'c, 'a>; 2]>,
}

impl<'c: 'a, 'a> Way<'c, 'a> {
    /// The loops that a check can be hoisted out of: each execution of their bodies reaches the
    /// check first, so nothing before it writes, raises or depends on the iteration.
    pub fn out(check: OperationRef<'c, 'a>, sources: &[Source<'c, 'a>]) -> Option<Self> {
        let mut way: Option<Self> = None;
        let mut at = check;
        while let Some(around) = at.parent().and_then(scf::For::of) {
            let mut needed: Vec<_> = sources.iter().filter_map(Source::value).collect();
            needed.extend(way.iter().flat_map(|way| way.bounds.iter().flatten()));
            let inside = |value: &Value<'c, 'a>| {
                value
                    .defining_block()
                    .parent()
                    .is_some_and(|parent| parent.is_within(*around))
            };
            if needed.iter().any(inside) || !is_first(at) {
                break;
            }
            let mut bounds = way.map_or(Vec::new(), |way| way.bounds);
            bounds.push([around.lower_bound(), around.upper_bound()]);
            way = Some(Self {
                before: *around,
                bounds,
            });
            at = *around;
        }
        way
    }

    /// Emits, at the insertion point, whether all of the loops have an iteration.
    pub fn runs(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        self.bounds
            .iter()
            .map(|[lower, upper]| builder.cmpi(CmpInt::Slt, *lower, *upper))
            .reduce(|one, other| builder.and(one, other))
            .expect("there is a loop on the way")
    }
}

/// Whether the operations before an operation in its block have no visible effects.
fn is_first<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    let Some(block) = operation.parent_block() else {
        return false;
    };
    let earlier = block.operation_list().into_iter();
    earlier.take_while(|one| *one != operation).all(|one| {
        let footprint = Footprint::of(one);
        !footprint.writes_anything() && footprint.raises == Raises::Nothing
    })
}
