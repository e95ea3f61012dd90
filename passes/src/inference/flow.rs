//! The analysis of one specialisation: what is known of each value, over the blocks that can be
//! reached, to a fixed point.

use crate::{
    inference::{
        dispatch::RULES,
        emit::Emit,
        families::iteration as iterators,
        issue::Stop,
        lattice::Fact,
        program::{
            Program,
            environment::{Slot, key},
            flow::Flow,
            presence::present_behind,
            specialization::SpecId,
            uses::RESUME,
        },
        step::{parameters, step},
        unrolling,
        val::Val,
    },
    infra::{
        AttributeExt, BlockExt, OperationExt,
        ops::{AnyOp, cf, py},
    },
    py::edges::Edge,
    types::{iteration, lists},
};
use melior::ir::{
    Attribute, OperationRef, Type, attribute::FlatSymbolRefAttribute, operation::OperationLike,
};
use pyopt_dialects::typed::TypedType;
use std::collections::BTreeSet;

/// Types one specialisation as far as its callees are known, and tells those that depend on its
/// result when that has changed.
pub(crate) fn analyze(program: &mut Program<'_, '_>, id: SpecId) {
    let mut flow = std::mem::take(&mut program.specializations[id].flow);
    loop {
        find_types(program, id, &mut flow);
        if !unrolling::unroll(program, id, &mut flow) {
            break;
        }
    }
    let result = match program.specializations[id].function.is_generator {
        true => generator(program, id, &flow),
        false => flow.result,
    };
    program.specializations[id].flow = flow;
    if result.is_some_and(|result| program.add_return(id, result)) {
        let dependents = program.specializations[id].dependents.clone();
        program.pending.extend(dependents);
    }
}

/// Goes over the blocks until nothing new is known.
fn find_types<'c, 'a>(program: &mut Program<'c, 'a>, id: SpecId, flow: &mut Flow<'c, 'a>) {
    let location = program.specializations[id].function.operation.location();
    let mut e = Emit::new(program, None, location, id, &RULES);
    loop {
        flow.restart();
        e.awaited.clear();
        let mut waiting = BTreeSet::new();
        enter_function(&mut e, flow, &mut waiting);
        while let Some(position) = waiting.pop_first() {
            analyze_block(&mut e, flow, position, &mut waiting);
        }
        flow.environment.enter([]);
        if !flow.grew {
            return;
        }
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
        flow.enter(e.context(), entry, &facts, waiting);
    }
}

fn analyze_block<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flow: &mut Flow<'c, 'a>,
    position: usize,
    waiting: &mut BTreeSet<usize>,
) {
    let block = flow.blocks[position];
    flow.failed.remove(&position);
    let present = flow.presence.used_in(position, block).into_iter();
    let present: Vec<_> = present
        .filter_map(|value| {
            let fact = flow.environment.everywhere(value).fact.present()?;
            Some((value, Slot { fact, value: None }))
        })
        .collect();
    flow.environment.enter(present);
    for operation in block.operation_list() {
        if operation.is_terminator() {
            leave(e, flow, operation, waiting);
            return;
        }
        let stepped = step(e, &flow.environment, operation);
        if let (Some(callee), Some(call)) = (e.callee.take(), py::Call::of(operation)) {
            flow.callees.insert(key(call.result()), callee);
        }
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
            Err(stop @ (Stop::Unknown | Stop::Issue(_))) => {
                flow.waits = true;
                if matches!(stop, Stop::Issue(_)) {
                    flow.failed.insert(position);
                }
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
            Some(ty) if iteration::is_empty(ty) || iteration::never_yields(ty) => {
                taken = [false, true];
            }
            Some(ty) => {
                let Some(ty) = iteration::item_type(e.context(), ty) else {
                    return;
                };
                item = Some(Fact::of(ty));
            }
            // What the loop goes through may be what is yielded behind it, by a generator that calls itself.
            None if e.program.specializations[e.specialization]
                .function
                .is_generator =>
            {
                taken = [false, true]
            }
            None => return,
        },
        AnyOp::Py(py::Op::Return(r#return)) => {
            let mut value = fact(r#return.value());
            if let Some(ty) = value.ty {
                match iterators::as_argument(e, Val::new(ty, None)) {
                    Ok(passed) if passed.ty != ty => value = Fact::of(passed.ty),
                    Ok(_) | Err(Stop::Issue(_)) => {}
                    Err(_) => {
                        flow.waits = true;
                        return;
                    }
                }
            }
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
    let present = present_behind(terminator, edge.index);
    let passed = passed.map(|operand| {
        let fact = flow.environment.slot(operand).fact;
        let is_present = present.contains(&operand);
        fact.present().filter(|_| is_present).unwrap_or(fact)
    });
    let facts: Vec<_> = made.into_iter().chain(passed).collect();
    flow.enter(e.context(), edge.target, &facts, waiting);
    flow.refine_passed(e, terminator, edge);
}

/// What a call of a generator function gives, as far as it is known what it yields. One that
/// yields nothing has no items.
fn generator<'c, 'a>(
    program: &Program<'c, 'a>,
    id: SpecId,
    flow: &Flow<'c, 'a>,
) -> Option<Fact<'c>> {
    let specialization = &program.specializations[id];
    let yielded = specialization.yielded;
    let is_yield = |operation: &OperationRef| operation.isa::<py::Yield>();
    let yields = || {
        flow.reached()
            .any(|block| block.operation_list().iter().any(is_yield))
    };
    if yielded.is_bottom() && (flow.waits || yields()) {
        return None;
    }
    Some(match yielded.is_bottom() {
        true => without_items(program, id),
        false => generator_of(program, id, yielded.storage(program.context)),
    })
}

/// A generator that yields nothing, as far as is known.
pub(crate) fn without_items<'c>(program: &Program<'c, '_>, id: SpecId) -> Fact<'c> {
    generator_of(program, id, lists::nothing(program.context))
}

fn generator_of<'c>(program: &Program<'c, '_>, id: SpecId, item: Type<'c>) -> Fact<'c> {
    let function = format!("{}{RESUME}", program.specializations[id].symbol);
    let function: Attribute = FlatSymbolRefAttribute::new(program.context, &function).into();
    let name = function.symbol_value().unwrap_or_default();
    let generator = TypedType::Generator(name, item);
    Fact::of(generator.to_type(program.context))
}
