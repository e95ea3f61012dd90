//! Scalar promotion: sums accumulated in an array element become loop-carried values.
//!
//! `out[i, j] = 0.0` and `for k: out[i, j] += …` store and load the element in each iteration,
//! which hides the reduction from later passes.

use super::carried::{Carried, carry, is_float};
use crate::{
    analysis::effects::{Footprint, Raises, may_alias},
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, RegionExt,
        StatisticSpec, ValueExt,
        ops::{func, scf, typed},
    },
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `typed-promote-accumulators` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop without carried values whose only store goes to one element of an \
        array, from which it loads before, and which is stored to before the loop; nothing else in \
        it or between may touch the array, or raise. The element is carried, and stored behind the \
        loop.",
    anchor: func::Func::NAME,
    dialects: &["scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new("promoted", "elements that loops carry")],
    ..PassSpec::new(
        "typed-promote-accumulators",
        "carry elements that loops add to",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // A loop that is replaced takes those in it along: they come first.
    let loops = function.post_order().into_iter();
    for r#loop in loops.filter_map(scf::For::of) {
        if let Some(accumulator) = Accumulator::of(r#loop) {
            let location = r#loop.location();
            accumulator.promote(&builder);
            let message = "keeps the element that it adds to in a register until it ends";
            cx.transformed("promoted", location, message);
        }
    }
    Ok(())
}

/// An array element that a loop accumulates into.
struct Accumulator<'c, 'a> {
    r#loop: scf::For<'c, 'a>,
    /// The store before the loop.
    initial: typed::Store<'c, 'a>,
    load: typed::Load<'c, 'a>,
    store: typed::Store<'c, 'a>,
}

impl<'c: 'a, 'a> Accumulator<'c, 'a> {
    fn of(r#loop: scf::For<'c, 'a>) -> Option<Self> {
        if !r#loop.results().is_empty() {
            return None;
        }
        let body = r#loop.region().entry()?;
        let footprint = Footprint::of(*r#loop);
        let [array] = footprint.writes[..] else {
            return None;
        };
        let touched = footprint
            .reads
            .iter()
            .filter(|read| may_alias(**read, array));
        if footprint.unknown || footprint.raises != Raises::Nothing || touched.count() != 1 {
            return None;
        }
        let operations = body.operation_list();
        let store = operations.iter().copied().find_map(typed::Store::of)?;
        let (array, indices) = (store.array(), store.indices());
        let mut loads = operations.iter().copied().filter_map(typed::Load::of);
        let load = loads.find(|load| load.array() == array && load.indices() == indices)?;
        let value = store.value().ty();
        let mut element = [array].into_iter().chain(indices);
        if value != load.result().ty()
            || !is_float(store.value())
            || element.any(|value| value.defining_block() == body)
        {
            return None;
        }
        Some(Self {
            r#loop,
            initial: initial_store(r#loop, store)?,
            load,
            store,
        })
    }

    fn promote(&self, builder: &Builder<'c, 'a>) {
        let carried = Carried {
            init: self.initial.value(),
            here: self.load.result(),
            next: self.store.value(),
        };
        let carrying = carry(builder, self.r#loop, &[carried], &[*self.load, *self.store]);
        let last = typed::Store::of(builder.clone_op(*self.initial, &[]));
        last.expect("a copy of a store")
            .set_value(carrying.results()[0]);
        builder.erase_op(*self.initial);
    }
}

/// The store before a loop to the element that one in it goes to, if no operation between the two
/// accesses the array.
fn initial_store<'c: 'a, 'a>(
    r#loop: scf::For<'c, 'a>,
    store: typed::Store<'c, 'a>,
) -> Option<typed::Store<'c, 'a>> {
    let operations = r#loop.parent_block()?.operation_list();
    let at = operations
        .iter()
        .position(|operation| *operation == *r#loop)?;
    let mut between = Footprint::default();
    for operation in operations[..at].iter().rev() {
        let same = typed::Store::of(*operation).filter(|initial| {
            initial.array() == store.array() && initial.indices() == store.indices()
        });
        if same.is_some() {
            return same;
        }
        between.add(*operation);
        let mut touched = between.reads.iter().chain(&between.writes);
        if between.unknown
            || between.raises != Raises::Nothing
            || touched.any(|other| may_alias(*other, store.array()))
        {
            return None;
        }
    }
    None
}
