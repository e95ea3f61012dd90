//! Outlining: a part of a function's bytecode becomes a function of its own, and the rest calls it.
//!
//! Both results are code objects like any other, so what is outlined runs in any mode: the body of
//! a `with objmode` block in the interpreter, called by compiled code; a loop compiled for machine
//! types, called in object mode. The outlined function is a free variable of the rest, takes the
//! variables it reads as arguments, and returns a tuple of those that are read behind it.

mod assemble;
mod cells;
mod loops;
mod region;
mod variables;
mod with_block;

pub use cells::{InnerStores, inner_stores};
pub use loops::lift_loops;
pub use with_block::{Argument, Path, WithBlock, lift_with_blocks};

use crate::{
    bytecode::Instruction,
    code::CodeObject,
    diagnostic::Diagnostic,
    op::{Flow, Op},
    opcodes::{self, CallMark, OpcodeInfo, OpcodeTable, Operand},
};
use assemble::{Handler, Line, assemble};
use region::{Region, Walk};
use std::sync::Arc;
use variables::Variables;

/// A function made of a part of another one.
#[derive(Debug)]
pub struct Outlined {
    /// The name of the rest's free variable that holds the function.
    pub name: String,
    /// Its code. What it shares with the original, constants and names, is the same.
    pub code: CodeObject,
    /// The variables that it returns, in the order of the tuple.
    pub outputs: Vec<Arc<str>>,
}

/// What the rest does when the outlined function was called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fallback {
    /// Goes on behind the region.
    None,
    /// Runs the region itself when the function returned None.
    Region,
}

/// Takes a region out of a function: what is left, and what was taken.
fn outline(
    walk: &Walk,
    region: &Region,
    variables: &Variables,
    name: &str,
    fallback: Fallback,
) -> Result<(CodeObject, CodeObject), Diagnostic> {
    let body = body(walk, region, variables)?;
    let rest = rest(walk, region, variables, name, fallback)?;
    Ok((rest, body))
}

/// The row of an operation that doesn't jump, or forward.
fn row(code: &CodeObject, op: Op) -> &'static OpcodeInfo {
    let table = table(code);
    table
        .rows
        .iter()
        .find(|row| row.is(op) && row.operand != Operand::Backward)
        .expect("every version has the operation")
}

/// The row of a jump in a direction, or anywhere, if there is one.
fn row_of(table: &OpcodeTable, op: Op, direction: Operand) -> Option<&'static OpcodeInfo> {
    let mut rows = table.rows.iter();
    rows.find(|row| row.is(op) && (row.operand == direction || row.operand == Operand::Absolute))
}

fn table(code: &CodeObject) -> &'static OpcodeTable {
    opcodes::table(code.version).expect("the code was decoded with it")
}

/// Labels of lines that have no counterpart in the original.
const EPILOGUE: u32 = u32::MAX;
const FALLBACK: u32 = u32::MAX - 1;
const FIRST_NEW: u32 = u32::MAX / 2;

/// Writes lines that stand at one place of the source.
struct Writer<'a> {
    walk: &'a Walk<'a>,
    at: &'a Instruction,
    handler: Option<Handler>,
    lines: Vec<Line>,
    next_label: u32,
}

impl<'a> Writer<'a> {
    fn new(walk: &'a Walk<'a>, at: &'a Instruction, first_label: u32) -> Self {
        Self {
            walk,
            at,
            handler: None,
            lines: Vec::new(),
            next_label: first_label,
        }
    }

    fn push(&mut self, op: Op, argument: usize, target: Option<u32>) -> &mut Line {
        let line = Line {
            label: self.next_label,
            info: row(self.walk.code, op),
            op,
            argument: argument as u32,
            target,
            position: self.at.position,
            handler: self.handler,
        };
        self.next_label += 1;
        self.lines.push(line);
        self.lines.last_mut().expect("one was pushed")
    }

    fn op(&mut self, op: Op, argument: usize) {
        self.push(op, argument, None);
    }

