//! The analysis of one specialisation: what is known of each value, over the blocks that can be
//! reached, to a fixed point.

use super::{
    constants, displays,
    emit::{Emit, Val},
    generators,
    issue::{Stop, Typing},
    keywords,
    lattice::Fact,
    program::Program,
    refinement,
    specialization::SpecId,
    transfer,
};
use crate::{
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, cf, py, typed},
    },
    py::edges::Edge,
    types::{display::display, iteration},
};
use melior::ir::{
    BlockRef, Location, OperationRef, Type, Value, ValueLike, block::BlockLike,
    operation::OperationLike,
};
use mlir_sys::mlirValueGetLocation;
use pyopt_dialects::typed::TypedType;
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap, HashSet},
};

/// What is known of a value of the `py` function, and in the emission the typed value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot<'c, 'a> {
    /// What is known.
    pub fact: Fact<'c>,
    /// The typed value. A local that is never bound has none.
    pub value: Option<Value<'c, 'a>>,
}

impl<'c, 'a> From<Val<'c, 'a>> for Slot<'c, 'a> {
    fn from(val: Val<'c, 'a>) -> Self {
        Self {
            fact: Fact {
                literal: val.literal,
                ..Fact::of(val.ty)
            },
            value: val.value,
        }
    }
}

/// The values of a `py` function.
#[derive(Debug, Default)]
pub(crate) struct Environment<'c, 'a> {
    slots: HashMap<usize, Slot<'c, 'a>>,
    /// Types of lists that values are to have where they are made: see `refinement`.
    pub(super) wanted: HashMap<usize, Type<'c>>,
    /// Whether the items of lists are known where these are made: each extension of one asks.
    displays: RefCell<HashMap<usize, bool>>,
}

impl<'c, 'a> Environment<'c, 'a> {
    /// The same without what is known of values.
    pub fn emptied(&self) -> Self {
        Self {
            slots: HashMap::new(),
            wanted: self.wanted.clone(),
            displays: RefCell::default(),
        }
    }

    /// Whether the items of a list are known where it is made; `find_out` is asked once for each.
    pub(super) fn is_known_display(
        &self,
        list: Value<'c, 'a>,
        find_out: impl FnOnce() -> bool,
    ) -> bool {
        let mut known = self.displays.borrow_mut();
        *known.entry(key(list)).or_insert_with(find_out)
    }

    /// What is known of a value.
    pub fn slot(&self, value: Value<'c, 'a>) -> Slot<'c, 'a> {
        self.slots.get(&key(value)).copied().unwrap_or_default()
    }

    /// Takes note of a value; whether more is known than before.
    pub fn set(&mut self, value: Value<'c, 'a>, slot: Slot<'c, 'a>) -> bool {
        self.slots
            .insert(key(value), slot)
            .is_none_or(|before| before.fact != slot.fact)
    }

    /// A value to compute with.
    pub fn val(&self, value: Value<'c, 'a>) -> Typing<Val<'c, 'a>> {
        let variable = value;
        let Slot { fact, value } = self.slot(value);
        if let Some((a, b)) = fact.conflict {
            return Err(Stop::issue(format!(
                "can't unify {} and {}: {} has these types on different paths",
                display(a),
                display(b),
                describe(variable)
            ))
            .hint("give the variable one type on every path, or use two variables"));
        }
        match fact.ty {
            Some(ty) if !fact.unbound => Ok(Val {
                literal: fact.literal,
                origin: Some(variable),
                ..Val::new(ty, value)
            }),
            _ => Err(Stop::Unknown),
        }
    }
}

/// The name of the variable that a block's argument stands for.
fn describe(argument: Value) -> String {
    // SAFETY: the value is valid, and so is its location.
    let location = unsafe { Location::from_raw(mlirValueGetLocation(argument.to_raw())) };
    if argument.is_block_argument() && location.is_name() {
        format!(
            "'{}'",
            location
                .name_value()
                .as_string_ref()
                .as_str()
                .unwrap_or_default()
        )
    } else {
        "a variable".into()
    }
}

pub(super) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

fn block_key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr as usize
}

