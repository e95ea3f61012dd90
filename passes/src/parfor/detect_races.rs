//! Warns of `prange` loops with data races between their iterations.

mod access;
mod collisions;

use crate::{
    analysis::{nest::Nest, work::bounds},
    infra::{
        BlockExt, OperationExt, PassContext, PassResult, PassSpec, ValueExt,
        ops::{func, parfor, scf},
    },
};
use access::Access;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::PatternKind;

/// The `parfor-detect-races` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Warns at a store in a loop that came from `prange` when all iterations write the \
                  same elements, and when it is certain that one iteration reads or writes an \
                  element that another one writes: `a[i] = a[i - 1]`, `a[i % 4] = x`, `a[i + j] = x` \
                  in a loop over `j`, also through views: rows, and slices that start at a known \
                  place. Subscripts are compared as sums with the index as one of the terms. \
                  Elements that are updated at a place that was looked up, as in \
                  `counts[k[i]] += 1`, are warned of too: places may be alike. What else can't be \
                  told is not warned of. Runs after `parfor-from-prange`; the loops stay as they \
                  are.",
    anchor: func::Func::NAME,
    ..PassSpec::new(
        "parfor-detect-races",
        "warn of prange loops whose iterations depend on each other",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    for operation in function.nested_ops::<parfor::Loop>() {
        let Some(nest) = Nest::of(*operation) else {
            continue;
        };
        if nest.pattern.kind == PatternKind::Prange && nest.extents.len() == 1 {
            check(cx, &nest);
        }
    }
    Ok(())
}

fn check<'c: 'a, 'a>(cx: &PassContext<'c>, nest: &Nest<'c, 'a>) {
    let operations = nest.operation.pre_order();
    let accesses: Vec<_> = operations
        .into_iter()
        .flat_map(|operation| Access::all(nest, operation))
        .collect();
    for store in accesses.iter().filter(|access| access.is_store) {
        if let Some(problem) = problem(nest, store, &accesses) {
            cx.warning(store.operation.location(), problem);
        }
    }
}

/// The race that a store takes part in.
fn problem<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    store: &Access<'c, 'a>,
    accesses: &[Access<'c, 'a>],
) -> Option<String> {
    let values = || store.places.iter().flat_map(|place| place.start.values());
    if !values().any(|value| varies(nest, value)) {
        return Some(
            "every iteration of the prange writes here: which one is last depends on the \
             threads; only variables that are updated by +=, *=, min, max and the like are \
             reductions"
                .to_owned(),
        );
    }
    let other = accesses.iter().find(|other| store.overlaps(nest, other));
    let again = || store.returns(nest).then_some("writes");
    let other = other.map(|other| if other.is_store { "writes" } else { "reads" });
    if let Some(does) = other.or_else(again) {
        return Some(format!(
            "an iteration of the prange writes an element that another one {does}: the result \
             depends on the threads"
        ));
    }
    let is_read = || accesses.iter().any(|other| store.coincides(other));
    let is_updated = store.is_looked_up(nest) && is_read();
    is_updated.then(|| {
        "iterations of the prange update elements at places that are looked up: where two are \
         alike the result depends on the threads"
            .to_owned()
    })
}

/// Whether a value may vary from iteration to iteration.
fn varies<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    if !value.is_inside(nest.operation) {
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
        // The induction variable of an inner loop takes the same values in all iterations if its
        // bounds do.
        None => counter(value).is_none_or(|inner| {
            let mut bounds = bounds(inner).into_iter();
            bounds.any(|bound| varies(nest, bound))
        }),
    }
}

/// The loop whose induction variable a value is.
fn counter<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<scf::For<'c, 'a>> {
    let is_argument = value.defining_op().is_none() && value.position() == 0;
    let parent = is_argument.then(|| value.defining_block().parent())?;
    parent.and_then(scf::For::of)
}
