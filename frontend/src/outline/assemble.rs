//! Assembly of instructions into bytecode with its tables: the inverse of decoding.

use crate::{
    code::{CodeObject, cells_apart},
    diagnostic::Diagnostic,
    op::Op,
    opcodes::{self, Layout, OpcodeInfo, OpcodeTable, Operand, Ranges},
    tables::{ExceptionHandler, Position},
};
use std::{collections::HashMap, sync::Arc};

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
    /// The argument of what doesn't jump, as bytecode has it.
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

/// Labels of landings, which no other line has.
const FIRST_LANDING: u32 = 3 << 30;

/// Lays out lines in their order, of code with these names and kinds of locals.
///
/// A jump over a long distance takes a longer argument, which makes other distances longer: sizes
/// grow until all fit.
pub(super) fn assemble(
    code: &CodeObject,
    locals: (&[Arc<str>], &[u8]),
    mut lines: Vec<Line>,
) -> Result<Tables, Diagnostic> {
    let table = opcodes::table(code.version).expect("the code was decoded with it");
    if table.layout == Layout::Apart {
        number_cells(locals, &mut lines);
    }
    direct(code, table, &mut lines)?;
    let labels = labels(&lines);
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
        let arguments: Vec<u32> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| match line.target {
                Some(target) if line.info.operand == Operand::Absolute => {
                    starts[find(target)] as u32
                }
                Some(target) => starts[index + 1].abs_diff(starts[find(target)]) as u32,
                None => line.argument,
            })
            .collect();
        let mut grew = false;
        for (prefix, &argument) in prefixes.iter_mut().zip(&arguments) {
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

    let extended = super::row(code, Op::ExtendedArg).number;
    let mut bytecode = Vec::new();
    let mut positions = Vec::new();
    let mut handlers: Vec<ExceptionHandler> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let argument = arguments[index];
        for prefix in (1..=prefixes[index]).rev() {
            bytecode.extend([extended, (argument >> (8 * prefix)) as u8]);
        }
        bytecode.extend([line.info.number, argument as u8]);
        bytecode.resize(2 * starts[index + 1], 0);
        positions.resize(starts[index + 1], line.position);
        // Where there is no table, instructions set handlers up, and some of them are no lines.
        if let Some(handler) = line.handler.filter(|_| table.ranges == Ranges::Table) {
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
        positions: (table.write_positions)(&positions, code.first_line),
        exceptions: (table.write_exception_handlers)(&handlers),
    })
}

/// Numbers variables in cells apart from locals, as the version's bytecode does.
fn number_cells((names, kinds): (&[Arc<str>], &[u8]), lines: &mut [Line]) {
    let cells = cells_apart(names, kinds);
    for line in lines.iter_mut().filter(|line| line.op.names_cell()) {
        let number = cells
            .iter()
            .position(|&cell| cell == line.argument as usize);
        line.argument = number.expect("what is in a cell has a number") as u32;
    }
}

fn is_same(left: &ExceptionHandler, right: &ExceptionHandler) -> bool {
    (left.target, left.depth, left.push_last_offset)
        == (right.target, right.depth, right.push_last_offset)
}

/// The place of each line by its label.
fn labels(lines: &[Line]) -> HashMap<u32, usize> {
    let lines = lines.iter().enumerate();
    lines.map(|(index, line)| (line.label, index)).collect()
}

/// Gives each jump the row of its direction.
///
/// What can't reach its target directly goes to a landing behind all other lines, which goes on
/// from there: a branch that has no form for its direction, and one that jumps past instructions
/// which only specialised forms of it run; the landing begins with these.
fn direct(code: &CodeObject, table: &OpcodeTable, lines: &mut Vec<Line>) -> Result<(), Diagnostic> {
    let labels = labels(lines);
    let mut landings = Vec::new();
    let mut next_label = FIRST_LANDING;
    for (index, line) in lines.iter_mut().enumerate() {
        let Some(target) = line.target else {
            continue;
        };
        if matches!(line.info.operand, Operand::Absolute | Operand::Handler) {
            continue;
        }
        let towards = |from: usize| match labels[&target] > from {
            true => Operand::Forward,
            false => Operand::Backward,
        };
        let skipped = match line.info.operand {
            Operand::ForwardPast(names) => names,
            _ => match directed(table, line, towards(index)) {
                Some(info) => {
                    line.info = info;
                    continue;
                }
                None => &[],
            },
        };
        if skipped.is_empty() {
            line.info = directed(table, line, Operand::Forward).ok_or_else(|| {
                let message = format!("{} can't jump the other way", line.info.name);
                Diagnostic::new(code, line.position, message)
            })?;
        }
        line.target = Some(next_label);
        let mut land = |info, op, target| {
            landings.push(Line {
                label: next_label,
                info,
                op,
                argument: 0,
                target,
                ..*line
            });
            next_label += 1;
        };
        for name in skipped {
            let info = table.named(name).expect("the table names its own rows");
            land(info, Op::Nop, None);
        }
        let back = super::row_of(table, Op::Jump, Operand::Backward);
        land(back.expect("all versions have it"), Op::Jump, Some(target));
    }
    lines.append(&mut landings);
    Ok(())
}

/// The row of a line's jump in a direction.
fn directed(table: &OpcodeTable, line: &Line, direction: Operand) -> Option<&'static OpcodeInfo> {
    let has = |info: &&OpcodeInfo| info.operand == direction;
    Some(line.info)
        .filter(has)
        .or_else(|| super::row_of(table, line.op, direction))
}
