//! Divides long conditions, so that structured code doesn't nest as deep as they are long.
//!
//! In `a and b and c …` each term has a block of its own, which goes to the next term or to a common
//! exit. Structured, each term is in a branch of the one before: passes that walk into regions, and
//! MLIR's own walks, take the square of the depth. Here the terms are cut in the middle: the first half
//! becomes a condition of its own, whose value tells whether the second half is evaluated. Halves
//! that are still long are cut again, so the depth is logarithmic.

use super::branch::{Edge, branch, conditional_branch, edges, poison};
use crate::infra::{
    BlockExt, Builder, Dominance, Identity, Key, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
    ops::{AnyOp, cf, func},
    types_of,
};
use melior::ir::{
    BlockRef, OperationRef, RegionRef, Type, Value, operation::OperationLike, r#type::IntegerType,
};
use std::collections::{HashMap, HashSet};

/// Divides conditions.
pub static PASS: PassSpec = PassSpec {
    description: "Takes blocks with many predecessors, and before each the chain of blocks that \
        dominate one another and end in branches to it: a condition of many terms, or the arms of an \
        `elif`. A chain is cut where the part before the cut is left only for the cut or for the \
        exit; both ways go to a new block then, with a flag that says which it was. Values of the \
        first part that are used behind the cut are passed along. Chains of up to 32 blocks stay.",
    anchor: func::Func::NAME,
    dialects: &["arith", "cf", "ub"],
    statistics: &[StatisticSpec::new("cuts", "conditions cut in two")],
    ..PassSpec::new("typed-divide-conditions", "cut long conditions in two", run)
};

/// As many blocks of a chain may nest.
const LIMIT: usize = 32;

/// As many places on either side of the middle are tried.
const TRIES: usize = 8;

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    for region in root.nested_regions() {
        let blocks = region.block_list();
        if blocks.len() <= LIMIT {
            continue;
        }
        for exit in blocks {
            if exit.predecessor_blocks().len() > LIMIT {
                let dominance = Dominance::new(root);
                let chain = chain(&dominance, exit);
                let divide = Divide {
                    cx,
                    builder: &builder,
                    region,
                };
                // A loop can't be cut from what is before it.
                let is_header = |block: &BlockRef<'c, '_>| {
                    let mut before = block.predecessor_blocks().into_iter();
                    before.any(|before| dominance.block(*block, before))
                };
                let parts: Vec<_> = chain.chunk_by(|_, next| !is_header(next)).collect();
                for part in parts {
                    divide.divide(part, exit);
                }
            }
        }
    }
    Ok(())
}

/// The blocks from the immediate dominator of `exit` down to its deepest predecessor, each the
/// immediate dominator of the next. None for a loop's back edges, which `exit` itself dominates.
fn chain<'c, 'a>(dominance: &Dominance<'c, 'a>, exit: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let Some(top) = dominance.immediate(exit) else {
        return Vec::new();
    };
    // Depth below `top`.
    let mut depths = HashMap::from([(top.key(), 0)]);
    let mut deepest = (0, top);
    for predecessor in exit.predecessor_blocks() {
        let mut above = Vec::new();
        let mut block = Some(predecessor);
        while let Some(at) = block.filter(|at| *at != exit && !depths.contains_key(&at.key())) {
            above.push(at);
            block = dominance.immediate(at);
        }
        let Some(&known) = block.and_then(|at| depths.get(&at.key())) else {
            continue;
        };
        for (distance, at) in above.iter().rev().enumerate() {
            depths.insert(at.key(), known + 1 + distance);
        }
        deepest =
            std::cmp::max_by_key(deepest, (known + above.len(), predecessor), |(depth, _)| {
                *depth
            });
    }
    let mut blocks = vec![deepest.1];
    while let Some(last) = blocks.last().filter(|last| **last != top) {
        let Some(above) = dominance.immediate(*last) else {
            return Vec::new();
        };
        blocks.push(above);
    }
    blocks.reverse();
    blocks
}

struct Divide<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: &'p Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
}

impl<'c: 'a, 'a> Divide<'_, 'c, 'a> {
    /// Cuts a chain until no part is longer than `LIMIT`.
    fn divide(&self, chain: &[BlockRef<'c, 'a>], exit: BlockRef<'c, 'a>) {
        if chain.len() <= LIMIT {
            return;
        }
        let middle = chain.len() / 2;
        let places = (0..TRIES).flat_map(|distance| [middle - distance, middle + distance]);
        for place in places {
            let next = chain[place];
            if let Some(part) = FirstPart::of(chain[0], next, exit) {
                let join = self.cut(&part, next, exit);
                self.divide(&chain[..place], join);
                self.divide(&chain[place..], exit);
                return;
            }
        }
    }

