//! log, log2, log10, log1p, and pow.
//!
//! x = 2^k m with m between sqrt(1/2) and sqrt(2), f = m - 1, s = f / (2 + f) in two parts;
//! log m = 2 s + s R(s^2) with the minimax polynomial R of FreeBSD's msun e_log.c. pow needs more digits
//! and takes the Taylor series, its first term in two parts.

use super::{
    double::Double,
    exponential::{TINY, exp_within},
    number::Float,
};

const MINIMAX: [f64; 7] = [
    0.6666666666666735,
    0.3999999999940942,
    0.2857142874366239,
    0.22222198432149784,
    0.1818357216161805,
    0.15313837699209373,
    0.14798198605116586,
];

/// 2/5, 2/7, …
const TAYLOR: [f64; 11] = [
    0.4,
    2.0 / 7.0,
    2.0 / 9.0,
    2.0 / 11.0,
    2.0 / 13.0,
    2.0 / 15.0,
    2.0 / 17.0,
    2.0 / 19.0,
    2.0 / 21.0,
    2.0 / 23.0,
    2.0 / 25.0,
];

/// ln 2: a multiple of 2^-33, so that products with k are exact, and the rest.
const LN2: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

const SMALLEST_NORMAL: f64 = f64::MIN_POSITIVE;

/// k and m.
pub(super) struct Split<'m> {
    pub(super) k: Float<'m>,
    pub(super) m: Double<'m>,
}

pub(super) fn split<'m>(x: Double<'m>) -> Split<'m> {
    // Subnormal numbers are scaled into the normal ones.
    let subnormal = x.hi.is_less(SMALLEST_NORMAL);
    let scaled = subnormal.select(x.hi * 18014398509481984.0, x.hi);
    let shift = subnormal.select(x.hi.number(-54.0), x.hi.number(0.0));

    let bits = scaled.bits();
    let biased = (bits + FROM_ROOT) >> 52; // k + 1024
    let exponent = (biased << 52) - (1024 << 52);
    // 2^52 + k + 1024: the integer in the low bits of a float.
    let k = (biased | 0x4330_0000_0000_0000).float() - 4503599627371520.0;
    // The low part belongs to numbers from 2^-53 on; of large ones it is lost anyway.
    let low = match x.lo.is_something() {
        true => {
            let unit = ((exponent ^ -1) + (0x3ff0_0000_0000_0000 + 1)).float();
            let zero = x.hi.number(0.0);
            x.hi.is_less(LARGE).select(x.lo * unit, zero)
        }
        false => x.lo,
    };
    Split {
        k: k + shift,
        m: Double::new((bits - exponent).float(), low),
    }
}

/// (1024 << 52) - the bits of sqrt(1/2).
const FROM_ROOT: i64 = 7141747209585715;
const LARGE: f64 = (1u64 << 60) as f64;

/// s of the series.
fn series_argument<'m>(m: Double<'m>) -> Double<'m> {
    let f = Double::sum(m.hi - 1.0, m.lo);
    let divisor = Double::ordered_sum(f.hi.number(2.0), f.hi);
    f.over(Double::new(divisor.hi, divisor.lo + f.lo))
}

/// log m to 58 bits.
fn log_of_mantissa<'m>(m: Double<'m>) -> Double<'m> {
    let s = series_argument(m);
    let square = s.hi * s.hi;
    let terms = if s.hi.single() { 4 } else { MINIMAX.len() };
    let rest = square.polynomial(&MINIMAX[..terms]);
    Double::ordered_sum(2.0 * s.hi, (s.hi * square).fma(rest, s.lo * 2.0))
}

/// log m to 64 bits.
fn exact_log_of_mantissa<'m>(m: Double<'m>) -> Double<'m> {
    let s = series_argument(m);
    let square = s.times(s);
    let rest = square.hi.polynomial(&TAYLOR);
    let two_thirds = Double::number(s.hi, 0.6666666666666666, 3.700743415417188e-17);
    let factor = two_thirds.plus(square.hi * rest);
    s.twice().plus(s.times(square).times(factor))
}

/// k ln2 + log m.
fn with_exponent<'m>(k: Float<'m>, log: Double<'m>) -> Double<'m> {
    let sum = Double::sum(k * LN2, log.hi);
    let low = k.fma(k.number(LN2_LOW), log.lo);
    Double::ordered_sum(sum.hi, sum.lo + low)
}

