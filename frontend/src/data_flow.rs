//! Abstract interpretation of stack and locals: how deep the stack is at the start of each block,
//! which variables a block reads before it writes them, and which locals may be unbound.

use crate::{
    bytecode::Instruction,
    code::CodeObject,
    control_flow::{BlockIndex, ControlFlow},
    diagnostic::Diagnostic,
    opcodes::Op,
};
use std::collections::BTreeSet;

/// The deepest stack that is accepted.
const MAX_STACK_DEPTH: usize = 1 << 16;

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
    /// The variables that are read before they are written.
    pub reads: BTreeSet<Variable>,
    /// The variables that hold another value at the end than at the start.
    pub writes: BTreeSet<Variable>,
    /// The locals that may be unbound at the start.
    pub unbound: UnboundLocals,
}

/// The locals that may be unbound at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnboundLocals(BTreeSet<usize>);

impl UnboundLocals {
    /// Those at the start of a function: what isn't a parameter. Free variables are not counted.
    pub fn at_entry(code: &CodeObject) -> Self {
        let locals = code.parameter_count()..code.local_names.len();
        Self(locals.filter(|&local| !code.is_free(local)).collect())
    }

    /// Whether a local may be unbound.
    pub fn contains(&self, local: usize) -> bool {
        self.0.contains(&local)
    }

    /// The locals in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// Goes over an instruction.
    pub fn apply(&mut self, instruction: &Instruction) {
        match instruction.op() {
            Op::StoreFast | Op::MakeCell => {
                self.0.remove(&instruction.index());
            }
            Op::DeleteFast => {
                self.0.insert(instruction.index());
            }
            _ => {}
        }
    }
}

/// What all blocks of a function do to variables.
#[derive(Clone, Debug)]
pub struct DataFlow {
    /// One entry for each of [`ControlFlow::blocks`].
    pub blocks: Vec<BlockFlow>,
}

impl DataFlow {
    /// Follows stack and locals through a function.
    pub fn new(code: &CodeObject, flow: &ControlFlow) -> Result<Self, Diagnostic> {
        let mut blocks = vec![BlockFlow::default(); flow.blocks.len()];
        let mut depths = vec![None; flow.blocks.len()];
        depths[0] = Some(0);
        // Every block but the entry has a predecessor earlier in reverse post-order.
        for &block in &flow.order {
            let depth = depths[block].unwrap_or_default();
            let mut walk = Walk::new(code, depth);
            let (last, body) = flow
                .block_instructions(block)
                .split_last()
                .expect("a block has an instruction");
            body.iter()
                .try_for_each(|instruction| walk.step(instruction))?;
            let exits = walk.finish(last)?;
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
            blocks[block] = walk.summary;
        }
        find_unbound(code, flow, &mut blocks);
        Ok(Self { blocks })
    }

    /// Forgets the locals: in frame form they are in memory. Which may be unbound is still known.
    pub fn keep_slots(&mut self) {
        for block in &mut self.blocks {
            for variables in [&mut block.reads, &mut block.writes] {
                variables.retain(|variable| matches!(variable, Variable::Slot(_)));
            }
        }
    }
}

/// Definite assignment, as the greatest fixpoint of what may be unbound.
fn find_unbound(code: &CodeObject, flow: &ControlFlow, blocks: &mut [BlockFlow]) {
    blocks[0].unbound = UnboundLocals::at_entry(code);
    let mut open: BTreeSet<BlockIndex> = flow.order.iter().copied().collect();
    while let Some(block) = open.pop_first() {
        let mut unbound = blocks[block].unbound.clone();
        for instruction in flow.block_instructions(block) {
            unbound.apply(instruction);
        }
        for successor in flow.blocks[block].successors() {
            let known = &mut blocks[successor].unbound.0;
            let before = known.len();
            known.extend(unbound.iter());
            if known.len() != before {
                open.insert(successor);
            }
        }
    }
}

/// What a stack slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// What a slot held at the start of the block.
    Entry(usize),
    /// Something that the block made.
    New,
}

/// Depths of the stack on the edges out of a block.
struct Exits {
    next: usize,
    jump: usize,
}

struct Walk<'a> {
    code: &'a CodeObject,
    stack: Vec<Held>,
    summary: BlockFlow,
}

impl<'a> Walk<'a> {
    fn new(code: &'a CodeObject, depth: usize) -> Self {
        Self {
            code,
            stack: (0..depth).map(Held::Entry).collect(),
            summary: BlockFlow {
                depth,
                ..BlockFlow::default()
            },
        }
    }

    fn malformed(&self, instruction: &Instruction, what: &str) -> Diagnostic {
        let name = &self.code.qualified_name;
        let message = format!(
            "malformed bytecode of '{name}': {} at byte {}: {what}",
            instruction.info.name, instruction.offset
        );
        Diagnostic::new(self.code, instruction.position, message)
    }

