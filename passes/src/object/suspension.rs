//! Generators and coroutines: `py.yield` leaves the function, and a later call resumes it.
//!
//! Values that are live across a suspension are on the frame's value stack meanwhile, where the
//! garbage collector and the clearing of frames find them, and in allocas while the function runs.
//! The entry dispatches on the instruction that the frame records.

use super::{
    emit::Compare,
    function::{Function, Held, OFFSET},
    liveness::Id,
};
use crate::infra::{
    BlockExt, Identity, OperationAttributes, PassResult,
    ops::{llvm, py},
};
use melior::ir::{BlockRef, Value};
use pyopt_dialects::py::PyAttribute;
use pyopt_frontend::frame_311::{frame, generator};

/// What a delegation's receiver must be when the function is suspended in it: on top of the stack.
fn receiver_of<'c: 'a, 'a>(suspension: py::Yield<'c, 'a>) -> Option<Value<'c, 'a>> {
    py::Send::defining(suspension.value()).map(|send| send.receiver())
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_suspension(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            py::Op::Yield(suspension) => self.suspend(suspension)?,
            py::Op::Send(send) => {
                let (receiver, value) = (self.pointer(send.receiver()), self.pointer(send.value()));
                let arguments = [receiver, value, self.scratch(0)];
                self.mark();
                let status = self.call_status("send", &arguments);
                self.fail_if_negative(status, true);
                let result = self.e.load_pointer(self.prologue.scratch, 0);
                let done = self.flag(status);
                self.release_operands();
                // Control also comes here when an exception thrown into the receiver has ended it.
                let answered = self.block_with(&[self.e.ptr(), self.e.i(1)]);
                self.e.branch(answered, &[result, done]);
                self.e.at_end(answered);
                self.answers.insert(send.result().key(), answered);
                self.own(send.result(), answered.argument_value(0));
                let done = Held::Flag(answered.argument_value(1));
                self.hold(send.done(), done);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn suspend(&mut self, suspension: py::Yield<'c, 'a>) -> PassResult {
        let offset = self.required(OFFSET, suspension.int_attr(OFFSET))?;
        let value = self.give(py::Yield::VALUE_OPERAND);
        let live = self.stack_order(suspension);
        self.place.instruction = None;
        self.mark();
        for (place, id) in live.iter().enumerate() {
            let pointer = self.e.load_pointer(self.spills[id], 0);
            self.e.store(pointer, self.prologue.stack, 8 * place);
        }
        let count = self.e.number(32, live.len() as i64);
        self.call_only("suspend", &[self.parameters.frame, count]);
        self.e.return_value(value);

        let resumed = self.block();
        self.resumptions.push((offset, resumed));
        self.end_delegation(suspension, offset, &live);
        self.e.at_end(resumed);
        let sent = self.take_over(&live);
        self.throw_or_go_on(sent);
        self.release_operands();
        self.own(suspension.sent(), sent);
        if receiver_of(suspension).is_none() {
            self.interrupt_behind();
        }
        Ok(())
    }

    /// Loads the value sent, and the live values below it on the frame's stack.
    fn take_over(&self, live: &[Id]) -> Value<'c, 'a> {
        let sent = self.call("resume", &[self.parameters.frame]);
        for (place, id) in live.iter().enumerate() {
            let pointer = self.e.load_pointer(self.prologue.stack, 8 * place);
            self.e.store(pointer, self.spills[id], 0);
        }
        sent
    }

    /// Where a delegation goes on when throwing into the receiver has ended it: CPython has taken
    /// the receiver from the stack then, and sends its result or throws what it raised.
    fn end_delegation(&mut self, suspension: py::Yield<'c, 'a>, offset: i64, live: &[Id]) {
        let Some(answered) = self.answers.get(&suspension.value().key()).copied() else {
            return;
        };
        let Some((receiver, rest)) = live.split_last() else {
            return;
        };
        let ended = self.seldom_block();
        self.resumptions
            .push((offset + generator::DELEGATION_ENDED, ended));
        self.e.at_end(ended);
        let result = self.take_over(rest);
        // There is no receiver any more, but a place that is released.
        let none = PyAttribute::None.to_attribute(self.cx.context());
        let none = self.environment.value(none);
        let none = self.entry(none);
        self.acquire(none);
        self.e.store(none, self.spills[receiver], 0);
        self.throw_or_go_on(result);
        let done = self.e.number(1, 1);
        self.e.branch(answered, &[result, done]);
    }

    /// After a resumption: raises the exception thrown in, if there is one; `sent` isn't used then.
    fn throw_or_go_on(&mut self, sent: Value<'c, 'a>) {
        let zero = self.e.number(32, 0);
        let throws = self.e.compare(Compare::Ne, self.parameters.throws, zero);
        let (throw, next) = (self.seldom_block(), self.block());
        self.e.branch_if(throws, throw, next);
        self.e.at_end(throw);
        self.release_pointer(sent);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
    }

    /// What is live while the function is suspended, as it is on the frame's stack: from the
    /// bottom, what the function delegates to on top.
    fn stack_order(&self, suspension: py::Yield<'c, 'a>) -> Vec<Id> {
        let mut live = self.live_now();
        let receiver = receiver_of(suspension).and_then(|value| self.liveness.id(value));
        if let Some(receiver) = receiver
            && let Some(at) = live.iter().position(|id| *id == receiver)
        {
            live.remove(at);
            live.push(receiver);
        }
        live
    }

    /// Begins the function: a first resumption, or behind the suspension that the frame is at.
    pub(super) fn lower_resumption(&mut self, dispatch: BlockRef<'c, 'a>, start: BlockRef<'c, 'a>) {
        self.e.at_end(dispatch);
        let instruction = self
            .e
            .load_pointer(self.parameters.frame, frame::INSTRUCTION);
        let [instruction, bytecode] = [instruction, self.prologue.bytecode]
            .map(|pointer| llvm::PtrToInt::create(self.e, pointer, self.e.i(64)).res());
        let offset = self.e.binary(llvm::Sub::NAME, instruction, bytecode);
        let offset = llvm::Trunc::create(self.e, offset, self.e.i(32)).res();
        self.e.switch(offset, start, &self.resumptions);
    }

    /// The first resumption: drops what was sent, which is None, or raises what was thrown in.
    pub(super) fn lower_first_resumption(&mut self) {
        let sent = self.call("resume", &[self.parameters.frame]);
        self.release_pointer(sent);
        let zero = self.e.number(32, 0);
        let throws = self.e.compare(Compare::Ne, self.parameters.throws, zero);
        let (throw, next) = (self.seldom_block(), self.block());
        self.e.branch_if(throws, throw, next);
        self.e.at_end(throw);
        self.call_only(
            "traceback",
            &[self.parameters.thread, self.parameters.frame],
        );
        self.e.return_value(self.e.null());
        self.e.at_end(next);
    }
}
