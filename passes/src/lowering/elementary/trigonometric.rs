//! sin, cos and tan.
//!
//! x = n pi/2 + r with |r| <= pi/4, pi/2 in three parts: exact to 2^-100 for all x below 2^30, near
//! multiples of pi/2 too. Beyond, libm is called for the numbers concerned (see `far`). The polynomials
//! are those of FreeBSD's msun k_sin.c and k_cos.c.

use super::{
    double::Double,
    far::{self, FAR},
    number::{Float, Int},
};

const PI_2: f64 = std::f64::consts::FRAC_PI_2;
const PI_2_MIDDLE: f64 = 6.123233995736766e-17;
const PI_2_LOW: f64 = -1.4973849048591833e-33;

const SIN: [f64; 6] = [
    -0.16666666666666632,
    0.00833333333332249,
    -0.0001984126982985795,
    2.7557313707070068e-6,
    -2.5050760253406863e-8,
    1.58969099521155e-10,
];

const COS: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887411,
    2.480158728947673e-5,
    -2.7557314351390663e-7,
    2.087572321298175e-9,
    -1.1359647557788195e-11,
];

/// n, and the sine and cosine of r.
struct Reduced<'m> {
    n: Int<'m>,
    sin: Double<'m>,
    cos: Double<'m>,
}

fn reduce<'m>(x: Double<'m>) -> Reduced<'m> {
    let Double { hi: x, lo: x_low } = x;
    let shifted = x.shifted(std::f64::consts::FRAC_2_PI);
    let n = shifted.shifted_float();
    // Without error: both are multiples of 2^-52, and the difference has 53 bits.
    let r = n.fma(n.number(-PI_2), x);
    let middle = Double::product(n, n.number(PI_2_MIDDLE));
    let rest = Double::sum(r, -middle.hi);
    let low = x.unless_single(|| n.fma(n.number(-PI_2_LOW), rest.lo - middle.lo));
    let r = Double::ordered_sum(rest.hi, low + x_low);
    let square = Double::product(r.hi, r.hi);
    Reduced {
        n: shifted.shifted_int(),
        sin: small_sin(r, square.hi),
        cos: small_cos(r, square),
    }
}

fn small_sin<'m>(r: Double<'m>, square: Float<'m>) -> Double<'m> {
    let terms = if square.single() { 4 } else { SIN.len() };
    let cubic = (r.hi * square) * square.polynomial(&SIN[..terms]);
    let sum = Double::ordered_sum(r.hi, cubic);
    // sin(hi + lo) = sin(hi) + lo cos(hi).
    let low = || sum.lo + r.lo * square.fma_by(-0.5, 1.0);
    Double::new(sum.hi, square.unless_single(low))
}

fn small_cos<'m>(r: Double<'m>, square: Double<'m>) -> Double<'m> {
    let z = square.hi;
    let terms = if z.single() { 4 } else { COS.len() };
    let sum = Double::ordered_sum(z.number(1.0), z * -0.5);
    // The rest of the square, and sin(hi) lo.
    let rest = r.hi.fma(r.lo, square.lo * 0.5);
    let low = (z * z).fma(z.polynomial(&COS[..terms]), -rest);
    Double::ordered_sum(sum.hi, sum.lo + low)
}

/// Minus x where an integer has 2 as a binary digit.
fn flipped<'m>(x: Float<'m>, n: Int<'m>) -> Float<'m> {
    (x.bits() ^ ((n << 62) & i64::MIN)).float()
}

/// The value of a function of a number below 2^30, and libm's beyond.
fn near<'m>(x: Float<'m>, value: Float<'m>, function: &str) -> Float<'m> {
    let far = !(x.abs().is_less(FAR) | x.is_nan());
    value.or_call(far, &far::symbol(function), x)
}

/// The sine of a number below 2^30.
pub(super) fn near_sin(x: Float) -> Float {
    let Reduced { n, sin, cos } = reduce(x.into());
    let value = Double::select(n.is_odd(), cos, sin).rounded();
    x.is(0.0).select(x, flipped(value, n))
}

/// The cosine of a number below 2^30.
pub(super) fn near_cos(x: Float) -> Float {
    let Reduced { n, sin, cos } = reduce(x.into());
    let value = Double::select(n.is_odd(), sin, cos).rounded();
    flipped(value, n + 1)
}

/// sin(pi x) for x from 0 to 1/2.
pub(super) fn sin_of_turn<'m>(x: Float<'m>) -> Double<'m> {
    let pi = Double::number(x, std::f64::consts::PI, 1.2246467991473532e-16);
    let Reduced { n, sin, cos } = reduce(pi.times(x.into()));
    Double::select(n.is_odd(), cos, sin)
}

pub(super) fn sin(x: Float) -> Float {
    near(x, near_sin(x), "sin")
}

pub(super) fn cos(x: Float) -> Float {
    near(x, near_cos(x), "cos")
}

pub(super) fn tan(x: Float) -> Float {
    let Reduced { n, sin, cos } = reduce(x.into());
    let odd = n.is_odd();
    let numerator = Double::select(odd, cos, sin);
    let quotient = numerator.over(Double::select(odd, sin, cos)).rounded();
    let value = odd.select(-quotient, quotient);
    near(x, x.is(0.0).select(x, value), "tan")
}
