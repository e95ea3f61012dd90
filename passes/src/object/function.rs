//! One function on its way to the llvm dialect: its values, where it is, and how it fails.

use super::{
    emit::{Compare, Emit},
    environment::Environment,
    liveness::{Id, Liveness, key},
    references::CALLS,
};
use crate::infra::{
    BlockExt, OperationAttributes, OperationExt, PassContext, PassFailure, PassResult, ValueExt,
};
use melior::ir::{
    BlockRef, OperationRef, RegionLike, RegionRef, Type, Value, operation::OperationLike,
};
use pyopt_frontend::frame_311::frame;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The attribute of an operation in frame form: the byte offset of its instruction.
pub(super) const OFFSET: &str = "offset";

/// Prefix of the names of the runtime's functions.
const RUNTIME: &str = "pyopt_object_";

/// Whether a function is only called where control seldom goes.
pub(super) fn is_cold(name: &str) -> bool {
    let name = name.strip_prefix(RUNTIME).unwrap_or(name);
    ["_Py_Dealloc", "traceback", "interrupt", "raise_unbound"].contains(&name)
}

/// Where a value of the function is.
#[derive(Clone, Copy)]
pub(super) enum Held<'c, 'a> {
    /// A reference that is released after the last use.
    Owned(Value<'c, 'a>),
    /// As `Owned`, in memory, because it is live while the function is suspended.
    Spilled(Value<'c, 'a>),
    /// An object that something else keeps alive as long as the value is used: a local.
    Borrowed(Value<'c, 'a>),
    /// A constant, in the environment at this byte offset.
    Constant(usize),
    /// A method that was looked up to be called: the function, and the object or null.
    Method(Value<'c, 'a>, Value<'c, 'a>),
    /// A truth value.
    Flag(Value<'c, 'a>),
}

/// The arguments of the compiled function.
#[derive(Clone, Copy)]
pub(super) struct Parameters<'c, 'a> {
    pub(super) thread: Value<'c, 'a>,
    pub(super) frame: Value<'c, 'a>,
    pub(super) environment: Value<'c, 'a>,
    pub(super) throws: Value<'c, 'a>,
}

/// What the start of the compiled function computes once.
#[derive(Clone, Copy)]
pub(super) struct Prologue<'c, 'a> {
    /// The address of the bytecode.
    pub(super) bytecode: Value<'c, 'a>,
    /// The address of the interpreter's wish to interrupt.
    pub(super) breaker: Value<'c, 'a>,
    /// Memory for the arguments of calls.
    pub(super) scratch: Value<'c, 'a>,
    /// The frame's value stack.
    pub(super) stack: Value<'c, 'a>,
}

/// The lowering of one function.
pub(super) struct Function<'x, 'c, 'a> {
    pub(super) cx: &'x PassContext<'c>,
    pub(super) e: &'x Emit<'c, 'a>,
    pub(super) source: OperationRef<'c, 'a>,
    pub(super) environment: Environment<'c>,
    pub(super) liveness: Liveness,
    pub(super) parameters: Parameters<'c, 'a>,
    pub(super) prologue: Prologue<'c, 'a>,
    pub(super) region: RegionRef<'c, 'a>,
    /// The blocks of the source and the first of what each became.
    pub(super) blocks: Vec<BlockRef<'c, 'a>>,
    pub(super) targets: Vec<BlockRef<'c, 'a>>,
    pub(super) held: HashMap<usize, Held<'c, 'a>>,
    /// The memory of values that are live while the function is suspended.
    pub(super) spills: BTreeMap<Id, Value<'c, 'a>>,
    /// Values whose only use is the next operation, which branches on them.
    pub(super) fused: HashSet<usize>,
    /// Attributes that are only looked up to be called.
    pub(super) methods: HashSet<usize>,
    /// The suspensions: bytecode offset and where to go on.
    pub(super) resumptions: Vec<(i64, BlockRef<'c, 'a>)>,
    /// Where a delegation has its answer, by the value that `py.send` gives: the answer and whether
    /// it is the last are the block's arguments.
    pub(super) answers: HashMap<usize, BlockRef<'c, 'a>>,
    pub(super) values: Vec<Value<'c, 'a>>,
    pub(super) place: Place<'c, 'a>,
    pub(super) failures: HashMap<(usize, Vec<Id>, bool), BlockRef<'c, 'a>>,
    /// The blocks as they shall follow each other: first where control usually goes, then where it
    /// seldom does.
    pub(super) usual: Vec<BlockRef<'c, 'a>>,
    pub(super) seldom: Vec<BlockRef<'c, 'a>>,
}

