//! Cells: variables that inner functions share.

use super::function::Function;
use crate::infra::ops::py;
use pyopt_frontend::frame_311::cell;

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_cell(&mut self, operation: py::Op<'c, 'a>) -> bool {
        match operation {
            py::Op::LoadCell(load) => self.load_cell(load),
            py::Op::StoreCell(store) => {
                let cell = self.pointer(store.cell());
                let old = self.e.load_pointer(cell, cell::VALUE);
                let value = self.give(py::StoreCell::VALUE_OPERAND);
                self.e.store(value, cell, cell::VALUE);
                self.release_optional(old);
                self.release_operands();
            }
            _ => return false,
        }
        true
    }

    /// Takes what a cell holds; an empty one raises.
    fn load_cell(&mut self, load: py::LoadCell<'c, 'a>) {
        let name = self.environment.name(load.name());
        let free = self.e.number(32, load.free().into());
        self.mark();
        let value = self.e.load_pointer(self.pointer(load.cell()), cell::VALUE);
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
    }
}
