//! Cutting of instructions into basic blocks.

use super::{BasicBlock, Handler};
use crate::{
    bit_set::BitSet,
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    op::{Flow, Op},
};
use std::collections::BTreeMap;

/// What a first, coarse look at a function says about its protected ranges.
#[derive(Default)]
pub(crate) struct Factoring {
    /// The instructions before which blocks have to be cut, so that a handler sees the same
    /// variables wherever in a block the exception comes from.
    pub cuts: Vec<usize>,
    /// The instructions that can't raise because the local they read is bound.
    pub harmless: BitSet,
}

/// The handler that protects each instruction, as an index into a list of handlers.
pub(super) struct Protection {
    handlers: BTreeMap<u32, Handler>,
    targets: Vec<Option<u32>>,
}

impl Protection {
    /// No instruction is protected.
    pub(super) fn none(instructions: &[Instruction]) -> Self {
        Self {
            handlers: BTreeMap::new(),
            targets: vec![None; instructions.len()],
        }
    }

    /// Reads the exception table of a code object.
    pub(super) fn new(code: &CodeObject, instructions: &[Instruction]) -> Result<Self, Diagnostic> {
        let malformed = |what: String| {
            let name = &code.qualified_name;
            Diagnostic::at_start(
                code,
                format!("malformed exception table of '{name}': {what}"),
            )
        };
        let entries = bytecode::handlers(code, instructions)?;
        let index = |offset| instructions.partition_point(|other| other.offset < offset);
        let mut protection = Self::none(instructions);
        let mut end = 0;
        for entry in &entries {
            if entry.start < end {
                return Err(malformed(format!(
                    "the range from byte {} overlaps the one before",
                    entry.start
                )));
            }
            end = entry.end;
            let target = index(entry.target);
            if instructions.get(target).map(|other| other.offset) != Some(entry.target) {
                return Err(malformed(format!(
                    "the handler at byte {} is no instruction",
                    entry.target
                )));
            }
            let start = index(entry.start);
            let handler = Handler {
                depth: entry.depth as usize,
                pushes_offset: entry.push_last_offset,
                position: try_position(instructions, start),
            };
            if handler.entry_depth() > code.stack_size as usize {
                return Err(malformed(format!(
                    "the handler at byte {} needs a deeper stack than there is",
                    entry.target
                )));
            }
            let known = protection.handlers.entry(entry.target).or_insert(handler);
            if (known.depth, known.pushes_offset) != (handler.depth, handler.pushes_offset) {
                return Err(malformed(format!(
                    "the handler at byte {} is entered in two ways",
                    entry.target
                )));
            }
            protection.targets[start..index(entry.end)].fill(Some(entry.target));
        }
        Ok(protection)
    }

    /// Whether nothing is protected.
    pub(super) fn is_empty(&self) -> bool {
        self.handlers.is_empty()
    }
}

/// The place of a `try`: the instruction before the protected range that does nothing else stands for its
/// line.
fn try_position(instructions: &[Instruction], start: usize) -> crate::tables::Position {
    let mark = start
        .checked_sub(1)
        .filter(|&before| matches!(instructions[before].op(), Op::Nop | Op::SetupFinally));
    instructions
        .get(mark.unwrap_or(start))
        .map(|instruction| instruction.position)
        .unwrap_or_default()
}

