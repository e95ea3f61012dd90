//! One function on its way to the llvm dialect: its values, where it is, and how it fails.

use super::{
    emit::Emit,
    environment::Environment,
    liveness::{Id, Liveness},
    references,
};
use crate::infra::{
    BlockExt, Identity, Key, OperationAttributes, OperationExt, PassContext, PassFailure,
    PassResult, ValueExt,
    ops::{AnyOp, py},
};
use melior::ir::{BlockRef, OperationRef, RegionRef, Value, operation::OperationLike};
use pyopt_frontend::frame_311::frame;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The attribute of an operation in frame form: the byte offset of its instruction.
pub(super) const OFFSET: &str = "offset";

/// Prefix of the names of the runtime's functions.
const RUNTIME: &str = "pyopt_object_";

/// Whether a function is only called where control seldom goes.
pub(super) fn is_cold(name: &str) -> bool {
    let name = name.strip_prefix(RUNTIME).unwrap_or(name);
    [
        "_Py_Dealloc",
        "traceback",
        "interrupt",
        "raise_unbound",
        "raise_empty",
    ]
    .contains(&name)
}

/// Where a value of the function is.
#[derive(Clone, Copy)]
pub(super) enum Held<'c, 'a> {
    /// A reference owned by the function, released after the last use.
    Owned(Value<'c, 'a>),
    /// As `Owned`, but in memory, because it is live across a suspension.
    Spilled(Value<'c, 'a>),
    /// A borrowed object, which a local keeps alive as long as the value is used.
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
    pub(super) source: py::Func<'c, 'a>,
    pub(super) environment: Environment<'c>,
    pub(super) liveness: Liveness<'c, 'a>,
    pub(super) parameters: Parameters<'c, 'a>,
    pub(super) prologue: Prologue<'c, 'a>,
    pub(super) region: RegionRef<'c, 'a>,
    /// The blocks of the source and the first of what each became.
    pub(super) blocks: Vec<BlockRef<'c, 'a>>,
    pub(super) targets: Vec<BlockRef<'c, 'a>>,
    pub(super) held: HashMap<Key, Held<'c, 'a>>,
    /// The memory of values that are live while the function is suspended.
    pub(super) spills: BTreeMap<Id, Value<'c, 'a>>,
    /// Values whose only use is the next operation, which branches on them.
    pub(super) fused: HashSet<Key>,
    /// Attributes that are only looked up to be called.
    pub(super) methods: HashSet<Key>,
    /// The suspensions: bytecode offset and where to go on.
    pub(super) resumptions: Vec<(i64, BlockRef<'c, 'a>)>,
    /// Where a delegation has its answer, by the value that `py.send` gives: the answer and whether
    /// it is the last are the block's arguments.
    pub(super) answers: HashMap<Key, BlockRef<'c, 'a>>,
    pub(super) place: Place<'c, 'a>,
    pub(super) failures: HashMap<(usize, Vec<Id>, bool), BlockRef<'c, 'a>>,
    /// The blocks in their final order: hot ones first, then cold ones.
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
        self.held.insert(value.key(), held);
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
            .get(&value.key())
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
        let operation = self.operation();
        let done = match AnyOp::of(operation) {
            AnyOp::Py(one) => {
                self.lower_by_rule(one)?
                    || self.lower_reference(one)?
                    || self.lower_operator(one)?
                    || self.lower_cell(one)
                    || self.lower_call(one)?
                    || self.lower_flow(one)?
                    || self.lower_suspension(one)?
            }
            AnyOp::Cf(one) => self.lower_branch(one)?,
            _ => false,
        };
        if !done {
            let name = operation.full_name();
            return Err(self.error(format!("object mode can't lower '{name}'")));
        }
        if references::is_call(operation) {
            self.interrupt_behind();
        }
        Ok(())
    }
}
