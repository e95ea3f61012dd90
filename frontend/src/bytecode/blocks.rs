//! What CPython 3.10 does without instructions, written out as later versions have it.
//!
//! Its handlers are on a stack of blocks that `SETUP_…` pushes and `POP_BLOCK` pops, so which one an
//! instruction has follows from the ways to it. Where one begins, the interpreter has pushed six
//! values: three for the exception that was handled before, three for the one that is handled now.
//! Here the lowest is the former and all others are the latter, which is what code can tell. While it
//! is handled there is a block on the stack that says so. An exception that leaves the handler pops
//! it: that is code behind the function's own, as in the exception tables of 3.11.
//!
//! Functions begin with what the interpreter does for cells and free variables when it makes a frame;
//! all other offsets are a code unit larger for it, so that a loop that begins the function has a
//! place to jump to. `YIELD_FROM` is the loop that it is.

use super::{BlockHandler, Instruction, UNIT, malformed};
use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::{Flow, Op},
    opcodes::{Meaning, OpcodeInfo, Operand},
    tables::ExceptionHandler,
};
use pyopt_dialects::enums::FunctionKind;
use std::collections::{HashMap, HashSet};

/// How many blocks the interpreter's stack has room for.
const MAX_BLOCKS: u32 = 20;

/// How many values are on the stack for the exceptions where a handler begins.
const HANDLED: u64 = 6;

/// What instructions that bytecode doesn't have are shown as.
static IMPLIED: OpcodeInfo = OpcodeInfo {
    number: 0,
    name: "implied instruction",
    operand: Operand::Implied,
    caches: 0,
    meaning: Meaning::Is(Op::Nop),
};

/// What a block is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// An exception goes to the handler at this offset.
    Protected(u32),
    /// An exception is handled.
    Handling,
}

/// A block on the stack of blocks, which links to the one below.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Block {
    below: Option<usize>,
    kind: Kind,
    /// The depth of the stack when it was set up.
    depth: u64,
    /// How many blocks there are with it.
    count: u32,
}

/// The stacks at an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    depth: u64,
    top: Option<usize>,
}

struct Blocks<'a> {
    code: &'a CodeObject,
    instructions: &'a [Instruction],
    blocks: Vec<Block>,
    numbers: HashMap<Block, usize>,
    /// The state before each instruction that is reached.
    states: Vec<Option<State>>,
    open: Vec<usize>,
}

impl<'a> Blocks<'a> {
    fn error(&self, index: usize, what: &str) -> Diagnostic {
        let Instruction { info, offset, .. } = self.instructions[index];
        malformed(self.code, offset as usize, format!("{}: {what}", info.name))
    }

    fn index(&self, offset: u32) -> usize {
        self.instructions
            .partition_point(|other| other.offset < offset)
    }

    fn push(
        &mut self,
        from: usize,
        below: Option<usize>,
        kind: Kind,
        depth: u64,
    ) -> Result<Option<usize>, Diagnostic> {
        let count = below.map_or(0, |below| self.blocks[below].count) + 1;
        if count > MAX_BLOCKS {
            return Err(self.error(from, "there are too many blocks"));
        }
        let block = Block {
            below,
            kind,
            depth,
            count,
        };
        let next = self.blocks.len();
        let number = *self.numbers.entry(block).or_insert(next);
        if number == next {
            self.blocks.push(block);
        }
        Ok(Some(number))
    }

    fn pop(
        &self,
        from: usize,
        top: Option<usize>,
        is_right: impl Fn(Kind) -> bool,
    ) -> Result<Option<usize>, Diagnostic> {
        let block = top.map(|top| self.blocks[top]);
        let block = block.filter(|block| is_right(block.kind));
        let block = block.ok_or_else(|| self.error(from, "no such block is set up"))?;
        Ok(block.below)
    }

    /// Control can get to an instruction with these stacks.
    fn reach(&mut self, from: usize, index: usize, state: State) -> Result<(), Diagnostic> {
        match self.states.get(index) {
            Some(None) => {
                self.states[index] = Some(state);
                self.open.push(index);
                Ok(())
            }
            Some(Some(known)) if *known != state => {
                Err(self.error(from, "the stacks are not the same on all paths"))
            }
            Some(Some(_)) => Ok(()),
            None => Ok(()),
        }
    }

    /// Follows all ways through the function.
    fn walk(&mut self) -> Result<(), Diagnostic> {
        let start = State {
            depth: 0,
            top: None,
        };
        if !self.instructions.is_empty() {
            self.reach(0, 0, start)?;
        }
        while let Some(index) = self.open.pop() {
            let state = self.states[index].expect("what is open has a state");
            self.step(index, state)?;
        }
        Ok(())
    }

