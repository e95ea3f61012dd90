//! Values that aren't None where control comes from a branch that has asked.
//!
//! A forward data flow over the blocks of a `py` function, whose facts are sets of SSA values: what an edge's
//! condition proves is added, and what all ways into a block agree on holds in it. It asks for no types: the
//! inference takes the value out of what is an optional there.

use crate::{
    infra::{
        BlockExt, OperationExt,
        ops::{cf, py},
    },
    py::edges::Edge,
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::{
    enums::{PyCompareKind, PyUnaryKind},
    py::PyAttribute,
};
use std::collections::HashSet;

use super::environment::key;

/// The values that aren't None in each block, by position, known by their keys.
#[derive(Debug, Default)]
pub(crate) struct Presence(Vec<HashSet<usize>>);

impl Presence {
    /// Finds the values; the blocks are in reverse post-order, and `position` gives the number of one.
    pub fn find<'c, 'a>(
        blocks: &[BlockRef<'c, 'a>],
        position: impl Fn(BlockRef<'c, 'a>) -> usize,
    ) -> Self {
        let edges: Vec<_> = (blocks.iter().enumerate())
            .filter_map(|(source, block)| Some((source, block.terminator_op()?)))
            .flat_map(|(source, terminator)| {
                Edge::of(terminator).into_iter().map(move |edge| {
                    let proven: HashSet<_> = present_behind(terminator, edge.index)
                        .into_iter()
                        .map(key)
                        .collect();
                    (source, edge.target, proven)
                })
            })
            .map(|(source, target, proven)| (source, position(target), proven))
            .collect();
        if edges.iter().all(|(_, _, proven)| proven.is_empty()) {
            return Self::default();
        }
        let made: Vec<HashSet<usize>> = blocks.iter().map(|block| defined_in(*block)).collect();
        // Nothing is known yet of how a block is entered: everything may hold there.
        let mut present: Vec<Option<HashSet<usize>>> = vec![None; blocks.len()];
        present[0] = Some(HashSet::new());
        let mut changed = true;
        while changed {
            changed = false;
            for (source, target, proven) in &edges {
                let Some(before) = &present[*source] else {
                    continue;
                };
                // A value that the target makes anew isn't the one that was asked about.
                let passed = before.union(proven).copied();
                let passed: HashSet<_> = passed
                    .filter(|value| !made[*target].contains(value))
                    .collect();
                let joined = match &present[*target] {
                    Some(known) => known.intersection(&passed).copied().collect(),
                    None => passed,
                };
                if present[*target].as_ref() != Some(&joined) {
                    present[*target] = Some(joined);
                    changed = true;
                }
            }
        }
        Self(present.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The values that a block uses and that aren't None in it.
    pub fn used_in<'c, 'a>(&self, position: usize, block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let Some(present) = self.0.get(position).filter(|present| !present.is_empty()) else {
            return Vec::new();
        };
        let mut seen = HashSet::new();
        let used = block.operation_list().into_iter();
        used.flat_map(OperationExt::operand_values)
            .filter(|value| present.contains(&key(*value)) && seen.insert(key(*value)))
            .collect()
    }
}

/// What a block defines: its arguments and the results of its operations.
fn defined_in(block: BlockRef) -> HashSet<usize> {
    let operations = block.operation_list().into_iter();
    let results = operations.flat_map(OperationExt::result_values);
    let arguments = block.argument_values().into_iter();
    arguments.chain(results).map(key).collect()
}

/// The values that aren't None where a terminator goes to its successor of this number.
pub(crate) fn present_behind<'c: 'a, 'a>(
    terminator: OperationRef<'c, 'a>,
    successor: usize,
) -> Vec<Value<'c, 'a>> {
    let tested = cf::CondBranch::of(terminator).and_then(|branch| {
        let test = py::Truth::defining(branch.condition())?;
        present_if(test.operand(), successor == 0)
    });
    let mut names = Vec::new();
    let mut next = tested;
    while let Some(value) = next {
        names.push(value);
        // The same value before it was known to be bound.
        next = py::CheckBound::defining(value)
            .map(py::CheckBound::value)
            .or_else(|| py::NewReference::defining(value).map(py::NewReference::value));
    }
    names
}

/// The value that isn't None if a condition has this truth.
fn present_if<'c: 'a, 'a>(condition: Value<'c, 'a>, truth: bool) -> Option<Value<'c, 'a>> {
    if let Some(test) = py::Is::defining(condition) {
        let other = beside_none(test.lhs(), test.rhs())?;
        return (test.negated() == truth).then_some(other);
    }
    if let Some(unary) = py::Unary::defining(condition)
        && unary.kind() == PyUnaryKind::Not
    {
        return present_if(unary.operand(), !truth);
    }
    if let Some(test) = py::Compare::defining(condition)
        && let Some(other) = beside_none(test.lhs(), test.rhs())
    {
        return match test.kind() {
            PyCompareKind::Eq => (!truth).then_some(other),
            PyCompareKind::Ne => truth.then_some(other),
            _ => None,
        };
    }
    // None is false.
    truth.then_some(condition)
}

/// The one of two values that the other one, None, is compared with.
fn beside_none<'c: 'a, 'a>(lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let is_none = |value| {
        py::Constant::defining(value)
            .is_some_and(|constant| PyAttribute::from(constant.value()) == PyAttribute::None)
    };
    match (is_none(lhs), is_none(rhs)) {
        (false, true) => Some(lhs),
        (true, false) => Some(rhs),
        _ => None,
    }
}
