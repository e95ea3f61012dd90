//! Cells: variables that inner functions share.

use super::function::Function;
use crate::infra::{OperationAttributes, PassResult};
use pyopt_frontend::frame_311::cell;

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_cell(&mut self, name: &str) -> PassResult<bool> {
        match name {
            "py.load_cell" => self.load_cell()?,
            "py.store_cell" => {
                let cell = self.operand(0);
                let old = self.e.load_pointer(cell, cell::VALUE);
                let value = self.give(1);
                self.e.store(value, cell, cell::VALUE);
                self.release_optional(old);
                self.release_operands();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes what a cell holds; an empty one raises.
    fn load_cell(&mut self) -> PassResult {
        let operation = self.operation();
        let name = self.required("name", operation.str_attr("name"))?;
        let name = self.environment.name(name);
        let free = self.e.number(32, operation.flag_attr("free").into());
        self.mark();
        let value = self.e.load_pointer(self.operand(0), cell::VALUE);
        let empty = self.e.is_null(value);
        let (raise, next) = (self.seldom_block(), self.block());
        self.e.branch_if(empty, raise, next);
        self.e.at_end(raise);
        self.call_only("raise_empty", &[self.entry(name), free]);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
        self.acquire(value);
        self.finish(value);
        Ok(())
    }
}
