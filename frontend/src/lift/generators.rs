//! Generators, coroutines and asynchronous iteration.

use super::{Lifter, stack::Slot};
use crate::diagnostic::Diagnostic;
use melior::ir::Attribute;
use pyopt_dialects::{enums::FunctionKind, ods::py};

impl Lifter<'_, '_> {
    /// Nothing: the function's entry is the first resumption. What that sends is not read.
    pub(super) fn return_generator(&mut self) -> Result<(), Diagnostic> {
        if self.block != 0 || self.code.kind() == FunctionKind::Function {
            return Err(self.malformed("only the start of a generator or coroutine has it"));
        }
        self.state.stack.push(Slot::Empty);
        Ok(())
    }

    pub(super) fn yield_value(&mut self) -> Result<(), Diagnostic> {
        if self.code.kind() == FunctionKind::Function {
            return Err(self.malformed("the function is no generator or coroutine"));
        }
        self.convert("py.yield")?;
        self.mark_locals();
        Ok(())
    }

    pub(super) fn get_yield_from_iterator(&mut self) -> Result<(), Diagnostic> {
        let iterable = self.pop()?;
        let mut builder = py::GetYieldFromIterOperation::builder(self.context, self.location());
        if self.code.may_await() {
            builder = builder.coroutines(Attribute::unit(self.context));
        }
        self.push_value(builder.result(self.object).iterable(iterable).build());
        Ok(())
    }

    pub(super) fn get_awaitable(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let mut builder = py::GetAwaitableOperation::builder(self.context, self.location());
        builder = match self.instruction.argument {
            0 => builder,
            1 => builder.method(self.text("__aenter__")),
            2 => builder.method(self.text("__aexit__")),
            _ => return Err(self.malformed("no such origin of an awaitable")),
        };
        self.push_value(builder.result(self.object).value(value).build());
        Ok(())
    }

    pub(super) fn get_anext(&mut self) -> Result<(), Diagnostic> {
        let iterator = self.peek(1)?;
        let [next] = self.results("py.get_anext", &[iterator], [self.object]);
        self.push(next);
        Ok(())
    }

    pub(super) fn end_async_for(&mut self) -> Result<(), Diagnostic> {
        self.consume("py.end_async_for")?;
        self.pop_slot().map(|_| ())
    }

    /// One step of a delegate: what it yields replaces the value that was sent, what it returns
    /// replaces the delegate.
    pub(super) fn send(&mut self) -> Result<(), Diagnostic> {
        let (next, jump) = self.successors()?;
        let value = self.pop()?;
        let receiver = self.peek(1)?;
        let types = [self.object, self.boolean()];
        let [result, done] = self.results("py.send", &[receiver, value], types);
        self.leave_protected_part();
        self.pop()?;
        self.push(result);
        let jump_operands = self.successor_operands(jump, 0)?;
        self.pop()?;
        self.push(receiver);
        self.push(result);
        let next_operands = self.successor_operands(next, 0)?;
        self.branch(done, true, (next, &next_operands), (jump, &jump_operands));
        Ok(())
    }
}
