//! The state of the analysis of one specialisation.

use super::{
    environment::{Environment, Slot, key},
    presence::Presence,
};
use crate::{
    inference::lattice::Fact,
    infra::{BlockExt, OperationExt, RegionExt, ValueExt, ops::py},
};
use melior::{
    Context,
    ir::{BlockRef, Type, Value, block::BlockLike},
};
use std::collections::{BTreeSet, HashMap, HashSet};

fn block_key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr as usize
}

/// What the analysis knows of one specialisation.
#[derive(Debug, Default)]
pub(crate) struct Flow<'c, 'a> {
    /// The blocks in reverse post-order.
    pub blocks: Vec<BlockRef<'c, 'a>>,
    /// The values.
    pub environment: Environment<'c, 'a>,
    /// The values that aren't None in the blocks.
    pub presence: Presence,
    positions: HashMap<usize, usize>,
    reached: BTreeSet<usize>,
    /// What is returned.
    pub result: Option<Fact<'c>>,
    /// Arguments of blocks whose type grew. The next run begins with the grown types, so that
    /// nothing is left of what followed from the smaller ones.
    floors: HashMap<usize, Fact<'c>>,
    /// The type of list that is returned on all paths.
    pub returned: Option<Type<'c>>,
    /// The numbers of the specialisations that calls call, by their results.
    pub callees: HashMap<usize, usize>,
    /// Whether a type grew in this run, so that there is to be another one.
    pub grew: bool,
    /// Whether a value isn't known yet, so that blocks behind it may not be reached yet.
    pub waits: bool,
    /// The blocks with an operation that can't be compiled, as far as types are known.
    pub failed: BTreeSet<usize>,
}

impl<'c, 'a> Flow<'c, 'a> {
    /// Begins with nothing known.
    pub fn new(function: py::Func<'c, 'a>) -> Self {
        let blocks = reverse_post_order(function);
        let positions: HashMap<_, _> = blocks
            .iter()
            .enumerate()
            .map(|(position, &block)| (block_key(block), position))
            .collect();
        let presence = Presence::find(&blocks, |block| positions[&block_key(block)]);
        Self {
            blocks,
            presence,
            positions,
            ..Self::default()
        }
    }

    /// Forgets what was found of values, but for what they are to be.
    pub fn restart(&mut self) {
        self.environment = self.environment.emptied();
        self.reached.clear();
        self.result = None;
        self.grew = false;
        self.waits = false;
        self.failed.clear();
    }

    /// The blocks that can be reached, in order.
    pub fn reached(&self) -> impl Iterator<Item = BlockRef<'c, 'a>> {
        self.reached.iter().map(|&position| self.blocks[position])
    }

    /// The position of a block.
    pub fn position(&self, block: BlockRef<'c, 'a>) -> usize {
        self.positions[&block_key(block)]
    }

    /// Goes along an edge with what is known of the block's arguments. When that is news, the
    /// block is looked at again, and those it dominates that use its arguments.
    pub fn enter(
        &mut self,
        context: &'c Context,
        target: BlockRef<'c, 'a>,
        facts: &[Fact<'c>],
        waiting: &mut BTreeSet<usize>,
    ) {
        let mut changed = self.reached.insert(self.position(target));
        for (argument, &fact) in target.argument_values().into_iter().zip(facts) {
            let before = self.environment.everywhere(argument).fact;
            let mut joined = before.join(context, fact);
            if let Some(floor) = self.floors.get(&key(argument))
                && joined.ty.is_some()
            {
                joined = joined.join(context, *floor);
            }
            if before.ty.is_some() && joined.ty.is_some() && before.ty != joined.ty {
                let floor = Fact {
                    unbound: false,
                    ..joined
                };
                self.floors.insert(key(argument), floor);
                self.grew = true;
            }
            let slot = Slot {
                fact: joined,
                value: None,
            };
            if self.environment.set(argument, slot) && joined != before {
                changed = true;
                self.wait_for_users(argument, waiting);
            }
        }
        if changed {
            waiting.insert(self.position(target));
        }
    }

    /// Has the reached blocks that use a value looked at again.
    pub fn wait_for_users(&self, value: Value<'c, 'a>, waiting: &mut BTreeSet<usize>) {
        let blocks = value.users().into_iter().filter_map(|user| {
            let block = user.parent_block()?;
            self.positions.get(&block_key(block)).copied()
        });
        waiting.extend(blocks.filter(|position| self.reached.contains(position)));
    }
}

/// The blocks of a function that its start leads to, each before those it leads to, loops aside.
fn reverse_post_order<'c, 'a>(function: py::Func<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let Some(entry) = function.body().entry() else {
        return Vec::new();
    };
    let mut seen = HashSet::from([block_key(entry)]);
    let mut stack = vec![(entry, entry.successor_list())];
    let mut order = Vec::new();
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if seen.insert(block_key(next)) => stack.push((next, next.successor_list())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
