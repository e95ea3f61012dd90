//! Scalar promotion: sums accumulated in an array element become loop-carried values.
//!
//! `out[i, j] = 0.0` and `for k: out[i, j] += …` store and load the element in each iteration,
//! which hides the reduction from later passes.

use super::copies::{Mapping, copy};
use crate::{
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
        StatisticSpec, ValueExt,
    },
    parfor::{
        effects::{Footprint, Raises, may_alias},
        emit::mapped,
    },
};
use melior::ir::{OperationRef, Region, TypeLike, Value};

/// The `typed-promote-accumulators` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop without carried values whose only store goes to one element of an \
        array, from which it loads before, and which is stored to before the loop; nothing else in \
        it or between may touch the array, or raise. The element is carried, and stored behind the \
        loop.",
    anchor: "func.func",
    dialects: &["scf"],
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
    for r#loop in loops.filter(|operation| operation.is("scf.for")) {
        if let Some(accumulator) = Accumulator::of(r#loop) {
            accumulator.promote(&builder);
            cx.bump("promoted", 1);
        }
    }
    Ok(())
}

/// An array element that a loop accumulates into.
struct Accumulator<'c, 'a> {
    r#loop: OperationRef<'c, 'a>,
    /// The store before the loop.
    initial: OperationRef<'c, 'a>,
    load: OperationRef<'c, 'a>,
    store: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> Accumulator<'c, 'a> {
    fn of(r#loop: OperationRef<'c, 'a>) -> Option<Self> {
        if !r#loop.result_values().is_empty() {
            return None;
        }
        let body = r#loop.region_at(0).entry()?;
        let footprint = Footprint::of(r#loop);
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
        let store = *operations
            .iter()
            .find(|operation| operation.is("typed.store"))?;
        let element = &store.operand_values()[1..];
        let load = *operations.iter().find(|operation| {
            operation.is("typed.load") && operation.operand_values() == element
        })?;
        let value = store.operand_value(0).ty();
        let inside = |value: &Value<'c, 'a>| value.defining_block() == body;
        if value != load.result_value(0).ty()
            || !(value.is_f64() || value.is_f32())
            || element.iter().any(inside)
        {
            return None;
        }
        Some(Self {
            r#loop,
            initial: initial_store(r#loop, element)?,
            load,
            store,
        })
    }

    fn promote(&self, builder: &Builder<'c, 'a>) {
        builder.before(self.r#loop);
        let old = self.r#loop.region_at(0).entry().expect("a loop has a body");
        let init = self.initial.operand_value(0);
        let mut operands = self.r#loop.operand_values();
        operands.push(init);
        let carrying = builder.op_with("scf.for", &operands, &[init.ty()], &[], |operation| {
            operation.add_regions([Region::new()])
        });
        let arguments = [builder.index_type(), init.ty()];
        let block = builder.append_block(carrying.region_at(0), &arguments);
        let mut mapping: Mapping = vec![
            (old.argument_value(0), block.argument_value(0)),
            (self.load.result_value(0), block.argument_value(1)),
        ];
        for operation in old.operation_list() {
            if operation != self.load && operation != self.store && !operation.is_terminator() {
                copy(builder, operation, &mut mapping);
            }
        }
        let sum = mapped(&mapping, self.store.operand_value(0));
        builder.op("scf.yield", &[sum], &[], &[]);

        builder.after(carrying);
        let element = &self.store.operand_values()[1..];
        let operands = [&[carrying.result_value(0)], element].concat();
        let last = builder.clone_op(self.initial, &[]);
        last.set_operand_values(&operands);
        builder.erase_op(self.r#loop);
        builder.erase_op(self.initial);
    }
}

/// The store to an element before a loop, if no operation between the two accesses the array.
fn initial_store<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    element: &[Value<'c, 'a>],
) -> Option<OperationRef<'c, 'a>> {
    let operations = r#loop.parent_block()?.operation_list();
    let at = operations
        .iter()
        .position(|operation| *operation == r#loop)?;
    let mut between = Footprint::default();
    for operation in operations[..at].iter().rev() {
        if operation.is("typed.store") && operation.operand_values()[1..] == *element {
            return Some(*operation);
        }
        between.add(*operation);
        let mut touched = between.reads.iter().chain(&between.writes);
        if between.unknown
            || between.raises != Raises::Nothing
            || touched.any(|other| may_alias(*other, element[0]))
        {
            return None;
        }
    }
    None
}
