//! Calls, and what takes or makes several objects at once: containers, unpacking, contexts.

use super::{
    function::{Function, Held},
    liveness::Liveness,
    references::CONSTANT,
};
use crate::infra::{
    BlockExt, Identity, OperationAttributes, OperationExt, PassResult, ValueExt, ops::py,
};
use melior::ir::{OperationRef, Value, attribute::BoolAttribute, operation::OperationLike};
use pyopt_dialects::enums::ExtendKind;
use std::ops::Range;

/// The place of the first argument in the scratch memory: those below are for the object that a
/// method is called on, and for what callees prepend.
const FIRST: usize = 2;

/// How much scratch memory an operation needs, in pointers.
pub(super) fn scratch(operation: OperationRef) -> usize {
    FIRST + operation.operand_count() + operation.result_count()
}

/// Whether an attribute is looked up only to be called, in its own block and without a suspension
/// in between: then no bound method needs to be made.
pub(super) fn is_method(attribute: py::GetAttr, liveness: &Liveness) -> bool {
    let [r#use] = attribute.result().uses()[..] else {
        return false;
    };
    let same_block = r#use.user.parent_block() == attribute.parent_block();
    let called = r#use.user.isa::<py::Call>() && r#use.operand == py::Call::CALLEE_OPERAND;
    if !same_block || !called || liveness.id(attribute.result()).is_none() {
        return false;
    }
    let operations = attribute
        .parent_block()
        .map(BlockExt::operation_list)
        .unwrap_or_default();
    let behind = operations.iter().skip_while(|other| **other != *attribute);
    !behind
        .take_while(|other| **other != r#use.user)
        .any(|other| other.isa::<py::Yield>())
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_call(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            py::Op::GetAttr(get) => self.look_up_method(get),
            py::Op::Call(call) => self.call_object(call),
            py::Op::MakeFunction(make) => self.make_function(make)?,
            py::Op::BuildTuple(build) => self.build_of("build_tuple", build.elements_range()),
            py::Op::BuildList(build) => self.build_of("build_list", build.elements_range()),
            py::Op::BuildSet(build) => self.build_of("build_set", build.elements_range()),
            py::Op::BuildMap(_) => self.build("build_map"),
            py::Op::BuildString(_) => self.build("build_string"),
            py::Op::Extend(extend) => self.extend(extend),
            py::Op::Format(format) => self.format(format),
            py::Op::Unpack(unpack) => {
                let count = unpack.items().len();
                self.unpack(unpack.sequence(), count, count as i64, -1);
            }
            py::Op::UnpackEx(unpack) => {
                let count = unpack.items().len();
                let after = count as i64 - unpack.before() - 1;
                self.unpack(unpack.sequence(), count, unpack.before(), after);
            }
            py::Op::EnterContext(enter) => self.enter("enter_context", enter.manager()),
            py::Op::EnterAsyncContext(enter) => self.enter("enter_async_context", enter.manager()),
            py::Op::ExcGroupMatch(r#match) => {
                let exception = self.pointer(r#match.exception());
                let exc_type = self.pointer(r#match.exc_type());
                let operands = [exception, exc_type, self.scratch(0)];
                self.mark();
                let status = self.call_status("match_group", &operands);
                self.fail_if_negative(status, true);
                self.finish_from_scratch(2);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Makes a container, which takes the references of its elements over.
    fn build_of(&mut self, function: &str, elements: Range<usize>) {
        let (elements, count) = self.gather_given(elements);
        self.make(function, &[elements, count]);
    }

    /// Makes something of all operands.
    fn build(&mut self, function: &str) {
        let operands = self.operands();
        let (elements, count) = self.gather(&operands);
        self.make(function, &[elements, count]);
    }

    /// Enters a context: the results are how to leave it, and its value.
    fn enter(&mut self, function: &str, manager: Value<'c, 'a>) {
        let (manager, exit) = (self.pointer(manager), self.scratch(0));
        self.mark();
        let value = self.call(function, &[manager, exit]);
        self.fail_if_null(value);
        let exit = self.e.load_pointer(exit, 0);
        self.finish_all(&[exit, value]);
    }

    /// The address of a pointer in the scratch memory.
    pub(super) fn scratch(&self, index: usize) -> Value<'c, 'a> {
        self.e.address(self.prologue.scratch, 8 * index)
    }

    /// Writes pointers to the scratch memory, as arguments; returns where they are and how many.
    fn gather(&self, pointers: &[Value<'c, 'a>]) -> (Value<'c, 'a>, Value<'c, 'a>) {
        for (index, pointer) in pointers.iter().enumerate() {
            self.e
                .store(*pointer, self.prologue.scratch, 8 * (FIRST + index));
        }
        let count = self.e.number(64, pointers.len() as i64);
        (self.scratch(FIRST), count)
    }

    /// As [`Self::gather`] for the operands at some positions, whose references go to the runtime.
    fn gather_given(&mut self, operands: Range<usize>) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let pointers: Vec<_> = operands.map(|index| self.give(index)).collect();
        self.gather(&pointers)
    }

    /// Releases the operands and takes the operation's results.
    pub(super) fn finish_all(&mut self, pointers: &[Value<'c, 'a>]) {
        self.release_operands();
        let results = self.operation().result_values();
        for (result, pointer) in results.into_iter().zip(pointers) {
            self.own(result, *pointer);
        }
    }

    fn finish_from_scratch(&mut self, count: usize) {
        let scratch = self.prologue.scratch;
        let pointers: Vec<_> = (0..count)
            .map(|index| self.e.load_pointer(scratch, 8 * index))
            .collect();
        self.finish_all(&pointers);
    }

    /// Looks up a method: its function and the object it is for, or what the attribute holds and
    /// null.
    fn look_up_method(&mut self, attribute: py::GetAttr<'c, 'a>) {
        let name = self.environment.name(attribute.name());
        let cache = self.environment.cache(4);
        let arguments = [
            self.pointer(attribute.object()),
            self.entry(name),
            self.entry_address(cache),
            self.scratch(0),
        ];
        self.mark();
        let function = self.call("load_method", &arguments);
        self.fail_if_null(function);
        let this = self.e.load_pointer(self.prologue.scratch, 0);
        self.release_operands();
        self.hold(attribute.result(), Held::Method(function, this));
    }

    fn call_object(&mut self, call: py::Call<'c, 'a>) {
        let keywords = match call.keywords() {
            Some(names) => {
                let offset = self.environment.names(&names);
                self.entry(offset)
            }
            None => self.e.null(),
        };
        let thread = self.parameters.thread;
        let held = self.held(call.callee());
        let callable = self.give(py::Call::CALLEE_OPERAND);
        let (arguments, count) = self.gather_given(call.args_range());
        match held {
            Held::Method(function, this) => {
                let arguments = [thread, function, this, arguments, count, keywords];
                self.make("call_method", &arguments);
            }
            _ => self.make("call", &[thread, callable, arguments, count, keywords]),
        }
    }

    fn make_function(&mut self, make: py::MakeFunction<'c, 'a>) -> PassResult {
        let index = self.required(CONSTANT, make.int_attr(CONSTANT))?;
        let code = self.environment.code_constant(index);
        let code = self.entry(code);
        let flags = self.e.number(64, make.flags());
        let (parts, _) = self.gather_given(make.parts_range());
        self.make(
            "make_function",
            &[self.parameters.frame, code, flags, parts],
        );
        Ok(())
    }

    fn extend(&mut self, extend: py::Extend<'c, 'a>) {
        let (container, item) = (
            self.pointer(extend.container()),
            self.pointer(extend.item()),
        );
        let mut arguments = vec![container, item];
        if extend.kind() == ExtendKind::DictMerge {
            arguments.push(self.pointer_or_null(extend.callee()));
        }
        self.perform(extend.kind().name(), &arguments);
    }

    fn format(&mut self, format: py::Format<'c, 'a>) {
        let conversion = format.conversion().bytes().next().unwrap_or(0);
        let spec = self.pointer_or_null(format.spec());
        let value = self.pointer(format.value());
        let arguments = [value, self.e.number(32, conversion.into()), spec];
        self.make("format", &arguments);
    }

    /// Makes `count` results of a sequence: so many before the starred one, so many after; a
    /// negative number where none is starred.
    fn unpack(&mut self, sequence: Value<'c, 'a>, count: usize, before: i64, after: i64) {
        let arguments = [
            self.pointer(sequence),
            self.e.number(64, before),
            self.e.number(64, after),
            self.scratch(0),
        ];
        self.mark();
        let status = self.call_status("unpack", &arguments);
        self.fail_if_negative(status, true);
        self.finish_from_scratch(count);
    }

    pub(super) fn pointer_or_null(&self, value: Option<Value<'c, 'a>>) -> Value<'c, 'a> {
        match value {
            Some(value) => self.pointer(value),
            None => self.e.null(),
        }
    }

    /// Whether a result is used by the next operation alone, as a truth value.
    pub(super) fn is_fused(&self, value: Value<'c, 'a>) -> bool {
        self.fused.contains(&value.key())
    }

    /// True or False as an entry of the environment.
    pub(super) fn boolean(&mut self, value: bool) -> Value<'c, 'a> {
        let attribute = BoolAttribute::new(self.cx.context(), value).into();
        let offset = self.environment.value(attribute);
        self.entry(offset)
    }
}
