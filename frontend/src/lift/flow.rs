//! Iteration, branches and return.

use super::{Lifter, stack::Slot};
use crate::{control_flow::BlockIndex, data_flow::Variable, diagnostic::Diagnostic, op::Op};
use melior::ir::Value;
use pyopt_dialects::ops::{cf, py};

impl<'c, 'a> Lifter<'c, 'a> {
    /// The blocks that a branch goes to: the next one and its target.
    pub(super) fn successors(&self) -> Result<(BlockIndex, BlockIndex), Diagnostic> {
        let block = &self.flow.blocks[self.block];
        block
            .next
            .zip(block.jump)
            .ok_or_else(|| self.malformed("a branch needs two successors"))
    }

    /// The operands for the arguments of a successor, from the current state.
    pub(super) fn successor_operands(
        &mut self,
        successor: BlockIndex,
        skip: usize,
    ) -> Result<Vec<Value<'c, 'a>>, Diagnostic> {
        let variables = self.arguments[successor][skip..].to_vec();
        let operands = variables.into_iter().map(|variable| match variable {
            Variable::Local(local) => Ok(self.local(local)),
            Variable::Slot(slot) => match self.state.stack.get(slot) {
                Some(held) => self.slot_value(held),
                None => Err(self.malformed("the stack is too short")),
            },
        });
        operands.collect()
    }

    /// Goes to the one successor.
    pub(super) fn fall_through(&mut self) -> Result<(), Diagnostic> {
        let successor = self.flow.blocks[self.block].successors().next();
        let successor = successor.ok_or_else(|| self.malformed("a jump needs a successor"))?;
        let operands = self.successor_operands(successor, 0)?;
        let target = self.blocks[successor];
        match self.handler() {
            Some(handler) => self.try_branch(target, &operands, handler),
            None => {
                cf::Branch::create(self, &operands, target);
            }
        }
        Ok(())
    }

    /// Ends the block with a branch: to the target when the condition is `jump_if`.
    pub(super) fn branch(
        &mut self,
        condition: Value<'c, 'a>,
        jump_if: bool,
        next: (BlockIndex, &[Value<'c, 'a>]),
        jump: (BlockIndex, &[Value<'c, 'a>]),
    ) {
        let (on_true, on_false) = if jump_if { (jump, next) } else { (next, jump) };
        let (true_block, false_block) = (self.blocks[on_true.0], self.blocks[on_false.0]);
        cf::CondBranch::create(
            self,
            condition,
            on_true.1,
            on_false.1,
            true_block,
            false_block,
        );
    }

    fn truth(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        py::Truth::create(self, value).result()
    }

    /// Pops a value and pushes its truth. Where `not` follows, that asks for the truth itself.
    pub(super) fn test_truth(&mut self) -> Result<(), Diagnostic> {
        let mut following = self.flow.block_instructions(self.block).iter();
        let next = following.find(|next| next.offset > self.instruction.offset);
        if next.is_some_and(|next| next.op() == Op::UnaryNot) {
            return Ok(());
        }
        let truth = match self.pop_slot()? {
            Slot::Truth(truth) => truth,
            slot => {
                let value = self.slot_value(&slot)?;
                self.truth(value)
            }
        };
        self.state.stack.push(Slot::Truth(truth));
        Ok(())
    }

    /// Branches when a popped condition is known; both successors get the same stack.
    fn branch_popped(&mut self, condition: Value<'c, 'a>, jump_if: bool) -> Result<(), Diagnostic> {
        self.leave_protected_part();
        let (next, jump) = self.successors()?;
        let next_operands = self.successor_operands(next, 0)?;
        let jump_operands = self.successor_operands(jump, 0)?;
        self.branch(
            condition,
            jump_if,
            (next, &next_operands),
            (jump, &jump_operands),
        );
        Ok(())
    }

    pub(super) fn branch_on_truth(&mut self, jump_if: bool) -> Result<(), Diagnostic> {
        let condition = match self.pop_slot()? {
            Slot::Truth(condition) => condition,
            slot => {
                let value = self.slot_value(&slot)?;
                self.truth(value)
            }
        };
        self.branch_popped(condition, jump_if)
    }

    pub(super) fn branch_on_none(&mut self, jump_if: bool) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let is_none = self.identity(value, self.none(), false);
        let condition = self.truth(is_none);
        self.branch_popped(condition, jump_if)
    }

    /// `and`, `or` and chained comparisons: the value stays when control jumps.
    pub(super) fn branch_or_pop(&mut self, jump_if: bool) -> Result<(), Diagnostic> {
        let (next, jump) = self.successors()?;
        let value = self.peek(1)?;
        let condition = self.truth(value);
        self.leave_protected_part();
        let jump_operands = self.successor_operands(jump, 0)?;
        self.pop()?;
        let next_operands = self.successor_operands(next, 0)?;
        self.push(value);
        self.branch(
            condition,
            jump_if,
            (next, &next_operands),
            (jump, &jump_operands),
        );
        Ok(())
    }

    pub(super) fn get_iterator(&mut self) -> Result<(), Diagnostic> {
        let iterable = self.pop()?;
        self.push(py::GetIter::create(self, iterable).result());
        Ok(())
    }

    /// One step of an iterator; `beside` values lie above it.
    pub(super) fn for_iterator(&mut self, beside: usize) -> Result<(), Diagnostic> {
        let (body, exit) = self.successors()?;
        let iterator = self.peek(1 + beside)?;
        // The item is the body's first argument and made by the operation.
        let body_operands = self.successor_operands(body, 1)?;
        let slots = self
            .state
            .stack
            .split_off(self.state.stack.len() - 1 - beside);
        let exit_operands = self.successor_operands(exit, 0)?;
        self.state.stack.extend(slots);
        py::ForIter::create(
            self,
            iterator,
            &body_operands,
            &exit_operands,
            self.unwind_operands(),
            self.blocks[body],
            self.blocks[exit],
            self.handler().as_slice(),
        );
        Ok(())
    }

    pub(super) fn return_value(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        self.leave_protected_part();
        py::Return::create(self, value);
        Ok(())
    }
}
