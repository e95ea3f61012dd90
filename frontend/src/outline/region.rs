//! The instructions of a region, and how deep the stack is at each instruction.

use super::assemble::Handler;
use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    control_flow::ControlFlow,
    data_flow::{DataFlow, UnboundLocals},
    diagnostic::Diagnostic,
    factor,
    op::{Flow, Op},
    tables::ExceptionHandler,
};

/// A part of a function that control enters and leaves at one place each.
#[derive(Debug)]
pub(super) struct Region {
    /// The first instruction of the statement, by its offset: the call goes there.
    pub begin: u32,
    /// The first instruction of the region.
    pub enter: u32,
    /// Where control goes when it leaves the region; not part of it.
    pub leave: u32,
    /// Where the rest goes on.
    pub rest: u32,
    /// A handler that the region is protected by in the original alone.
    pub handler: Option<u32>,
    /// The depth of the stack at `enter` and `leave`.
    pub depth: usize,
    /// The depth of the stack at `begin` and `rest`.
    pub depth_before: usize,
    /// The instructions, ascending by index.
    pub instructions: Vec<usize>,
}

/// A function whose instructions are walked over.
pub(super) struct Walk<'a> {
    pub code: &'a CodeObject,
    /// The number of free variables that the original has: those behind them are outlined parts.
    pub free: usize,
    pub flow: ControlFlow,
    pub instructions: Vec<Instruction>,
    /// The depth of the stack before each instruction; none for what can't be reached.
    pub depths: Vec<Option<usize>>,
    /// The locals that may be unbound before each instruction.
    pub unbound: Vec<UnboundLocals>,
    handlers: Vec<ExceptionHandler>,
}

/// What keeps a part of a function from being a region.
pub(super) enum Obstacle {
    /// Control leaves it in another way, at this instruction.
    Leaves(usize),
}

impl<'a> Walk<'a> {
    pub fn new(code: &'a CodeObject, free: usize) -> Result<Self, Diagnostic> {
        let flow = factor::control_flow(code)?;
        let data = DataFlow::new(code, &flow)?;
        let instructions = flow.instructions.clone();
        let mut depths = vec![None; instructions.len()];
        let mut unbound = vec![UnboundLocals::default(); instructions.len()];
        for (block, summary) in flow.blocks.iter().zip(&data.blocks) {
            let mut depth = summary.depth;
            let mut locals = summary.unbound.clone();
            for index in block.instructions.clone() {
                depths[index] = Some(depth);
                unbound[index] = locals.clone();
                locals.apply(&instructions[index]);
                let (popped, pushed) = instructions[index].effect();
                depth = (depth + pushed as usize).saturating_sub(popped as usize);
            }
        }
        let handlers = bytecode::handlers(code, &instructions)?;
        Ok(Self {
            code,
            free,
            flow,
            instructions,
            depths,
            unbound,
            handlers,
        })
    }

    /// The index of the instruction at an offset.
    pub fn index(&self, offset: u32) -> usize {
        self.instructions
            .partition_point(|other| other.offset < offset)
    }

    /// The instruction at an offset.
    pub fn at(&self, offset: u32) -> &Instruction {
        &self.instructions[self.index(offset)]
    }

    /// The handler of the instruction at an offset, unless nothing that it protects can raise.
    pub fn handler(&self, offset: u32) -> Option<Handler> {
        let entry = self
            .handlers
            .iter()
            .find(|entry| (entry.start..entry.end).contains(&offset))?;
        self.depths[self.index(entry.target)]?;
        Some(Handler {
            target: entry.target,
            depth: entry.depth,
            push_last_offset: entry.push_last_offset,
        })
    }

    /// Where control can go from an instruction without an exception.
    pub fn successors(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let instruction = &self.instructions[index];
        let next = match instruction.flow() {
            Flow::Next | Flow::Branch(_) => Some(index + 1),
            Flow::Jump | Flow::Leave => None,
        };
        let target = instruction.target.map(|target| self.index(target));
        next.into_iter().chain(target)
    }

    /// The same, with the handler.
    pub fn all_successors(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        self.successors_but(index, None)
    }

    /// The same, without one certain handler.
    pub fn successors_but(
        &self,
        index: usize,
        ignored: Option<u32>,
    ) -> impl Iterator<Item = usize> + use<> {
        let handler = self.handler(self.instructions[index].offset);
        let handler = handler.filter(|handler| Some(handler.target) != ignored);
        let handler = handler.map(|handler| self.index(handler.target));
        self.successors(index).chain(handler)
    }

    /// The instructions that control reaches from `enter` before it gets to `leave`.
    pub fn region(
        &self,
        enter: u32,
        leave: u32,
        handler: Option<u32>,
    ) -> Result<Vec<usize>, Obstacle> {
        let (enter, leave) = (self.index(enter), self.index(leave));
        let depth = self.depths[enter].unwrap_or_default();
        let mut seen = vec![false; self.instructions.len()];
        let mut open = vec![enter];
        while let Some(index) = open.pop() {
            if index == leave || std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let instruction = &self.instructions[index];
            let popped = instruction.effect().0 as usize;
            let own = self.depths[index].and_then(|before| before.checked_sub(popped));
            let suspends = matches!(
                instruction.op(),
                Op::YieldValue | Op::Send | Op::ReturnGenerator | Op::AsyncGenWrap
            );
            if own.is_none_or(|own| own < depth) || suspends || instruction.op() == Op::ReturnValue
            {
                return Err(Obstacle::Leaves(index));
            }
            open.extend(self.successors(index));
            if let Some(own) = self
                .handler(instruction.offset)
                .filter(|own| Some(own.target) != handler)
            {
                if (own.depth as usize) < depth {
                    return Err(Obstacle::Leaves(index));
                }
                open.push(self.index(own.target));
            }
        }
        Ok((0..seen.len()).filter(|&index| seen[index]).collect())
    }

    /// Which instructions are still reached when the statement of a region is a call, and the
    /// region itself is only a fallback, or nothing.
    pub fn reached_around(&self, region: &Region, falls_back: bool) -> Vec<bool> {
        let begin = self.index(region.begin);
        let mut reached = vec![false; self.instructions.len()];
        let mut open = vec![0, self.index(region.rest)];
        if falls_back {
            open.push(begin);
        }
        while let Some(index) = open.pop() {
            if index == begin && !falls_back {
                // The call is protected as the statement was.
                let handler = self.handler(region.begin);
                open.extend(handler.map(|handler| self.index(handler.target)));
                continue;
            }
            if !std::mem::replace(&mut reached[index], true) {
                open.extend(self.all_successors(index));
            }
        }
        reached
    }
}
