//! Generators, coroutines and asynchronous iteration.

use super::{Lifter, stack::Slot};
use crate::diagnostic::Diagnostic;
use pyopt_dialects::{enums::FunctionKind, ops::py};

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
        self.convert(|at, value| py::Yield::create(at, value).sent())?;
        self.mark_locals();
        Ok(())
    }

    pub(super) fn get_yield_from_iterator(&mut self) -> Result<(), Diagnostic> {
        let iterable = self.pop()?;
        let iterator = py::GetYieldFromIter::create(self, iterable);
        iterator.set_coroutines(self.code.may_await());
        self.push(iterator.result());
        Ok(())
    }

    pub(super) fn get_awaitable(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let method = match self.instruction.argument {
            0 => None,
            1 => Some("__aenter__"),
            2 => Some("__aexit__"),
            _ => return Err(self.malformed("no such origin of an awaitable")),
        };
        let awaitable = py::GetAwaitable::create(self, value);
        awaitable.set_method(method);
        self.push(awaitable.result());
        Ok(())
    }

    pub(super) fn get_anext(&mut self) -> Result<(), Diagnostic> {
        let iterator = self.peek(1)?;
        self.push(py::GetAnext::create(self, iterator).result());
        Ok(())
    }

    pub(super) fn end_async_for(&mut self) -> Result<(), Diagnostic> {
        self.consume(py::EndAsyncFor::create)?;
        self.pop_slot().map(|_| ())
    }

    /// One step of a delegate: what it yields replaces the value that was sent, what it returns
    /// replaces the delegate; `beside` values lie above that.
    pub(super) fn send(&mut self, beside: usize) -> Result<(), Diagnostic> {
        let (next, jump) = self.successors()?;
        let value = self.pop()?;
        let receiver = self.peek(1 + beside)?;
        let send = py::Send::create(self, receiver, value);
        let (result, done) = (send.result(), send.done());
        self.leave_protected_part();
        let delegate = self
            .state
            .stack
            .split_off(self.state.stack.len() - 1 - beside);
        self.push(result);
        let jump_operands = self.successor_operands(jump, 0)?;
        self.pop()?;
        self.state.stack.extend(delegate);
        self.push(result);
        let next_operands = self.successor_operands(next, 0)?;
        self.branch(done, true, (next, &next_operands), (jump, &jump_operands));
        Ok(())
    }
}
