//! Remainders of indices that are hardly out of range, without a division.
//!
//! On a torus `cells[(y + dy) % height, (x + dx) % width]` divides twice for each neighbour, though
//! `y + dy` is in range or a step away from it: adding or subtracting the divisor once gives the
//! remainder. Whether it did is tested, and the division stays for where it didn't, so nothing has
//! to be proven of the operands. LLVM can't do this: to it both are any numbers.
//!
//! Where `y` counts to `height` itself, in `for y in range(height)`, it is proven. Let `n` be the
//! divisor and `p` the position of a loop with `n` as a bound, so `0 <= p <= n - 1`, and let the
//! dividend be `p + s` with `-k <= s <= k`, which doesn't wrap around: positions stay far below 2^63
//! (see [`crate::analysis::interval`]). If `n >= k` then `-n <= p + s <= 2n - 1`, and one addition
//! or subtraction gives a number in `0 .. n`, the remainder. `n >= 1` needs no test, since the loop
//! runs; `n >= k` is the same in all iterations.

use crate::{
    analysis::{
        affine::{Sum, is_word},
        element_access::ElementAccess,
        interval::{Interval, Intervals},
    },
    infra::{
        Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, REMARKS,
        StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, marks, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike, r#type::IntegerType};
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// The `typed-reduce-remainders` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A remainder that is an index of an element, of the sum of a place (the position of \
        a loop, an item of a range, what a loop carries, was loaded or was a float) and small steps \
        or the divisor itself, becomes that sum plus or minus the divisor where this is in range, \
        and is computed by division only elsewhere: nowhere, where the place is the position of a loop \
        that is bounded by the divisor, and steps are at most 1. Divisors known when compiling have better forms, \
        and products and shifts are anywhere: they stay.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "reduced",
        "remainders that are seldom divided for",
    )],
    ..PassSpec::new(
        "typed-reduce-remainders",
        "compute remainders of indices without divisions",
        run,
    )
};

/// The largest step away from a place.
const STEP: i128 = 64;
/// How many steps to follow.
const STEPS: usize = 4;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let mut intervals = Intervals::default();
    // All are found first: the analysis keeps what it knows of values, so none may change.
    let mut found = Vec::new();
    for binary in function.nested_ops::<typed::Binary>() {
        if is_near_range(binary, &mut intervals) {
            found.push((binary, distance(binary, &mut intervals)));
        }
    }
    let mut proven = Vec::new();
    for (remainder, distance) in found {
        let location = remainder.location();
        match distance {
            Some(distance) => proven.extend(reduce_near(&builder, remainder, distance)),
            None => reduce_any(&builder, remainder),
        }
        let message = "the remainder takes no division where one addition is enough";
        cx.transformed("reduced", location, message);
    }
    remove_wraparound(&proven);
    Ok(())
}

/// Says of accesses by remainders that are in range that no index of theirs is negative, where that holds
/// for the others too.
fn remove_wraparound<'c: 'a, 'a>(remainders: &[Value<'c, 'a>]) {
    let mut intervals = Intervals::default();
    let users = remainders.iter().flat_map(|remainder| remainder.users());
    for access in users.filter_map(ElementAccess::of) {
        let mut is_natural = |index: &Value<'c, 'a>| {
            remainders.contains(index) || intervals.of_index(*index).is_index()
        };
        if access.wraparound() && access.indices().iter().all(&mut is_natural) {
            access.set_wraparound(false);
        }
    }
}

/// Whether an operation is a remainder that is probably in range but for one addition of the divisor.
fn is_near_range<'c: 'a, 'a>(remainder: typed::Binary<'c, 'a>, intervals: &mut Intervals) -> bool {
    let r#type = IntegerType::try_from(remainder.result().ty());
    remainder.kind() == BinaryKind::Mod
        && r#type.is_ok_and(|integer| integer.is_signed() && integer.width() == 64)
        && is_element_index(remainder.result())
        && intervals.of(remainder.rhs()).constant().is_none()
        && is_near_place(remainder, intervals)
}

/// Whether a value is an index of an element that is loaded or stored.
fn is_element_index<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    value
        .uses()
        .into_iter()
        .filter_map(|one| ElementAccess::of(one.user))
        .any(|access| access.indices().contains(&value))
}

/// Whether the dividend is a place and at least one step.
fn is_near_place<'c: 'a, 'a>(remainder: typed::Binary<'c, 'a>, intervals: &mut Intervals) -> bool {
    let divisor = remainder.rhs();
    let mut is_step = |value: Value<'c, 'a>| {
        let interval = intervals.of(value);
        value == divisor || (interval.low >= -STEP && interval.high <= STEP)
    };
    let mut place = remainder.lhs();
    for steps in 0..=STEPS {
        let sum = typed::Binary::defining(place);
        let without_step = sum.and_then(|sum| match sum.kind() {
            BinaryKind::Add if is_step(sum.rhs()) => Some(sum.lhs()),
            BinaryKind::Add if is_step(sum.lhs()) => Some(sum.rhs()),
            BinaryKind::Sub if is_step(sum.rhs()) => Some(sum.lhs()),
            _ => None,
        });
        match without_step {
            Some(rest) => place = rest,
            None => return steps > 0 && is_place(place, divisor),
        }
    }
    false
}

