//! Lifting of a code object to a `py.func` in SSA form.
//!
//! Each basic block of the bytecode becomes a block of the function. Stack slots and locals are
//! values: one that differs between the ways into a block is an argument of the block, which
//! [`ssa`] decides before any operation is made. So blocks are lifted in reverse post-order, each
//! once, starting from what its immediate dominator left.
//!
//! In a protected range a block of the bytecode that may raise ends in `py.try_br`, whose handler
//! gets the values that variables have after the moves at the block's beginning; the branch that
//! ends the block in the bytecode, if any, is in a block behind it (`unwind`).
//!
//! The instructions are handled by family, one file each; `dispatch` says which is whose.

mod arithmetic;
mod attributes_and_items;
mod calls;
mod closures;
mod containers;
mod dispatch;
mod exceptions;
mod flow;
mod frame_form;
mod function;
mod generators;
mod names;
mod patterns;
mod stack;
mod unwind;
mod variables;

use crate::{
    bytecode::Instruction,
    code::CodeObject,
    code_op::{self, PyCode},
    control_flow::{BlockIndex, ControlFlow},
    data_flow::{DataFlow, UnboundLocals, Variable},
    diagnostic::Diagnostic,
    factor,
    location::{line_location, to_location},
    op::Flow,
    opcodes::{self, OpcodeTable},
    ssa,
};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Location, Operation, OperationRef, RegionLike, RegionRef,
        Type, Value, attribute::StringAttribute, block::BlockRef,
    },
};
use pyopt_dialects::{
    ops::cf,
    py::object_type,
    view::{Detached, OpBuilder, Place},
};
use stack::Slot;
use std::collections::HashMap;

pub use frame_form::Form;

/// Lifts a `py.code` operation to a `py.func` with the same symbol.
pub fn lift<'c>(
    context: &'c Context,
    operation: OperationRef<'c, '_>,
    form: Form,
) -> Result<Operation<'c>, Diagnostic> {
    let code = code_op::read_code(context, operation).map_err(|message| Diagnostic {
        filename: "<py.code>".into(),
        position: Default::default(),
        message,
        notes: Vec::new(),
    })?;
    lift_code(context, &code, form)
}

/// Lifts a code object to a `py.func`.
pub fn lift_code<'c>(
    context: &'c Context,
    function: &PyCode<'c>,
    form: Form,
) -> Result<Operation<'c>, Diagnostic> {
    let code = &function.code;
    if form == Form::Frame
        && !opcodes::table(code.version).is_some_and(|table| table.has_frame_form)
    {
        let message = format!("frames of CPython {} are not supported", code.version);
        return Err(Diagnostic::at_start(code, message));
    }
    let flow = factor::control_flow(code)?;
    let mut data = DataFlow::new(code, &flow)?;
    if form == Form::Frame {
        data.keep_slots();
    }
    if !flow.predecessors(0).is_empty() {
        let message = format!(
            "malformed bytecode of '{}': a jump to its start",
            code.qualified_name
        );
        return Err(Diagnostic::at_start(code, message));
    }

    let start = line_location(context, &code.filename, code.first_line);
    let made = Detached::new(context, start);
    let body = function::operation(&made, function).body();
    let mut lifter = Lifter::new(context, function, (&flow, &data), body, form);
    for &block in &flow.order {
        lifter.lift_block(block)?;
    }
    Ok(made.into_operation())
}

/// What locals and stack slots hold at a point.
#[derive(Clone, Default)]
struct State<'c, 'a> {
    /// The values of locals; `None` for one that isn't bound on any path.
    locals: Vec<Option<Value<'c, 'a>>>,
    stack: Vec<Slot<'c, 'a>>,
}

/// The lifting of one function.
struct Lifter<'c, 'a> {
    context: &'c Context,
    function: &'a PyCode<'c>,
    code: &'a CodeObject,
    flow: &'a ControlFlow,
    data: &'a DataFlow,
    /// The variables that are arguments of each block.
    arguments: Vec<Vec<Variable>>,
    blocks: Vec<BlockRef<'c, 'a>>,
    region: RegionRef<'c, 'a>,
    /// The block with the parameters, where values are made that the whole function uses.
    entry: BlockRef<'c, 'a>,
    /// The block that operations are appended to.
    current: BlockRef<'c, 'a>,
    /// What each lifted block left.
    exits: Vec<State<'c, 'a>>,
    object: Type<'c>,
    /// The unbound value of each local that is read where it may be unbound.
    unbound_values: HashMap<usize, Value<'c, 'a>>,
    /// The cells of free variables, by the index of the local.
    free_cells: HashMap<usize, Value<'c, 'a>>,
    /// The mapping of names.
    namespace: Option<Value<'c, 'a>>,
    /// The checks that were made: the value that was checked, where, and the value that is bound.
    checks: Vec<(Value<'c, 'a>, BlockIndex, Value<'c, 'a>)>,
    block: BlockIndex,
    instruction: &'a Instruction,
    state: State<'c, 'a>,
    unbound: UnboundLocals,
    /// What the handler of the current block gets besides the exception.
    unwind_operands: Option<Vec<Value<'c, 'a>>>,
    /// The names of the next call's keyword arguments.
    keywords: Option<Vec<Attribute<'c>>>,
    form: Form,
}

