//! Ownership of references: which values own one, when it is released; constants and locals.

use super::{
    emit::Compare,
    function::{Function, Held},
    liveness::Id,
};
use crate::infra::{
    BlockExt, OperationAttributes, OperationExt, PassResult, ValueExt,
    ops::{llvm, py},
};
use melior::ir::{OperationRef, Value};
use pyopt_frontend::frame_311::{dict, frame};

/// The attribute of an operation in frame form: the place of a constant in `co_consts`.
pub(super) const CONSTANT: &str = "const";

/// The symbol of the function that gives up a reference; the pass defines it in the module.
pub(super) const RELEASE: &str = "pyopt.release";

/// The symbol of the function that gives up a reference, or nothing for null.
pub(super) const RELEASE_OPTIONAL: &str = "pyopt.release_optional";

/// Whether an operation calls Python and so holds references of its own on what it gets, as
/// CPython's stack does; behind it is the turn of signals and other threads.
pub(super) fn is_call(operation: OperationRef) -> bool {
    operation.isa::<py::Call>() || operation.isa::<py::CallEx>()
}

/// Whether a local may be used without a reference of its own: all uses are before anything could
/// rebind it, and nobody can see the difference.
pub(super) fn is_borrowed_load(load: py::LoadLocal) -> bool {
    let Some(block) = load.parent_block() else {
        return false;
    };
    let mut open: Vec<OperationRef> = load.result().users();
    let operations = block.operation_list();
    let start = operations.iter().position(|other| *other == *load);
    for other in &operations[start.map_or(0, |start| start + 1)..] {
        if open.is_empty() {
            return true;
        }
        if open.contains(other) && is_call(*other) {
            return false;
        }
        open.retain(|user| user != other);
        let may_rebind = match py::Op::of(*other) {
            Some(py::Op::StoreLocal(store)) => store.index() == load.index(),
            Some(py::Op::DeleteLocal(delete)) => delete.index() == load.index(),
            Some(py::Op::Yield(_)) => true,
            _ => false,
        };
        if may_rebind && !open.is_empty() {
            return false;
        }
    }
    open.is_empty()
}

/// Whether a value is one that the function holds a reference on.
pub(super) fn is_owned(value: Value) -> bool {
    match py::Op::defining(value) {
        Some(py::Op::Constant(_)) => false,
        Some(py::Op::LoadLocal(load)) => !is_borrowed_load(load),
        _ => true,
    }
}

/// The byte offset of a local in the frame.
pub(super) fn local_offset(index: i64) -> usize {
    frame::LOCALS + 8 * index as usize
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Takes one more reference on an object.
    pub(super) fn acquire(&self, pointer: Value<'c, 'a>) {
        let e = self.e;
        let count = e.load(e.i(64), pointer, 0);
        e.store(
            e.binary(llvm::Add::NAME, count, e.number(64, 1)),
            pointer,
            0,
        );
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
        match py::Op::of(operation) {
            Some(py::Op::SetItem(_)) => operands.rotate_right(1),
            Some(py::Op::BuildMap(_)) => operands.reverse(),
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

    pub(super) fn lower_reference(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            py::Op::Constant(constant) => {
                let offset = match constant.int_attr(CONSTANT) {
                    Some(index) => self.environment.code_constant(index),
                    None => self.environment.value(constant.value()),
                };
                self.hold(constant.result(), Held::Constant(offset));
            }
            py::Op::LoadLocal(load) => self.load_local(load),
            py::Op::Global(global) => self.load_global(global)?,
            // The operation that made the value has stored it.
            py::Op::StoreLocal(store) if self.is_fused(store.value()) => {}
            py::Op::StoreLocal(store) => {
                let slot = local_offset(store.index());
                let old = self.e.load_pointer(self.parameters.frame, slot);
                let pointer = self.give(py::StoreLocal::VALUE_OPERAND);
                self.e.store(pointer, self.parameters.frame, slot);
                self.release_optional(old);
            }
            py::Op::DeleteLocal(delete) => {
                let slot = local_offset(delete.index());
                let old = self.e.load_pointer(self.parameters.frame, slot);
                self.check_bound(old, delete.name());
                let null = self.e.null();
                self.e.store(null, self.parameters.frame, slot);
                self.mark();
                self.release_pointer(old);
            }
            py::Op::Pop(_) => self.release_operands(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn load_local(&mut self, load: py::LoadLocal<'c, 'a>) {
        let slot = local_offset(load.index());
        let pointer = self.e.load_pointer(self.parameters.frame, slot);
        if load.checked() {
            self.check_bound(pointer, load.name());
        }
        let result = load.result();
        match self.liveness.id(result) {
            Some(_) => {
                self.acquire(pointer);
                self.own(result, pointer);
            }
            None => self.hold(result, Held::Borrowed(pointer)),
        }
    }

    /// Takes a global name's value as long as the dicts that it was found in haven't changed, else
    /// asks the runtime. The cache has the version of the globals, that of the builtins, zero for
    /// what isn't one, and the value.
    fn load_global(&mut self, global: py::Global<'c, 'a>) -> PassResult {
        let name = self.global_name(global.binding())?;
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
        let found = e.binary(llvm::Or::NAME, same_builtins, is_global);
        let valid = e.binary(llvm::And::NAME, same_globals, found);
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
        self.own(global.result(), value);
        Ok(())
    }

    /// Raises UnboundLocalError for a local that has no value.
    fn check_bound(&mut self, pointer: Value<'c, 'a>, name: &str) {
        self.mark();
        let offset = self.environment.name(name);
        let unbound = self.e.is_null(pointer);
        let (raise, next) = (self.seldom_block(), self.block());
        self.e.branch_if(unbound, raise, next);
        self.e.at_end(raise);
        self.call_only("raise_unbound", &[self.entry(offset)]);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
    }
}
