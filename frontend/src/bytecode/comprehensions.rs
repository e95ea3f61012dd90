//! Variables of inlined comprehensions.
//!
//! Since 3.12 the variables of a comprehension are locals of the function around it. What a local of
//! the same name had is kept on the stack (`LOAD_FAST_AND_CLEAR`), and `STORE_FAST` gives it back:
//! bound or not, other than what any other `STORE_FAST` stores. Which ones do that shows in what
//! they find on the stack. Where nobody reads the local behind the comprehension nothing is kept:
//! its value would have to have one type on all paths, for nothing.
//!
//! Later compilers of 3.13 ask what a comprehension goes over for its iterator twice, in case somebody
//! has put something else in its place meanwhile. Nobody does, so the second request is left out.

use super::{Instruction, handlers, malformed};
use crate::{
    code::CodeObject,
    diagnostic::Diagnostic,
    op::{Flow, Op},
    tables::ExceptionHandler,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many locals may be kept at once.
const MAX_KEPT: usize = 1 << 10;

/// In how many places it is searched for who reads a local; elsewhere somebody may.
const MAX_SEARCHES: usize = 1 << 10;

/// The stack, as far as it keeps what locals had.
#[derive(Clone, Default, PartialEq, Eq)]
struct Stack {
    depth: usize,
    /// The slots that keep something, and the index of the instruction that keeps it.
    kept: Vec<(usize, usize)>,
}

impl Stack {
    fn push(&mut self, keeper: Option<usize>) {
        self.kept.extend(keeper.map(|keeper| (self.depth, keeper)));
        self.depth += 1;
    }

    /// Cuts the stack, or makes it deeper by what keeps nothing.
    fn resize(&mut self, depth: usize) {
        self.kept.retain(|&(slot, _)| slot < depth);
        self.depth = depth;
    }

    fn at(&self, slot: usize) -> Option<usize> {
        let found = self.kept.iter().find(|&&(kept, _)| kept == slot);
        found.map(|&(_, keeper)| keeper)
    }

    /// What is on top.
    fn top(&self) -> Option<usize> {
        self.at(self.depth.checked_sub(1)?)
    }

    /// The slot of a depth, 1 being the top.
    fn slot(&self, depth: usize) -> Option<usize> {
        self.depth.checked_sub(depth.max(1))
    }

    /// Pops and pushes values that keep nothing; nothing if the stack is too short.
    fn apply(&mut self, popped: u64, pushed: u64) -> Option<()> {
        let below = (self.depth as u64).checked_sub(popped)?;
        self.resize(usize::try_from(below).ok()?);
        self.resize(usize::try_from(below.checked_add(pushed)?).ok()?);
        Some(())
    }

    /// Goes over an instruction that doesn't jump; nothing if the stack is too short.
    fn step(&mut self, index: usize, instruction: &Instruction) -> Option<()> {
        let depth = instruction.index();
        match instruction.op() {
            Op::LoadFastAndClear => self.push(Some(index)),
            Op::Copy => {
                let keeper = self.at(self.slot(depth)?);
                self.push(keeper);
            }
            Op::Swap => {
                let (one, other) = (self.slot(depth)?, self.slot(1)?);
                for (slot, _) in &mut self.kept {
                    *slot = match *slot {
                        slot if slot == one => other,
                        slot if slot == other => one,
                        slot => slot,
                    };
                }
                self.kept.sort_unstable();
            }
            op => {
                let (popped, pushed) = instruction.effect();
                let same = op.kept(u64::from(instruction.argument));
                self.apply(popped - same, pushed - same)?;
            }
        }
        Some(())
    }
}

/// The instructions of a function with its handlers.
struct Code<'a> {
    code: &'a CodeObject,
    instructions: &'a [Instruction],
    handlers: Vec<ExceptionHandler>,
}

