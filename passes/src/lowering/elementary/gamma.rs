//! The gamma function, its logarithm, and erfc, for devices.
//!
//! Below 10 gamma(x) is gamma(x + n) over a product of n factors; from 10 on its logarithm is Stirling's series,
//! in twice the precision. Of negative numbers it is that of positive ones by the reflection formula.

use super::{
    double::Double,
    exponential::exp_within,
    logarithm::exact_log_of_sum,
    number::{Bool, Float},
    trigonometric::sin_of_turn,
};
use std::f64::consts::PI;

const PI_LOW: f64 = 1.2246467991473532e-16;
const LOG_PI: f64 = 1.1447298858494002;
const LOG_PI_LOW: f64 = 1.0265951162707826e-17;
/// log(2 pi) / 2.
const HALF_LOG: f64 = 0.9189385332046728;
const HALF_LOG_LOW: f64 = -3.8782941580672414e-17;

/// Stirling's series in 1/z^2, times z.
const STIRLING: [f64; 8] = [
    0.08333333333333333,
    -0.002777777777777778,
    0.0007936507936507937,
    -0.0005952380952380953,
    0.0008417508417508417,
    -0.0019175269175269176,
    0.00641025641025641,
    -0.029550653594771242,
];

/// From there on Stirling's series is exact enough.
const FROM: i32 = 10;

/// log(gamma(2 + e)) / e for e from -1/2 to 1/2, by Chebyshev interpolation.
const NEAR_TWO: [f64; 20] = [
    0.42278433509846713,
    0.3224670334241132,
    -0.06735230105319814,
    0.02058080842778457,
    -0.0073855510286681535,
    0.002890510330738737,
    -0.0011927539120010226,
    0.0005096695248853096,
    -0.00022315475074520367,
    9.945750909889392e-05,
    -4.4926351103833334e-05,
    2.050726741605779e-05,
    -9.438458716242811e-06,
    4.374374916915131e-06,
    -2.0449201467015115e-06,
    9.578663334114758e-07,
    -4.303558760359961e-07,
    2.0304806751615227e-07,
    -1.3412819758517287e-07,
    6.379047507619774e-08,
];

/// What the first of these is short of.
const NEAR_TWO_LOW: f64 = 4.998234382459033e-18;

/// erfc(x) exp(x^2) (x + 2) from 1/2 to 28 in (a x + b) / (x + 2), by Chebyshev interpolation.
const COMPLEMENT: [f64; 24] = [
    0.9348367830974967,
    -0.4508323221613096,
    0.14131085465077578,
    -0.01838831060015298,
    -0.004757657174788499,
    0.0018141726135034978,
    0.0003104394951610741,
    -0.00016866296353825621,
    -4.158243164889108e-05,
    1.5055212076722027e-05,
    7.123051314444052e-06,
    -7.245330167328084e-07,
    -1.123557704774866e-06,
    -1.5993636328352475e-07,
    1.266335834782774e-07,
    6.163876852369522e-08,
    -1.2792995668650945e-09,
    -1.0878994187283624e-08,
    -3.5679677445538194e-09,
    7.289778040420057e-10,
    8.736160693090981e-10,
    1.3061361352972782e-10,
    -8.616662863179697e-11,
    -2.850831374446608e-11,
];
const COMPLEMENT_A: f64 = 1.1818181818181819;
const COMPLEMENT_B: f64 = -3.090909090909091;

/// What gamma(x) of a positive number is made of: the logarithm of gamma(x + n), and the product.
fn parts<'m>(x: Float<'m>) -> (Double<'m>, Double<'m>) {
    let one = Double::from(x.number(1.0));
    let (mut product, mut shifted) = (one, Double::from(x));
    for step in 0..FROM {
        let applies = x.is_less(f64::from(FROM - step));
        let factor = Double::exact_sum(x, x.number(f64::from(step)));
        product = Double::select(applies, product.times(factor), product);
        let next = Double::exact_sum(x, x.number(f64::from(step + 1)));
        shifted = Double::select(applies, next, shifted);
    }
    (stirling(shifted), product)
}

/// log(gamma(z)) from [`FROM`] on.
fn stirling<'m>(z: Double<'m>) -> Double<'m> {
    let inverse = 1.0 / z.hi;
    let series = inverse * (inverse * inverse).polynomial(&STIRLING);
    let log = exact_log_of_sum(z);
    let constant = Double::number(z.hi, HALF_LOG, HALF_LOG_LOW);
    let main = log.times(z.plus_number(-0.5));
    main.plus(Double::new(-z.hi, -z.lo))
        .plus(constant.plus(series))
}

/// Whether a number is a negative integer or zero, its distance to the next integer, and whether that is odd.
fn distance<'m>(x: Float<'m>) -> (Bool<'m>, Float<'m>, Bool<'m>) {
    let bounded = x.clamp(-1125899906842624.0, 1125899906842624.0); // 2^50
    let shifted = bounded.shifted(1.0);
    let rest = bounded - shifted.shifted_float();
    let is_pole = x.round().equals(x) & !x.is_greater(0.0);
    (is_pole, rest, shifted.shifted_int().is_odd())
}

