//! Frame form: locals and cells stay in the interpreter's frame.
//!
//! Object mode runs on the frame, where `locals()`, tracebacks and the garbage collector look, and
//! a local is released when it is rebound, which values alone don't tell. Operations carry the
//! byte offset of their instruction (`offset`), for the frame, and constants their place in
//! `co_consts` (`const`), so that the host finds the object itself.

use super::{Lifter, stack::Slot};
use crate::{diagnostic::Diagnostic, opcodes::Op, value::Value as Constant};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::{
    ops::py,
    view::{self, Integer},
};

/// What becomes of locals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// They are values: block arguments where paths join.
    #[default]
    Values,
    /// They are values, and `typed.variable` says from when on a local has one, for debuggers.
    Marked,
    /// They are in the interpreter's frame.
    Frame,
}

impl<'c, 'a> Lifter<'c, 'a> {
    /// Lifts the current instruction if it is about locals and those are in the frame.
    pub(super) fn dispatch_in_frame(&mut self) -> Result<bool, Diagnostic> {
        if self.form != Form::Frame {
            return Ok(false);
        }
        match self.instruction.op() {
            // The host does what comes before the body.
            Op::MakeCell | Op::CopyFreeVars => {}
            Op::LoadFast => {
                let value = self.load_from_frame(true)?;
                self.push(value);
            }
            Op::LoadClosure => {
                let value = self.load_from_frame(false)?;
                self.push(value);
            }
            Op::StoreFast => {
                let value = self.pop()?;
                let (index, name) = self.frame_local()?;
                py::StoreLocal::create(self, index, name, value);
            }
            Op::DeleteFast => {
                let (index, name) = self.frame_local()?;
                py::DeleteLocal::create(self, index, name);
            }
            Op::LoadDeref => {
                let (cell, name) = self.frame_cell()?;
                let load = py::LoadCell::create(self, cell, name);
                load.set_free(self.is_free());
                self.push(load.result());
            }
            Op::StoreDeref => {
                let value = self.pop()?;
                let (cell, _) = self.frame_cell()?;
                py::StoreCell::create(self, cell, value);
            }
            Op::DeleteDeref => {
                let (cell, name) = self.frame_cell()?;
                py::DeleteCell::create(self, cell, name).set_free(self.is_free());
            }
            Op::PopTop => {
                let slot = self.pop_slot()?;
                self.give_up(&slot);
            }
            Op::RaiseVarargs => {
                let operands = self.pop_many(self.instruction.index())?;
                self.give_up_stack();
                self.raise(&operands)?;
            }
            Op::Reraise => {
                let exception = self.pop()?;
                self.give_up_stack();
                self.reraise(exception);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn give_up(&self, slot: &Slot<'c, 'a>) {
        if let Slot::Value(value) = slot {
            py::Pop::create(self, *value);
        }
    }

    /// Gives up what the handler won't find, from the top.
    fn give_up_stack(&self) {
        let handler = self.flow.blocks[self.block].unwind;
        let handler = handler.and_then(|handler| self.flow.blocks[handler].handler);
        let kept = handler.map_or(0, |handler| handler.depth);
        for slot in self.state.stack.iter().skip(kept).rev() {
            self.give_up(slot);
        }
    }

    /// The index and the name of the current instruction's local.
    fn frame_local(&self) -> Result<(i64, &'a str), Diagnostic> {
        let name = self.local_name()?;
        Ok((self.instruction.index() as i64, name))
    }

    fn load_from_frame(&mut self, may_be_unbound: bool) -> Result<Value<'c, 'a>, Diagnostic> {
        let (index, name) = self.frame_local()?;
        let load = py::LoadLocal::create(self, index, name);
        load.set_checked(may_be_unbound && self.unbound.contains(self.instruction.index()));
        Ok(load.result())
    }

    fn frame_cell(&mut self) -> Result<(Value<'c, 'a>, &'a str), Diagnostic> {
        Ok((self.load_from_frame(false)?, self.local_name()?))
    }

    /// Adds to an operation what frame form says of it.
    pub(super) fn complete(&self, operation: OperationRef<'c, 'a>) {
        if self.form != Form::Frame {
            return;
        }
        let set = |key, number| view::set_attribute(operation, key, Some(Integer(number, 64)));
        set("offset", self.instruction.offset.into());
        let constant = match py::Op::of(operation) {
            Some(py::Op::Constant(_)) if self.instruction.op() == Op::LoadConst => {
                Some(self.instruction.index())
            }
            Some(py::Op::MakeFunction(function)) => self.code_constant(function.code()),
            _ => None,
        };
        if let Some(index) = constant {
            set("const", index as i64);
        }
    }

    /// The place of an inner function's code among the constants.
    fn code_constant(&self, symbol: &str) -> Option<usize> {
        let mut constants = self.code.constants.iter();
        constants.position(
            |constant| matches!(constant, Constant::CodeSymbol(code) if **code == *symbol),
        )
    }
}
