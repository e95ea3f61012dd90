//! The forward slice of a loop-carried value.

use super::{body::targets, carried::OTHER_USE};
use crate::{
    analysis::effects::{Footprint, Raises},
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, scf, typed},
    },
};
use melior::ir::{OperationRef, Value};
use std::collections::BTreeSet;

/// Everything in a body that depends on one loop-carried value.
#[derive(Debug)]
pub(super) struct Influence<'c, 'a> {
    /// The values that depend on it.
    reached: Vec<Value<'c, 'a>>,
    /// The loop-carried values whose next value depends on it.
    pub next: BTreeSet<usize>,
}

const EFFECT: &str = "decides what else an iteration does";

impl<'c: 'a, 'a> Influence<'c, 'a> {
    /// Computes the slice of the loop-carried value with this number; an error with the reason if
    /// it isn't known, or if effects depend on the value.
    pub fn of(operation: scf::For<'c, 'a>, argument: Value<'c, 'a>) -> Result<Self, &'static str> {
        let mut influence = Self {
            reached: Vec::new(),
            next: BTreeSet::new(),
        };
        influence.follow(operation, argument)?;
        Ok(influence)
    }

    /// Whether a value is independent of the loop-carried one.
    pub fn leaves(&self, value: Value<'c, 'a>) -> bool {
        !self.reached.contains(&value)
    }

    fn follow(
        &mut self,
        operation: scf::For<'c, 'a>,
        argument: Value<'c, 'a>,
    ) -> Result<(), &'static str> {
        let mut waiting = vec![argument];
        while let Some(value) = waiting.pop() {
            if self.reached.contains(&value) {
                continue;
            }
            self.reached.push(value);
            for r#use in value.uses() {
                let user = r#use.user;
                if user.isa::<scf::Yield>() && user.parent() == Some(*operation) {
                    self.next.insert(r#use.operand);
                    continue;
                }
                if let Some(targets) = targets(r#use) {
                    waiting.extend(targets);
                    continue;
                }
                match AnyOp::of(user) {
                    AnyOp::Typed(typed::Op::Yield(_)) => {
                        let parent = user.parent().ok_or(OTHER_USE)?;
                        waiting.extend(parent.result_values());
                    }
                    AnyOp::Scf(scf::Op::If(_) | scf::Op::For(_)) => {
                        let inside = user.nested_blocks();
                        let acts = inside
                            .iter()
                            .flat_map(|block| block.operation_list())
                            .any(acts);
                        if acts {
                            return Err(EFFECT);
                        }
                        let counter = inside[0].argument_values().into_iter().next();
                        waiting.extend(counter);
                        waiting.extend(decided(user));
                    }
                    AnyOp::Scf(
                        scf::Op::While(_)
                        | scf::Op::Condition(_)
                        | scf::Op::IndexSwitch(_)
                        | scf::Op::Yield(_),
                    ) => return Err(OTHER_USE),
                    _ if acts(user) => return Err(OTHER_USE),
                    _ => waiting.extend(user.result_values()),
                }
            }
        }
        Ok(())
    }
}

/// Whether an operation has effects.
fn acts<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    let footprint = Footprint::of(operation);
    footprint.writes_anything() || footprint.raises != Raises::Nothing
}

/// The results of a conditional or a loop that are control-dependent on its condition or trip
/// count.
fn decided<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let results = operation.result_values();
    if operation.isa::<scf::For>() {
        return results;
    }
    let yields: Vec<_> = operation
        .region_list()
        .into_iter()
        .filter_map(|region| region.entry()?.terminator_op())
        .map(|terminator| terminator.operand_values())
        .collect();
    let differs = |result: &Value<'c, 'a>| match &yields[..] {
        [yes, no] => yes[result.position()] != no[result.position()],
        _ => true,
    };
    results.into_iter().filter(differs).collect()
}
