//! Divisions of integers that are never negative, without what rounding down costs.
//!
//! Python's `//` rounds towards minus infinity and `%` has the divisor's sign, which takes a correction after the
//! machine's division, or more work still where the divisor is known. LLVM drops it where it sees that both
//! sides aren't negative, but knows nothing of what loops carry, as in `a, b = b, (a + b) % 1_000_000_007`.
//!
//! **Soundness.** Of numbers that aren't negative both divisions give the same, also by 0, which gives 0. The
//! intervals rest on no assumption of how long loops run, since LLVM may compute what a loop ends with.

use crate::{
    analysis::{affine::constant_of, interval::Intervals},
    infra::{
        Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, typed},
    },
};
use melior::ir::{OperationRef, operation::OperationLike, r#type::IntegerType};
use pyopt_dialects::enums::BinaryKind;

/// The `typed-unsigned-divisions` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Floor divisions and remainders of signed integers that intervals show not to be negative are done \
        on unsigned ones. Divisors that are powers of 2 have better forms, and stay.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "unsigned",
        "divisions of integers that aren't negative",
    )],
    ..PassSpec::new(
        "typed-unsigned-divisions",
        "divide integers that aren't negative as unsigned ones",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let mut intervals = Intervals::without_counting();
    let mut divisions = function.nested_ops::<typed::Binary>();
    // All are found first: the analysis keeps what it knows of values, so none may change.
    divisions.retain(|division| is_natural(*division, &mut intervals));
    let builder = Builder::new(cx.context(), function);
    for division in divisions {
        let location = division.location();
        divide_unsigned(&builder, division);
        let message = "neither side is negative: an unsigned division";
        cx.transformed("unsigned", location, message);
    }
    Ok(())
}

/// Whether an operation divides signed integers that aren't negative, by what isn't a power of 2.
fn is_natural<'c: 'a, 'a>(division: typed::Binary<'c, 'a>, intervals: &mut Intervals) -> bool {
    let is_division = matches!(division.kind(), BinaryKind::FloorDiv | BinaryKind::Mod);
    let integer = IntegerType::try_from(division.result().ty());
    let is_power = |divisor| u128::try_from(divisor).is_ok_and(u128::is_power_of_two);
    is_division
        && integer.is_ok_and(|integer| integer.is_signed())
        && !constant_of(division.rhs()).is_some_and(is_power)
        && intervals.of(division.rhs()).low >= 0
        && intervals.of(division.lhs()).low >= 0
}

fn divide_unsigned<'c: 'a, 'a>(builder: &Builder<'c, 'a>, division: typed::Binary<'c, 'a>) {
    builder.before(*division);
    let signed = division.result().ty();
    let width = IntegerType::try_from(signed).map_or(64, |integer| integer.width());
    let unsigned = IntegerType::unsigned(builder.context(), width).into();
    let [lhs, rhs] = [division.lhs(), division.rhs()].map(|side| builder.cast(side, unsigned));
    let divided = builder.binary(division.kind(), lhs, rhs);
    builder.replace_op(*division, &[builder.cast(divided, signed)]);
}