/// Cuts instructions into blocks and keeps those that can be reached.
pub(super) fn reachable(
    code: &CodeObject,
    instructions: &[Instruction],
    protection: &Protection,
    factoring: &Factoring,
) -> Result<Vec<BasicBlock>, Diagnostic> {
    let starts = leaders(instructions, protection, &factoring.cuts);
    let block_at = |offset: u32| {
        let first = starts.partition_point(|&start| instructions[start].offset < offset);
        let is_there = |&start: &usize| instructions[start].offset == offset;
        starts.get(first).is_some_and(is_there).then_some(first)
    };
    let end = |block: usize| starts.get(block + 1).copied().unwrap_or(instructions.len());

    let mut reached: Vec<Option<[Option<usize>; 3]>> = vec![None; starts.len()];
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        match reached.get(block) {
            Some(None) => {}
            Some(Some(_)) => continue,
            None => {
                let message = format!("'{}' has no instructions", code.qualified_name);
                return Err(Diagnostic::at_start(code, message));
            }
        }
        let range = starts[block]..end(block);
        let last = &instructions[range.end - 1];
        let next = match last.flow() {
            Flow::Jump | Flow::Leave => None,
            Flow::Next | Flow::Branch(..) if block + 1 < starts.len() => Some(block + 1),
            Flow::Next | Flow::Branch(..) => {
                let message = format!("control runs past the end of '{}'", code.qualified_name);
                return Err(Diagnostic::new(code, last.position, message));
            }
        };
        let raises = || {
            range.clone().any(|index| match instructions[index].op() {
                Op::LoadFast | Op::DeleteFast => !factoring.harmless.contains(index),
                op => op.may_raise(),
            })
        };
        let unwind = protection.targets[range.start].filter(|_| raises());
        let successors = [
            next,
            last.target.and_then(block_at),
            unwind.and_then(block_at),
        ];
        open.extend(successors.iter().flatten());
        reached[block] = Some(successors);
    }

    let mut indices = Vec::with_capacity(starts.len());
    let mut count = 0;
    for block in &reached {
        indices.push(count);
        count += usize::from(block.is_some());
    }
    let mut blocks = Vec::with_capacity(count);
    for (block, successors) in reached.iter().enumerate() {
        let Some(successors) = successors else {
            continue;
        };
        let [next, jump, unwind] =
            successors.map(|successor| successor.map(|block| indices[block]));
        let first = &instructions[starts[block]];
        let handler = protection.handlers.get(&first.offset).copied();
        blocks.push(BasicBlock {
            offset: first.offset,
            instructions: starts[block]..end(block),
            next,
            jump,
            unwind,
            handler,
        });
    }
    check_handlers(code, instructions, &mut blocks)?;
    Ok(joined(blocks))
}

/// Joins blocks that only the border of a protected range divides, where neither can raise into a
/// handler.
fn joined(blocks: Vec<BasicBlock>) -> Vec<BasicBlock> {
    let mut ways_in = vec![0u32; blocks.len()];
    for successor in blocks.iter().flat_map(BasicBlock::successors) {
        ways_in[successor] += 1;
    }
    let mut indices = Vec::with_capacity(blocks.len());
    let mut kept: Vec<BasicBlock> = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.into_iter().enumerate() {
        match kept.last_mut() {
            Some(last)
                if last.next == Some(index)
                    && last.jump.is_none()
                    && last.instructions.end == block.instructions.start
                    && ways_in[index] == 1
                    && last.unwind.is_none()
                    && block.unwind.is_none() =>
            {
                last.instructions.end = block.instructions.end;
                (last.next, last.jump) = (block.next, block.jump);
            }
            _ => kept.push(block),
        }
        indices.push(kept.len() - 1);
    }
    for block in &mut kept {
        for successor in [&mut block.next, &mut block.jump, &mut block.unwind] {
            *successor = successor.map(|old| indices[old]);
        }
    }
    kept
}

/// A handler is only entered by an exception; one that no exception reaches is an ordinary block.
fn check_handlers(
    code: &CodeObject,
    instructions: &[Instruction],
    blocks: &mut [BasicBlock],
) -> Result<(), Diagnostic> {
    let mut entered = vec![[false; 2]; blocks.len()];
    entered[0][0] = true;
    for block in blocks.iter() {
        for successor in block.next.into_iter().chain(block.jump) {
            entered[successor][0] = true;
        }
        if let Some(handler) = block.unwind {
            entered[handler][1] = true;
        }
    }
    for (block, [normally, by_exception]) in blocks.iter_mut().zip(entered) {
        block.handler = block.handler.filter(|_| by_exception);
        if block.handler.is_some() && normally {
            let position = instructions[block.instructions.start].position;
            let message = format!(
                "malformed bytecode of '{}': the handler at byte {} is entered without an exception",
                code.qualified_name, block.offset
            );
            return Err(Diagnostic::new(code, position, message));
        }
    }
    Ok(())
}

/// The indices of the instructions that begin a block, ascending.
fn leaders(instructions: &[Instruction], protection: &Protection, cuts: &[usize]) -> Vec<usize> {
    let mut starts = cuts.to_vec();
    let at = |target| instructions.partition_point(|other| other.offset < target);
    starts.extend((!instructions.is_empty()).then_some(0));
    for (index, instruction) in instructions.iter().enumerate() {
        let next = index + 1;
        let ends = !matches!(instruction.flow(), Flow::Next)
            || protection.targets.get(next) != Some(&protection.targets[index]);
        if ends && next < instructions.len() {
            starts.push(next);
        }
        starts.extend(instruction.target.map(at));
    }
    starts.extend(protection.handlers.keys().map(|&target| at(target)));
    starts.sort_unstable();
    starts.dedup();
    starts
}
