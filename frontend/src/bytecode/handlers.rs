//! Protected ranges, as far as their handlers do something.

use super::{Instruction, blocks, malformed};
use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::Op,
    opcodes::{self, Ranges},
    tables::ExceptionHandler,
};

/// How deep implied handlers may lie in one another; comprehensions do.
const MAX_IMPLIED: usize = 1 << 8;

/// The protected ranges of a code object's instructions, in the order of the exception table.
///
/// Since 3.12 bytecode has handlers for what happens by itself in `py.func`: they pass an exception
/// that is thrown into a delegate on, keep `StopIteration` from leaving a generator, and give
/// locals back that nobody reads. What they protect is protected by the handler around them alone.
pub fn handlers(
    code: &CodeObject,
    instructions: &[Instruction],
) -> Result<Vec<ExceptionHandler>, Diagnostic> {
    let entries = written_handlers(code, instructions)?;
    let is_implied = |entry: &ExceptionHandler| {
        let first = instructions.partition_point(|other| other.offset < entry.target);
        is_implied(&instructions[first..])
    };
    let implied: Vec<bool> = entries.iter().map(is_implied).collect();
    if !implied.contains(&true) {
        return Ok(entries);
    }
    // The table is sorted, which is checked where it is used.
    let around = |target: u32| {
        let index = entries.partition_point(|entry| entry.end <= target);
        let entry = entries.get(index).filter(|entry| entry.start <= target);
        entry.map(|_| index)
    };
    let mut kept = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let mut outer = Some(index);
        let mut depth = 0;
        while let Some(at) = outer.filter(|&at| implied[at]) {
            outer = around(entries[at].target);
            depth += 1;
            if depth > MAX_IMPLIED {
                let start = entry.start as usize;
                return Err(malformed(code, start, "too many handlers in one another"));
            }
        }
        if let Some(outer) = outer {
            kept.push(ExceptionHandler {
                start: entry.start,
                end: entry.end,
                ..entries[outer]
            });
        }
    }
    Ok(kept)
}

/// The protected ranges as the exception table has them, or as blocks say where there is none.
pub fn written_handlers(
    code: &CodeObject,
    instructions: &[Instruction],
) -> Result<Vec<ExceptionHandler>, Diagnostic> {
    if opcodes::table(code.version).is_some_and(|table| table.ranges == Ranges::Blocks) {
        return Ok(blocks::ranges(instructions));
    }
    code.exception_handlers().map_err(|error| {
        Diagnostic::at_start(code, format!("{error} of '{}'", code.qualified_name))
    })
}

/// Whether the handler that begins here does nothing that isn't done anyway.
fn is_implied(handler: &[Instruction]) -> bool {
    // How deep the exception lies, 1 being the top.
    let mut exception = 1;
    for instruction in handler {
        match instruction.op() {
            Op::CleanupThrow | Op::StopIterationError => return exception == 1,
            Op::Swap if exception == 1 => exception = instruction.index(),
            Op::Swap if exception == instruction.index() => exception = 1,
            Op::Swap => {}
            Op::PopTop | Op::ForgetFast if exception > 1 => exception -= 1,
            Op::Reraise => return exception == 1 && instruction.argument == 0,
            _ => return false,
        }
    }
    false
}
