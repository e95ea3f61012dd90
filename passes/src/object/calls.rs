//! Calls, and what takes or makes several objects at once: containers, unpacking, contexts.

use super::{
    function::{Function, Held},
    liveness::{Liveness, key},
    references::CONSTANT,
};
use crate::infra::{BlockExt, OperationAttributes, OperationExt, PassResult, ValueExt};
use melior::ir::{OperationRef, Value, attribute::BoolAttribute, operation::OperationLike};
use pyopt_dialects::enums::ExtendKind;

/// The place of the first argument in the scratch memory: those below are for the object that a
/// method is called on, and for what callees prepend.
const FIRST: usize = 2;

/// How much scratch memory an operation needs, in pointers.
pub(super) fn scratch(operation: OperationRef) -> usize {
    FIRST + operation.operand_count() + operation.result_count()
}

/// Whether an attribute is looked up only to be called, in its own block and without a suspension
/// in between: then no bound method needs to be made.
pub(super) fn is_method(operation: OperationRef, liveness: &Liveness) -> bool {
    if !operation.is("py.getattr") {
        return false;
    }
    let result = operation.result_value(0);
    let [r#use] = result.uses()[..] else {
        return false;
    };
    let same_block = r#use.user.parent_block() == operation.parent_block();
    let called = r#use.user.is("py.call") && r#use.operand == 0;
    if !same_block || !called || liveness.id(result).is_none() {
        return false;
    }
    let operations = operation
        .parent_block()
        .map(BlockExt::operation_list)
        .unwrap_or_default();
    let behind = operations.iter().skip_while(|other| **other != operation);
    !behind
        .take_while(|other| **other != r#use.user)
        .any(|other| other.is("py.yield"))
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_call(&mut self, name: &str) -> PassResult<bool> {
        match name {
            "py.getattr" => self.look_up_method()?,
            "py.call" => self.call_object()?,
            "py.make_function" => self.make_function()?,
            "py.build_tuple" | "py.build_list" => {
                let (elements, count) = self.gather_given(0);
                self.make(&name["py.".len()..], &[elements, count]);
            }
            "py.build_set" | "py.build_map" | "py.build_string" => {
                let operands = self.operands();
                let (elements, count) = self.gather(&operands);
                self.make(&name["py.".len()..], &[elements, count]);
            }
            "py.extend" => self.extend()?,
            "py.format" => self.format()?,
            "py.unpack" | "py.unpack_ex" => self.unpack(name)?,
            "py.enter_context" | "py.enter_async_context" => {
                let (manager, exit) = (self.operand(0), self.scratch(0));
                self.mark();
                let value = self.call(&name["py.".len()..], &[manager, exit]);
                self.fail_if_null(value);
                let exit = self.e.load_pointer(exit, 0);
                self.finish_all(&[exit, value]);
            }
            "py.exc_group_match" => {
                let operands = [self.operand(0), self.operand(1), self.scratch(0)];
                self.mark();
                let status = self.call_status("match_group", &operands);
                self.fail_if_negative(status, true);
                self.finish_from_scratch(2);
            }
            _ => return Ok(false),
        }
        Ok(true)
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

    /// As [`Self::gather`] for the operands behind the first few, whose references go to the
    /// runtime.
    fn gather_given(&mut self, skipped: usize) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let count = self.operation().operand_count();
        let pointers: Vec<_> = (skipped..count).map(|index| self.give(index)).collect();
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
    fn look_up_method(&mut self) -> PassResult {
        let operation = self.operation();
        let name = self.required("name", operation.str_attr("name"))?;
        let name = self.environment.name(name);
        let cache = self.environment.cache(4);
        let arguments = [
            self.operand(0),
            self.entry(name),
            self.entry_address(cache),
            self.scratch(0),
        ];
        self.mark();
        let function = self.call("load_method", &arguments);
        self.fail_if_null(function);
        let this = self.e.load_pointer(self.prologue.scratch, 0);
        self.release_operands();
        let result = operation.result_value(0);
        self.hold(result, Held::Method(function, this));
        Ok(())
    }

    fn call_object(&mut self) -> PassResult {
        let operation = self.operation();
        let keywords = match operation.attr("keywords") {
            Some(names) => {
                let offset = self.environment.names(names);
                self.entry(offset)
            }
            None => self.e.null(),
        };
        let thread = self.parameters.thread;
        let held = self.held(operation.operand_value(0));
        let callable = self.give(0);
        let (arguments, count) = self.gather_given(1);
        match held {
            Held::Method(function, this) => {
                let arguments = [thread, function, this, arguments, count, keywords];
                self.make("call_method", &arguments);
            }
            _ => self.make("call", &[thread, callable, arguments, count, keywords]),
        }
        Ok(())
    }

    fn make_function(&mut self) -> PassResult {
        let operation = self.operation();
        let index = self.required(CONSTANT, operation.int_attr(CONSTANT))?;
        let code = self.environment.code_constant(index);
        let code = self.entry(code);
        let flags = self.required("flags", operation.int_attr("flags"))?;
        let flags = self.e.number(64, flags);
        let (parts, _) = self.gather_given(0);
        self.make(
            "make_function",
            &[self.parameters.frame, code, flags, parts],
        );
        Ok(())
    }

    fn extend(&mut self) -> PassResult {
        let operation = self.operation();
        let kind = operation.attr("kind").and_then(ExtendKind::from_attribute);
        let kind = self.required("kind", kind)?;
        let mut arguments = vec![self.operand(0), self.operand(1)];
        if kind == ExtendKind::DictMerge {
            arguments.push(match operation.operand_count() {
                3 => self.operand(2),
                _ => self.e.null(),
            });
        }
        self.perform(kind.name(), &arguments);
        Ok(())
    }

    fn format(&mut self) -> PassResult {
        let operation = self.operation();
        let conversion = self.required("conversion", operation.str_attr("conversion"))?;
        let conversion = conversion.bytes().next().unwrap_or(0);
        let spec = match operation.operand_count() {
            2 => self.operand(1),
            _ => self.e.null(),
        };
        let arguments = [self.operand(0), self.e.number(32, conversion.into()), spec];
        self.make("format", &arguments);
        Ok(())
    }

    fn unpack(&mut self, name: &str) -> PassResult {
        let operation = self.operation();
        let count = operation.result_count();
        let (before, after) = match name {
            "py.unpack" => (count as i64, -1),
            _ => {
                let before = self.required("before", operation.int_attr("before"))?;
                (before, count as i64 - before - 1)
            }
        };
        let arguments = [
            self.operand(0),
            self.e.number(64, before),
            self.e.number(64, after),
            self.scratch(0),
        ];
        self.mark();
        let status = self.call_status("unpack", &arguments);
        self.fail_if_negative(status, true);
        self.finish_from_scratch(count);
        Ok(())
    }

    /// Whether a result is used by the next operation alone, as a truth value.
    pub(super) fn is_fused(&self, value: Value<'c, 'a>) -> bool {
        self.fused.contains(&key(value))
    }

    /// True or False as an entry of the environment.
    pub(super) fn boolean(&mut self, value: bool) -> Value<'c, 'a> {
        let attribute = BoolAttribute::new(self.cx.context(), value).into();
        let offset = self.environment.value(attribute);
        self.entry(offset)
    }
}