    fn step(&mut self, index: usize, State { depth, top }: State) -> Result<(), Diagnostic> {
        let instruction = self.instructions[index];
        let after = |(popped, pushed): (u64, u64)| {
            let below = depth.checked_sub(popped);
            below.map(|below| below + pushed)
        };
        let short = |this: &Self| this.error(index, "the stack is too short");
        let next = after(instruction.effect()).ok_or_else(|| short(self))?;
        let jump = after(instruction.jump_effect()).ok_or_else(|| short(self))?;
        if next.max(jump) > u64::from(self.code.stack_size) {
            return Err(self.error(index, "the stack is too deep"));
        }
        let mut blocks = top;
        match instruction.op {
            Op::PopBlock => {
                blocks = self.pop(index, top, |kind| kind != Kind::Handling)?;
            }
            Op::PopExcept => {
                blocks = self.pop(index, top, |kind| kind == Kind::Handling)?;
            }
            _ => {}
        }
        if let Some(handler) = instruction.sets_up {
            // The value that was entered with stays out of it.
            let level = match instruction.op {
                Op::SetupWith => depth.checked_sub(1).ok_or_else(|| short(self))?,
                _ => depth,
            };
            let first = self.index(handler);
            let state = match self.instructions[first].op {
                Op::EndAsyncFor => State {
                    depth: level + 1,
                    top,
                },
                _ => State {
                    depth: level + HANDLED,
                    top: self.push(index, top, Kind::Handling, level)?,
                },
            };
            self.reach(index, first, state)?;
            blocks = self.push(index, top, Kind::Protected(handler), level)?;
        }
        if matches!(instruction.flow(), Flow::Next | Flow::Branch(_)) {
            let state = State {
                depth: next,
                top: blocks,
            };
            self.reach(index, index + 1, state)?;
        }
        if let Some(target) = instruction.target {
            let state = State {
                depth: jump,
                top: blocks,
            };
            self.reach(index, self.index(target), state)?;
        }
        Ok(())
    }
}

/// Writes out what isn't there, and notes the handler of each instruction.
pub(super) fn written_out(
    code: &CodeObject,
    mut instructions: Vec<Instruction>,
) -> Result<Vec<Instruction>, Diagnostic> {
    name_cells(code, &mut instructions)?;
    let mut flow = Blocks {
        code,
        instructions: &instructions,
        blocks: Vec::new(),
        numbers: HashMap::new(),
        states: vec![None; instructions.len()],
        open: Vec::new(),
    };
    flow.walk()?;
    Writer::new(&flow).write()
}

/// Numbers variables in cells as locals are.
fn name_cells(code: &CodeObject, instructions: &mut [Instruction]) -> Result<(), Diagnostic> {
    let cells = code.cells_apart();
    let named = instructions.iter_mut().filter(|one| one.op.names_cell());
    for instruction in named {
        let Some(&local) = cells.get(instruction.index()) else {
            let what = format!("{} has no such variable", instruction.info.name);
            return Err(malformed(code, instruction.offset as usize, what));
        };
        (instruction.argument, instruction.raw) = (local as u32, local as u32);
    }
    Ok(())
}

struct Writer<'a> {
    flow: &'a Blocks<'a>,
    written: Vec<Instruction>,
    /// Where handlers begin.
    handlers: HashSet<u32>,
    /// The blocks of exceptions that are handled, in the order of the code that pops them.
    handling: Vec<usize>,
    /// Where that code begins.
    end: u32,
}

impl<'a> Writer<'a> {
    fn new(flow: &'a Blocks<'a>) -> Self {
        let handling = (0..flow.blocks.len())
            .filter(|&block| flow.blocks[block].kind == Kind::Handling)
            .collect();
        let handlers = flow.blocks.iter().filter_map(|block| match block.kind {
            Kind::Protected(handler) => Some(handler),
            Kind::Handling => None,
        });
        Self {
            flow,
            written: Vec::new(),
            handlers: handlers.collect(),
            handling,
            end: shifted(flow.code.bytecode.len() as u32),
        }
    }

    /// The handler of what runs with these blocks.
    fn handler(&self, top: Option<usize>) -> Option<BlockHandler> {
        let top = top?;
        let Block { kind, depth, .. } = self.flow.blocks[top];
        Some(match kind {
            Kind::Protected(handler) => BlockHandler {
                target: shifted(handler),
                depth: depth as u32,
            },
            Kind::Handling => BlockHandler {
                target: self.end
                    + UNIT as u32 * self.handling.partition_point(|&one| one < top) as u32,
                depth: depth as u32 + 1,
            },
        })
    }

    /// Whether a handler that is set up somewhere begins with an instruction.
    fn begins_handler(&self, index: usize) -> bool {
        let Instruction { offset, .. } = self.flow.instructions[index];
        let is_first = index == 0 || self.flow.instructions[index - 1].offset != offset;
        is_first && self.handlers.contains(&offset)
    }

