//! Lifting of a code object to a `py.func` in SSA form.
//!
//! Each basic block of the bytecode becomes a block of the function. Stack slots and locals are
//! values: one that differs between the ways into a block is an argument of the block, which
//! [`ssa`] decides before any operation is made. So blocks are lifted in reverse post-order, each
//! once, starting from what its immediate dominator left.
//!
//! The instructions are handled by family, one file each; `dispatch` says which is whose. What
//! isn't supported is refused by name, at its place in the source (`refusals`).

mod arithmetic;
mod attributes_and_items;
mod calls;
mod closures;
mod containers;
mod dispatch;
mod flow;
mod frame_form;
mod refusals;
mod stack;

use crate::{
    bytecode::Instruction,
    code::CodeObject,
    code_op::{self, FunctionAttributes, PyCode},
    control_flow::{BlockIndex, ControlFlow},
    data_flow::{DataFlow, UnboundLocals, Variable},
    diagnostic::Diagnostic,
    location::{line_location, to_location},
    opcodes::Flow,
    ssa,
};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Location, Operation, OperationRef, Region, RegionLike, Type,
        Value,
        attribute::{ArrayAttribute, FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
        block::BlockRef,
        r#type::FunctionType,
    },
};
use pyopt_dialects::{ods::py, py::object_type};
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
    refusals::check_kind(code)?;
    let flow = ControlFlow::new(code)?;
    refusals::check_exception_handlers(code, &flow)?;
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

    let region = Region::new();
    let mut lifter = Lifter::new(context, function, (&flow, &data), &region, form);
    for &block in &flow.order {
        lifter.lift_block(block)?;
    }
    Ok(function_operation(context, function, region))
}

fn function_operation<'c>(
    context: &'c Context,
    function: &PyCode<'c>,
    body: Region<'c>,
) -> Operation<'c> {
    let code = &function.code;
    let object = object_type(context);
    let parameters = vec![object; code.parameter_count()];
    let names: Vec<Attribute> = code
        .parameters()
        .iter()
        .map(|name| StringAttribute::new(context, name).into())
        .collect();
    let count = |value: u32| crate::attributes::integer_attribute(context, value.into());
    let mut builder = py::FuncOperation::builder(
        context,
        line_location(context, &code.filename, code.first_line),
    )
    .sym_name(StringAttribute::new(context, &function.symbol))
    .function_type(TypeAttribute::new(
        FunctionType::new(context, &parameters, &[object]).into(),
    ))
    .arg_names(ArrayAttribute::new(context, &names))
    .globals(StringAttribute::new(context, &function.globals))
    .body(body);
    if code.keyword_only_count != 0 {
        builder = builder.kwonlyargcount(count(code.keyword_only_count));
    }
    if code.positional_only_count != 0 {
        builder = builder.posonlyargcount(count(code.positional_only_count));
    }
    if code.has_varargs() {
        builder = builder.varargs(Attribute::unit(context));
    }
    if code.has_varkeywords() {
        builder = builder.varkeywords(Attribute::unit(context));
    }
    let FunctionAttributes {
        defaults,
        keyword_defaults,
        options,
    } = function.attributes;
    if let Some(defaults) = defaults {
        builder = builder.defaults(defaults);
    }
    if let Some(defaults) = keyword_defaults {
        builder = builder.kwdefaults(defaults.into());
    }
    if let Some(options) = options {
        builder = builder.options(options.into());
    }
    builder.build().into()
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
    /// What each lifted block left.
    exits: Vec<State<'c, 'a>>,
    object: Type<'c>,
    /// The unbound value of each local that is read where it may be unbound.
    unbound_values: HashMap<usize, Value<'c, 'a>>,
    /// The checks that were made: the value that was checked, where, and the value that is bound.
    checks: Vec<(Value<'c, 'a>, BlockIndex, Value<'c, 'a>)>,
    block: BlockIndex,
    instruction: &'a Instruction,
    state: State<'c, 'a>,
    unbound: UnboundLocals,
    /// The names of the next call's keyword arguments.
    keywords: Option<ArrayAttribute<'c>>,
    form: Form,
}

