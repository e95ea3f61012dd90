//! Abstract interpretation of stack and locals: how deep the stack is at the start of each block,
//! which variables a block reads before it writes them, and which locals may be unbound.

mod walk;

use crate::{
    bit_set::BitSet,
    bytecode::Instruction,
    code::CodeObject,
    control_flow::{BlockIndex, ControlFlow},
    diagnostic::Diagnostic,
    opcodes::Op,
};
use walk::Walk;

/// How many variables times blocks are accepted: sets of this many bits are kept.
const MAX_VARIABLES: usize = 1 << 28;

/// A place that holds a value between instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A local, by its index in `co_localsplusnames`.
    Local(usize),
    /// A stack slot, counted from the bottom.
    Slot(usize),
}

/// What a block does to variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFlow {
    /// The depth of the stack at the start.
    pub depth: usize,
    /// The variables that are read before they are written, by [`DataFlow::number`].
    pub reads: BitSet,
    /// The variables that hold another value at the end than at the start.
    pub writes: BitSet,
    /// The locals that may be unbound at the start.
    pub unbound: UnboundLocals,
    /// The slots that still hold what they held at the start when the block ends by raising.
    left: Vec<usize>,
}

/// The locals that may be unbound at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnboundLocals {
    unbound: BitSet,
    /// Those that were unbound where an inlined comprehension took their place. Comprehensions in
    /// each other may take the same one's, so this only grows.
    saved: BitSet,
}

impl UnboundLocals {
    /// Those at the start of a function: what isn't a parameter. Free variables are not counted.
    pub fn at_entry(code: &CodeObject) -> Self {
        let mut set = BitSet::new(code.local_names.len());
        for local in code.parameter_count()..code.local_names.len() {
            if !code.is_free(local) {
                set.insert(local);
            }
        }
        Self {
            unbound: set,
            saved: BitSet::default(),
        }
    }

    /// Whether a local may be unbound.
    pub fn contains(&self, local: usize) -> bool {
        self.unbound.contains(local)
    }

    /// The locals in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.unbound.iter()
    }

    /// Goes over an instruction, whose local is one of the code.
    pub fn apply(&mut self, instruction: &Instruction) {
        match instruction.op() {
            Op::StoreFast | Op::MakeCell => self.unbound.remove(instruction.index()),
            Op::DeleteFast | Op::ClearFast | Op::ForgetFast => {
                self.unbound.insert(instruction.index());
            }
            Op::LoadFastAndClear => {
                let is_bound = self.unbound.insert(instruction.index());
                if !is_bound {
                    self.saved.insert(instruction.index());
                }
            }
            Op::RestoreFast => match self.saved.contains(instruction.index()) {
                true => {
                    self.unbound.insert(instruction.index());
                }
                false => self.unbound.remove(instruction.index()),
            },
            _ => {}
        }
    }

    /// Adds what may be unbound on another way; whether anything is new.
    fn join(&mut self, other: &Self) -> bool {
        if let Some(last) = other.saved.iter().last() {
            self.saved.grow(last + 1);
        }
        let saved = self.saved.union_with(&other.saved);
        self.unbound.union_with(&other.unbound) | saved
    }
}

/// What all blocks of a function do to variables.
#[derive(Clone, Debug)]
pub struct DataFlow {
    /// One entry for each of [`ControlFlow::blocks`].
    pub blocks: Vec<BlockFlow>,
    /// The number of locals.
    locals: usize,
    /// The number of locals and stack slots.
    variables: usize,
}

impl DataFlow {
    /// Follows stack and locals through a function.
    pub fn new(code: &CodeObject, flow: &ControlFlow) -> Result<Self, Diagnostic> {
        let mut data = Self {
            blocks: vec![BlockFlow::default(); flow.blocks.len()],
            locals: code.local_names.len(),
            variables: 0,
        };
        let mut deepest = 0;
        let mut depths = vec![None; flow.blocks.len()];
        depths[0] = Some(0);
        // Every block but the entry has a predecessor earlier in reverse post-order.
        for &block in &flow.order {
            let depth = depths[block].unwrap_or_default();
            let mut walk = Walk::new(code, flow, block, depth);
            let (last, body) = flow
                .block_instructions(block)
                .split_last()
                .expect("a block has an instruction");
            for instruction in body {
                walk.check_write(instruction)?;
                walk.step(instruction)?;
                walk.check_handler(instruction)?;
            }
            walk.check_write(last)?;
            let exits = walk.finish(last)?;
            walk.check_handler(last)?;
            let edges = [
                (flow.blocks[block].next, exits.next),
                (flow.blocks[block].jump, exits.jump),
            ];
            for (successor, depth) in edges {
                let Some(successor) = successor else { continue };
                if *depths[successor].get_or_insert(depth) != depth {
                    return Err(walk.malformed(last, "the stack is not equally deep on all paths"));
                }
            }
            if let Some(unwind) = flow.blocks[block].unwind {
                let handler = flow.blocks[unwind].handler;
                depths[unwind] = handler.map(|handler| handler.entry_depth());
            }
            deepest = deepest.max(walk.deepest);
            data.blocks[block] = walk.summary;
        }
        data.variables = data.locals + deepest;
        if data.variables.saturating_mul(data.blocks.len()) > MAX_VARIABLES {
            let message = format!(
                "'{}' has too many variables and blocks",
                code.qualified_name
            );
            return Err(Diagnostic::at_start(code, message));
        }
        for block in &mut data.blocks {
            block.reads.grow(data.variables);
            block.writes.grow(data.variables);
        }
        find_unbound(code, flow, &mut data.blocks);
        Ok(data)
    }