impl Code<'_> {
    fn at(&self, offset: u32) -> usize {
        self.instructions
            .partition_point(|other| other.offset < offset)
    }

    /// The handler of an instruction and the index of its first instruction.
    fn handler(&self, index: usize) -> Option<(usize, &ExceptionHandler)> {
        let offset = self.instructions[index].offset;
        let ends = self
            .handlers
            .partition_point(|handler| handler.end <= offset);
        let handler = self.handlers.get(ends)?;
        let target = self.at(handler.target);
        (handler.start <= offset && target < self.instructions.len()).then_some((target, handler))
    }

    /// The instruction that follows without a jump.
    fn next(&self, index: usize) -> Option<usize> {
        let falls = matches!(
            self.instructions[index].flow(),
            Flow::Next | Flow::Branch(_)
        );
        (falls && index + 1 < self.instructions.len()).then_some(index + 1)
    }

    /// What is on top of the stack before each instruction, as far as it keeps what a local had.
    fn kept_on_top(&self) -> Result<Vec<Option<usize>>, Diagnostic> {
        let mut before: Vec<Option<Stack>> = vec![None; self.instructions.len()];
        let mut open = vec![(0, Stack::default())];
        while let Some((index, mut stack)) = open.pop() {
            let instruction = &self.instructions[index];
            let error = |what| malformed(self.code, instruction.offset as usize, what);
            match &before[index] {
                None => before[index] = Some(stack.clone()),
                Some(known) if *known == stack => continue,
                Some(_) => return Err(error("variables are not kept alike on all paths")),
            }
            if stack.kept.len() > MAX_KEPT {
                return Err(error("too many variables are kept"));
            }
            if let Some((target, handler)) = self.handler(index) {
                let mut caught = stack.clone();
                let depth = handler.depth as usize;
                caught.resize(depth);
                caught.resize(depth + 1 + usize::from(handler.push_last_offset));
                open.push((target, caught));
            }
            if let Some(target) = instruction.target {
                let (popped, pushed) = instruction.jump_effect();
                let mut jumped = stack.clone();
                let same = popped.min(pushed);
                let jump = jumped.apply(popped - same, pushed - same);
                jump.ok_or_else(|| error("the stack is too short"))?;
                open.push((self.at(target), jumped));
            }
            let step = stack.step(index, instruction);
            step.ok_or_else(|| error("the stack is too short"))?;
            open.extend(self.next(index).map(|next| (next, stack)));
        }
        let tops = before.into_iter().map(|stack| stack?.top());
        Ok(tops.collect())
    }

    /// Whether what these instructions give back to a local may be read: behind them, before
    /// something else is stored in it. Comprehensions on the way give it back themselves.
    fn is_read_behind(
        &self,
        local: u32,
        restores: &[usize],
        restored: &BTreeMap<usize, Vec<usize>>,
    ) -> bool {
        // What is reached from here that stores in the local stores something else.
        let behind = |restores: &[usize]| -> Vec<usize> {
            restores
                .iter()
                .filter_map(|&index| self.next(index))
                .collect()
        };
        let mut seen = BTreeSet::new();
        let mut open = behind(restores);
        while let Some(index) = open.pop() {
            if !seen.insert(index) {
                continue;
            }
            let instruction = &self.instructions[index];
            let is_own = instruction.argument == local;
            match instruction.op() {
                Op::LoadFastAndClear if is_own => {
                    open.extend(restored.get(&index).into_iter().flat_map(|all| behind(all)));
                    continue;
                }
                Op::StoreFast if is_own => continue,
                Op::LoadFast | Op::DeleteFast | Op::MakeCell | Op::LoadClosure if is_own => {
                    return true;
                }
                // `super()` looks at the first parameter.
                Op::Call | Op::CallFunction if local == 0 && self.code.may_call_super() => {
                    return true;
                }
                _ => {}
            }
            open.extend(self.next(index));
            open.extend(instruction.target.map(|target| self.at(target)));
            open.extend(self.handler(index).map(|(target, _)| target));
        }
        false
    }
}

/// Finds the instructions that give a local back what it had, and those that needn't.
pub(super) fn mark_restored(
    code: &CodeObject,
    instructions: &mut [Instruction],
) -> Result<(), Diagnostic> {
    let walked = Code {
        code,
        handlers: handlers(code, instructions)?,
        instructions,
    };
    let mut restored: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, keeper) in walked.kept_on_top()?.into_iter().enumerate() {
        let instruction = &walked.instructions[index];
        if let Some(keeper) = keeper
            && instruction.op == Op::StoreFast
            && instruction.argument == walked.instructions[keeper].argument
        {
            restored.entry(keeper).or_default().push(index);
        }
    }
    let is_dead = |(&keeper, restores): (&usize, &Vec<usize>)| {
        let local = walked.instructions[keeper].argument;
        let is_plain = code.is_fast_local(local as usize);
        is_plain
            && restored.len() <= MAX_SEARCHES
            && !walked.is_read_behind(local, restores, &restored)
    };
    let dead: Vec<bool> = restored.iter().map(is_dead).collect();
    for ((keeper, restores), dead) in restored.into_iter().zip(dead) {
        if dead {
            instructions[keeper].op = Op::ClearFast;
        }
        for restore in restores {
            instructions[restore].op = if dead {
                Op::ForgetFast
            } else {
                Op::RestoreFast
            };
        }
    }
    Ok(())
}

/// Leaves out the requests for iterators of what is an iterator already.
pub(super) fn leave_second_requests(instructions: &mut [Instruction]) {
    let targets: BTreeSet<u32> = (instructions.iter().filter_map(|one| one.target)).collect();
    for next in 1..instructions.len() {
        let is_loop = instructions[next].op == Op::ForIter;
        if is_loop && asks_again(&instructions[..next], &targets) {
            instructions[next - 1].op = Op::Nop;
        }
    }
}

/// Whether the last one of these instructions asks an iterator for its iterator: between it and the
/// request before are those alone that keep locals and make what the comprehension fills.
fn asks_again(instructions: &[Instruction], targets: &BTreeSet<u32>) -> bool {
    let Some((again, before)) = instructions.split_last() else {
        return false;
    };
    let is_between = |one: &Instruction| {
        let is_empty = one.argument == 0;
        let is_known = match one.op {
            Op::LoadFastAndClear | Op::MakeCell | Op::Swap => true,
            Op::BuildList | Op::BuildMap | Op::BuildSet => is_empty,
            _ => false,
        };
        is_known && !targets.contains(&one.offset)
    };
    let Some(first) = before.iter().rposition(|one| !is_between(one)) else {
        return false;
    };
    let is_request = |one: &Instruction| one.op == Op::GetIter;
    if !is_request(again) || targets.contains(&again.offset) || !is_request(&before[first]) {
        return false;
    }
    // Where the iterator lies, from the bottom, and how many values there are.
    let (mut place, mut depth) = (0, 1);
    for one in &before[first + 1..] {
        match one.op {
            Op::MakeCell => {}
            Op::Swap => {
                let Some(other) = usize::checked_sub(depth, one.index().max(1)) else {
                    return false;
                };
                let top = depth - 1;
                place = match place {
                    at if at == top => other,
                    at if at == other => top,
                    at => at,
                };
            }
            _ => depth += 1,
        }
    }
    place + 1 == depth
}
