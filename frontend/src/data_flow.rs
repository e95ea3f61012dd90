//! Abstract interpretation of stack and locals: how deep the stack is at the start of each block,
//! which variables a block reads before it writes them, and which locals may be unbound.

use crate::{
    bit_set::BitSet,
    bytecode::Instruction,
    code::CodeObject,
    control_flow::{BlockIndex, ControlFlow},
    diagnostic::Diagnostic,
    opcodes::{Flow, Op},
};

/// The deepest stack that is accepted.
const MAX_STACK_DEPTH: usize = 1 << 16;

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
}

/// The locals that may be unbound at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnboundLocals(BitSet);

impl UnboundLocals {
    /// Those at the start of a function: what isn't a parameter. Free variables are not counted.
    pub fn at_entry(code: &CodeObject) -> Self {
        let mut set = BitSet::new(code.local_names.len());
        for local in code.parameter_count()..code.local_names.len() {
            if !code.is_free(local) {
                set.insert(local);
            }
        }
        Self(set)
    }

    /// Whether a local may be unbound.
    pub fn contains(&self, local: usize) -> bool {
        self.0.contains(local)
    }

    /// The locals in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter()
    }

    /// Goes over an instruction, whose local is one of the code.
    pub fn apply(&mut self, instruction: &Instruction) {
        match instruction.op() {
            Op::StoreFast | Op::MakeCell => self.0.remove(instruction.index()),
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
    pub fn keep_slots(&mut self) {
        for block in &mut self.blocks {
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
        block.unbound.0 = BitSet::new(code.local_names.len());
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
            if !flow.is_factored && instruction.op() == Op::DeleteFast {
                anywhere.apply(instruction);
            }
        }
        for successor in flow.blocks[block].successors() {
            let mut changed = blocks[successor].unbound.0.union_with(&unbound.0);
            if !flow.is_factored && flow.blocks[block].unwind == Some(successor) {
                changed |= blocks[successor].unbound.0.union_with(&anywhere.0);
            }
            if changed && !std::mem::replace(&mut is_open[successor], true) {
                open.push(successor);
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
    /// The depth of the stack that the handler of the block needs.
    handler_depth: usize,
    /// Whether the part of the block has begun where variables that the handler sees must not
    /// change.
    is_fixed: Option<bool>,
    /// The deepest stack so far.
    deepest: usize,
    locals: usize,
    stack: Vec<Held>,
    summary: BlockFlow,
}

impl<'a> Walk<'a> {
    fn new(code: &'a CodeObject, flow: &ControlFlow, block: BlockIndex, depth: usize) -> Self {
        // What a handler pushes is made on the way into it.
        let kept = match flow.blocks[block].handler {
            Some(handler) => handler.depth.min(depth),
            None => depth,
        };
        let unwind = flow.blocks[block].unwind;
        let handler = unwind.and_then(|handler| flow.blocks[handler].handler);
        let entry = |slot| {
            if slot < kept {
                Held::Entry(slot)
            } else {
                Held::New
            }
        };
        Self {
            code,
            handler_depth: handler.map_or(0, |handler| handler.depth),
            is_fixed: flow.is_factored.then_some(false),
            deepest: depth,
            locals: code.local_names.len(),
            stack: (0..depth).map(entry).collect(),
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

    /// A handler finds the stack at least as deep as it says.
    fn check_handler(&self, instruction: &Instruction) -> Result<(), Diagnostic> {
        if self.stack.len() < self.handler_depth {
            return Err(self.malformed(instruction, "the stack is too short for its handler"));
        }
        Ok(())
    }

    /// In a factored block nothing that its handler finds on the stack changes after the moves at
    /// the start.
    fn check_write(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        if let Some(is_fixed) = &mut self.is_fixed {
            *is_fixed |= !instruction.op().is_silent();
            let lowest = instruction.lowest_write(self.stack.len());
            if *is_fixed && lowest.is_some_and(|slot| slot < self.handler_depth) {
                return Err(self.malformed(instruction, "the stack of its handler changes"));
            }
        }
        Ok(())
    }

    fn step(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        self.locals(instruction)?;
        let argument = instruction.index();
        let (popped, pushed) = instruction.effect();
        if instruction.op() == Op::Swap {
            let (index, top) = (self.position(instruction, argument)?, self.stack.len() - 1);
            self.stack.swap(index, top);
            return Ok(());
        }
        if instruction.op() == Op::Copy {
            let index = self.position(instruction, argument)?;
            self.stack.push(self.stack[index]);
            return self.check_depth(instruction);
        }
        let kept = instruction.op().kept(u64::from(instruction.argument));
        self.pop(instruction, popped - kept)?;
        self.read_kept(instruction)?;
        if pushed > MAX_STACK_DEPTH as u64 {
            return Err(self.malformed(instruction, "the stack is too deep"));
        }
        self.stack
            .extend(std::iter::repeat_n(Held::New, (pushed - kept) as usize));
        self.check_depth(instruction)
    }

    /// Reads those of the values that an instruction keeps which it looks at.
    fn read_kept(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        let argument = instruction.index();
        let depths = match instruction.op() {
            Op::WithExceptStart => [Some(1), Some(4)],
            Op::MatchKeys => [Some(1), Some(2)],
            // The container stays where it is.
            Op::ListAppend
            | Op::ListExtend
            | Op::SetAdd
            | Op::SetUpdate
            | Op::MapAdd
            | Op::DictUpdate => [Some(argument), None],
            // The function that is called with the keywords is named in errors.
            Op::DictMerge if self.stack.len() > argument + 2 => {
                [Some(argument), Some(argument + 2)]
            }
            Op::DictMerge => [Some(argument), None],
            op if op.kept(u64::from(instruction.argument)) == 1 => [Some(1), None],
            _ => return Ok(()),
        };
        for depth in depths.into_iter().flatten() {
            let index = self.position(instruction, depth)?;
            self.read(index);
        }
        Ok(())
    }

    /// Goes over a block's last instruction.
    fn finish(&mut self, last: &Instruction) -> Result<Exits, Diagnostic> {
        let Flow::Branch(_, jump) = last.info.flow else {
            self.step(last)?;
            self.record_writes();
            let depth = self.stack.len();
            return Ok(Exits {
                next: depth,
                jump: depth,
            });
        };
        // What a branch tests is read; what it keeps on one of the ways is not written.
        let ((popped, next), (_, jump)) = (last.effect(), jump(u64::from(last.argument)));
        let kept = last.op().kept(u64::from(last.argument));
        let stack = self.stack.clone();
        self.pop(last, popped)?;
        let below = self.stack.len();
        let exits = Exits {
            next: below + next as usize,
            jump: below + jump as usize,
        };
        self.stack
            .extend_from_slice(&stack[below..below + kept as usize]);
        let depth = exits.next.max(self.stack.len());
        self.stack.resize(depth, Held::New);
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
            // `super()` looks at the first parameter.
            Op::Call if local == 0 && self.code.may_call_super() => (true, false),
            _ => return Ok(()),
        };
        if local >= self.locals {
            return Err(self.malformed(instruction, "no such local"));
        }
        if reads && !self.summary.writes.contains(local) {
            self.summary.reads.insert(local);
        }
        if writes {
            self.summary.writes.insert(local);
        }
        Ok(())
    }

    fn check_depth(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        if self.stack.len() > MAX_STACK_DEPTH.min(self.code.stack_size as usize) {
            return Err(self.malformed(instruction, "the stack is too deep"));
        }
        self.deepest = self.deepest.max(self.stack.len());
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
            self.summary.reads.insert(self.locals + slot);
        }
    }

    fn record_writes(&mut self) {
        for slot in 0..self.stack.len() {
            let held = self.stack[slot];
            if held == Held::Entry(slot) {
                continue;
            }
            self.summary.writes.insert(self.locals + slot);
            self.read(slot);
        }
    }
}
