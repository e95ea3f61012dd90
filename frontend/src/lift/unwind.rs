//! The unwind edges of blocks in protected ranges.

use super::{Lifter, stack::Slot};
use crate::{data_flow::Variable, diagnostic::Diagnostic, opcodes::Op};
use melior::ir::{Block, RegionLike, Value, block::BlockRef};
use pyopt_dialects::ops::py;

impl<'c, 'a> Lifter<'c, 'a> {
    /// The block that control goes to when an operation of the current block raises.
    pub(super) fn handler(&self) -> Option<BlockRef<'c, 'a>> {
        let handler = self.flow.blocks[self.block].unwind;
        handler.map(|handler| self.blocks[handler])
    }

    /// The unwind operands of the current block; none without a handler.
    pub(super) fn unwind_operands(&self) -> &[Value<'c, 'a>] {
        self.unwind_operands.as_deref().unwrap_or_default()
    }

    /// Before the first instruction that computes something: what the handler would get.
    pub(super) fn capture_unwind_operands(&mut self) -> Result<(), Diagnostic> {
        let op = self.instruction.op();
        if self.unwind_operands.is_none() && !op.is_silent() {
            // `del` raises only where the local is unbound already.
            let deleted = (op == Op::DeleteFast).then(|| self.instruction.index());
            self.unwind_operands = self.current_unwind_operands(deleted)?;
        }
        Ok(())
    }

    /// At the end of a block: the handler would still get the same.
    pub(super) fn check_unwind_operands(&mut self) -> Result<(), Diagnostic> {
        if self.unwind_operands.is_some()
            && self.current_unwind_operands(None)? != self.unwind_operands
        {
            return Err(self.malformed("the stack below a handler's depth changes"));
        }
        Ok(())
    }

    fn current_unwind_operands(
        &mut self,
        deleted: Option<usize>,
    ) -> Result<Option<Vec<Value<'c, 'a>>>, Diagnostic> {
        let Some(handler) = self.flow.blocks[self.block].unwind else {
            return Ok(None);
        };
        let variables = self.arguments[handler][1..].to_vec();
        let operands = variables.into_iter().map(|variable| match variable {
            Variable::Local(local) if deleted == Some(local) => Ok(self.unbound_value(local)),
            Variable::Local(local) => Ok(self.local(local)),
            Variable::Slot(slot) => match self.state.stack.get(slot) {
                Some(&Slot::Value(value)) => Ok(value),
                _ => Err(self.malformed("a value is needed below the exception")),
            },
        });
        operands.collect::<Result<_, _>>().map(Some)
    }

    /// Ends what may raise in the current block: the rest goes into a block behind it.
    pub(super) fn leave_protected_part(&mut self) {
        let Some(handler) = self.handler() else {
            return;
        };
        let rest = self
            .region
            .insert_block_after(self.current, Block::new(&[]));
        self.try_branch(rest, &[], handler);
        self.current = rest;
    }

    /// Ends the current block with `py.try_br`.
    pub(super) fn try_branch(
        &self,
        normal: BlockRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        handler: BlockRef<'c, 'a>,
    ) {
        py::TryBr::create(self, operands, self.unwind_operands(), normal, handler);
    }
}
