//! Decoding of bytecode: `EXTENDED_ARG` prefixes are folded into arguments, inline caches are
//! skipped, jumps carry their target.
//!
//! What versions do differently is the same afterwards. An instruction that stands for several
//! operations becomes as many instructions at one offset; what depends on its neighbours is settled
//! (`settle`); handlers that do nothing more than operations do by themselves are left out
//! ([`handlers()`]); what CPython 3.10 has no instructions for is written out ([`blocks`]).

mod blocks;
mod comprehensions;
mod handlers;
mod settle;

pub use handlers::{handlers, written_handlers};
pub use settle::entered;

use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::{self, Flow, Op},
    opcodes::{self, Meaning, OpcodeInfo, OpcodeTable, Operand, Ranges},
    tables::Position,
    value::Value,
};
use std::fmt;

/// Bytes of a code unit: an opcode and an eighth of an argument's bits each.
const UNIT: usize = 2;

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The byte offset of the instruction, or of its first `EXTENDED_ARG`.
    pub offset: u32,
    /// The row of the opcode table.
    pub info: &'static OpcodeInfo,
    /// The operation.
    pub op: Op,
    /// The operation's argument; 0 if it has none.
    pub argument: u32,
    /// The instruction's argument, as the bytecode has it.
    pub raw: u32,
    /// The byte offset that the instruction jumps to.
    pub target: Option<u32>,
    /// The byte offset of the handler that the instruction puts on the stack of blocks.
    pub sets_up: Option<u32>,
    /// Its handler, where it is known from blocks and not from a table.
    pub block: Option<BlockHandler>,
    /// The source position.
    pub position: Position,
}

/// The handler of an instruction, as the stack of blocks has it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockHandler {
    /// The byte offset of its first instruction.
    pub target: u32,
    /// The depth to which the stack is cut.
    pub depth: u32,
}

impl Instruction {
    /// Whether bytecode has the instruction: others stand for what the interpreter does by itself.
    pub fn is_written(&self) -> bool {
        self.info.operand != Operand::Implied
    }

    /// The operation.
    pub fn op(&self) -> Op {
        self.op
    }

    /// What the operation does to control flow.
    pub fn flow(&self) -> Flow {
        self.op.flow()
    }

    /// The constant that the instruction loads, if it loads one.
    pub fn constant(&self, code: &CodeObject) -> Option<Value> {
        match self.op {
            Op::LoadConst | Op::ReturnConst => code.constants.get(self.index()).cloned(),
            Op::LoadSmallInt => Some(Value::Int(i64::from(self.argument).into())),
            Op::LoadCommonConstant => op::common_constant(self.index()),
            _ => None,
        }
    }

    /// The argument as an index.
    pub fn index(&self) -> usize {
        self.argument as usize
    }

    /// The number of values popped and pushed when control goes to the next instruction.
    pub fn effect(&self) -> (u64, u64) {
        self.op.effect(u64::from(self.argument))
    }

    /// The lowest stack slot that gets another value when the stack is `depth` deep before.
    pub fn lowest_write(&self, depth: usize) -> Option<usize> {
        if self.op() == Op::Swap {
            return depth.checked_sub(self.index());
        }
        let (popped, pushed) = self.effect();
        let kept = self.op().kept(u64::from(self.argument));
        let below = (depth as u64).checked_sub(popped)?;
        (pushed > kept).then_some((below + kept) as usize)
    }

    /// The number of values popped and pushed when control jumps.
    pub fn jump_effect(&self) -> (u64, u64) {
        match self.flow() {
            Flow::Branch(effect) => effect(u64::from(self.argument)),
            _ => self.effect(),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:>4} {}", self.offset, self.info.name)?;
        match self.target {
            Some(target) => write!(formatter, " to {target}")?,
            None if self.info.operand != Operand::Unused => {
                write!(formatter, " {}", self.argument)?;
            }
            None => {}
        }
        write!(formatter, " ({})", self.position)
    }
}

/// Decodes the bytecode of a code object.
///
/// Jump targets are those of instructions in the result; constants, names and locals are not looked
/// up.
pub fn decode(code: &CodeObject) -> Result<Vec<Instruction>, Diagnostic> {
    let table = opcodes::table(code.version).ok_or_else(|| {
        Diagnostic::at_start(
            code,
            format!(
                "'{}' was compiled by CPython {}; supported: {}",
                code.qualified_name,
                code.version,
                opcodes::supported_versions()
            ),
        )
    })?;
    let mut instructions = split(code, table)?;
    check_targets(code, &instructions)?;
    if table.ranges == Ranges::Blocks {
        instructions = blocks::written_out(code, instructions)?;
    }
    if instructions
        .iter()
        .any(|instruction| settle::is_open(instruction.op))
    {
        settle::settle(code, &mut instructions)?;
    }
    if (instructions.iter()).any(|instruction| instruction.op == Op::LoadFastAndClear) {
        comprehensions::leave_second_requests(&mut instructions);
        comprehensions::mark_restored(code, &mut instructions)?;
    }
    Ok(instructions)
}

