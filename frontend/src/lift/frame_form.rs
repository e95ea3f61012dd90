//! Frame form: locals and cells stay in the interpreter's frame.
//!
//! Object mode runs on the frame, where `locals()`, tracebacks and the garbage collector look, and
//! a local is released when it is rebound, which values alone don't tell. Operations carry the
//! byte offset of their instruction (`offset`), for the frame, and constants their place in
//! `co_consts` (`const`), so that the host finds the object itself.

use super::{Lifter, stack::Slot};
use crate::{
    attributes::integer_attribute, diagnostic::Diagnostic, opcodes::Op, value::Value as Constant,
};
use melior::ir::{
    Attribute, Operation, Value,
    attribute::FlatSymbolRefAttribute,
    operation::{OperationLike, OperationMutLike},
};
use pyopt_dialects::ods::py;

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
                let name = self.text(name);
                self.append(py::store_local(
                    self.context,
                    value,
                    index,
                    name,
                    self.location(),
                ));
            }
            Op::DeleteFast => {
                let (index, name) = self.frame_local()?;
                let name = self.text(name);
                self.append(py::delete_local(self.context, index, name, self.location()));
            }
            Op::LoadDeref => {
                let (cell, name) = self.frame_cell()?;
                let (context, name, at) = (self.context, self.text(name), self.location());
                let read = py::load_cell(context, self.object, cell, name, at);
                let read = self.mark_free(read.into());
                self.push_value(read);
            }
            Op::StoreDeref => {
                let value = self.pop()?;
                let (cell, _) = self.frame_cell()?;
                self.append(py::store_cell(self.context, cell, value, self.location()));
            }
            Op::DeleteDeref => {
                let (cell, name) = self.frame_cell()?;
                let delete = py::delete_cell(self.context, cell, self.text(name), self.location());
                self.append(self.mark_free(delete.into()));
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
            self.append(py::pop(self.context, *value, self.location()));
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
    fn frame_local(
        &self,
    ) -> Result<(melior::ir::attribute::IntegerAttribute<'c>, &'a str), Diagnostic> {
        let name = self.local_name()?;
        let index = integer_attribute(self.context, self.instruction.index() as i64);
        Ok((index, name))
    }

    fn load_from_frame(&mut self, may_be_unbound: bool) -> Result<Value<'c, 'a>, Diagnostic> {
        let (index, name) = self.frame_local()?;
        let (context, name, at) = (self.context, self.text(name), self.location());
        let mut load = Operation::from(py::load_local(context, self.object, index, name, at));
        if may_be_unbound && self.unbound.contains(self.instruction.index()) {
            load.set_attribute("checked", Attribute::unit(context));
        }
        Ok(self.value(load))
    }

    /// An operation on a cell, marked where the variable is a free one.
    fn mark_free(&self, mut operation: Operation<'c>) -> Operation<'c> {
        if self.code.is_free(self.instruction.index()) {
            operation.set_attribute("free", Attribute::unit(self.context));
        }
        operation
    }

    fn frame_cell(&mut self) -> Result<(Value<'c, 'a>, &'a str), Diagnostic> {
        Ok((self.load_from_frame(false)?, self.local_name()?))
    }

    /// An operation with what frame form adds.
    pub(super) fn in_form(&self, mut operation: Operation<'c>) -> Operation<'c> {
        if self.form != Form::Frame {
            return operation;
        }
        let number = |value| integer_attribute(self.context, value).into();
        operation.set_attribute("offset", number(self.instruction.offset.into()));
        let constant = match operation.name().as_string_ref().as_str() {
            Ok("py.constant") if self.instruction.op() == Op::LoadConst => {
                Some(self.instruction.index())
            }
            Ok("py.make_function") => self.code_constant(&operation),
            _ => None,
        };
        if let Some(index) = constant {
            operation.set_attribute("const", number(index as i64));
        }
        operation
    }

    /// The place of an inner function's code among the constants.
    fn code_constant(&self, operation: &Operation<'c>) -> Option<usize> {
        let symbol = operation.attribute("code").ok()?;
        let symbol = FlatSymbolRefAttribute::try_from(symbol).ok()?;
        self.code.constants.iter().position(
            |constant| matches!(constant, Constant::CodeSymbol(code) if **code == *symbol.value()),
        )
    }
}