pub(super) fn tgamma(x: Float) -> Float {
    let magnitude = x.abs();
    let is_negative = x.is_less(0.0);
    let (log, product) = parts(magnitude.clamp(0.0, 200.0));
    let positive = exp_within(Double::new(log.hi.clamp(-750.0, 710.0), log.lo)) / product.rounded();

    // pi product / (|x| |sin(pi x)| gamma(|x| + n)), which is subnormal for large |x| before it is divided.
    let (is_pole, rest, is_odd) = distance(x);
    let turn = sin_of_turn(rest.abs());
    let is_far = magnitude.is_greater(150.0);
    let zero = x.number(0.0);
    let lifted = is_far.select(x.number(200.0), zero);
    let exponent = lifted - log.hi;
    let low = (lifted - exponent) - log.hi - log.lo;
    let power = exp_within(Double::new(
        exponent.clamp(-750.0, 710.0),
        x.unless_single(|| low),
    ));
    let near = is_pole.select(
        x.number(1.0),
        magnitude.clamp(f64::MIN_POSITIVE, f64::INFINITY),
    );
    let divisor = Double::from(near).times(turn);
    let one = Double::from(x.number(1.0));
    let divisor = Double::select(is_pole, one, divisor);
    let factor = Double::number(x, PI, PI_LOW)
        .times(product)
        .over(divisor)
        .rounded();
    let value = power * factor * is_far.select(x.number(1.3838965267367376e-87), x.number(1.0));
    let value = magnitude.is_greater(200.0).select(zero, value);
    // The sign of sin(pi x), which alternates.
    let is_minus = rest.is_less(0.0) ^ is_odd;
    let negative = is_minus.select(-value, value);

    let value = is_negative.select(negative, positive);
    let value = (!is_negative & magnitude.is_greater(180.0)).select(x.number(f64::INFINITY), value);
    // 1/x to the last digit, where squares would be subnormal.
    let value = magnitude.is_less(1e-100).select(1.0 / x, value);
    let value = (is_pole & !x.is(0.0)).select(x.number(f64::NAN), value);
    let value = x.is_nan().select(x, value);
    x.is(f64::NEG_INFINITY).select(x.number(f64::NAN), value)
}

/// log(gamma(x)) of a positive number.
fn log_of_positive<'m>(x: Float<'m>) -> Double<'m> {
    let (log, product) = parts(x);
    let general = log.minus(exact_log_of_sum(product));

    // Near its zeros 1 and 2, where the difference above would lose digits.
    let is_low = x.is_less(1.5);
    let near = x.clamp(0.5, 2.5);
    let e = is_low.select(near - 1.0, near - 2.0);
    let argument = e.polynomial(&NEAR_TWO[1..]);
    let first = Double::number(x, NEAR_TWO[0], NEAR_TWO_LOW).times(e.into());
    let of_two = first.plus(e * e * argument);
    let zero = x.number(0.0);
    let less = Double::select(is_low, exact_log_of_sum(near.into()), zero.into());
    let is_near = !x.is_less(0.5) & x.is_less(2.5);
    Double::select(is_near, of_two.minus(less), general)
}

pub(super) fn lgamma(x: Float) -> Float {
    let magnitude = x.abs();
    let is_negative = x.is_less(0.0);
    let (is_pole, rest, _) = distance(x);
    // Of small numbers it is -log(|x|), to the last digit.
    let is_tiny = magnitude.is_less(1e-100);
    let bounded = is_tiny.select(x.number(1.0), magnitude.clamp(0.0, 1e305));
    let positive = log_of_positive(bounded);
    let turn = sin_of_turn(rest.abs());
    let one = Double::from(x.number(1.0));
    let product = Double::from(bounded).times(turn);
    let product = Double::select(is_pole, one, product);
    let reflected = Double::number(x, LOG_PI, LOG_PI_LOW)
        .minus(exact_log_of_sum(product))
        .minus(positive);
    let value = Double::select(is_negative, reflected, positive).rounded();
    let value = is_tiny.select(-exact_log_of_sum(magnitude.into()).rounded(), value);
    // Beyond 1e305 the product of the bound grows as that of x does.
    let is_far = magnitude.is_greater(1e305) & !is_negative;
    let far = (magnitude * (1.0 / 1024.0)) * (exact_log_of_sum(magnitude.into()).hi - 1.0) * 1024.0;
    let value = is_far.select(far, value);
    let is_end = is_pole | magnitude.is(f64::INFINITY);
    let value = is_end.select(x.number(f64::INFINITY), value);
    x.is_nan().select(x, value)
}

/// 1 - erf(x) below 1/2.
pub(super) fn erfc(x: Float) -> Float {
    let near = 1.0 - super::other::erf(x);
    let distant = x.clamp(0.5, 27.5);
    let divisor = Double::sum(distant, x.number(2.0));
    let argument = distant.fma_by(COMPLEMENT_A, COMPLEMENT_B) / divisor.hi;
    let rest = Double::product(argument, argument.polynomial(&COMPLEMENT[1..]));
    let factor = rest.plus_number(COMPLEMENT[0]).over(divisor);
    let square = Double::product(distant, distant);
    let power = exp_within(Double::new((-square.hi).clamp(-750.0, 0.0), -square.lo));
    let far = power.fma(factor.hi, power * factor.lo);
    let value = x.is_less(0.5).select(near, far);
    let value = x.is_greater(27.5).select(x.number(0.0), value);
    x.is_nan().select(x, value)
}
