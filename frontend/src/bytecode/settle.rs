//! Instructions whose operation depends on those beside them.
//!
//! Newer compilers split what was one instruction, or put what it takes on the stack. Together the
//! parts are one operation again, in the place of the last of them or of the first; the others do
//! nothing. No jump goes between the parts.

use super::{Instruction, malformed};
use crate::{code::CodeObject, diagnostic::Diagnostic, op::Op};
use std::collections::BTreeSet;

/// How many parts a function has at most besides its code.
const FUNCTION_PARTS: usize = 4;

/// Whether an operation has to be settled.
pub(super) fn is_open(op: Op) -> bool {
    matches!(
        op,
        Op::CallKw
            | Op::CallSuper
            | Op::ConvertValue
            | Op::LoadFastOrCell
            | Op::SetFunctionAttribute
    )
}

/// Settles all instructions.
pub(super) fn settle(
    code: &CodeObject,
    instructions: &mut [Instruction],
) -> Result<(), Diagnostic> {
    let targets: BTreeSet<u32> = instructions
        .iter()
        .filter_map(|instruction| instruction.target)
        .collect();
    for index in 0..instructions.len() {
        let Instruction { op, argument, .. } = instructions[index];
        let at_once = |first: usize, last: usize, instructions: &[Instruction]| {
            let parts = instructions.get(first..=last);
            parts.is_some_and(|parts| {
                let start = parts[0].offset;
                let inner = parts.iter().map(|part| part.offset);
                inner
                    .filter(|&offset| offset != start)
                    .all(|offset| !targets.contains(&offset))
            })
        };
        let settled = match op {
            Op::LoadFastOrCell => {
                let local = argument as usize;
                let is_cell = code.is_cell(local) || code.is_free(local);
                let op = if is_cell {
                    Op::LoadClosure
                } else {
                    Op::LoadFast
                };
                instructions[index].op = op;
                true
            }
            Op::CallKw => index
                .checked_sub(1)
                .filter(|&names| instructions[names].op == Op::LoadConst)
                .filter(|&names| at_once(names, index, instructions))
                .map(|names| {
                    instructions[names].op = Op::KwNames;
                    instructions[index].op = Op::Call;
                })
                .is_some(),
            Op::CallSuper => {
                let is_load = |at: usize| {
                    matches!(
                        instructions[at].op,
                        Op::LoadDeref | Op::LoadFast | Op::LoadClosure
                    )
                };
                index
                    .checked_sub(2)
                    .filter(|&class| is_load(class) && is_load(class + 1))
                    .filter(|&class| at_once(class, index, instructions))
                    .map(|class| {
                        // The call finds the class and the object itself.
                        instructions[class].op = Op::Nop;
                        instructions[class + 1].op = Op::Nop;
                        instructions[index].op = Op::CallFunction;
                    })
                    .is_some()
            }
            Op::ConvertValue => {
                let is = |at: usize, op| instructions.get(at).is_some_and(|other| other.op == op);
                let format = match is(index + 1, Op::LoadConst) {
                    true => index + 2,
                    false => index + 1,
                };
                if is(format, Op::FormatValue) && at_once(index, format, instructions) {
                    instructions[format].argument |= argument & 3;
                    instructions[index].op = Op::Nop;
                } else {
                    // A specification is computed in between: the text is formatted with it.
                    instructions[index].op = Op::FormatValue;
                }
                true
            }
            Op::SetFunctionAttribute => {
                let first = index.saturating_sub(FUNCTION_PARTS);
                let mut near = instructions[first..index].iter();
                let made = near.rposition(|other| other.op == Op::MakeFunction);
                let made = made
                    .map(|made| first + made)
                    .filter(|&made| at_once(made, index, instructions));
                made.filter(|&made| {
                    // The parts lie on the stack in the order of their flags.
                    let known = instructions[made].argument;
                    let between = &instructions[made + 1..index];
                    argument.is_power_of_two()
                        && (known == 0 || argument < 1 << known.trailing_zeros())
                        && between
                            .iter()
                            .all(|other| other.info.name == instructions[index].info.name)
                })
                .map(|made| {
                    instructions[made].argument |= argument;
                    instructions[index].op = Op::Nop;
                })
                .is_some()
            }
            _ => continue,
        };
        if !settled {
            let Instruction { info, offset, .. } = instructions[index];
            let what = format!("{} is not where compilers put it", info.name);
            return Err(malformed(code, offset as usize, what));
        }
    }
    Ok(())
}
