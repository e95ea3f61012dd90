//! What the body of a parallel loop gets from around it, and what it computes again.
//!
//! As arguments of a function values are opaque: that one is the size of an array, or half of another
//! one, and that it isn't negative, is lost, and with it the checks that are decided by it. So what the
//! body can compute from the rest of what it gets, it does, once a part; and what is known of the
//! others is written down as a `max` and a `min` with constants, which change nothing.
//!
//! **Soundness.** What is computed again is pure and reads no elements, so it gives the same wherever it
//! stands. The bounds of a part are within the loop's: `parfor.launch` promises that.

use crate::{
    analysis::{
        affine::is_word,
        interval::{Interval, Intervals},
        nest::{Nest, is_constant},
    },
    infra::{
        Builder, OperationExt, OperationInterfaces, ValueExt,
        copies::{Mapping, copy},
        emit::{Emit, mapped},
        ops::arith,
    },
};
use melior::ir::{OperationRef, TypeLike, Value, operation::OperationLike, r#type::IntegerType};
use pyopt_dialects::{enums::BinaryKind, typed::array_type};

/// How many operations are followed from a value.
const DEPTH: usize = 8;

/// What a body gets and computes.
pub(super) struct Environment<'c, 'a> {
    /// What is passed.
    pub(super) captured: Vec<Value<'c, 'a>>,
    /// The intervals of those that are numbers of which something is known.
    intervals: Vec<Option<Interval>>,
    /// What is computed again.
    derived: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Environment<'c, 'a> {
    /// Divides the live-ins of a body.
    pub(super) fn of(nest: &Nest<'c, 'a>) -> Self {
        let live = nest.live_ins();
        let (derived, captured): (Vec<_>, Vec<_>) = live
            .iter()
            .partition(|value| is_derived(**value, &live, DEPTH));
        let mut intervals = Intervals::default();
        let known = |value: &Value<'c, 'a>| is_word(*value).then(|| intervals.of(*value));
        Self {
            intervals: captured.iter().map(known).collect(),
            captured,
            derived,
        }
    }

    /// Emits what is computed in the body, and returns what stands for values from around it.
    pub(super) fn make(
        &self,
        builder: &Builder<'c, 'a>,
        parameters: &[Value<'c, 'a>],
    ) -> Mapping<'c, 'a> {
        let mut mapping = Mapping::new();
        let captured = self.captured.iter().zip(parameters);
        for ((value, parameter), interval) in captured.zip(&self.intervals) {
            let known = match interval {
                Some(interval) => clamped(builder, *parameter, *interval),
                None => *parameter,
            };
            mapping.push((*value, known));
        }
        for value in &self.derived {
            make_again(builder, *value, &mut mapping);
        }
        mapping
    }
}

/// Whether a value takes a few operations on integers to compute from the live-ins.
fn is_derived<'c: 'a, 'a>(value: Value<'c, 'a>, live: &[Value<'c, 'a>], depth: usize) -> bool {
    if is_constant(value) {
        return true;
    }
    let Some(operation) = value
        .defining_op()
        .filter(|_| depth > 0 && is_number(value))
    else {
        return false;
    };
    let is_known = |operand: Value<'c, 'a>| {
        let is_input = is_number(operand) || array_type(operand.ty()).is_some();
        is_input && (live.contains(&operand) || is_derived(operand, live, depth - 1))
    };
    is_cheap(operation) && operation.operand_values().into_iter().all(is_known)
}

/// Whether an operation is as good as a constant where it is computed once a part.
fn is_cheap(operation: OperationRef) -> bool {
    operation.is_pure()
        && operation.region_list().is_empty()
        && operation.result_count() == 1
        && operation.cost().is_some()
}

fn is_number(value: Value) -> bool {
    value.ty().is_index() || IntegerType::try_from(value.ty()).is_ok()
}

/// Computes a value in the body, after what it is computed from.
fn make_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    mapping: &mut Mapping<'c, 'a>,
) {
    if mapping.iter().any(|(known, _)| *known == value) {
        return;
    }
    let operation = value
        .defining_op()
        .expect("only results are computed again");
    for operand in operation.operand_values() {
        make_again(builder, operand, mapping);
    }
    copy(builder, operation, mapping);
}

/// A number of which it is written down that it is in an interval.
fn clamped<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    interval: Interval,
) -> Value<'c, 'a> {
    let mut known = number;
    for (kind, end, of_type) in [
        (BinaryKind::Max, interval.low, i64::MIN),
        (BinaryKind::Min, interval.high, i64::MAX),
    ] {
        let Some(end) = i64::try_from(end).ok().filter(|end| *end != of_type) else {
            continue;
        };
        let end = builder.index(end);
        known = match (number.ty().is_index(), kind) {
            (true, BinaryKind::Max) => builder.bin(arith::MaxSI::NAME, known, end),
            (true, _) => builder.bin(arith::MinSI::NAME, known, end),
            (false, _) => builder.binary(kind, known, builder.cast(end, number.ty())),
        };
    }
    known
}

/// The bounds of a part, of which it is written down that they are in the loop's.
pub(super) fn within<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    mapping: &Mapping<'c, 'a>,
    lower: &[Value<'c, 'a>],
    upper: &[Value<'c, 'a>],
) -> (Vec<Value<'c, 'a>>, Vec<Value<'c, 'a>>) {
    let live: Vec<_> = mapping.iter().map(|(value, _)| *value).collect();
    let mut mapping = mapping.clone();
    let zero = builder.index(0);
    let from_zero = |lower: &Value<'c, 'a>| builder.bin(arith::MaxSI::NAME, *lower, zero);
    let lower = lower.iter().map(from_zero).collect();
    let mut uppers = Vec::new();
    for (upper, extent) in upper.iter().zip(&nest.extents) {
        if !live.contains(extent) && !is_derived(*extent, &live, DEPTH) {
            uppers.push(*upper);
            continue;
        }
        make_again(builder, *extent, &mut mapping);
        let extent = mapped(&mapping, *extent);
        uppers.push(builder.bin(arith::MinSI::NAME, *upper, extent));
    }
    (lower, uppers)
}
