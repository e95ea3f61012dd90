//! The control flow of a function with its protected ranges factored: their blocks are cut where a
//! variable changes that the handler sees.
//!
//! That takes two looks. Which variables a handler reads is known once the data flow of the coarse
//! blocks is.

use crate::{
    bit_set::BitSet,
    bytecode::Instruction,
    code::CodeObject,
    control_flow::{ControlFlow, Factoring},
    data_flow::{DataFlow, Variable},
    diagnostic::Diagnostic,
    opcodes::Op,
};

/// Decodes a code object and finds its control flow.
pub fn control_flow(code: &CodeObject) -> Result<ControlFlow, Diagnostic> {
    let coarse = ControlFlow::coarse(code)?;
    if coarse.is_factored {
        return Ok(coarse);
    }
    let factoring = factor(&coarse, &DataFlow::new(code, &coarse)?);
    coarse.factored(code, &factoring)
}

/// Finds where to cut the coarse blocks of protected ranges.
///
/// A block may begin with instructions that only move values: nothing raises before they are
/// through. `del` of a local may, but only when the local is unbound, so it is the same to the
/// handler whether it happened.
fn factor(flow: &ControlFlow, data: &DataFlow) -> Factoring {
    let live = data.live_at_start(flow);
    let mut cuts = Vec::new();
    let mut harmless = BitSet::new(flow.instructions.len());
    for (block, summary) in flow.blocks.iter().zip(&data.blocks) {
        let Some(handler) = block.unwind else {
            continue;
        };
        let kept = flow.blocks[handler]
            .handler
            .map_or(0, |handler| handler.depth);
        let seen = |instruction: &Instruction, depth| match instruction.op() {
            Op::StoreFast
            | Op::RestoreFast
            | Op::DeleteFast
            | Op::LoadFastAndClear
            | Op::ClearFast
            | Op::ForgetFast => {
                live[handler].contains(data.number(Variable::Local(instruction.index())))
            }
            _ => instruction
                .lowest_write(depth)
                .is_some_and(|slot| slot < kept),
        };
        let mut unbound = summary.unbound.clone();
        let mut depth = summary.depth;
        let mut has_computed = false;
        for index in block.instructions.clone() {
            let instruction = &flow.instructions[index];
            let op = instruction.op();
            if matches!(op, Op::LoadFast | Op::DeleteFast) && !unbound.contains(instruction.index())
            {
                harmless.insert(index);
            }
            unbound.apply(instruction);
            let is_seen = seen(instruction, depth);
            if is_seen && has_computed {
                cuts.push(index);
                has_computed = false;
            }
            if is_seen && !op.may_raise() && !op.is_silent() && index + 1 < block.instructions.end {
                // What it made is not there before it is through, and it can't raise.
                cuts.push(index + 1);
            } else {
                has_computed |= !op.is_silent();
            }
            let (popped, pushed) = instruction.effect();
            depth = (depth as u64 + pushed).saturating_sub(popped) as usize;
        }
    }
    Factoring { cuts, harmless }
}
