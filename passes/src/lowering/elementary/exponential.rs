//! exp and what is made of it: exp2, expm1, sinh, cosh, tanh.
//!
//! x = n ln2 + r with |r| <= ln2 / 2, and q = exp(r) - 1 is r + r^2/2 in two parts and the rest of the
//! Taylor polynomial of degree 13, whose own rest is below a twentieth of an ulp.

use super::{
    double::Double,
    number::{Float, Int},
};

pub(super) const LOG2_E: f64 = std::f64::consts::LOG2_E;
pub(super) const LN2: f64 = std::f64::consts::LN_2;
pub(super) const LN2_LOW: f64 = 2.3190468138462996e-17;

/// 1/3!, 1/4!, …
pub(super) const TAYLOR: [f64; 11] = [
    0.16666666666666666,
    0.041666666666666664,
    0.008333333333333333,
    0.001388888888888889,
    0.0001984126984126984,
    2.48015873015873e-5,
    2.7557319223985893e-6,
    2.755731922398589e-7,
    2.505210838544172e-8,
    2.08767569878681e-9,
    1.6059043836821613e-10,
];

/// The largest argument whose hyperbolic sine and cosine are finite.
const HYPERBOLIC_END: f64 = 710.4758600739439;
/// Where adding 1 no longer changes anything, with room to spare.
const LARGE: f64 = (1u64 << 60) as f64;
/// Below it sinh(x), expm1(x), … are x.
pub(super) const TINY: f64 = 1.0 / (1u64 << 54) as f64;

/// n and r of the reduction.
fn reduce<'m>(x: Double<'m>) -> (Int<'m>, Double<'m>) {
    let shifted = x.hi.shifted(LOG2_E);
    let n = shifted.shifted_float();
    // Without error: both are multiples of 2^-54, and the difference has 53 bits.
    let r = n.fma(n.number(-LN2), x.hi);
    let low = x.hi.unless_single(|| n.fma(n.number(-LN2_LOW), x.lo));
    (shifted.shifted_int(), Double::sum(r, low))
}

/// exp(r) - 1 of a reduced argument.
fn small_expm1<'m>(r: Double<'m>) -> Double<'m> {
    let x = r.hi;
    let square = Double::product(x, x);
    let terms = if x.single() { 6 } else { TAYLOR.len() };
    let cubic = (square.hi * x) * x.polynomial(&TAYLOR[..terms]);
    let sum = Double::ordered_sum(x, 0.5 * square.hi);
    let low = x.fma(r.lo, square.lo * 0.5) + (r.lo + cubic);
    Double::ordered_sum(sum.hi, sum.lo + low)
}

/// (1 + q) 2^n, with 2^n in two halves, so that subnormal results are rounded once and large ones
/// overflow.
fn scale<'m>(q: Double<'m>, n: Int<'m>) -> Float<'m> {
    let y = 1.0 + q.rounded();
    let half = ((n + 2048) >> 1) - 1024;
    y * half.power_of_two() * (n - half).power_of_two()
}

/// exp of an argument between -750 and 710.
pub(super) fn exp_within<'m>(x: Double<'m>) -> Float<'m> {
    let (n, r) = reduce(x);
    scale(small_expm1(r), n)
}

/// A quarter of exp(x) - 1, which is finite a little longer.
fn quarter_expm1<'m>(x: Double<'m>) -> Double<'m> {
    let (n, r) = reduce(x);
    let q = small_expm1(r);
    let power = (n - 2).power_of_two();
    let whole = Double::sum(power, power.number(-0.25));
    let sum = Double::sum(whole.hi, power * q.hi);
    Double::ordered_sum(sum.hi, sum.lo + (whole.lo + power * q.lo))
}

pub(super) fn exp(x: Float) -> Float {
    exp_within(x.clamp(-750.0, 710.0).into())
}

pub(super) fn exp2(x: Float) -> Float {
    let x = x.clamp(-1080.0, 1025.0);
    let shifted = x.shifted(1.0);
    let rest = x - shifted.shifted_float();
    let r = Double::product(rest, rest.number(LN2));
    let low = rest.unless_single(|| rest.fma(rest.number(LN2_LOW), r.lo));
    scale(small_expm1(Double::new(r.hi, low)), shifted.shifted_int())
}

pub(super) fn expm1(x: Float) -> Float {
    let quarter = quarter_expm1(x.clamp(-40.0, 710.0).into());
    odd(x, 4.0 * quarter.rounded())
}

/// The value of an odd function that is x near 0, with the sign of zero.
fn odd<'m>(x: Float<'m>, value: Float<'m>) -> Float<'m> {
    x.abs().is_less(TINY).select(x, value).copysign(x)
}

/// e / (e + 2) with e = exp(2 |x|) - 1.
pub(super) fn tanh(x: Float) -> Float {
    let quarter = quarter_expm1((2.0 * x.abs().clamp(0.0, 20.0)).into());
    let ratio = quarter.over(quarter.plus_number(0.5));
    odd(x, ratio.rounded())
}

/// A quarter of exp(|x|) - 1, and the same where four of it are finite.
fn hyperbolic<'m>(x: Float<'m>) -> (Double<'m>, Double<'m>) {
    let quarter = quarter_expm1(x.clamp(0.0, HYPERBOLIC_END).into());
    let bound = Double::from(x.number(LARGE));
    let bounded = Double::select(quarter.hi.is_less(LARGE), quarter, bound);
    (quarter, bounded)
}

/// Twice a value, and infinity beyond the end of the hyperbolic functions.
fn doubled<'m>(x: Float<'m>, value: Double<'m>) -> Float<'m> {
    x.is_greater(HYPERBOLIC_END)
        .select(x.number(f64::INFINITY), 2.0 * value.rounded())
}

/// (e + e / (e + 1)) / 2 with e = exp(|x|) - 1.
pub(super) fn sinh(x: Float) -> Float {
    let magnitude = x.abs();
    let (quarter, bounded) = hyperbolic(magnitude);
    let divisor = bounded.twice().twice().plus_number(1.0);
    odd(x, doubled(magnitude, quarter.plus(bounded.over(divisor))))
}

/// (e + 1 / e) / 2 with e = exp(|x|).
pub(super) fn cosh(x: Float) -> Float {
    let magnitude = x.abs();
    let (quarter, bounded) = hyperbolic(magnitude);
    let sixteenth = Double::from(x.number(1.0 / 16.0));
    let inverse = sixteenth.over(bounded.plus_number(0.25));
    doubled(magnitude, quarter.plus_number(0.25).plus(inverse))
}
