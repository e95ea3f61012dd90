//! Instructions whose operation depends on those beside them.
//!
//! Newer compilers split what was one instruction, or put what it takes on the stack. Together the
//! parts are one operation again, in the place of the last of them or of the first; the others do
//! nothing. No jump goes between the parts.

use super::{Instruction, malformed};
use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::Op,
    opcodes::{self, Operand},
};
use std::collections::BTreeSet;

/// How many parts a function has at most besides its code.
const FUNCTION_PARTS: usize = 5;

/// The bits of a function's parts in the order in which they lie on the stack.
const PARTS_ON_STACK: [u32; 5] = [1, 2, 16, 4, 8];

/// The instructions that enter a context, since 3.14, of which two load the methods by their numbers:
/// of `with`, 0 and 1, or of `async with`, 2 and 3.
const ENTER: [(Op, Option<u32>); 6] = [
    (Op::Copy, Some(1)),
    (Op::LoadSpecial, None),
    (Op::Swap, Some(2)),
    (Op::Swap, Some(3)),
    (Op::LoadSpecial, None),
    (Op::Call, Some(0)),
];

/// The index behind the instructions that enter a context, of which the first is at `enter`.
pub fn entered(instructions: &[Instruction], enter: usize) -> usize {
    let Instruction {
        info, op, offset, ..
    } = instructions[enter];
    if info.operand == Operand::Handler {
        // The block is set up by the same instruction.
        return instructions.partition_point(|other| other.offset <= offset);
    }
    enter + if info.is(op) { 1 } else { ENTER.len() }
}

/// Whether an operation has to be settled.
pub(super) fn is_open(op: Op) -> bool {
    matches!(
        op,
        Op::CallFunctionKw
            | Op::CallKw
            | Op::CallSuper
            | Op::ConvertValue
            | Op::IsNotNone
            | Op::LoadCommonConstant
            | Op::LoadFastOrCell
            | Op::LoadSpecial
            | Op::MakeNamedFunction
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
            Op::CallKw | Op::CallFunctionKw => index
                .checked_sub(1)
                .filter(|&names| instructions[names].op == Op::LoadConst)
                .filter(|&names| at_once(names, index, instructions))
                .map(|names| {
                    instructions[names].op = Op::KwNames;
                    instructions[index].op = match op {
                        Op::CallKw => Op::Call,
                        _ => Op::CallFunction,
                    };
                })
                .is_some(),
            Op::MakeNamedFunction => index
                .checked_sub(1)
                .filter(|&name| instructions[name].op == Op::LoadConst)
                .filter(|&name| at_once(name, index, instructions))
                .map(|name| {
                    // The code has the name.
                    instructions[name].op = Op::Nop;
                    instructions[index].op = Op::MakeFunction;
                })
                .is_some(),
            Op::IsNotNone => {
                let test = instructions.get(index + 1).map(|test| test.op);
                let test = test.filter(|_| at_once(index, index + 1, instructions));
                let jump = match test {
                    Some(Op::PopJumpIfFalse) => Some(Op::PopJumpIfNone),
                    Some(Op::PopJumpIfTrue) => Some(Op::PopJumpIfNotNone),
                    _ => None,
                };
                jump.map(|jump| {
                    instructions[index].op = Op::Nop;
                    instructions[index + 1].op = jump;
                })
                .is_some()
            }
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
                        && lies_below(argument, known)
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
            Op::LoadSpecial => {
                let first = index.wrapping_sub(1);
                let last = first.wrapping_add(ENTER.len() - 1);
                instructions
                    .get(first..=last)
                    .filter(|_| at_once(first, last, instructions))
                    .and_then(context_methods)
                    .map(|enter| {
                        // The context manager's method, then a null above it and below the value.
                        let parts = &mut instructions[first..=last];
                        (parts[0].op, parts[0].argument) = (enter, 0);
                        (parts[1].op, parts[1].argument) = (Op::PushNull, 0);
                        for part in &mut parts[3..] {
                            (part.op, part.argument) = (Op::Nop, 0);
                        }
                    })
                    .is_some()
            }
            Op::LoadCommonConstant => {
                let first = index.wrapping_sub(1);
                let guard = instructions.get(first..=index + 2);
                if guard.is_some_and(is_guard) && at_once(first, index + 2, instructions) {
                    leave_short_cut(code, &mut instructions[first..=index + 2]);
                }
                true
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

/// Whether a part of a function lies below all those that are known.
fn lies_below(part: u32, known: u32) -> bool {
    let mut parts = PARTS_ON_STACK.iter();
    parts
        .find(|&&other| other == part || other & known != 0)
        .is_some_and(|&first| first == part && first & known == 0)
}

/// What enters the context with these instructions, if they do that.
fn context_methods(parts: &[Instruction]) -> Option<Op> {
    let is_expected = |(part, (op, argument)): (&Instruction, &(Op, Option<u32>))| {
        part.op == *op && argument.is_none_or(|argument| argument == part.argument)
    };
    if !parts.iter().zip(&ENTER).all(is_expected) {
        return None;
    }
    match (parts[1].argument, parts[4].argument) {
        (1, 0) => Some(Op::BeforeWith),
        (3, 2) => Some(Op::BeforeAsyncWith),
        _ => None,
    }
}

/// Whether these instructions ask whether a name is the builtin function of that name.
///
/// Since 3.14 a call of `all`, `any` or a container's type with a generator has two forms: one goes
/// over the generator itself, where the name is the builtin, and the other one calls what it is.
fn is_guard(parts: &[Instruction]) -> bool {
    let expected = [
        (Op::Copy, 1),
        (Op::LoadCommonConstant, parts[1].argument),
        (Op::IsOp, 0),
    ];
    let found = parts.iter().map(|part| (part.op, part.argument));
    found.take(3).eq(expected) && parts[3].op == Op::PopJumpIfFalse
}

/// Goes to the call, which does the same.
fn leave_short_cut(code: &CodeObject, guard: &mut [Instruction]) {
    let table = opcodes::table(code.version).expect("the code is decoded with it");
    let row = |name| table.named(name).expect("every version has it");
    let (jump, tests) = guard.split_last_mut().expect("a guard has instructions");
    for test in tests {
        (test.op, test.info, test.argument, test.raw) = (Op::Nop, row("NOP"), 0, 0);
    }
    (jump.op, jump.info) = (Op::Jump, row("JUMP_FORWARD"));
}
