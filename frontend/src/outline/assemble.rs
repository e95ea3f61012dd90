//! Assembly of instructions into bytecode with its tables: the inverse of decoding.

use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::Op,
    opcodes::{self, OpcodeInfo, Operand},
    tables::{ExceptionHandler, Position},
};
use std::collections::HashMap;

/// The handler of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handler {
    /// The label of its first line.
    pub target: u32,
    /// The depth to which the stack is cut.
    pub depth: u32,
    /// Whether the offset of the instruction that raised is pushed too.
    pub push_last_offset: bool,
}

/// An instruction that has no place yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What jumps and handlers name it by.
    pub label: u32,
    pub info: &'static OpcodeInfo,
    pub op: Op,
    /// The argument of what doesn't jump.
    pub argument: u32,
    /// The label of the line that it jumps to.
    pub target: Option<u32>,
    pub position: Position,
    pub handler: Option<Handler>,
}

/// What assembly makes.
pub(super) struct Tables {
    pub bytecode: Vec<u8>,
    pub positions: Vec<u8>,
    pub exceptions: Vec<u8>,
}

/// Lays out lines in their order.
///
/// A jump over a long distance takes a longer argument, which makes other distances longer: sizes
/// grow until all fit.
pub(super) fn assemble(code: &CodeObject, lines: &[Line]) -> Result<Tables, Diagnostic> {
    let table = opcodes::table(code.version).expect("the code was decoded with it");
    let labels: HashMap<u32, usize> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| (line.label, index))
        .collect();
    let find = |label: u32| labels[&label];
    let mut prefixes = vec![0; lines.len()];
    let (starts, arguments) = loop {
        let mut starts = Vec::with_capacity(lines.len() + 1);
        let mut units = 0;
        for (line, &prefix) in lines.iter().zip(&prefixes) {
            starts.push(units);
            units += prefix + 1 + usize::from(line.info.caches);
        }
        starts.push(units);
        let mut arguments = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            let (info, argument) = match line.target {
                Some(target) => jump(code, line, starts[index + 1], starts[find(target)])?,
                None => (line.info, line.argument),
            };
            arguments.push((info, argument));
        }
        let mut grew = false;
        for (prefix, &(_, argument)) in prefixes.iter_mut().zip(&arguments) {
            let needed = (argument.max(1).ilog2() / 8) as usize;
            if needed > *prefix {
                *prefix = needed;
                grew = true;
            }
        }
        if !grew {
            break (starts, arguments);
        }
    };

    let (write_positions, write_exception_handlers) =
        table.writers.expect("outlining asks before it writes");
    let extended = super::row(code, Op::ExtendedArg).number;
    let mut bytecode = Vec::new();
    let mut positions = Vec::new();
    let mut handlers: Vec<ExceptionHandler> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (info, argument) = arguments[index];
        for prefix in (1..=prefixes[index]).rev() {
            bytecode.extend([extended, (argument >> (8 * prefix)) as u8]);
        }
        bytecode.extend([info.number, argument as u8]);
        bytecode.resize(2 * starts[index + 1], 0);
        positions.resize(starts[index + 1], line.position);
        if let Some(handler) = line.handler {
            let entry = ExceptionHandler {
                start: 2 * starts[index] as u32,
                end: 2 * starts[index + 1] as u32,
                target: 2 * starts[find(handler.target)] as u32,
                depth: handler.depth,
                push_last_offset: handler.push_last_offset,
            };
            match handlers.last_mut() {
                Some(last) if last.end == entry.start && is_same(last, &entry) => {
                    last.end = entry.end;
                }
                _ => handlers.push(entry),
            }
        }
    }
    Ok(Tables {
        bytecode,
        positions: write_positions(&positions, code.first_line),
        exceptions: write_exception_handlers(&handlers),
    })
}

fn is_same(left: &ExceptionHandler, right: &ExceptionHandler) -> bool {
    (left.target, left.depth, left.push_last_offset)
        == (right.target, right.depth, right.push_last_offset)
}

/// The opcode and the argument of a jump from the end of a line to the start of another, in units.
fn jump(
    code: &CodeObject,
    line: &Line,
    from: usize,
    to: usize,
) -> Result<(&'static OpcodeInfo, u32), Diagnostic> {
    let direction = match to >= from {
        true => Operand::Forward,
        false => Operand::Backward,
    };
    let has = |info: &OpcodeInfo| info.operand == direction;
    let table = opcodes::table(code.version).expect("the code was decoded with it");
    let other = || table.rows.iter().find(|row| row.is(line.op) && has(row));
    let info = Some(line.info).filter(|info| has(info)).or_else(other);
    let info = info.ok_or_else(|| {
        let message = format!("{} can't jump the other way", line.info.name);
        Diagnostic::new(code, line.position, message)
    })?;
    Ok((info, from.abs_diff(to) as u32))
}
