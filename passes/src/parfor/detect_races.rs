//! Warns of `prange` loops whose iterations get into each other's way.

use super::nest::Nest;
use crate::{
    infra::{BlockExt, OperationExt, PassContext, PassResult, PassSpec, ValueExt},
    typed::linear::Sum,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// The `parfor-detect-races` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Warns at a store in a loop that came from `prange` when all iterations write the \
                  same elements, and when it is certain that one iteration reads or writes an \
                  element that another one writes: `a[i] = a[i - 1]`. Subscripts are compared as \
                  sums with the index as one of the terms. What can't be told is not warned of. \
                  Runs after `parfor-from-prange`; the loops stay as they are.",
    anchor: "func.func",
    ..PassSpec::new(
        "parfor-detect-races",
        "warn of prange loops whose iterations depend on each other",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    for operation in function.nested("parfor.loop") {
        let Some(nest) = Nest::of(operation) else {
            continue;
        };
        if nest.pattern == "prange" && nest.extents.len() == 1 {
            check(cx, &nest);
        }
    }
    Ok(())
}

fn check<'c: 'a, 'a>(cx: &PassContext<'c>, nest: &Nest<'c, 'a>) {
    let accesses: Vec<_> = nest
        .operation
        .pre_order()
        .into_iter()
        .filter_map(|operation| Access::of(nest, operation))
        .collect();
    for store in accesses.iter().filter(|access| access.is_store) {
        let warn = |problem: String| cx.warning(store.operation.location(), problem);
        if !store.subscripts.iter().any(|one| varies(nest, *one)) {
            warn(
                "every iteration of the prange writes here: which one is last depends on the \
                 threads; only variables that are updated by +=, *=, min, max and the like are \
                 reductions"
                    .to_owned(),
            );
            continue;
        }
        let other = accesses.iter().find(|other| overlap(nest, store, other));
        if let Some(other) = other {
            let does = if other.is_store { "writes" } else { "reads" };
            warn(format!(
                "an iteration of the prange writes an element that another one {does}: the result \
                 depends on the threads"
            ));
        }
    }
}

/// A load or a store of an array from around the loop.
struct Access<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    subscripts: Vec<Value<'c, 'a>>,
    is_store: bool,
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    fn of(nest: &Nest<'c, 'a>, operation: OperationRef<'c, 'a>) -> Option<Self> {
        let at = match operation.full_name() {
            "typed.load" => 0,
            "typed.store" => 1,
            _ => return None,
        };
        let operands = operation.operand_values();
        (!is_inside(nest, operands[at])).then(|| Self {
            operation,
            array: operands[at],
            subscripts: operands[at + 1..].to_vec(),
            is_store: at == 1,
        })
    }
}

fn is_inside<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    value.is_inside(nest.operation)
}

/// Whether a value may be another one in another iteration.
fn varies<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    if !is_inside(nest, value) {
        return false;
    }
    match value.defining_op() {
        Some(operation) => {
            let plain = operation.is_pure() && operation.region_list().is_empty();
            !plain
                || operation
                    .operand_values()
                    .into_iter()
                    .any(|operand| varies(nest, operand))
        }
        // The position of an inner loop takes the same values in all iterations if its bounds do.
        None => {
            let parent = value.defining_block().parent();
            let counter = parent.filter(|one| one.is("scf.for") && value.position() == 0);
            counter.is_none_or(|inner| (0..3).any(|at| varies(nest, inner.operand_value(at))))
        }
    }
}

/// Whether two accesses are certainly to one element in two different iterations, if there are as
/// many.
fn overlap<'c: 'a, 'a>(nest: &Nest<'c, 'a>, one: &Access<'c, 'a>, other: &Access<'c, 'a>) -> bool {
    let index = nest.indices()[0];
    let mut distance = None;
    let same_array = one.array == other.array && one.subscripts.len() == other.subscripts.len();
    same_array
        && one
            .subscripts
            .iter()
            .zip(&other.subscripts)
            .all(|(left, right)| {
                let (left, right) = (Sum::of(*left), Sum::of(*right));
                let factor = left.factor_of(index);
                let fixed = left
                    .values()
                    .all(|value| value == index || !is_inside(nest, value));
                let Some(difference) = left.minus(&right).as_number().filter(|_| fixed) else {
                    return false;
                };
                if factor == 0 {
                    // The same in all iterations: either one element or two.
                    return difference == 0;
                }
                // So many iterations apart, in all dimensions alike.
                let apart = difference / factor;
                let exact = difference % factor == 0 && apart != 0;
                exact && *distance.get_or_insert(apart) == apart
            })
        && distance.is_some()
}