    /// Makes a block between the first part and what follows it; returns that block.
    fn cut(
        &self,
        part: &FirstPart<'c, 'a>,
        next: BlockRef<'c, 'a>,
        exit: BlockRef<'c, 'a>,
    ) -> BlockRef<'c, 'a> {
        self.cx.bump("cuts", 1);
        let carried = part.used_behind(self.region);
        let common = part.common_operands(exit);
        let varying: Vec<_> = (0..common.len())
            .filter(|at| common[*at].is_none())
            .collect();

        let flag = IntegerType::new(self.builder.context(), 1).into();
        let carried_types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let next_types: Vec<_> = types_of(&next.argument_values());
        let exit_arguments = exit.argument_values();
        let varying_types: Vec<_> = varying.iter().map(|at| exit_arguments[*at].ty()).collect();
        let all: Vec<_> = [
            &[flag][..],
            &carried_types[..],
            &next_types[..],
            &varying_types[..],
        ]
        .concat();
        if let Some(first) = next.first() {
            self.builder.at(first.location());
        }
        let join = self.builder.append_block(self.region, &all);

        for block in &part.blocks {
            let Some(terminator) = block.terminator_op() else {
                continue;
            };
            let ways = edges(terminator);
            if !ways
                .iter()
                .any(|way| way.target == next || way.target == exit)
            {
                continue;
            }
            self.builder.before(terminator);
            let unknown = |types: &[Type<'c>]| -> Vec<_> {
                types.iter().map(|ty| poison(self.builder, *ty)).collect()
            };
            let redirected = |way: &Edge<'c, 'a>| {
                let operands = if way.target == next {
                    let goes_on = self.builder.bool(true);
                    let rest = unknown(&varying_types);
                    [&[goes_on], &carried[..], &way.operands[..], &rest[..]].concat()
                } else if way.target == exit {
                    let leaves = self.builder.bool(false);
                    let rest = unknown(&[&carried_types[..], &next_types[..]].concat());
                    let passed: Vec<_> = varying.iter().map(|at| way.operands[*at]).collect();
                    [&[leaves], &rest[..], &passed[..]].concat()
                } else {
                    return way.clone();
                };
                let target = join;
                Edge { target, operands }
            };
            let ways: Vec<_> = ways.iter().map(redirected).collect();
            match (cf::CondBranch::of(terminator), &ways[..]) {
                (Some(old), [taken, otherwise]) => {
                    conditional_branch(self.builder, old.condition(), taken, otherwise);
                }
                (_, [way, ..]) => {
                    branch(self.builder, way.target, &way.operands);
                }
                (_, []) => unreachable!("a branch has a successor"),
            }
            self.builder.erase_op(terminator);
        }

        let arguments = join.argument_values();
        let (passed, rest) = arguments[1..].split_at(carried.len());
        let (to_next, mut varied) = {
            let (to_next, varied) = rest.split_at(next_types.len());
            (to_next, varied.iter())
        };
        for (value, argument) in carried.iter().zip(passed) {
            value.replace_uses_if(*argument, |r#use| !part.holds(r#use.user, self.region));
        }
        let to_exit = common.iter().map(|value| {
            value.unwrap_or_else(|| *varied.next().expect("an argument for each that varies"))
        });
        let to_exit = to_exit.collect();
        let way = |target, operands| Edge { target, operands };
        let taken = way(next, to_next.to_vec());
        self.builder.at_end(join);
        conditional_branch(self.builder, arguments[0], &taken, &way(exit, to_exit));
        join
    }
}

/// What is evaluated before a cut.
struct FirstPart<'c, 'a> {
    /// The blocks, the one it is entered by first.
    blocks: Vec<BlockRef<'c, 'a>>,
    keys: HashSet<Key>,
}

impl<'c: 'a, 'a> FirstPart<'c, 'a> {
    /// The blocks reachable from `entry` before `next` and `exit`, if these are the only ways out,
    /// `entry` is the only way in, and `next` is reached from here only.
    fn of(entry: BlockRef<'c, 'a>, next: BlockRef<'c, 'a>, exit: BlockRef<'c, 'a>) -> Option<Self> {
        let mut blocks = vec![entry];
        let mut keys = HashSet::from([entry.key()]);
        let mut at = 0;
        while let Some(block) = blocks.get(at).copied() {
            at += 1;
            let terminator = block.terminator_op()?;
            if !matches!(
                AnyOp::of(terminator),
                AnyOp::Cf(cf::Op::Branch(_) | cf::Op::CondBranch(_))
            ) {
                return None;
            }
            for successor in terminator.successor_blocks() {
                if successor != next && successor != exit && keys.insert(successor.key()) {
                    blocks.push(successor);
                }
            }
        }
        let closed = |block: &BlockRef<'c, 'a>| {
            let before = block.predecessor_blocks();
            before.iter().all(|before| keys.contains(&before.key()))
        };
        let entered_once = blocks[1..].iter().chain([&next]).all(closed);
        entered_once.then_some(Self { blocks, keys })
    }

    /// Whether an operation is in one of the blocks, at any depth.
    fn holds(&self, operation: OperationRef<'c, 'a>, region: RegionRef<'c, 'a>) -> bool {
        let mut at = Some(operation);
        while let Some(operation) = at {
            let block = operation.parent_block();
            if let Some(block) = block.filter(|block| block.region() == Some(region)) {
                return self.keys.contains(&block.key());
            }
            at = operation.parent();
        }
        false
    }

    /// The values that are defined here and used behind the cut. What the entry defines dominates
    /// all that follows, and needs no passing.
    fn used_behind(&self, region: RegionRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut values = Vec::new();
        for block in &self.blocks[1..] {
            values.extend(block.argument_values());
            for operation in block.operation_list() {
                values.extend(operation.result_values());
            }
        }
        values.retain(|value| value.users().iter().any(|user| !self.holds(*user, region)));
        values
    }

    /// For each argument of the exit the value that all edges from here pass, if it is one and
    /// known behind the cut.
    fn common_operands(&self, exit: BlockRef<'c, 'a>) -> Vec<Option<Value<'c, 'a>>> {
        let leaving: Vec<_> = self
            .blocks
            .iter()
            .filter_map(|block| block.terminator_op())
            .flat_map(edges)
            .filter(|way| way.target == exit)
            .collect();
        let known = |value: &Value<'c, 'a>| {
            let block = value.defining_block();
            block == self.blocks[0] || !self.keys.contains(&block.key())
        };
        let same = |at: usize| {
            let mut passed = leaving.iter().map(|way| way.operands[at]);
            let first = passed.next().filter(known)?;
            passed.all(|value| value == first).then_some(first)
        };
        (0..exit.argument_values().len()).map(same).collect()
    }
}
