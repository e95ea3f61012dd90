//! Decoding of bytecode: `EXTENDED_ARG` prefixes are folded into arguments, inline caches are
//! skipped, jumps carry their target.

use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    opcodes::{self, Direction, Flow, Op, OpcodeInfo},
    tables::Position,
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
    /// The argument; 0 if the instruction has none.
    pub argument: u32,
    /// The byte offset that the instruction jumps to.
    pub target: Option<u32>,
    /// The source position.
    pub position: Position,
}

impl Instruction {
    /// The operation.
    pub fn op(&self) -> Op {
        self.info.op
    }

    /// The argument as an index.
    pub fn index(&self) -> usize {
        self.argument as usize
    }

    /// The number of values popped and pushed when control goes to the next instruction.
    pub fn effect(&self) -> (u64, u64) {
        (self.info.effect)(u64::from(self.argument))
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
        match self.info.flow {
            Flow::Branch(_, effect) => effect(u64::from(self.argument)),
            _ => self.effect(),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:>4} {}", self.offset, self.info.name)?;
        match self.target {
            Some(target) => write!(formatter, " to {target}")?,
            None if self.info.has_argument => write!(formatter, " {}", self.argument)?,
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
    let malformed = |offset: usize, what: String| {
        Diagnostic::at_start(
            code,
            format!(
                "malformed bytecode of '{}' at byte {offset}: {what}",
                code.qualified_name
            ),
        )
    };
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
    let positions = code.positions().map_err(|error| {
        Diagnostic::at_start(code, format!("{error} of '{}'", code.qualified_name))
    })?;
    if !code.bytecode.len().is_multiple_of(UNIT) {
        return Err(malformed(code.bytecode.len(), "odd size".into()));
    }
    let units: Vec<(u8, u8)> = code
        .bytecode
        .chunks_exact(UNIT)
        .map(|unit| (unit[0], unit[1]))
        .collect();

    let mut instructions: Vec<Instruction> = Vec::new();
    let (mut start, mut prefix) = (0, 0u32);
    let mut unit = 0;
    while let Some(&(number, low)) = units.get(unit) {
        let info = table
            .get(number)
            .ok_or_else(|| malformed(unit * UNIT, format!("unknown opcode {number}")))?;
        let argument = prefix << 8 | u32::from(low);
        if info.op == Op::ExtendedArg {
            if argument >> 24 != 0 {
                return Err(malformed(
                    unit * UNIT,
                    "argument does not fit 32 bits".into(),
                ));
            }
            prefix = argument;
            unit += 1;
            continue;
        }
        let next = unit + 1 + usize::from(info.caches);
        if next > units.len() {
            return Err(malformed(
                unit * UNIT,
                format!("inline caches of {} are missing", info.name),
            ));
        }
        let distance = u64::from(argument);
        let target = match info.flow {
            Flow::Jump(direction) | Flow::Branch(direction, _) => Some(match direction {
                Direction::Forward => (next as u64).checked_add(distance),
                Direction::Backward => (next as u64).checked_sub(distance),
            }),
            Flow::Next | Flow::Leave => None,
        };
        let target = match target {
            None => None,
            Some(Some(target)) if target < units.len() as u64 => {
                Some((target as usize * UNIT) as u32)
            }
            Some(_) => {
                return Err(malformed(
                    unit * UNIT,
                    format!("{} leaves the code", info.name),
                ));
            }
        };
        instructions.push(Instruction {
            offset: (start * UNIT) as u32,
            info,
            argument: if info.has_argument { argument } else { 0 },
            target,
            position: positions[unit],
        });
        unit = next;
        (start, prefix) = (unit, 0);
    }
    if start != units.len() {
        return Err(malformed(start * UNIT, "EXTENDED_ARG at the end".into()));
    }
    for instruction in &instructions {
        let is_start = |target| {
            instructions
                .binary_search_by_key(&target, |other| other.offset)
                .is_ok()
        };
        if let Some(target) = instruction.target.filter(|&target| !is_start(target)) {
            let what = format!(
                "{} to byte {target}, where no instruction starts",
                instruction.info.name
            );
            return Err(malformed(instruction.offset as usize, what));
        }
    }
    Ok(instructions)
}