    /// The number of a variable in sets: locals come first.
    pub fn number(&self, variable: Variable) -> usize {
        match variable {
            Variable::Local(local) => local,
            Variable::Slot(slot) => self.locals + slot,
        }
    }

    /// The variable of a number.
    pub fn variable(&self, number: usize) -> Variable {
        match number.checked_sub(self.locals) {
            Some(slot) => Variable::Slot(slot),
            None => Variable::Local(number),
        }
    }

    /// The empty set of variables.
    pub fn no_variables(&self) -> BitSet {
        BitSet::new(self.variables)
    }

    /// The variables whose value at the start of each block is read later. A handler reads what it
    /// reads at the end of the blocks that it protects, if these are factored, anywhere otherwise.
    pub fn live_at_start(&self, flow: &ControlFlow) -> Vec<BitSet> {
        let mut live: Vec<BitSet> = self
            .blocks
            .iter()
            .map(|block| block.reads.clone())
            .collect();
        let mut open: Vec<BlockIndex> = flow.order.clone();
        let mut is_open = vec![true; flow.blocks.len()];
        let nothing = self.no_variables();
        while let Some(block) = open.pop() {
            is_open[block] = false;
            let mut changed = false;
            for successor in flow.blocks[block].successors() {
                let after = live[successor].clone();
                let is_handler = flow.blocks[block].unwind == Some(successor);
                let killed = match is_handler && !flow.is_factored {
                    true => &nothing,
                    false => &self.blocks[block].writes,
                };
                changed |= live[block].union_with_difference(&after, killed);
            }
            if changed {
                for &predecessor in flow.predecessors(block) {
                    if !std::mem::replace(&mut is_open[predecessor], true) {
                        open.push(predecessor);
                    }
                }
            }
        }
        live
    }

    /// Forgets the locals: in frame form they are in memory. Which may be unbound is still known.
    /// Frame form also gives up what is left on the stack where an exception is raised.
    pub fn keep_slots(&mut self) {
        for block in &mut self.blocks {
            let left = std::mem::take(&mut block.left);
            for slot in left {
                block.reads.insert(self.locals + slot);
            }
            for local in 0..self.locals {
                block.reads.remove(local);
                block.writes.remove(local);
            }
        }
    }
}

/// Definite assignment, as the greatest fixpoint of what may be unbound.
fn find_unbound(code: &CodeObject, flow: &ControlFlow, blocks: &mut [BlockFlow]) {
    for block in blocks.iter_mut() {
        block.unbound.unbound = BitSet::new(code.local_names.len());
    }
    blocks[0].unbound = UnboundLocals::at_entry(code);
    let mut open: Vec<BlockIndex> = flow.order.iter().rev().copied().collect();
    let mut is_open = vec![true; flow.blocks.len()];
    while let Some(block) = open.pop() {
        is_open[block] = false;
        let mut unbound = blocks[block].unbound.clone();
        // Before a block is factored its handler may see any state on the way.
        let mut anywhere = unbound.clone();
        for instruction in flow.block_instructions(block) {
            unbound.apply(instruction);
            let may_unbind = matches!(
                instruction.op(),
                Op::DeleteFast
                    | Op::ClearFast
                    | Op::ForgetFast
                    | Op::LoadFastAndClear
                    | Op::RestoreFast
            );
            if !flow.is_factored && may_unbind {
                anywhere.join(&unbound);
            }
        }
        for successor in flow.blocks[block].successors() {
            let mut changed = blocks[successor].unbound.join(&unbound);
            if !flow.is_factored && flow.blocks[block].unwind == Some(successor) {
                changed |= blocks[successor].unbound.join(&anywhere);
            }
            if changed && !std::mem::replace(&mut is_open[successor], true) {
                open.push(successor);
            }
        }
    }
}
