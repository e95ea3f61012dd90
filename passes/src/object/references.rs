//! Ownership of references: which values own one, when it is released; constants and locals.

use super::{
    emit::Compare,
    function::{Function, Held},
    liveness::Id,
};
use crate::infra::{
    AttributeExt, BlockExt, OperationAttributes, OperationExt, PassResult, ValueExt,
};
use melior::ir::{OperationRef, Value};
use pyopt_frontend::frame_311::{dict, frame};

/// The attribute of an operation in frame form: the place of a constant in `co_consts`.
pub(super) const CONSTANT: &str = "const";

/// The symbol of the function that gives up a reference; the pass defines it in the module.
pub(super) const RELEASE: &str = "pyopt.release";

/// The symbol of the function that gives up a reference, or nothing for null.
pub(super) const RELEASE_OPTIONAL: &str = "pyopt.release_optional";

/// Operations that call Python and so need references of their own on their operands, as CPython's
/// stack has them; after them signals and other threads have their turn.
pub(super) const CALLS: &[&str] = &["py.call", "py.call_ex"];

/// Whether a local may be borrowed: all uses precede anything that could rebind it, and the
/// difference can't be observed.
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

    /// Gives up a reference, or nothing for null.
    pub(super) fn release_optional(&self, pointer: Value<'c, 'a>) {
        self.e.call(RELEASE_OPTIONAL, &[pointer], None);
    }

    /// Gives up the reference of an owned value.
    pub(super) fn release_value(&self, value: Value<'c, 'a>) {
        if let Held::Method(_, this) = self.held(value) {
            self.release_optional(this);
        }
        self.release_pointer(self.pointer(value));
    }

    /// The operands with their last use here that the function still owns, in the order in which
    /// CPython releases them: that of the operands, but an assignment to an item begins with the
    /// value, and the making of a dict with the last.
    pub(super) fn dying_operands(&self) -> Vec<Id> {
        let operation = self.operation();
        let mut operands = operation.operand_values();
        match operation.full_name() {
            "py.setitem" => operands.rotate_right(1),
            "py.build_map" => operands.reverse(),
            _ => {}
        }
        let mut dying = Vec::new();
        for id in operands
            .into_iter()
            .filter_map(|value| self.liveness.id(value))
        {
            let live = self.place.live_after[self.place.at].contains(&id);
            if !live && !dying.contains(&id) && !self.place.given.contains(&id) {
                dying.push(id);
            }
        }
        dying
    }

    /// Gives up the references of operands that are not used again.
    pub(super) fn release_operands(&mut self) {
        for id in self.dying_operands() {
            self.release_value(self.liveness.value(id));
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
            "py.global" => self.load_global()?,
            // The operation that made the value has stored it.
            "py.store_local" if self.is_fused(operation.operand_value(0)) => {}
            "py.store_local" => {
                let slot = self.local_offset()?;
                let old = self.e.load_pointer(self.parameters.frame, slot);
                let pointer = self.give(0);
                self.e.store(pointer, self.parameters.frame, slot);
                self.release_optional(old);
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
            "py.pop" => self.release_operands(),
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

    /// Loads a global through an inline cache: valid as long as the dicts that it was found in have
    /// not changed, otherwise the runtime is called. The cache has the version of the globals, that
    /// of the builtins, zero for what isn't one, and the value.
    fn load_global(&mut self) -> PassResult {
        let name = self.global_name()?;
        let cache = self.environment.cache(4);
        self.mark();
        let e = self.e;
        let frame = self.parameters.frame;
        let version = |dict| e.load(e.i(64), e.load_pointer(frame, dict), dict::VERSION);
        let [globals, builtins] = [frame::GLOBALS, frame::BUILTINS].map(version);
        let environment = self.parameters.environment;
        let known = |word: usize| e.load(e.i(64), environment, cache + 8 * word);
        let same_globals = e.compare(Compare::Eq, globals, known(0));
        let same_builtins = e.compare(Compare::Eq, builtins, known(1));
        let is_global = e.compare(Compare::Eq, known(1), e.number(64, 0));
        let found = e.binary("llvm.or", same_builtins, is_global);
        let valid = e.binary("llvm.and", same_globals, found);
        let (hit, miss) = (self.block(), self.seldom_block());
        let next = self.block_with(&[e.ptr()]);
        e.branch_if(valid, hit, miss);
        e.at_end(hit);
        let value = self.entry(cache + 16);
        self.acquire(value);
        e.branch(next, &[value]);
        e.at_end(miss);
        let arguments = [frame, self.entry(name), self.entry_address(cache)];
        let value = self.call("load_global", &arguments);
        let failure = self.failure(self.live_now(), true);
        let found = self.seldom_block();
        let null = e.is_null(value);
        e.branch_if(null, failure, found);
        e.at_end(found);
        e.branch(next, &[value]);
        e.at_end(next);
        let value = next.argument_value(0);
        self.own(self.operation().result_value(0), value);
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
        let (raise, next) = (self.seldom_block(), self.block());
        self.e.branch_if(unbound, raise, next);
        self.e.at_end(raise);
        self.call_only("raise_unbound", &[self.entry(offset)]);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
        Ok(())
    }
}