impl<'c, 'a> Lifter<'c, 'a> {
    fn new(
        context: &'c Context,
        function: &'a PyCode<'c>,
        (flow, data): (&'a ControlFlow, &'a DataFlow),
        region: &'a Region<'c>,
        form: Form,
    ) -> Self {
        let code = &function.code;
        let mut lifter = Self {
            context,
            function,
            code,
            flow,
            data,
            arguments: ssa::block_arguments(flow, data),
            blocks: Vec::new(),
            exits: vec![State::default(); flow.blocks.len()],
            object: object_type(context),
            unbound_values: HashMap::new(),
            checks: Vec::new(),
            block: 0,
            instruction: &flow.instructions[0],
            state: State::default(),
            unbound: UnboundLocals::default(),
            keywords: None,
            form,
        };
        let parameters: Vec<_> = (0..code.parameter_count()).map(Variable::Local).collect();
        for (index, block) in flow.blocks.iter().enumerate() {
            let variables = if index == 0 {
                &parameters
            } else {
                &lifter.arguments[index]
            };
            let position = flow.instructions[block.instructions.start].position;
            let start = match index {
                0 => line_location(context, &code.filename, code.first_line),
                _ => to_location(context, &code.filename, position),
            };
            let arguments: Vec<_> = variables
                .iter()
                .map(|variable| match *variable {
                    // A local's argument carries its name, for debuggers and diagnostics.
                    Variable::Local(local) => {
                        Location::name(context, &code.local_names[local], start)
                    }
                    Variable::Slot(_) => start,
                })
                .map(|location| (lifter.object, location))
                .collect();
            lifter
                .blocks
                .push(region.append_block(Block::new(&arguments)));
        }
        lifter
    }

    /// Lifts a block whose immediate dominator is lifted.
    fn lift_block(&mut self, block: BlockIndex) -> Result<(), Diagnostic> {
        self.block = block;
        self.state = self.state_at_start(block);
        self.unbound = self.data.blocks[block].unbound.clone();
        let flow = self.flow;
        let instructions = flow.block_instructions(block);
        for instruction in instructions {
            self.instruction = instruction;
            self.dispatch()?;
            self.unbound.apply(instruction);
        }
        if matches!(self.instruction.info.flow, Flow::Next) {
            self.fall_through()?;
        }
        self.exits[block] = std::mem::take(&mut self.state);
        Ok(())
    }

    fn state_at_start(&self, block: BlockIndex) -> State<'c, 'a> {
        let argument = |index| {
            self.blocks[block]
                .argument(index)
                .expect("a block has its arguments")
                .into()
        };
        let Some(dominator) = self.flow.immediate_dominator(block) else {
            let mut locals = vec![None; self.code.local_names.len()];
            for (index, local) in locals
                .iter_mut()
                .enumerate()
                .take(self.code.parameter_count())
            {
                *local = Some(argument(index));
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
        for (index, variable) in self.arguments[block].iter().enumerate() {
            match *variable {
                Variable::Local(local) => state.locals[local] = Some(argument(index)),
                Variable::Slot(slot) => state.stack[slot] = Slot::Value(argument(index)),
            }
        }
        state
    }

    fn location(&self) -> Location<'c> {
        to_location(self.context, &self.code.filename, self.instruction.position)
    }

    /// Appends an operation to the current block.
    fn append(&self, operation: impl Into<Operation<'c>>) -> OperationRef<'c, 'a> {
        self.blocks[self.block].append_operation(self.in_form(operation.into()))
    }

    /// Appends an operation with one result.
    fn value(&self, operation: impl Into<Operation<'c>>) -> Value<'c, 'a> {
        self.append(operation)
            .result(0)
            .expect("the operation has a result")
            .into()
    }

    /// Appends an operation with one result and pushes that.
    fn push_value(&mut self, operation: impl Into<Operation<'c>>) {
        let value = self.value(operation);
        self.push(value);
    }

    fn text(&self, text: &str) -> StringAttribute<'c> {
        StringAttribute::new(self.context, text)
    }

    /// The symbol of a binding in a namespace.
    fn binding(&self, namespace: &str, name: &str) -> FlatSymbolRefAttribute<'c> {
        FlatSymbolRefAttribute::new(self.context, &format!("{namespace}.{name}"))
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