fn malformed(code: &CodeObject, offset: usize, what: impl fmt::Display) -> Diagnostic {
    Diagnostic::at_start(
        code,
        format!(
            "malformed bytecode of '{}' at byte {offset}: {what}",
            code.qualified_name
        ),
    )
}

/// Makes instructions of code units, each by itself.
fn split(code: &CodeObject, table: &OpcodeTable) -> Result<Vec<Instruction>, Diagnostic> {
    let positions = code.positions().map_err(|error| {
        Diagnostic::at_start(code, format!("{error} of '{}'", code.qualified_name))
    })?;
    if !code.bytecode.len().is_multiple_of(UNIT) {
        return Err(malformed(code, code.bytecode.len(), "odd size"));
    }
    let units: Vec<(u8, u8)> = code
        .bytecode
        .chunks_exact(UNIT)
        .map(|unit| (unit[0], unit[1]))
        .collect();
    let mut instructions: Vec<Instruction> = Vec::with_capacity(units.len());
    let (mut start, mut prefix) = (0, 0u32);
    let mut unit = 0;
    while let Some(&(number, low)) = units.get(unit) {
        let error = |what: &str| malformed(code, unit * UNIT, what);
        let info = table
            .get(number)
            .ok_or_else(|| error(&format!("unknown opcode {number}")))?;
        let argument = prefix << 8 | u32::from(low);
        if info.is(Op::ExtendedArg) {
            if argument >> 24 != 0 {
                return Err(error("argument does not fit 32 bits"));
            }
            prefix = argument;
            unit += 1;
            continue;
        }
        let next = unit + 1 + usize::from(info.caches);
        if next > units.len() {
            return Err(error(&format!(
                "inline caches of {} are missing",
                info.name
            )));
        }
        let target = match info.operand.is_jump() || info.operand == Operand::Handler {
            true => {
                let target = target(table, &units, info, next, argument);
                let target = target.ok_or_else(|| error(&format!("{} leaves the code", info.name)));
                Some((target? * UNIT) as u32)
            }
            false => None,
        };
        let raw = argument;
        let instruction = |op: Op, argument| Instruction {
            offset: (start * UNIT) as u32,
            info,
            op,
            argument,
            raw,
            target: target.filter(|_| matches!(op.flow(), Flow::Jump | Flow::Branch(_))),
            sets_up: target.filter(|_| matches!(op, Op::SetupFinally | Op::SetupWith)),
            block: None,
            position: positions[unit],
        };
        match info.meaning {
            Meaning::Is(op) => {
                let is_used = info.operand != Operand::Unused;
                instructions.push(instruction(op, if is_used { argument } else { 0 }));
            }
            Meaning::By(steps) => {
                let steps = steps(argument)
                    .ok_or_else(|| error(&format!("{} has no argument {argument}", info.name)))?;
                instructions.extend(steps.into_iter().map(|(op, n)| instruction(op, n)));
            }
        }
        unit = next;
        (start, prefix) = (unit, 0);
    }
    if start != units.len() {
        return Err(malformed(code, start * UNIT, "EXTENDED_ARG at the end"));
    }
    Ok(instructions)
}

/// The code unit that a jump goes to, which ends before the unit `next`.
fn target(
    table: &OpcodeTable,
    units: &[(u8, u8)],
    info: &OpcodeInfo,
    next: usize,
    distance: u32,
) -> Option<usize> {
    let distance = distance as usize;
    let target = match info.operand {
        Operand::Backward => next.checked_sub(distance)?,
        Operand::Forward | Operand::Handler => next.checked_add(distance)?,
        Operand::Absolute => distance,
        Operand::ForwardPast(names) => {
            let first = next.checked_add(distance)?;
            let skipped = units.get(first..first.checked_add(names.len())?)?;
            let is_named = |(&(number, _), name): (&(u8, u8), &&str)| {
                table.get(number).is_some_and(|row| row.name == *name)
            };
            if !skipped.iter().zip(names).all(is_named) {
                return None;
            }
            first + names.len()
        }
        Operand::Unused | Operand::Number | Operand::Distance | Operand::Implied => return None,
    };
    (target < units.len()).then_some(target)
}

fn check_targets(code: &CodeObject, instructions: &[Instruction]) -> Result<(), Diagnostic> {
    for instruction in instructions {
        let is_start = |target| {
            instructions
                .binary_search_by_key(&target, |other| other.offset)
                .is_ok()
        };
        let named = instruction.target.or(instruction.sets_up);
        if let Some(target) = named.filter(|&target| !is_start(target)) {
            let what = format!(
                "{} to byte {target}, where no instruction starts",
                instruction.info.name
            );
            return Err(malformed(code, instruction.offset as usize, what));
        }
    }
    Ok(())
}
