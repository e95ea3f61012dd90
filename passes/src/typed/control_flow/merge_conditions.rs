//! Merges the terms of conditions that cost less than a branch.
//!
//! In `if (a < b and c < d) or e < f` each comparison has a block of its own. Structured, such a graph is a state
//! machine: no loop around it is vectorised, and analyses don't see the condition. Where a term is without effects
//! and cheap it is evaluated together with the one before, and the condition is their conjunction or disjunction.

use super::branch::{Edge, conditional_branch, edges};
use crate::{
    infra::{
        BlockExt, Builder, OperationExt, OperationInterfaces, PassContext, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
        ops::{arith, cf, func},
    },
    types::number::Number,
};
use melior::ir::{BlockRef, OperationRef, Type, TypeLike, Value};

/// Merges conditions.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a conditional branch to a block that nothing else goes to, which holds a few cheap operations \
        on numbers without effects, loads and divisions not among them, and ends in a conditional branch of which one \
        way is the other way of the first: both become one branch, on `and` or `or` of their conditions. Where the \
        common way gets different numbers, these are selected.",
    anchor: func::Func::NAME,
    dialects: &["arith", "cf"],
    statistics: &[StatisticSpec::new(
        "merged",
        "branches merged into the one before",
    )],
    ..PassSpec::new(
        "typed-merge-conditions",
        "merge cheap terms of conditions",
        run,
    )
};

/// What may be done in vain, in simple operations.
const CHEAP: i64 = 3;
/// As many numbers are selected.
const SELECTED: usize = 2;

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    for region in root.nested_regions() {
        // A term is merged into the one before it when its own last terms are merged.
        for block in region.block_list().into_iter().rev() {
            while let Some(pair) = Pair::at(block) {
                pair.merge(&builder);
                cx.bump("merged", 1);
            }
        }
    }
    Ok(())
}

/// A block that ends in a branch, and one behind it that is merged into it.
struct Pair<'c, 'a> {
    first: cf::CondBranch<'c, 'a>,
    second: cf::CondBranch<'c, 'a>,
    behind: BlockRef<'c, 'a>,
    /// Whether the second block is where the first condition holds.
    on_true: bool,
    /// Whether the common way is where the second condition holds.
    common_on_true: bool,
    /// The common way, as the first branch and the second one take it.
    common: [Edge<'c, 'a>; 2],
    /// The other way of the second one.
    other: Edge<'c, 'a>,
}

impl<'c: 'a, 'a> Pair<'c, 'a> {
    fn at(block: BlockRef<'c, 'a>) -> Option<Self> {
        let first = cf::CondBranch::of(block.terminator_op()?)?;
        let [taken, otherwise] = two(edges(*first))?;
        [(true, &taken, &otherwise), (false, &otherwise, &taken)]
            .into_iter()
            .find_map(|(on_true, inner, common)| Self::of(first, on_true, inner, common))
    }

    fn of(
        first: cf::CondBranch<'c, 'a>,
        on_true: bool,
        inner: &Edge<'c, 'a>,
        common: &Edge<'c, 'a>,
    ) -> Option<Self> {
        let behind = inner.target;
        if behind == common.target
            || !inner.operands.is_empty()
            || behind == first.parent_block()?
        {
            return None;
        }
        let [_only] = &behind.predecessor_blocks()[..] else {
            return None;
        };
        let second = cf::CondBranch::of(behind.terminator_op()?)?;
        let [taken, otherwise] = two(edges(*second))?;
        let is_common = |edge: &Edge<'c, 'a>| edge.target == common.target;
        let (common_on_true, again, other) = match (is_common(&taken), is_common(&otherwise)) {
            (true, false) => (true, taken, otherwise),
            (false, true) => (false, otherwise, taken),
            _ => return None,
        };
        let operands = common.operands.iter().zip(&again.operands);
        let differing = operands.filter(|(one, two)| one != two);
        let differing: Vec<_> = differing.map(|(one, _)| one.ty()).collect();
        let mut operations = behind.operation_list();
        operations.pop();
        let costs = operations.iter().map(|operation| cost(*operation));
        let cost = costs.sum::<Option<i64>>()?;
        if cost > CHEAP || differing.len() > SELECTED || !differing.into_iter().all(is_scalar) {
            return None;
        }
        Some(Self {
            first,
            second,
            behind,
            on_true,
            common_on_true,
            common: [common.clone(), again],
            other,
        })
    }

    fn merge(self, builder: &Builder<'c, 'a>) {
        let mut operations = self.behind.operation_list();
        operations.pop();
        for operation in operations {
            builder.move_before(operation, *self.first);
        }
        builder.before(*self.first);
        // Where the second block would be reached, and where it would take the common way.
        let (reached, common) = (self.first.condition(), self.second.condition());
        let own = |condition, holds| match holds {
            true => condition,
            false => builder.not(condition),
        };
        let [direct, again] = &self.common;
        let to_other = builder.and(
            own(reached, self.on_true),
            own(common, !self.common_on_true),
        );
        let operands = direct.operands.iter().zip(&again.operands);
        let select = |(direct, again): (&Value<'c, 'a>, &Value<'c, 'a>)| {
            let [yes, no] = match self.on_true {
                true => [again, direct],
                false => [direct, again],
            };
            match direct == again {
                true => *direct,
                false => arith::Select::create(builder, reached, *yes, *no).result(),
            }
        };
        let common = Edge {
            target: direct.target,
            operands: operands.map(select).collect(),
        };
        conditional_branch(builder, to_other, &self.other, &common);
        builder.erase_op(*self.first);
        builder.erase_op(*self.second);
        self.behind.erase();
    }
}

fn two<T>(items: Vec<T>) -> Option<[T; 2]> {
    items.try_into().ok()
}

/// What an operation costs that may be done in vain: one on numbers, without effects.
fn cost<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<i64> {
    let values = [operation.operand_values(), operation.result_values()].concat();
    let is_plain = operation.is_pure() && operation.region_list().is_empty();
    (is_plain && values.iter().all(|value| is_scalar(value.ty())))
        .then(|| operation.cost())
        .flatten()
}

fn is_scalar(r#type: Type) -> bool {
    r#type.is_index() || Number::of(r#type).is_some()
}