impl<'c, 'a> Lifter<'c, 'a> {
    fn new(
        context: &'c Context,
        function: &'a PyCode<'c>,
        (flow, data): (&'a ControlFlow, &'a DataFlow),
        region: RegionRef<'c, 'a>,
        form: Form,
    ) -> Self {
        let code = &function.code;
        let object = object_type(context);
        let start = line_location(context, &code.filename, code.first_line);
        let named = |variable: &Variable, at| match *variable {
            // A local's argument carries its name, for debuggers and diagnostics.
            Variable::Local(local) => (
                object,
                Location::name(context, &code.local_names[local], at),
            ),
            Variable::Slot(_) => (object, at),
        };
        let parameters: Vec<_> = (0..code.parameter_count()).map(Variable::Local).collect();
        let parameters: Vec<_> = parameters.iter().map(|local| named(local, start)).collect();
        let entry = region.append_block(Block::new(&parameters));
        let arguments = ssa::block_arguments(flow, data);
        let mut blocks = Vec::with_capacity(flow.blocks.len());
        for (index, block) in flow.blocks.iter().enumerate() {
            if index == 0 && block.unwind.is_none() {
                blocks.push(entry);
                continue;
            }
            let at = flow.instructions[block.instructions.start].position;
            let at = to_location(context, &code.filename, at);
            let mut arguments: Vec<_> = arguments[index]
                .iter()
                .map(|variable| named(variable, at))
                .collect();
            if let Some(handler) = block.handler {
                // The exception is that of the `try`.
                arguments[0].1 = to_location(context, &code.filename, handler.position);
            }
            blocks.push(region.append_block(Block::new(&arguments)));
        }
        Self {
            context,
            function,
            code,
            flow,
            data,
            arguments,
            current: blocks[0],
            blocks,
            region,
            entry,
            exits: vec![State::default(); flow.blocks.len()],
            object,
            unbound_values: HashMap::new(),
            free_cells: HashMap::new(),
            namespace: None,
            checks: Vec::new(),
            block: 0,
            instruction: &flow.instructions[0],
            state: State::default(),
            unbound: UnboundLocals::default(),
            unwind_operands: None,
            keywords: None,
            form,
        }
    }

    /// Lifts a block whose immediate dominator is lifted.
    fn lift_block(&mut self, block: BlockIndex) -> Result<(), Diagnostic> {
        self.block = block;
        self.current = self.blocks[block];
        self.state = self.state_at_start(block);
        self.unbound = self.data.blocks[block].unbound.clone();
        self.unwind_operands = None;
        let flow = self.flow;
        if block == 0 {
            self.instruction = &flow.instructions[0];
            self.mark_parameters(self.location());
        }
        if block == 0 && self.current != self.entry {
            let end = Place::end(self.context, &self.entry, self.location());
            cf::Branch::create(&end, &[], self.current);
        }
        for instruction in flow.block_instructions(block) {
            self.instruction = instruction;
            self.capture_unwind_operands()?;
            self.dispatch()?;
            self.unbound.apply(instruction);
        }
        if matches!(self.instruction.flow(), Flow::Next) {
            self.fall_through()?;
        }
        self.check_unwind_operands()?;
        self.exits[block] = std::mem::take(&mut self.state);
        Ok(())
    }

    fn state_at_start(&self, block: BlockIndex) -> State<'c, 'a> {
        let argument_of = |block: BlockRef<'c, 'a>, index| {
            Value::from(block.argument(index).expect("a block has its arguments"))
        };
        let argument = |index| argument_of(self.blocks[block], index);
        let Some(dominator) = self.flow.immediate_dominator(block) else {
            let mut locals = vec![None; self.code.local_names.len()];
            for (index, local) in locals
                .iter_mut()
                .enumerate()
                .take(self.code.parameter_count())
            {
                *local = Some(argument_of(self.entry, index));
            }
            return State {
                locals,
                stack: Vec::new(),
            };
        };
        let mut state = self.exits[dominator].clone();
        // A slot that is neither an argument nor known at the dominator's end is not read any more.
        state
            .stack
            .resize(self.data.blocks[block].depth, Slot::Empty);
        if let Some(handler) = self.flow.blocks[block].handler {
            state.stack[handler.depth..].fill(Slot::Empty);
        }
        for (index, variable) in self.arguments[block].iter().enumerate() {
            match *variable {
                Variable::Local(local) => state.locals[local] = Some(argument(index)),
                Variable::Slot(slot) => state.stack[slot] = Slot::Value(argument(index)),
            }
        }
        state
    }

    /// The opcodes of the code's version.
    fn opcodes(&self) -> &'static OpcodeTable {
        opcodes::table(self.code.version).expect("the code was decoded with it")
    }

    /// The start of the function, at the line of its `def`.
    fn function_start(&self) -> Place<'c, 'a> {
        let start = line_location(self.context, &self.code.filename, self.code.first_line);
        Place::start(self.context, &self.entry, start)
    }

    fn text(&self, text: &str) -> StringAttribute<'c> {
        StringAttribute::new(self.context, text)
    }

    /// The symbol of a binding in a namespace.
    fn binding(namespace: &str, name: &str) -> String {
        format!("{namespace}.{name}")
    }

    /// A diagnostic at the current instruction.
    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.instruction.position, message)
    }

    fn malformed(&self, what: &str) -> Diagnostic {
        let Instruction { info, offset, .. } = self.instruction;
        let name = &self.code.qualified_name;
        self.error(format!(
            "malformed bytecode of '{name}': {} at byte {offset}: {what}",
            info.name
        ))
    }
}

/// Operations are appended to the current block and get the location of the current instruction.
impl<'c: 'a, 'a> OpBuilder<'c, 'a> for Lifter<'c, 'a> {
    fn context(&self) -> &'c Context {
        self.context
    }

    fn location(&self) -> Location<'c> {
        to_location(self.context, &self.code.filename, self.instruction.position)
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        let operation = self.current.append_operation(operation);
        self.complete(operation);
        operation
    }
}