/// The values outside of the positive numbers.
pub(super) fn at_edges<'m>(x: Float<'m>, value: Float<'m>) -> Float<'m> {
    let value = x.is(0.0).select(x.number(f64::NEG_INFINITY), value);
    let value = x.is_less(0.0).select(x.number(f64::NAN), value);
    x.is_less(f64::INFINITY).select(value, x)
}

/// k ln2 + log m without double-double arithmetic, as in msun: log m is f - f^2/2 + s (f^2/2 + R), of
/// which f alone is large, and without error.
pub(super) fn with_series<'m>(k: Float<'m>, m: Float<'m>) -> Float<'m> {
    let f = m - 1.0;
    let s = f / (f + 2.0);
    let square = s * s;
    let half_square = f * f * 0.5;
    let rest = square.fma(square.polynomial(&MINIMAX), half_square);
    let small = s.fma(rest, k * LN2_LOW);
    k.fma(k.number(LN2), f - (half_square - small))
}

pub(super) fn log(x: Float) -> Float {
    let Split { k, m } = split(x.into());
    at_edges(x, with_exponent(k, log_of_mantissa(m)).rounded())
}

/// The logarithm of a positive sum, times two to a power.
pub(super) fn log_of_sum<'m>(x: Double<'m>, power: Float<'m>) -> Double<'m> {
    let Split { k, m } = split(x);
    with_exponent(k + power, log_of_mantissa(m))
}

/// The logarithm of a positive sum to 64 bits.
pub(super) fn exact_log_of_sum(x: Double) -> Double {
    let Split { k, m } = split(x);
    with_exponent(k, exact_log_of_mantissa(m))
}

pub(super) fn log2(x: Float) -> Float {
    let Split { k, m } = split(x.into());
    let inverse = Double::number(x, std::f64::consts::LOG2_E, 2.0355273740931033e-17);
    let log = log_of_mantissa(m).times(inverse);
    let sum = Double::sum(k, log.hi);
    at_edges(x, sum.hi + (sum.lo + log.lo))
}

pub(super) fn log10(x: Float) -> Float {
    let Split { k, m } = split(x.into());
    let inverse = Double::number(x, std::f64::consts::LOG10_E, 1.098319650216765e-17);
    let log = log_of_mantissa(m).times(inverse);
    // log10 2, in two parts as ln 2.
    let sum = Double::sum(k * 0.30102999566361177, log.hi);
    let low = k.fma(k.number(3.694239077158931e-13), log.lo);
    at_edges(x, sum.hi + (sum.lo + low))
}

pub(super) fn log1p(x: Float) -> Float {
    let Split { k, m } = split(Double::exact_sum(x.number(1.0), x));
    let value = with_exponent(k, log_of_mantissa(m)).rounded();
    let value = x.is(-1.0).select(x.number(f64::NEG_INFINITY), value);
    let value = x.is_less(-1.0).select(x.number(f64::NAN), value);
    let value = x.abs().is_less(TINY).select(x, value);
    x.is_less(f64::INFINITY).select(value, x).copysign(x)
}

/// `x ** y` as in C.
pub(super) fn pow<'m>(x: Float<'m>, y: Float<'m>) -> Float<'m> {
    let magnitude = x.abs();
    let Split { k, m } = split(magnitude.into());
    let log = with_exponent(k, exact_log_of_mantissa(m));

    // Beyond, the power is 0, 1 or infinite.
    let factor = y.clamp(-36893488147419103232.0, 36893488147419103232.0);
    let product = Double::product(factor, log.hi);
    let low = factor.fma(log.lo, product.lo);
    let exponent = product.hi.clamp(-750.0, 710.0);
    let inside = exponent.equals(product.hi);
    let value = exp_within(Double::new(exponent, inside.select(low, x.nothing())));

    let (one, zero) = (x.number(1.0), x.number(0.0));
    let infinity = x.number(f64::INFINITY);
    let grows = !(magnitude.is_greater(1.0) ^ y.is_greater(0.0));
    let edge = grows.select(infinity, zero);
    let at_end = magnitude.is(0.0) | magnitude.is(f64::INFINITY);
    let value = at_end.select(edge, value);

    let integer = y.round().equals(y);
    let half = 0.5 * y;
    let odd = integer & !half.round().equals(half);
    let of_integer = odd.select(-value, value);
    let of_negative = (integer | at_end).select(of_integer, x.number(f64::NAN));
    let value = x.is_negative().select(of_negative, value);

    let unit = magnitude.is(1.0).select(one, edge);
    let value = y.abs().is(f64::INFINITY).select(unit, value);
    let value = (x.is_nan() | y.is_nan()).select(x + y, value);
    (y.is(0.0) | x.is(1.0)).select(one, value)
}
