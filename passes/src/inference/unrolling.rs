//! Loops over tuples of several types that only inference knows to be such: they become their turns.
//!
//! `py-unroll-tuples` and `py-literal-unroll` unroll what constants and the types of requested arguments
//! tell. What a function gets from its caller, or from a call, has a type here alone: the specialisation
//! gets a copy of the function, in which the loop is its turns, and is analysed again. A type may still
//! turn out to be another one when more is known of a callee; then it begins with the function as it was.

use crate::{
    inference::program::{
        Program,
        environment::Environment,
        flow::Flow,
        specialization::{SpecId, Specialization},
    },
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, RegionExt,
        ops::{marks, py},
    },
    py::{
        function::PyFunction,
        tuple_items::Known,
        unroll_tuples::{has_known, unroll_known},
    },
    types::tuples,
};
use melior::ir::{Attribute, Type, Value};
use pyopt_dialects::typed::TypedType;
use std::rc::Rc;

/// How often a specialisation may begin again with the function as it was.
const MAX_RETURNS: usize = 4;

/// Unrolls the loops of a specialisation that can't be typed else; whether it is to be analysed again.
pub(crate) fn unroll<'c: 'a, 'a>(
    program: &mut Program<'c, 'a>,
    id: SpecId,
    flow: &mut Flow<'c, 'a>,
) -> bool {
    let context = program.context;
    let specialization = &program.specializations[id];
    let function = specialization.function.operation;
    if specialization.original.is_some() && was_wrong(function, &flow.environment) {
        return give_back(&mut program.specializations[id], flow);
    }
    if specialization.returns_to_original >= MAX_RETURNS {
        return false;
    }
    let known = Types(&flow.environment);
    let wanted = |iterator| is_refused(iterator, &flow.environment);
    if !has_known(context, &known, function, &wanted) {
        return false;
    }
    let own = match specialization.original {
        Some(_) => function,
        None => own_copy(program, id, &mut flow.environment),
    };
    let known = Types(&flow.environment);
    let wanted = |iterator| is_refused(iterator, &flow.environment);
    unroll_known(context, &known, own, &wanted);
    *flow = Flow::new(own);
    true
}

/// Whether an iterator has no type, though it is known what it goes over. What isn't known yet, or is in
/// a block that nothing leads to, may be typed later.
fn is_refused<'c: 'a, 'a>(
    iterator: py::GetIter<'c, 'a>,
    environment: &Environment<'c, 'a>,
) -> bool {
    let has_type = |value| environment.slot(value).fact.ty.is_some();
    !has_type(iterator.result()) && is_known(iterator.iterable(), environment)
}

/// Whether a value has a type, or is a call of values that have one.
fn is_known<'c: 'a, 'a>(value: Value<'c, 'a>, environment: &Environment<'c, 'a>) -> bool {
    environment.slot(value).fact.ty.is_some()
        || py::Call::defining(value).is_some_and(|call| {
            let mut arguments = call.args().into_iter();
            arguments.all(|argument| is_known(argument, environment))
        })
}

/// What the analysis knows of values.
struct Types<'p, 'c, 'a>(&'p Environment<'c, 'a>);

impl<'c, 'a> Known<'c, 'a> for Types<'_, 'c, 'a> {
    fn constant(&self, _: Value<'c, 'a>) -> Option<Attribute<'c>> {
        None
    }

    fn ty(&self, value: Value<'c, 'a>) -> Option<Type<'c>> {
        self.0.slot(value).fact.ty
    }

    fn name(&self, value: Value<'c, 'a>) -> Option<String> {
        match TypedType::from(self.ty(value)?) {
            TypedType::Named(name) => Some(name.into()),
            _ => None,
        }
    }
}

/// Gives a specialisation a function of its own; what is known of values is known of their copies.
fn own_copy<'c: 'a, 'a>(
    program: &mut Program<'c, 'a>,
    id: SpecId,
    environment: &mut Environment<'c, 'a>,
) -> py::Func<'c, 'a> {
    let specialization = &mut program.specializations[id];
    let function = specialization.function.clone();
    let builder = Builder::new(program.context, *function.operation);
    builder.after(*function.operation);
    let copy =
        py::Func::of(builder.clone_op(*function.operation, &[])).expect("a copy of a function");
    let blocks = function.operation.body().block_list().into_iter();
    for (block, copied) in blocks.zip(copy.body().block_list()) {
        let operations = block.operation_list().into_iter();
        let results = operations
            .zip(copied.operation_list())
            .flat_map(|(one, other)| {
                let values = one.result_values().into_iter();
                values.zip(other.result_values()).collect::<Vec<_>>()
            });
        let arguments = block.argument_values().into_iter();
        for (value, copied) in arguments.zip(copied.argument_values()).chain(results) {
            environment.set(copied, environment.slot(value));
        }
    }
    specialization.function = Rc::new(PyFunction {
        operation: copy,
        ..(*function).clone()
    });
    specialization.original = Some(function);
    copy.set_sym_name(&program.unique(format!("{}.turns", program.specializations[id].symbol)));
    copy
}

/// Whether a tuple that was taken apart has turned out to be something else.
fn was_wrong<'c: 'a, 'a>(function: py::Func<'c, 'a>, environment: &Environment<'c, 'a>) -> bool {
    let items = function.nested_ops::<py::GetItem>().into_iter();
    items
        .filter_map(|item| Some((item, item.int_attr(marks::TURNS)?)))
        .any(|(item, count)| {
            let ty = environment.slot(item.object()).fact.ty;
            ty.is_some_and(|ty| {
                tuples::elements(ty).is_none_or(|types| types.len() as i64 != count)
            })
        })
}

/// Begins again with the function as it was.
fn give_back<'c: 'a, 'a>(
    specialization: &mut Specialization<'c, 'a>,
    flow: &mut Flow<'c, 'a>,
) -> bool {
    if let Some(original) = specialization.original.take() {
        specialization.function.operation.erase();
        specialization.function = original;
    }
    specialization.returns_to_original += 1;
    *flow = Flow::new(specialization.function.operation);
    true
}