/// What the analysis knows of one specialisation.
#[derive(Debug, Default)]
pub(crate) struct Flow<'c, 'a> {
    /// The blocks in reverse post-order.
    pub blocks: Vec<BlockRef<'c, 'a>>,
    /// The values.
    pub environment: Environment<'c, 'a>,
    positions: HashMap<usize, usize>,
    reached: BTreeSet<usize>,
    /// What is returned.
    result: Option<Fact<'c>>,
    /// Arguments of blocks whose type grew. The next run begins with the grown types, so that
    /// nothing is left of what followed from the smaller ones.
    floors: HashMap<usize, Fact<'c>>,
    /// The type of list that is returned on all paths.
    pub(super) returned: Option<Type<'c>>,
    pub(super) grew: bool,
    /// Whether a value isn't known yet, so that blocks behind it may not be reached yet.
    pub(super) waits: bool,
}

impl<'c, 'a> Flow<'c, 'a> {
    /// Begins with nothing known.
    pub fn new(function: py::Func<'c, 'a>) -> Self {
        let blocks = reverse_post_order(function);
        let positions = blocks
            .iter()
            .enumerate()
            .map(|(position, &block)| (block_key(block), position))
            .collect();
        Self {
            blocks,
            positions,
            ..Self::default()
        }
    }

    /// The blocks that can be reached, in order.
    pub fn reached(&self) -> impl Iterator<Item = BlockRef<'c, 'a>> {
        self.reached.iter().map(|&position| self.blocks[position])
    }

    /// The position of a block.
    pub fn position(&self, block: BlockRef<'c, 'a>) -> usize {
        self.positions[&block_key(block)]
    }

    /// Goes along an edge with what is known of the block's arguments. When that is news, the
    /// block is looked at again, and those it dominates that use its arguments.
    fn enter(
        &mut self,
        e: &Emit<'_, 'c, 'a>,
        target: BlockRef<'c, 'a>,
        facts: &[Fact<'c>],
        waiting: &mut BTreeSet<usize>,
    ) {
        let mut changed = self.reached.insert(self.position(target));
        for (argument, &fact) in target.argument_values().into_iter().zip(facts) {
            let before = self.environment.slot(argument).fact;
            let mut joined = before.join(e.context(), fact);
            if let Some(floor) = self.floors.get(&key(argument))
                && joined.ty.is_some()
            {
                joined = joined.join(e.context(), *floor);
            }
            if before.ty.is_some() && joined.ty.is_some() && before.ty != joined.ty {
                let floor = Fact {
                    unbound: false,
                    ..joined
                };
                self.floors.insert(key(argument), floor);
                self.grew = true;
            }
            let slot = Slot {
                fact: joined,
                value: None,
            };
            if self.environment.set(argument, slot) && joined != before {
                changed = true;
                self.wait_for_users(argument, waiting);
            }
        }
        if changed {
            waiting.insert(self.position(target));
        }
    }

    /// Has the reached blocks that use a value looked at again.
    fn wait_for_users(&self, value: Value<'c, 'a>, waiting: &mut BTreeSet<usize>) {
        let blocks = value.users().into_iter().filter_map(|user| {
            let block = user.parent_block()?;
            self.positions.get(&block_key(block)).copied()
        });
        waiting.extend(blocks.filter(|position| self.reached.contains(position)));
    }
}

/// The blocks of a function that its start leads to, each before those it leads to, loops aside.
fn reverse_post_order<'c, 'a>(function: py::Func<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let Some(entry) = function.body().entry() else {
        return Vec::new();
    };
    let mut seen = HashSet::from([block_key(entry)]);
    let mut stack = vec![(entry, entry.successor_list())];
    let mut order = Vec::new();
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if seen.insert(block_key(next)) => stack.push((next, next.successor_list())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The values of a function's parameters: arguments, then defaults, then no further arguments.
pub(crate) fn parameters<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    let function = e.program.specializations[e.specialization].function.clone();
    let mut values = arguments.to_vec();
    for default in function.defaults.iter().skip(arguments.len()) {
        let default = default.ok_or(Stop::Unknown)?;
        values.push(constants::constant(e, default)?);
    }
    if values.len() < function.parameters.len() {
        values.push(e.tuple(&[]));
    }
    Ok(values)
}

/// Types one specialisation as far as its callees are known, and tells those that depend on its
/// result when that has changed.
pub(crate) fn analyze(program: &mut Program<'_, '_>, id: SpecId) {
    let mut flow = std::mem::take(&mut program.specializations[id].flow);
    let location = program.specializations[id].function.operation.location();
    let mut e = Emit {
        program,
        builder: None,
        location,
        specialization: id,
        wishes: Vec::new(),
    };
    loop {
        flow.environment = flow.environment.emptied();
        flow.reached.clear();
        flow.result = None;
        flow.grew = false;
        flow.waits = false;
        let mut waiting = BTreeSet::new();
        enter_function(&mut e, &mut flow, &mut waiting);
        while let Some(position) = waiting.pop_first() {
            analyze_block(&mut e, &mut flow, position, &mut waiting);
        }
        if !flow.grew {
            break;
        }
    }
    let result = match program.specializations[id].function.is_generator {
        true => generators::result(program, id, &flow),
        false => flow.result,
    };
    program.specializations[id].flow = flow;
    if result.is_some_and(|result| program.add_return(id, result)) {
        let dependents = program.specializations[id].dependents.clone();
        program.pending.extend(dependents);
    }
}

fn enter_function<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    waiting: &mut BTreeSet<usize>,
) {
    let specialization = &e.program.specializations[e.specialization];
    let arguments: Vec<_> = specialization
        .arguments
        .iter()
        .enumerate()
        .map(|(index, &ty)| Val {
            literal: specialization.argument_literal(e.context(), index),
            ..Val::new(ty, None)
        })
        .collect();
    let Some(&entry) = flow.blocks.first() else {
        return;
    };
    // A default that can't be compiled is reported by the emission.
    if let Ok(values) = parameters(e, &arguments) {
        let facts: Vec<_> = values
            .into_iter()
            .map(|value| Slot::from(value).fact)
            .collect();
        flow.enter(e, entry, &facts, waiting);
    }
}

fn analyze_block<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    position: usize,
    waiting: &mut BTreeSet<usize>,
) {
    let block = flow.blocks[position];
    for operation in block.operation_list() {
        if operation.is_terminator() {
            leave(e, flow, operation, waiting);
            return;
        }
        let stepped = step(e, &flow.environment, operation);
        flow.refine_all(e);
        let results = match stepped {
            Ok(results) => results,
            Err(Stop::Raises(..)) => {
                if let Some(terminator) = block.terminator_op() {
                    unwind(e, flow, terminator, waiting);
                }
                return;
            }
            // What can't be typed is reported by the emission, when all is known.
            Err(Stop::Unknown | Stop::Issue(_)) => {
                flow.waits = true;
                Vec::new()
            }
        };
        for (index, result) in operation.result_values().into_iter().enumerate() {
            let slot = results.get(index).copied().unwrap_or_default();
            if flow.environment.set(result, slot) {
                flow.wait_for_users(result, waiting);
                // The rest of this block comes now.
                waiting.remove(&position);
            }
        }
    }
}