/// Whether a value is likely to be in the range of the divisor.
fn is_place<'c: 'a, 'a>(value: Value<'c, 'a>, divisor: Value<'c, 'a>) -> bool {
    let Some(operation) = value.defining_op() else {
        return is_word(value);
    };
    match typed::Op::of(operation) {
        Some(typed::Op::Cast(_) | typed::Op::Load(_)) => true,
        Some(typed::Op::Binary(binary)) => {
            binary.flag_attr(marks::ASCENDING)
                || (binary.kind() == BinaryKind::Mod && binary.rhs() == divisor)
        }
        _ => false,
    }
}

/// How far the dividend is from the position of a loop that is bounded by the divisor, if it is near
/// one.
fn distance<'c: 'a, 'a>(
    remainder: typed::Binary<'c, 'a>,
    intervals: &mut Intervals,
) -> Option<Interval> {
    let steps = Sum::of(remainder.lhs()).beyond_position_below(remainder.rhs())?;
    let distance = intervals.of_form(&steps)?;
    (distance.low >= -STEP && distance.high <= STEP).then_some(distance)
}

/// Emits the remainder of a dividend that is near a position below the divisor: without a division, which
/// is returned, or with one for divisors that are less than the distance.
fn reduce_near<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    remainder: typed::Binary<'c, 'a>,
    distance: Interval,
) -> Option<Value<'c, 'a>> {
    builder.before(*remainder);
    let near = corrected(builder, remainder, distance.low < 0, distance.high > 0);
    let least = i64::try_from(distance.high.max(-distance.low)).expect("steps are small");
    if least <= 1 {
        builder.replace_op(*remainder, &[near]);
        return Some(near);
    }
    let least = builder.cast(builder.index(least), near.ty());
    let divisor = remainder.rhs();
    let is_enough = typed::Compare::create(builder, CompareKind::Ge, divisor, least).result();
    divide_unless(builder, remainder, is_enough, near);
    None
}

/// Emits the remainder as the dividend plus or minus the divisor, and the division for where that
/// isn't it.
fn reduce_any<'c: 'a, 'a>(builder: &Builder<'c, 'a>, remainder: typed::Binary<'c, 'a>) {
    let divisor = remainder.rhs();
    builder.before(*remainder);
    let compare = |kind, x, y| typed::Compare::create(builder, kind, x, y).result();
    // Neither sum overflows where the divisor is positive. Where it isn't nothing is in the range
    // that is tested behind.
    let near = corrected(builder, remainder, true, true);
    let zero = builder.cast(builder.index(0), near.ty());
    let is_natural = compare(CompareKind::Ge, near, zero);
    let is_in_range = builder.and(is_natural, compare(CompareKind::Lt, near, divisor));
    divide_unless(builder, remainder, is_in_range, near);
}

/// Emits the dividend, plus the divisor where it is negative (if it may be), and minus the divisor where
/// that is as large (if it may be).
fn corrected<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    remainder: typed::Binary<'c, 'a>,
    may_be_below: bool,
    may_be_above: bool,
) -> Value<'c, 'a> {
    let (dividend, divisor) = (remainder.lhs(), remainder.rhs());
    let compare = |kind, x, y| typed::Compare::create(builder, kind, x, y).result();
    let mut near = dividend;
    if may_be_below {
        let zero = builder.cast(builder.index(0), dividend.ty());
        let raised = builder.binary(BinaryKind::Add, dividend, divisor);
        near = builder.select(compare(CompareKind::Lt, dividend, zero), raised, dividend);
    }
    if may_be_above {
        let lowered = builder.binary(BinaryKind::Sub, near, divisor);
        near = builder.select(compare(CompareKind::Ge, near, divisor), lowered, near);
    }
    near
}

/// Replaces the remainder by another value where that is said to be it, and by a division elsewhere.
fn divide_unless<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    remainder: typed::Binary<'c, 'a>,
    is_known: Value<'c, 'a>,
    known: Value<'c, 'a>,
) {
    let (branch, yes, no) = builder.scf_if(is_known, &[known.ty()]);
    builder.at_end(yes);
    builder.scf_yield(&[known]);
    builder.at_end(no);
    let division = builder.clone_op(*remainder, &[]);
    builder.scf_yield(&division.result_values());
    builder.after(branch);
    builder.replace_op(*remainder, &branch.result_values());
}