    /// Loads a local or what is in a cell; raises where it has no value.
    fn load(&mut self, is_plain: bool, local: usize) {
        if is_plain {
            let table = table(self.walk.code);
            let row = table.named(table.checked_load);
            self.push(Op::LoadFast, local, None).info = row.expect("the table names its own rows");
        } else {
            self.op(Op::LoadDeref, local);
        }
    }

    /// Gives the last line a label that others jump to.
    fn label(&mut self, label: u32) {
        self.lines.last_mut().expect("a line was pushed").label = label;
    }
}

/// The code of the outlined function.
fn body(walk: &Walk, region: &Region, variables: &Variables) -> Result<CodeObject, Diagnostic> {
    let code = walk.code;
    let locals = variables.of_body(walk, region);
    let enter = walk.at(region.enter);
    let mut writer = Writer::new(walk, enter, FIRST_NEW);
    if table(code).has(Op::Resume) {
        if locals.free() != 0 {
            writer.op(Op::CopyFreeVars, locals.free());
        }
        for cell in locals.cells() {
            writer.op(Op::MakeCell, cell);
        }
        writer.op(Op::Resume, 0);
    }
    // A region without instructions is left where it is entered.
    let labelled = |target: u32| match target == region.leave {
        true => EPILOGUE,
        false => target,
    };
    writer.push(Op::Jump, 0, Some(labelled(region.enter)));

    let mut lines = writer.lines;
    let mut next_label = writer.next_label;
    for (position, &index) in region.instructions.iter().enumerate() {
        let instruction = &walk.instructions[index];
        if walk.is_first_part(index) {
            let is_inside = |handler: &Handler| region.contains(walk.index(handler.target));
            let handler = walk.written_handler(instruction.offset).filter(is_inside);
            lines.push(Line {
                label: instruction.offset,
                info: instruction.info,
                op: instruction.op,
                argument: locals.argument(instruction),
                target: walk.written_target(index).map(labelled),
                position: instruction.position,
                handler: handler.map(|handler| Handler {
                    depth: handler.depth - region.depth as u32,
                    ..handler
                }),
            });
        }
        if !instruction.is_written() {
            continue;
        }
        let falls = matches!(instruction.flow(), Flow::Next | Flow::Branch(_));
        let following = region.instructions.get(position + 1).copied();
        if falls && following != Some(index + 1) {
            let mut jump = Writer::new(walk, instruction, next_label);
            let to = walk
                .instructions
                .get(index + 1)
                .map_or(EPILOGUE, |next| next.offset);
            jump.push(Op::Jump, 0, Some(labelled(to)));
            next_label = jump.next_label;
            lines.append(&mut jump.lines);
        }
    }

    let last = region
        .instructions
        .last()
        .map_or(enter, |&last| &walk.instructions[last]);
    let mut writer = Writer::new(walk, last, next_label);
    for (position, &output) in variables.outputs.iter().enumerate() {
        writer.load(code.is_fast_local(output), locals.index(output));
        if position == 0 {
            writer.label(EPILOGUE);
        }
    }
    writer.op(Op::BuildTuple, variables.outputs.len());
    if variables.outputs.is_empty() {
        writer.label(EPILOGUE);
    }
    writer.op(Op::ReturnValue, 0);
    lines.append(&mut writer.lines);

    let tables = assemble(code, (&locals.names, &locals.kinds), lines)?;
    Ok(CodeObject {
        argument_count: variables.inputs.len() as u32,
        positional_only_count: 0,
        keyword_only_count: 0,
        flags: code.plain_flags(),
        stack_size: code.stack_size.max(variables.outputs.len() as u32 + 1),
        local_names: locals.names.into(),
        local_kinds: locals.kinds.into(),
        bytecode: tables.bytecode.into(),
        line_table: tables.positions.into(),
        exception_table: tables.exceptions.into(),
        ..code.clone()
    })
}

