//! References: who holds one, who gives one up; constants and locals.

use super::{
    function::{Function, Held},
    liveness::Id,
};
use crate::infra::{
    AttributeExt, BlockExt, OperationAttributes, OperationExt, PassResult, ValueExt,
};
use melior::ir::{OperationRef, Value};
use pyopt_frontend::frame_311::frame;

/// The attribute of an operation in frame form: the place of a constant in `co_consts`.
pub(super) const CONSTANT: &str = "const";

/// The symbol of the function that gives up a reference; the pass defines it in the module.
pub(super) const RELEASE: &str = "pyopt.release";

/// Operations that call Python and so hold references of their own on what they get, as CPython's
/// stack does.
const CALLS: &[&str] = &["py.call", "py.call_ex"];

/// Whether a local may be used without a reference of its own: all uses are before anything could
/// rebind it, and nobody can see the difference.
pub(super) fn is_borrowed_load(operation: OperationRef) -> bool {
    if !operation.is("py.load_local") {
        return false;
    }
    let value = operation.result_value(0);
    let Some(block) = operation.parent_block() else {
        return false;
    };
    let mut open: Vec<OperationRef> = value.users();
    let index = operation.int_attr("index");
    let operations = block.operation_list();
    let start = operations.iter().position(|other| *other == operation);
    for other in &operations[start.map_or(0, |start| start + 1)..] {
        if open.is_empty() {
            return true;
        }
        let name = other.full_name();
        if open.contains(other) && CALLS.contains(&name) {
            return false;
        }
        open.retain(|user| user != other);
        let rebinds = (name == "py.store_local" || name == "py.delete_local")
            && other.int_attr("index") == index;
        if (rebinds || name == "py.yield") && !open.is_empty() {
            return false;
        }
    }
    open.is_empty()
}

/// Whether a value is one that the function holds a reference on.
pub(super) fn is_owned(value: Value) -> bool {
    let Some(operation) = value.defining_op() else {
        return true;
    };
    !operation.is("py.constant") && !is_borrowed_load(operation)
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Takes one more reference on an object.
    pub(super) fn acquire(&self, pointer: Value<'c, 'a>) {
        let e = self.e;
        let count = e.load(e.i(64), pointer, 0);
        e.store(e.binary("llvm.add", count, e.number(64, 1)), pointer, 0);
    }

    pub(super) fn release_pointer(&self, pointer: Value<'c, 'a>) {
        self.e.call(RELEASE, &[pointer], None);
    }

    /// Gives up the reference of an owned value.
    pub(super) fn release_value(&self, value: Value<'c, 'a>) {
        if let Held::Method(_, this) = self.held(value) {
            self.call_only("release_optional", &[this]);
        }
        self.release_pointer(self.pointer(value));
    }

    /// Gives up the references of operands that are not used again, in CPython's order: that of the
    /// operands, but an assignment to an item begins with the value.
    pub(super) fn release_operands(&mut self) {
        let operation = self.operation();
        let mut operands = operation.operand_values();
        if operation.is("py.setitem") {
            operands.rotate_right(1);
        }
        let mut done: Vec<Id> = Vec::new();
        for value in operands {
            let Some(id) = self.liveness.id(value) else {
                continue;
            };
            let live = self.place.live_after[self.place.at].contains(&id);
            if live || done.contains(&id) || self.place.given.contains(&id) {
                continue;
            }
            done.push(id);
            self.release_value(value);
        }
    }

    pub(super) fn lower_reference(&mut self, name: &str) -> PassResult<bool> {
        let operation = self.operation();
        match name {
            "py.constant" => {
                let value = self.required("value", operation.attr("value"))?;
                let offset = match operation.int_attr(CONSTANT) {
                    Some(index) => self.environment.code_constant(index),
                    None => self.environment.value(value),
                };
                self.hold(operation.result_value(0), Held::Constant(offset));
            }
            "py.load_local" => self.load_local()?,
            // The operation that made the value has stored it.
            "py.store_local" if self.is_fused(operation.operand_value(0)) => {}
            "py.store_local" => {
                let slot = self.local_offset()?;
                let old = self.e.load_pointer(self.parameters.frame, slot);
                let pointer = self.give(0);
                self.e.store(pointer, self.parameters.frame, slot);
                self.call_only("release_optional", &[old]);
            }
            "py.delete_local" => {
                let slot = self.local_offset()?;
                let old = self.e.load_pointer(self.parameters.frame, slot);
                self.check_bound(old)?;
                let null = self.e.null();
                self.e.store(null, self.parameters.frame, slot);
                self.mark();
                self.release_pointer(old);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The byte offset of the current operation's local in the frame.
    fn local_offset(&self) -> PassResult<usize> {
        let index = self.required("index", self.operation().int_attr("index"))?;
        Ok(frame::LOCALS + 8 * index as usize)
    }

    fn load_local(&mut self) -> PassResult {
        let operation = self.operation();
        let slot = self.local_offset()?;
        let pointer = self.e.load_pointer(self.parameters.frame, slot);
        if operation.flag_attr("checked") {
            self.check_bound(pointer)?;
        }
        let result = operation.result_value(0);
        match self.liveness.id(result) {
            Some(_) => {
                self.acquire(pointer);
                self.own(result, pointer);
            }
            None => self.hold(result, Held::Borrowed(pointer)),
        }
        Ok(())
    }

    /// Raises UnboundLocalError for a local that has no value.
    fn check_bound(&mut self, pointer: Value<'c, 'a>) -> PassResult {
        self.mark();
        let name = self
            .operation()
            .attr("name")
            .and_then(|name| name.string_value());
        let name = self.required("name", name)?;
        let offset = self.environment.name(name);
        let unbound = self.e.is_null(pointer);
        let (raise, next) = (self.block(), self.block());
        self.e.branch_if(unbound, raise, next);
        self.e.at_end(raise);
        self.call_only("raise_unbound", &[self.entry(offset)]);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
        Ok(())
    }
}
