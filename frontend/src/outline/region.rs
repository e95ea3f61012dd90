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
    opcodes,
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
    /// The depth of the stack at `enter` and `leave`.
    pub depth: usize,
    /// The depth of the stack at `begin` and `rest`.
    pub depth_before: usize,
    /// The instructions, ascending by index.
    pub instructions: Vec<usize>,
}

impl Region {
    /// Whether an instruction is part of it.
    pub fn contains(&self, index: usize) -> bool {
        self.instructions.binary_search(&index).is_ok()
    }
}

/// A function whose instructions are walked over.
pub(super) struct Walk<'a> {
    pub code: &'a CodeObject,
    /// The number of free variables that the original has: those behind them are outlined parts.
    pub free: usize,
    pub flow: ControlFlow,
    /// The instructions. Those that access several locals at once are as many, each with an offset
    /// of its own, so that a region can begin between them.
    pub instructions: Vec<Instruction>,
    /// The depth of the stack before each instruction; none for what can't be reached.
    pub depths: Vec<Option<usize>>,
    /// The locals that may be unbound before each instruction.
    pub unbound: Vec<UnboundLocals>,
    /// The protected ranges, without those whose handlers do what happens by itself.
    handlers: Vec<ExceptionHandler>,
    /// The protected ranges as they are written.
    written_handlers: Vec<ExceptionHandler>,
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
        let handlers = bytecode::handlers(code, &flow.instructions)?;
        let flow_instructions = flow.instructions.clone();
        let mut instructions = flow_instructions.clone();
        separate(code, &mut instructions);
        let mut unbound = vec![UnboundLocals::default(); instructions.len()];
        for (block, summary) in flow.blocks.iter().zip(&data.blocks) {
            let mut locals = summary.unbound.clone();
            for index in block.instructions.clone() {
                unbound[index] = locals.clone();
                locals.apply(&instructions[index]);
            }
        }
        let mut walk = Self {
            code,
            free,
            flow,
            depths: vec![None; instructions.len()],
            instructions,
            unbound,
            handlers,
            written_handlers: bytecode::written_handlers(code, &flow_instructions)?,
        };
        walk.find_depths();
        Ok(walk)
    }

    /// Finds the depth of the stack before each instruction that is reached.
    fn find_depths(&mut self) {
        let mut open = vec![(0, 0)];
        while let Some((index, depth)) = open.pop() {
            let Some(instruction) = self.instructions.get(index) else {
                continue;
            };
            if self.depths[index].is_some() {
                continue;
            }
            self.depths[index] = Some(depth);
            let after = |(popped, pushed): (u64, u64)| {
                (depth + pushed as usize).saturating_sub(popped as usize)
            };
            if let Some(target) = instruction.target {
                open.push((self.index(target), after(instruction.jump_effect())));
            }
            if let Some(handler) = instruction.sets_up {
                // It is written where it is set up, even if nothing raises.
                let entry = find(&self.written_handlers, self.following(index).offset);
                let entry = entry.filter(|entry| entry.target == handler);
                open.extend(entry.map(|entry| (self.index(handler), entry.depth as usize + 1)));
            }
            if matches!(instruction.flow(), Flow::Next | Flow::Branch(_)) {
                open.push((index + 1, after(instruction.effect())));
            }
            let handler = find(&self.written_handlers, instruction.offset);
            if let Some(handler) = handler.filter(|_| !instruction.op().is_silent()) {
                let pushed = 1 + usize::from(handler.push_last_offset);
                open.push((self.index(handler.target), handler.depth as usize + pushed));
            }
        }
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

    /// Whether what is at an index begins an instruction of the bytecode: others are further
    /// operations of the same one.
    pub fn is_first_part(&self, index: usize) -> bool {
        let instruction = &self.instructions[index];
        let before = index
            .checked_sub(1)
            .map(|before| &self.instructions[before]);
        let is_other =
            |before: &Instruction| before.offset != instruction.offset || !before.is_written();
        instruction.is_written() && before.is_none_or(is_other)
    }

    /// Where the instruction that begins at an index goes besides the next one, or the handler that it sets
    /// up: whichever of its operations does so.
    pub fn written_target(&self, index: usize) -> Option<u32> {
        let offset = self.instructions[index].offset;
        let parts = self.instructions[index..].iter();
        parts
            .take_while(|part| part.offset == offset && part.is_written())
            .find_map(|part| part.target.or(part.sets_up))
    }

    /// The first instruction behind those at the offset of one.
    fn following(&self, index: usize) -> &Instruction {
        let offset = self.instructions[index].offset;
        let next = (self.instructions).partition_point(|other| other.offset <= offset);
        &self.instructions[next.min(self.instructions.len() - 1)]
    }

    /// The handler of the instruction at an offset, unless nothing that it protects can raise.
    pub fn handler(&self, offset: u32) -> Option<Handler> {
        self.reached(find(&self.handlers, offset)?)
    }

    /// The same, as the bytecode has it: handlers that do what happens by itself count.
    pub fn written_handler(&self, offset: u32) -> Option<Handler> {
        self.reached(find(&self.written_handlers, offset)?)
    }

    fn reached(&self, entry: &ExceptionHandler) -> Option<Handler> {
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

    /// The handler that an instruction sets up.
    fn set_up(&self, index: usize) -> Option<usize> {
        let handler = self.instructions[index].sets_up;
        handler.map(|handler| self.index(handler))
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
                Op::YieldValue
                    | Op::Send
                    | Op::SendIndexed
                    | Op::ReturnGenerator
                    | Op::AsyncGenWrap
            );
            if own.is_none_or(|own| own < depth) || suspends || instruction.op() == Op::ReturnValue
            {
                return Err(Obstacle::Leaves(index));
            }
            open.extend(self.successors(index));
            open.extend(self.set_up(index));
            if let Some(own) = self
                .handler(instruction.offset)
                .filter(|own| Some(own.target) != handler)
            {
                if (own.depth as usize) < depth {
                    return Err(Obstacle::Leaves(index));
                }
                open.push(self.index(own.target));
            }
            let written = self.written_handler(instruction.offset);
            if let Some(inner) = written.filter(|inner| inner.depth as usize >= depth)
                && Some(inner.target) != handler
            {
                open.push(self.index(inner.target));
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
                let handler = self.written_handler(region.begin);
                open.extend(handler.map(|handler| self.index(handler.target)));
                continue;
            }
            if !std::mem::replace(&mut reached[index], true) {
                open.extend(self.successors(index));
                open.extend(self.set_up(index));
                let handler = self.written_handler(self.instructions[index].offset);
                open.extend(handler.map(|handler| self.index(handler.target)));
            }
        }
        reached
    }
}

/// The protected range of the instruction at an offset.
fn find(handlers: &[ExceptionHandler], offset: u32) -> Option<&ExceptionHandler> {
    handlers
        .iter()
        .find(|entry| (entry.start..entry.end).contains(&offset))
}

/// Makes instructions of their own, at offsets of their own, of the parts of one that accesses
/// several locals.
fn separate(code: &CodeObject, instructions: &mut [Instruction]) {
    let table = opcodes::table(code.version).expect("the code was decoded with it");
    for parts in instructions.chunk_by_mut(|left, right| left.offset == right.offset) {
        if parts.len() == 1 || !parts.iter().all(|part| part.op().is_plain_access()) {
            continue;
        }
        for (number, part) in parts.iter_mut().enumerate() {
            let is_single = |op| table.rows.iter().find(|row| row.is(op));
            let row = match part.op() {
                Op::LoadFast | Op::LoadClosure => is_single(Op::LoadFastOrCell),
                _ => is_single(Op::StoreFast),
            };
            part.info = row.expect("what has such instructions has their parts");
            part.offset += number as u32;
            part.raw = part.argument;
        }
    }
}