/// The code of the function that the region was taken from.
fn rest(
    walk: &Walk,
    region: &Region,
    variables: &Variables,
    name: &str,
    fallback: Fallback,
) -> Result<CodeObject, Diagnostic> {
    let code = walk.code;
    let hole = code.local_names.len();
    let begin = walk.at(region.begin);
    let mut call = Writer::new(walk, begin, FIRST_NEW);
    call.handler = walk.written_handler(region.begin);
    match table(code).call_mark {
        CallMark::Below => {
            call.op(Op::PushNull, 0);
            call.label(region.begin);
            call.op(Op::LoadDeref, hole);
        }
        CallMark::Above => {
            call.op(Op::LoadDeref, hole);
            call.label(region.begin);
            call.op(Op::PushNull, 0);
        }
        CallMark::Absent => {
            call.op(Op::LoadDeref, hole);
            call.label(region.begin);
        }
    }
    for &input in &variables.inputs {
        call.load(code.is_fast_local(input), input);
    }
    if table(code).has(Op::Precall) {
        call.op(Op::Precall, variables.inputs.len());
    }
    let is_marked = table(code).call_mark != CallMark::Absent;
    let operation = if is_marked {
        Op::Call
    } else {
        Op::CallFunction
    };
    call.op(operation, variables.inputs.len());
    if fallback == Fallback::Region {
        match table(code).has(Op::PopJumpIfNone) {
            true => {
                call.op(Op::Copy, 1);
                call.push(Op::PopJumpIfNone, 0, Some(FALLBACK));
            }
            false => {
                // The function returns a tuple or None.
                call.op(Op::MatchSequence, 0);
                call.push(Op::PopJumpIfFalse, 0, Some(FALLBACK));
            }
        }
    }
    match variables.outputs.len() {
        0 => call.op(Op::PopTop, 0),
        count => call.op(Op::UnpackSequence, count),
    }
    for &output in &variables.outputs {
        let store = match code.is_fast_local(output) {
            true => Op::StoreFast,
            false => Op::StoreDeref,
        };
        call.op(store, output);
    }
    call.push(Op::Jump, 0, Some(region.rest));
    if fallback == Fallback::Region {
        call.op(Op::PopTop, 0);
        call.label(FALLBACK);
    }

    // The region's own first instruction, where it stays: jumps inside go there, not to the call.
    let first = call.next_label;
    let mut lines = Vec::with_capacity(walk.instructions.len() + call.lines.len());
    let has_free = code.free_names().next().is_some();
    if !has_free && table(code).has(Op::CopyFreeVars) {
        let mut copy = Writer::new(walk, &walk.instructions[0], first + 1);
        copy.op(Op::CopyFreeVars, 1);
        lines.append(&mut copy.lines);
    }
    let reached = walk.reached_around(region, fallback == Fallback::Region);
    for (index, instruction) in walk.instructions.iter().enumerate() {
        if instruction.offset == region.begin {
            lines.append(&mut call.lines);
        }
        if !reached[index] || !walk.is_first_part(index) {
            continue;
        }
        let retarget = |target: u32| match region.contains(index) && target == region.begin {
            true => first,
            false => target,
        };
        let is_first = instruction.offset == region.begin;
        lines.push(Line {
            label: if is_first { first } else { instruction.offset },
            info: instruction.info,
            op: instruction.op,
            argument: match instruction.op() {
                Op::CopyFreeVars => instruction.raw + 1,
                _ => instruction.raw,
            },
            target: walk.written_target(index).map(retarget),
            position: instruction.position,
            handler: walk.written_handler(instruction.offset),
        });
    }

    let mut names = code.local_names.to_vec();
    names.push(name.into());
    let kinds = code.kinds_with_free();
    let tables = assemble(code, (&names, &kinds), lines)?;
    let depth = region.depth_before + variables.inputs.len().max(variables.outputs.len()) + 2;
    Ok(CodeObject {
        stack_size: code.stack_size.max(depth as u32 + 1),
        local_names: names.into(),
        local_kinds: kinds.into(),
        bytecode: tables.bytecode.into(),
        line_table: tables.positions.into(),
        exception_table: tables.exceptions.into(),
        ..code.clone()
    })
}
