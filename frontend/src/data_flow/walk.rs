//! A walk over the instructions of a block: what is on the stack, what is read and written.

use super::BlockFlow;
use crate::{
    bytecode::Instruction,
    code::CodeObject,
    control_flow::{BlockIndex, ControlFlow},
    diagnostic::Diagnostic,
    op::{Flow, Op},
};

/// The deepest stack that is accepted.
const MAX_STACK_DEPTH: usize = 1 << 16;

/// What a stack slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// What a slot held at the start of the block.
    Entry(usize),
    /// Something that the block made.
    New,
}

/// Depths of the stack on the edges out of a block.
pub(super) struct Exits {
    pub next: usize,
    pub jump: usize,
}

pub(super) struct Walk<'a> {
    code: &'a CodeObject,
    /// The depth of the stack that the handler of the block needs.
    handler_depth: usize,
    /// Whether the part of the block has begun where variables that the handler sees must not
    /// change.
    is_fixed: Option<bool>,
    /// The deepest stack so far.
    pub deepest: usize,
    locals: usize,
    stack: Vec<Held>,
    pub summary: BlockFlow,
}

impl<'a> Walk<'a> {
    pub fn new(code: &'a CodeObject, flow: &ControlFlow, block: BlockIndex, depth: usize) -> Self {
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

    pub fn malformed(&self, instruction: &Instruction, what: &str) -> Diagnostic {
        let name = &self.code.qualified_name;
        let message = format!(
            "malformed bytecode of '{name}': {} at byte {}: {what}",
            instruction.info.name, instruction.offset
        );
        Diagnostic::new(self.code, instruction.position, message)
    }

    /// A handler finds the stack at least as deep as it says.
    pub fn check_handler(&self, instruction: &Instruction) -> Result<(), Diagnostic> {
        if self.stack.len() < self.handler_depth {
            return Err(self.malformed(instruction, "the stack is too short for its handler"));
        }
        Ok(())
    }

    /// In a factored block nothing that its handler finds on the stack changes after the moves at
    /// the start.
    pub fn check_write(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        if let Some(is_fixed) = &mut self.is_fixed {
            *is_fixed |= !instruction.op().is_silent();
            let lowest = instruction.lowest_write(self.stack.len());
            if *is_fixed && lowest.is_some_and(|slot| slot < self.handler_depth) {
                return Err(self.malformed(instruction, "the stack of its handler changes"));
            }
        }
        Ok(())
    }

    pub fn step(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
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
        if instruction.op() == Op::ForgetFast {
            let forgotten = self.stack.pop();
            let forgotten = forgotten.map(|_| ());
            return forgotten.ok_or_else(|| self.malformed(instruction, "the stack is too short"));
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
            Op::WithExceptStart => [Some(1), Some(argument + 4)],
            Op::MatchKeys => [Some(1), Some(2)],
            // The container stays where it is.
            Op::ListAppend
            | Op::ListExtend
            | Op::SetAdd
            | Op::SetUpdate
            | Op::MapAdd
            | Op::DictUpdate => [Some(argument), None],
            // The function that is called with the keywords is named in errors.
            Op::DictMerge if self.stack.len() > self.code.merge_callee(argument) => {
                [Some(argument), Some(self.code.merge_callee(argument))]
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
    pub fn finish(&mut self, last: &Instruction) -> Result<Exits, Diagnostic> {
        let Flow::Branch(jump) = last.flow() else {
            self.step(last)?;
            if matches!(last.op(), Op::RaiseVarargs | Op::Reraise) {
                let left = self.stack.iter().filter_map(|held| match held {
                    Held::Entry(slot) => Some(*slot),
                    Held::New => None,
                });
                self.summary.left = left.collect();
            }
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
            Op::StoreFast | Op::RestoreFast | Op::ClearFast | Op::ForgetFast => (false, true),
            Op::DeleteFast | Op::LoadFastAndClear => (true, true),
            Op::MakeCell => (local < self.code.parameter_count(), true),
            Op::LoadDeref
            | Op::StoreDeref
            | Op::DeleteDeref
            | Op::LoadClosure
            | Op::LoadClassDeref
            | Op::LoadFromDictOrDeref => (!self.code.is_free(local), false),
            // `super()` looks at the first parameter.
            Op::Call | Op::CallFunction if local == 0 && self.code.may_call_super() => {
                (true, false)
            }
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