/// Passes on what is known at the end of a block.
fn leave<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    terminator: OperationRef<'c, 'a>,
    waiting: &mut BTreeSet<usize>,
) {
    e.location = terminator.location();
    let fact = |value| flow.environment.slot(value).fact;
    let mut item = None;
    let mut taken = [true, true];
    match AnyOp::of(terminator) {
        AnyOp::Cf(cf::Op::Branch(_))
        | AnyOp::Py(py::Op::TryBr(_) | py::Op::Raise(_) | py::Op::Reraise(_)) => {}
        AnyOp::Cf(cf::Op::CondBranch(branch)) => {
            let condition = fact(branch.condition());
            let Some(ty) = condition.ty else {
                return;
            };
            let condition = Val {
                literal: condition.literal,
                ..Val::new(ty, None)
            };
            if let Some(condition) = condition.literal_bool() {
                taken = [condition, !condition];
            }
        }
        AnyOp::Py(py::Op::ForIter(header)) => match fact(header.iterator()).ty {
            Some(ty) if iteration::is_empty(ty) => taken = [false, true],
            Some(ty) => {
                let Some(ty) = iteration::item_type(e.context(), ty) else {
                    return;
                };
                item = Some(Fact::of(ty));
            }
            None => return,
        },
        AnyOp::Py(py::Op::Return(r#return)) => {
            let value = fact(r#return.value());
            let before = flow.result.unwrap_or_default();
            flow.result = Some(before.join(e.context(), value));
            flow.refine_return(e, r#return.value());
            return;
        }
        _ => return,
    }
    for edge in Edge::of(terminator) {
        if !edge.unwind && taken[edge.index] {
            let item = item.filter(|_| edge.index == 0);
            pass_on(e, flow, terminator, &edge, item, waiting);
        }
    }
    unwind(e, flow, terminator, waiting);
}

/// Goes along the edge that exceptions take, if there is one: any operation of the block may have
/// raised.
fn unwind<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    terminator: OperationRef<'c, 'a>,
    waiting: &mut BTreeSet<usize>,
) {
    let exception = Fact::of(e.type_of(TypedType::Exception));
    for edge in Edge::of(terminator).iter().filter(|edge| edge.unwind) {
        pass_on(e, flow, terminator, edge, Some(exception), waiting);
    }
}

/// Goes along an edge, with what the terminator makes for it.
fn pass_on<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    terminator: OperationRef<'c, 'a>,
    edge: &Edge<'c, 'a>,
    made: Option<Fact<'c>>,
    waiting: &mut BTreeSet<usize>,
) {
    let passed = edge.passed(terminator).into_iter();
    let passed = passed.map(|operand| flow.environment.slot(operand).fact);
    let facts: Vec<_> = made.into_iter().chain(passed).collect();
    flow.enter(e, edge.target, &facts, waiting);
    flow.refine_passed(e, terminator, edge);
}

/// The symbol of the free variable that a cell's value is, if it is one.
fn free_variable<'c>(load: py::LoadCell<'c, '_>) -> Option<&'c str> {
    py::FreeCell::defining(load.cell()).map(py::FreeCell::binding)
}

/// Types an operation that is no terminator, and emits it where there is something to emit to.
pub(crate) fn step<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Vec<Slot<'c, 'a>>> {
    let mut slots = results(e, environment, operation)?;
    for (result, slot) in operation.result_values().into_iter().zip(&mut slots) {
        refinement::settle(e, environment, result, slot)?;
    }
    Ok(slots)
}

fn results<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Vec<Slot<'c, 'a>>> {
    e.location = operation.location();
    if let Some(builder) = e.builder {
        builder.at(e.location);
    }
    match AnyOp::of(operation) {
        AnyOp::Py(py::Op::Del(_) | py::Op::PopExcept(_)) | AnyOp::Typed(typed::Op::Variable(_)) => {
            Ok(Vec::new())
        }
        // A cell means something only where it is read.
        AnyOp::Py(py::Op::Unbound(_) | py::Op::FreeCell(_)) => Ok(vec![Slot {
            fact: Fact::UNBOUND,
            value: None,
        }]),
        AnyOp::Py(py::Op::LoadCell(load)) if free_variable(load).is_some() => {
            let symbol = free_variable(load).ok_or(Stop::Unknown)?;
            Ok(vec![transfer::global(e, symbol)?.into()])
        }
        AnyOp::Py(py::Op::BuildList(built)) => {
            Ok(vec![match displays::build(e, environment, built)? {
                Some(list) => list.into(),
                None => Slot {
                    fact: Fact::UNBOUND,
                    value: None,
                },
            }])
        }
        AnyOp::Py(py::Op::Extend(extension))
            if displays::extends(environment, extension) || keywords::merges(extension) =>
        {
            Ok(Vec::new())
        }
        AnyOp::Py(py::Op::Extend(extension)) => {
            displays::grow(e, environment, extension)?;
            Ok(Vec::new())
        }
        AnyOp::Py(py::Op::BuildMap(built)) if keywords::is_collection(built) => Ok(vec![Slot {
            fact: Fact::UNBOUND,
            value: None,
        }]),
        AnyOp::Py(py::Op::CallEx(call)) => Ok(vec![keywords::call(e, environment, call)?.into()]),
        AnyOp::Py(py::Op::ListToTuple(made)) => {
            Ok(vec![displays::tuple(e, environment, made)?.into()])
        }
        AnyOp::Py(py::Op::CheckBound(check)) => {
            let local = environment.slot(check.value());
            let checked = if local.fact.unbound && local.fact.conflict.is_none() {
                transfer::check_bound(e, check.name(), local)?
            } else {
                environment.val(check.value())?
            };
            Ok(vec![checked.into()])
        }
        _ => {
            let operands = operation
                .operand_values()
                .into_iter()
                .map(|operand| environment.val(operand))
                .collect::<Typing<Vec<_>>>()?;
            let results = transfer::operation(e, operation, &operands)?;
            Ok(results.into_iter().map(Slot::from).collect())
        }
    }
}