    fn step(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        self.locals(instruction)?;
        let argument = instruction.index();
        match instruction.op() {
            Op::Copy => {
                let index = self.position(instruction, argument)?;
                self.stack.push(self.stack[index]);
                self.check_depth(instruction)
            }
            Op::Swap => {
                let (index, top) = (self.position(instruction, argument)?, self.stack.len() - 1);
                self.stack.swap(index, top);
                Ok(())
            }
            Op::ListAppend
            | Op::ListExtend
            | Op::SetAdd
            | Op::SetUpdate
            | Op::MapAdd
            | Op::DictMerge
            | Op::DictUpdate => {
                // The container stays where it is.
                let (popped, pushed) = instruction.effect();
                self.pop(instruction, popped - pushed)?;
                let index = self.position(instruction, argument)?;
                self.read(index);
                Ok(())
            }
            _ => self.apply(instruction, instruction.effect()),
        }
    }

    /// Goes over a block's last instruction.
    fn finish(&mut self, last: &Instruction) -> Result<Exits, Diagnostic> {
        if last.target.is_none() {
            self.step(last)?;
            self.record_writes();
            let depth = self.stack.len();
            return Ok(Exits {
                next: depth,
                jump: depth,
            });
        }
        // What a branch tests is read; what it leaves on the stack is not written.
        let ((popped, next), (_, jump)) = (last.effect(), last.jump_effect());
        let kept = self.stack.clone();
        self.pop(last, popped)?;
        let below = self.stack.len();
        let exits = Exits {
            next: below + next as usize,
            jump: below + jump as usize,
        };
        self.stack = kept;
        self.stack
            .resize(exits.next.max(exits.jump).max(self.stack.len()), Held::New);
        self.check_depth(last)?;
        self.record_writes();
        Ok(exits)
    }

    fn locals(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        let local = instruction.index();
        let (reads, writes) = match instruction.op() {
            Op::LoadFast => (true, false),
            Op::StoreFast => (false, true),
            Op::DeleteFast => (true, true),
            Op::MakeCell => (local < self.code.parameter_count(), true),
            Op::LoadDeref
            | Op::StoreDeref
            | Op::DeleteDeref
            | Op::LoadClosure
            | Op::LoadClassDeref => (!self.code.is_free(local), false),
            _ => return Ok(()),
        };
        if local >= self.code.local_names.len() {
            return Err(self.malformed(instruction, "no such local"));
        }
        let variable = Variable::Local(local);
        if reads && !self.summary.writes.contains(&variable) {
            self.summary.reads.insert(variable);
        }
        if writes {
            self.summary.writes.insert(variable);
        }
        Ok(())
    }

    fn apply(
        &mut self,
        instruction: &Instruction,
        (popped, pushed): (u64, u64),
    ) -> Result<(), Diagnostic> {
        self.pop(instruction, popped)?;
        if pushed > MAX_STACK_DEPTH as u64 {
            return Err(self.malformed(instruction, "the stack is too deep"));
        }
        self.stack
            .extend(std::iter::repeat_n(Held::New, pushed as usize));
        self.check_depth(instruction)
    }

    fn check_depth(&self, instruction: &Instruction) -> Result<(), Diagnostic> {
        let limit = MAX_STACK_DEPTH.min(self.code.stack_size as usize);
        if self.stack.len() > limit {
            return Err(self.malformed(instruction, "the stack is too deep"));
        }
        Ok(())
    }

    fn pop(&mut self, instruction: &Instruction, count: u64) -> Result<(), Diagnostic> {
        if count > self.stack.len() as u64 {
            return Err(self.malformed(instruction, "the stack is too short"));
        }
        let bottom = self.stack.len() - count as usize;
        (bottom..self.stack.len()).for_each(|index| self.read(index));
        self.stack.truncate(bottom);
        Ok(())
    }

    /// The index of the `depth`th value from the top.
    fn position(&self, instruction: &Instruction, depth: usize) -> Result<usize, Diagnostic> {
        match self.stack.len().checked_sub(depth) {
            Some(index) if depth > 0 => Ok(index),
            _ => Err(self.malformed(instruction, "the stack is too short")),
        }
    }

    fn read(&mut self, index: usize) {
        if let Held::Entry(slot) = self.stack[index] {
            self.summary.reads.insert(Variable::Slot(slot));
        }
    }

    fn record_writes(&mut self) {
        for (slot, &held) in self.stack.iter().enumerate() {
            if held == Held::Entry(slot) {
                continue;
            }
            self.summary.writes.insert(Variable::Slot(slot));
            if let Held::Entry(other) = held {
                self.summary.reads.insert(Variable::Slot(other));
            }
        }
    }
}
