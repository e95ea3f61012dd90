//! Scalar replacement of recurrences: what an iteration stores and the next one loads is carried in a register.
//!
//! In `x[i] = x[i - 1] * a[i]` each iteration waits for the load of what the one before it has just stored: for
//! as long as memory takes to forward it, besides the product. LLVM carries such elements in loops that count
//! up and have one exit; here neither a check nor the direction of the loop is in the way.

use super::carried::{Carried, carry};
use crate::{
    analysis::{
        affine::constant_of,
        effects::{Footprint, Raises},
        recurrence::distance,
    },
    infra::{
        BlockExt, Builder, CmpInt, Identity, Key, OperationExt, PassContext, PassResult, PassSpec,
        REMARKS, RegionExt, StatisticSpec, ValueExt,
        copies::copy,
        emit::{Emit, mapped},
        ops::{func, scf, typed, ub},
    },
    types::number::Number,
};
use melior::ir::{BlockRef, OperationRef, TypeLike, Value, operation::OperationLike};
use std::collections::HashSet;

/// The `typed-carry-recurrences` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes loops with a step of one that store to an array as the last of what they write, and that \
        load, before they write or check anything, the element that the iteration before has stored. The loop \
        carries that element; the first one is loaded ahead of it, if it runs at all.",
    anchor: func::Func::NAME,
    dialects: &["scf", "ub"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "carried",
        "elements that loops carry instead of loading them",
    )],
    ..PassSpec::new(
        "typed-carry-recurrences",
        "carry elements from one iteration to the next",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // A loop that is replaced takes those in it along: they come first.
    let loops = function.post_order().into_iter();
    for r#loop in loops.filter_map(scf::For::of) {
        if let Some(recurrence) = Recurrence::of(r#loop) {
            let location = r#loop.location();
            recurrence.carry(&builder);
            let message = "keeps the element that the next iteration needs in a register";
            cx.transformed("carried", location, message);
        }
    }
    Ok(())
}

/// An element that an iteration stores and the next one loads.
struct Recurrence<'c, 'a> {
    r#loop: scf::For<'c, 'a>,
    body: BlockRef<'c, 'a>,
    store: typed::Store<'c, 'a>,
    load: typed::Load<'c, 'a>,
    /// What computes the indices of the load, in order.
    indices: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Recurrence<'c, 'a> {
    fn of(r#loop: scf::For<'c, 'a>) -> Option<Self> {
        let body = r#loop.region().entry()?;
        let position = body.argument_value(0);
        if constant_of(r#loop.step()) != Some(1) || !position.ty().is_index() {
            return None;
        }
        let operations = body.operation_list();
        let store = last_store(&operations)?;
        let load = first_loads(&operations).find(|load| {
            load.array() == store.array()
                && load.result().ty() == store.value().ty()
                && !load.wraparound()
                && distance(position, &store.indices(), &load.indices()) == Some(1)
        })?;
        let is_number = Number::of(load.result().ty()).is_some();
        if !is_number || load.array().defining_block() == body {
            return None;
        }
        Some(Self {
            r#loop,
            body,
            store,
            load,
            indices: computations(&load.indices(), body, &operations)?,
        })
    }

    fn carry(&self, builder: &Builder<'c, 'a>) {
        builder.before(*self.r#loop);
        let carried = Carried {
            init: self.first(builder),
            here: self.load.result(),
            next: self.store.value(),
        };
        carry(builder, self.r#loop, &[carried], &[*self.load]);
    }

    /// The element that the first iteration loads; anything where there is none.
    fn first(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let (lower, upper) = (self.r#loop.lower_bound(), self.r#loop.upper_bound());
        let element = self.load.result().ty();
        let runs = builder.cmpi(CmpInt::Slt, lower, upper);
        let (branch, yes, no) = builder.scf_if(runs, &[element]);
        builder.at_end(yes);
        let mut mapping = vec![(self.body.argument_value(0), lower)];
        for operation in self.indices.iter().copied().chain([*self.load]) {
            copy(builder, operation, &mut mapping);
        }
        builder.scf_yield(&[mapped(&mapping, self.load.result())]);
        builder.at_end(no);
        builder.scf_yield(&[ub::Poison::create(builder, element).result()]);
        builder.after(branch);
        branch.result_value(0)
    }
}

/// The last operation of a body that writes memory, if it is a store of the body's own.
fn last_store<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>]) -> Option<typed::Store<'c, 'a>> {
    let last = operations
        .iter()
        .rev()
        .find(|operation| writes(**operation));
    last.and_then(|last| typed::Store::of(*last))
        .filter(|store| !store.wraparound())
}

/// The loads that each iteration does, before anything is written or raised.
fn first_loads<'c: 'a, 'a>(
    operations: &[OperationRef<'c, 'a>],
) -> impl Iterator<Item = typed::Load<'c, 'a>> {
    let begin = operations.iter().copied().take_while(|operation| {
        !writes(*operation) && Footprint::of(*operation).raises == Raises::Nothing
    });
    begin.filter_map(typed::Load::of)
}

fn writes(operation: OperationRef) -> bool {
    let footprint = Footprint::of(operation);
    footprint.unknown || !footprint.writes.is_empty()
}

/// The operations of a body that compute some values of it, in order; `None` where they can't be done ahead of
/// the loop.
fn computations<'c: 'a, 'a>(
    values: &[Value<'c, 'a>],
    body: BlockRef<'c, 'a>,
    operations: &[OperationRef<'c, 'a>],
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let mut needed: HashSet<Key> = HashSet::new();
    let mut waiting = values.to_vec();
    while let Some(value) = waiting.pop() {
        if value.defining_block() != body {
            continue;
        }
        match value.defining_op() {
            Some(operation) if operation.is_pure() && operation.region_list().is_empty() => {
                if needed.insert(operation.key()) {
                    waiting.extend(operation.operand_values());
                }
            }
            None if value.position() == 0 => {}
            _ => return None,
        }
    }
    let all = operations.iter().copied();
    Some(
        all.filter(|operation| needed.contains(&operation.key()))
            .collect(),
    )
}