    /// Whether an instruction is one of those that give back what was handled before.
    fn ends_handling(&self, index: usize) -> bool {
        let rest = &self.flow.instructions[index..];
        let mut parts = rest.iter().take_while(|part| part.offset == rest[0].offset);
        parts.any(|part| part.op == Op::PopExcept)
    }

    /// Adds instructions beside one, with its handler.
    fn imply(&mut self, beside: Instruction, operations: &[(Op, u32)]) {
        let implied = operations.iter().map(|&(op, argument)| Instruction {
            info: &IMPLIED,
            op,
            argument,
            raw: argument,
            target: None,
            sets_up: None,
            ..beside
        });
        self.written.extend(implied);
    }

    fn write(mut self) -> Result<Vec<Instruction>, Diagnostic> {
        let flow = self.flow;
        let Some(&first) = flow.instructions.first() else {
            return Ok(Vec::new());
        };
        self.begin(first);
        let is_async = flow.code.kind() == FunctionKind::AsyncGenerator;
        for (index, &instruction) in flow.instructions.iter().enumerate() {
            let top = flow.states[index].and_then(|state| state.top);
            // What gives the last exception back can't raise: it is protected as what follows is.
            let top = match self.ends_handling(index) {
                true => top.and_then(|top| flow.blocks[top].below),
                false => top,
            };
            let instruction = Instruction {
                offset: shifted(instruction.offset),
                target: instruction.target.map(shifted),
                sets_up: instruction.sets_up.map(shifted),
                block: self.handler(top),
                ..instruction
            };
            if self.begins_handler(index) && instruction.op != Op::EndAsyncFor {
                let copy = (Op::Copy, 1);
                self.imply(instruction, &[(Op::PushExcInfo, 0), copy, copy, copy, copy]);
            }
            match instruction.op {
                Op::YieldFrom => self.delegate(index, instruction)?,
                Op::YieldValue if is_async => {
                    self.push(instruction, Op::AsyncGenWrap, None);
                    self.push(instruction, Op::YieldValue, None);
                }
                _ => self.written.push(instruction),
            }
        }
        let last = *self.written.last().expect("there are instructions");
        for (number, block) in self.handling.clone().into_iter().enumerate() {
            let beside = Instruction {
                offset: self.end + (UNIT * number) as u32,
                block: self.handler(flow.blocks[block].below),
                ..last
            };
            self.imply(
                beside,
                &[(Op::Copy, 2), (Op::PopExcept, 0), (Op::Reraise, 0)],
            );
        }
        Ok(self.written)
    }

    /// What the interpreter does when it makes a frame.
    fn begin(&mut self, first: Instruction) {
        let code = self.flow.code;
        let free = code.free_names().count() as u32;
        let mut operations = Vec::new();
        if free != 0 {
            operations.push((Op::CopyFreeVars, free));
        }
        let locals = 0..code.local_names.len();
        let cells = locals.filter(|&local| code.is_cell(local));
        operations.extend(cells.map(|cell| (Op::MakeCell, cell as u32)));
        operations.push((Op::Resume, 0));
        let beside = Instruction {
            block: None,
            ..first
        };
        self.imply(beside, &operations);
    }

    fn push(&mut self, instruction: Instruction, op: Op, target: Option<u32>) {
        self.written.push(Instruction {
            op,
            argument: 0,
            target,
            ..instruction
        });
    }

    /// Sends values to a delegate and yields what it yields, until it returns.
    fn delegate(&mut self, index: usize, instruction: Instruction) -> Result<(), Diagnostic> {
        let behind = self.flow.instructions.get(index + 1);
        let behind = behind.ok_or_else(|| self.flow.error(index, "it is the last instruction"))?;
        let behind = shifted(behind.offset);
        self.push(instruction, Op::Send, Some(behind));
        self.push(instruction, Op::YieldValue, None);
        self.push(instruction, Op::Resume, None);
        self.push(instruction, Op::Jump, Some(instruction.offset));
        Ok(())
    }
}

/// The place of an instruction behind what the function begins with.
fn shifted(offset: u32) -> u32 {
    offset + UNIT as u32
}

/// The protected ranges of instructions whose handlers were found here.
pub(super) fn ranges(instructions: &[Instruction]) -> Vec<ExceptionHandler> {
    let mut ranges: Vec<ExceptionHandler> = Vec::new();
    for instruction in instructions {
        let Some(BlockHandler { target, depth }) = instruction.block else {
            continue;
        };
        let end = instruction.offset + UNIT as u32;
        match ranges.last_mut() {
            Some(last)
                if (last.target, last.depth) == (target, depth)
                    && last.end >= instruction.offset =>
            {
                last.end = end;
            }
            _ => ranges.push(ExceptionHandler {
                start: instruction.offset,
                end,
                target,
                depth,
                push_last_offset: false,
            }),
        }
    }
    ranges
}