/// The operation that is being lowered and what is live there.
#[derive(Default)]
pub(super) struct Place<'c, 'a> {
    pub(super) block: usize,
    pub(super) at: usize,
    pub(super) operations: Vec<OperationRef<'c, 'a>>,
    pub(super) live_after: Vec<BTreeSet<Id>>,
    /// References that the operation has given away.
    pub(super) given: BTreeSet<Id>,
    /// Where control goes when an operation of the block raises, with what.
    pub(super) unwind: Option<(BlockRef<'c, 'a>, Vec<Value<'c, 'a>>)>,
    /// The instruction that the frame is said to be at.
    pub(super) instruction: Option<i64>,
}

impl<'x, 'c: 'a, 'a> Function<'x, 'c, 'a> {
    /// The operation that is being lowered.
    pub(super) fn operation(&self) -> OperationRef<'c, 'a> {
        self.place.operations[self.place.at]
    }

    pub(super) fn error(&self, message: impl std::fmt::Display) -> PassFailure {
        self.cx.error(self.operation().location(), message)
    }

    /// What the current operation needs to be there.
    pub(super) fn required<T>(&self, name: &str, value: Option<T>) -> PassResult<T> {
        value.ok_or_else(|| {
            let operation = self.operation().full_name();
            self.error(format!(
                "'{operation}' has no attribute '{name}'; lift with 'py-translate-bytecode{{frame=true}}'"
            ))
        })
    }

    // Values ------------------------------------------------------------------------------------

    pub(super) fn hold(&mut self, value: Value<'c, 'a>, held: Held<'c, 'a>) {
        self.held.insert(key(value), held);
    }

    /// Takes a new reference as the value of a result or argument; one that nobody uses goes.
    pub(super) fn own(&mut self, value: Value<'c, 'a>, pointer: Value<'c, 'a>) {
        if !value.has_uses() {
            return self.release_pointer(pointer);
        }
        let id = self.liveness.id(value);
        let held = match id.and_then(|id| self.spills.get(&id)) {
            Some(&slot) => {
                self.e.store(pointer, slot, 0);
                Held::Spilled(slot)
            }
            None => Held::Owned(pointer),
        };
        self.hold(value, held);
    }

    pub(super) fn held(&self, value: Value<'c, 'a>) -> Held<'c, 'a> {
        *self
            .held
            .get(&key(value))
            .expect("a value is defined before it is used")
    }

    /// The pointer to a value's object.
    pub(super) fn pointer(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        match self.held(value) {
            Held::Owned(pointer) | Held::Borrowed(pointer) | Held::Method(pointer, _) => pointer,
            Held::Spilled(slot) => self.e.load_pointer(slot, 0),
            Held::Constant(offset) => self.e.load_pointer(self.parameters.environment, offset),
            Held::Flag(_) => unreachable!("a truth value that is used as an object isn't fused"),
        }
    }

    pub(super) fn operand(&self, index: usize) -> Value<'c, 'a> {
        self.pointer(self.operation().operand_value(index))
    }

    pub(super) fn operands(&self) -> Vec<Value<'c, 'a>> {
        let operands = self.operation().operand_values();
        operands
            .into_iter()
            .map(|value| self.pointer(value))
            .collect()
    }

    /// An operand with a reference that the callee takes over.
    pub(super) fn give(&mut self, index: usize) -> Value<'c, 'a> {
        let operation = self.operation();
        let value = operation.operand_value(index);
        let pointer = self.pointer(value);
        let id = self.liveness.id(value);
        let later = operation.operand_values()[index + 1..].contains(&value);
        let live = id.is_some_and(|id| self.place.live_after[self.place.at].contains(&id));
        match id {
            Some(id) if !later && !live => {
                self.place.given.insert(id);
            }
            _ => self.acquire(pointer),
        }
        pointer
    }

    // Calls of the runtime ----------------------------------------------------------------------

    /// Calls a function of the runtime that returns a pointer.
    pub(super) fn call(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.e.call_pointer(&format!("{RUNTIME}{name}"), arguments)
    }

    /// Calls a function of the runtime that returns a 32-bit status.
    pub(super) fn call_status(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.e.call_status(&format!("{RUNTIME}{name}"), arguments)
    }

    /// Calls a function of the runtime that returns nothing.
    pub(super) fn call_only(&self, name: &str, arguments: &[Value<'c, 'a>]) {
        self.e.call(&format!("{RUNTIME}{name}"), arguments, None);
    }

    /// Calls what makes a new reference, or null when it raised, for the operation's result.
    pub(super) fn make(&mut self, name: &str, arguments: &[Value<'c, 'a>]) {
        self.mark();
        let pointer = self.call(name, arguments);
        self.fail_if_null(pointer);
        self.finish(pointer);
    }

    /// Releases the operands and takes the operation's only result.
    pub(super) fn finish(&mut self, pointer: Value<'c, 'a>) {
        self.release_operands();
        self.own(self.operation().result_value(0), pointer);
    }

    /// Calls what returns a negative status when it raised.
    pub(super) fn perform(&mut self, name: &str, arguments: &[Value<'c, 'a>]) {
        self.mark();
        let status = self.call_status(name, arguments);
        self.fail_if_negative(status, true);
        self.release_operands();
    }

    /// An entry of the environment.
    pub(super) fn entry(&self, offset: usize) -> Value<'c, 'a> {
        self.e.load_pointer(self.parameters.environment, offset)
    }

    /// The address of an entry of the environment.
    pub(super) fn entry_address(&self, offset: usize) -> Value<'c, 'a> {
        self.e.address(self.parameters.environment, offset)
    }

    /// Says in the frame which instruction runs: for tracebacks and whoever looks at the frame.
    pub(super) fn mark(&mut self) {
        let offset = self.operation().int_attr(OFFSET);
        if let Some(offset) = offset
            && self.place.instruction != Some(offset)
        {
            self.place.instruction = Some(offset);
            let address = self.e.address(self.prologue.bytecode, offset as usize);
            self.e
                .store(address, self.parameters.frame, frame::INSTRUCTION);
        }
    }

    // Failure -----------------------------------------------------------------------------------

    /// Makes a block.
    pub(super) fn block(&mut self) -> BlockRef<'c, 'a> {
        self.block_with(&[])
    }

    /// Makes a block with arguments.
    pub(super) fn block_with(&mut self, arguments: &[Type<'c>]) -> BlockRef<'c, 'a> {
        let block = self.append_block(arguments);
        self.usual.push(block);
        block
    }

    /// Makes a block where control seldom goes.
    pub(super) fn seldom_block(&mut self) -> BlockRef<'c, 'a> {
        let block = self.append_block(&[]);
        self.seldom.push(block);
        block
    }

    fn append_block(&self, arguments: &[Type<'c>]) -> BlockRef<'c, 'a> {
        let before = self.e.block();
        let block = self.e.append_block(self.region, arguments);
        self.e.at_end(before);
        block
    }

    /// Brings the blocks into order: machine code of the first tier follows it.
    pub(super) fn arrange(&mut self) {
        for block in self.usual.drain(..).chain(self.seldom.drain(..)) {
            // SAFETY: the block goes into the region that it comes from; nothing else looks at the
            // region meanwhile.
            if let Some(block) = unsafe { block.detach() } {
                self.region.append_block(block);
            }
        }
    }

    pub(super) fn fail_if_null(&mut self, pointer: Value<'c, 'a>) {
        let failed = self.e.is_null(pointer);
        self.fail_if(failed, true);
    }

    pub(super) fn fail_if_negative(&mut self, status: Value<'c, 'a>, traceback: bool) {
        let zero = self.e.number(32, 0);
        let failed = self.e.compare(Compare::Slt, status, zero);
        self.fail_if(failed, traceback);
    }

    /// Leaves for the handler, or the function, when a condition holds. The function's own place
    /// joins the traceback unless an exception only goes on.
    pub(super) fn fail_if(&mut self, failed: Value<'c, 'a>, traceback: bool) {
        let target = self.failure(self.live_now(), traceback);
        let next = self.block();
        self.e.branch_if(failed, target, next);
        self.e.at_end(next);
    }

    /// The references that the function holds while the current operation runs.
    pub(super) fn live_now(&self) -> Vec<Id> {
        let operation = self.operation();
        let mut live = self.place.live_after[self.place.at].clone();
        for result in operation.result_values() {
            if let Some(id) = self.liveness.id(result) {
                live.remove(&id);
            }
        }
        live.extend(self.liveness.operands(operation));
        live.retain(|id| !self.place.given.contains(id));
        live.into_iter().collect()
    }

    /// The block that releases what is held and leaves for the handler, or the function. Blocks
    /// that do the same are one.
    pub(super) fn failure(&mut self, live: Vec<Id>, traceback: bool) -> BlockRef<'c, 'a> {
        let source = match self.place.unwind {
            Some(_) => self.place.block,
            None => usize::MAX,
        };
        let known = (source, live, traceback);
        if let Some(block) = self.failures.get(&known) {
            return *block;
        }
        let before = self.e.block();
        let block = self.seldom_block();
        self.e.at_end(block);
        if traceback {
            self.call_only(
                "traceback",
                &[self.parameters.thread, self.parameters.frame],
            );
        }
        let live = known.1.clone();
        match self.place.unwind.clone() {
            None => {
                for id in live.iter().rev() {
                    self.release_value(self.values[*id]);
                }
                self.e.return_value(self.e.null());
            }
            Some((handler, operands)) => {
                let operands = self.settle(&live, handler, &operands);
                let exception = self.call("catch", &[self.parameters.thread]);
                let operands: Vec<_> = std::iter::once(exception).chain(operands).collect();
                self.e
                    .branch(self.targets[self.liveness.block(handler)], &operands);
            }
        }
        self.failures.insert(known, block);
        self.e.at_end(before);
        block
    }

    /// Goes to a block with values, and with new references as its first arguments.
    pub(super) fn leave(
        &mut self,
        successor: BlockRef<'c, 'a>,
        made: &[Value<'c, 'a>],
        operands: &[Value<'c, 'a>],
    ) {
        let live = self.live_now();
        let operands = self.settle(&live, successor, operands);
        let operands: Vec<_> = made.iter().copied().chain(operands).collect();
        let target = self.targets[self.liveness.block(successor)];
        self.e.branch(target, &operands);
    }

    /// On the way to a block: what is held and not needed there is released, what is needed more
    /// than once acquired. Returns the pointers of the operands.
    fn settle(
        &mut self,
        live: &[Id],
        successor: BlockRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Vec<Value<'c, 'a>> {
        let successor = self.liveness.block(successor);
        let pointers: Vec<_> = operands.iter().map(|value| self.pointer(*value)).collect();
        for (value, pointer) in operands.iter().zip(&pointers) {
            if self.liveness.id(*value).is_none() {
                self.acquire(*pointer);
            }
        }
        for id in live.iter().rev() {
            let value = self.values[*id];
            let passed = operands.iter().filter(|operand| **operand == value).count();
            let needed = passed + usize::from(self.liveness.live_in(successor).contains(id));
            match needed {
                0 => self.release_value(value),
                _ => {
                    for _ in 1..needed {
                        let pointer = self.pointer(value);
                        self.acquire(pointer);
                    }
                }
            }
        }
        pointers
    }

    // Structure ---------------------------------------------------------------------------------

    /// Lowers all blocks.
    pub(super) fn lower(&mut self) -> PassResult {
        for block in 0..self.blocks.len() {
            self.lower_block(block)?;
        }
        Ok(())
    }

    fn lower_block(&mut self, block: usize) -> PassResult {
        let source = self.blocks[block];
        let operations = source.operation_list();
        self.place = Place {
            block,
            live_after: self.liveness.live_after(block, &operations),
            unwind: operations
                .last()
                .and_then(|last| super::flow::unwind(*last)),
            operations,
            ..Place::default()
        };
        self.usual.push(self.targets[block]);
        self.e.at_end(self.targets[block]);
        if block != 0 {
            for (index, argument) in source.argument_values().into_iter().enumerate() {
                self.own(argument, self.targets[block].argument_value(index));
            }
        }
        for at in 0..self.place.operations.len() {
            self.place.at = at;
            self.place.given.clear();
            self.e.at(self.operation().location());
            self.lower_operation()?;
        }
        Ok(())
    }

    fn lower_operation(&mut self) -> PassResult {
        let name = self.operation().full_name();
        let done = self.lower_by_rule()?
            || self.lower_reference(name)?
            || self.lower_operator(name)?
            || self.lower_call(name)?
            || self.lower_flow(name)?
            || self.lower_suspension(name)?;
        if !done {
            return Err(self.error(format!("object mode can't lower '{name}'")));
        }
        if CALLS.contains(&name) {
            self.interrupt_behind();
        }
        Ok(())
    }
}
