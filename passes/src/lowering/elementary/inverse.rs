//! atan, atan2, asin and acos, with the polynomials of FreeBSD's msun s_atan.c and e_asin.c.
//!
//! atan(a / b) is atan(c) + atan((a - c b) / (b + c a)) with the nearest c of 0, 1/2 and 1.

use super::{double::Double, number::Float};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

const PI_LOW: f64 = 1.2246467991473532e-16;
const ATAN_HALF: f64 = 0.4636476090008061;
const ATAN_HALF_LOW: f64 = 2.2698777452961687e-17;

const ATAN: [f64; 11] = [
    0.3333333333333293,
    -0.19999999999876483,
    0.14285714272503466,
    -0.11111110405462356,
    0.09090887133436507,
    -0.0769187620504483,
    0.06661073137387531,
    -0.058335701337905735,
    0.049768779946159324,
    -0.036531572744216916,
    0.016285820115365782,
];

const ASIN_NUMERATOR: [f64; 6] = [
    0.16666666666666666,
    -0.3255658186224009,
    0.20121253213486293,
    -0.04005553450067941,
    0.0007915349942898145,
    3.479331075960212e-5,
];

const ASIN_DENOMINATOR: [f64; 5] = [
    1.0,
    -2.403394911734414,
    2.0209457602335057,
    -0.6882839716054533,
    0.07703815055590194,
];

/// atan(a / b) for 0 <= a <= b.
fn atan_of_ratio<'m>(a: Float<'m>, b: Float<'m>) -> Double<'m> {
    let low = a.less(0.4375 * b);
    let middle = a.less(0.6875 * b);
    let choose = |first: f64, second: f64, third: f64| {
        let above = middle.select(a.number(second), a.number(third));
        low.select(a.number(first), above)
    };
    let centre = Double::new(
        choose(0.0, ATAN_HALF, FRAC_PI_4),
        a.unless_single(|| choose(0.0, ATAN_HALF_LOW, PI_LOW / 4.0)),
    );
    // c as a fraction: 0/1, 1/2, 1/1.
    let (zero, doubled) = (a.number(0.0), choose(1.0, 2.0, 1.0));
    let numerator = Double::sum(doubled * a, -low.select(zero, b));
    let divisor = Double::sum(doubled * b, low.select(zero, a));
    let t = numerator.over(divisor);
    let square = t.hi * t.hi;
    let rest = t.hi * (square * square.polynomial(&ATAN));
    let sum = Double::sum(centre.hi, t.hi);
    let low = sum.lo + (centre.lo + (t.lo - rest));
    Double::ordered_sum(sum.hi, low)
}

/// An angle less another one, where that is in two parts.
fn from_angle<'m>(angle: f64, low: f64, other: Double<'m>) -> Double<'m> {
    let sum = Double::sum(other.hi.number(angle), -other.hi);
    let low = other.hi.unless_single(|| other.hi.number(low)) - other.lo;
    Double::ordered_sum(sum.hi, sum.lo + low)
}

pub(super) fn atan(x: Float) -> Float {
    let magnitude = x.abs().clamp(0.0, 1.0715086071862673e+301); // 2^1000
    let one = x.number(1.0);
    let inverse = magnitude.is_greater(1.0);
    let angle = atan_of_ratio(
        inverse.select(one, magnitude),
        inverse.select(magnitude, one),
    );
    let other = from_angle(FRAC_PI_2, PI_LOW / 2.0, angle);
    Double::select(inverse, other, angle).rounded().copysign(x)
}

pub(super) fn atan2<'m>(y: Float<'m>, x: Float<'m>) -> Float<'m> {
    let (width, height) = (x.abs(), y.abs());
    let steep = width.less(height);
    let (a, b) = (steep.select(width, height), steep.select(height, width));

    let (zero, one) = (x.number(0.0), x.number(1.0));
    let infinite = b.is(f64::INFINITY);
    let ratio = a.is(f64::INFINITY).select(one, zero);
    let (a, b) = (infinite.select(ratio, a), infinite.select(one, b));
    let b = b.is(0.0).select(one, b);
    // Away from the ends of the range, so that sums stay finite and exact.
    let up = b
        .is_less(1.183052186166774e-271)
        .select(x.number(1.6069380442589903e60), one);
    let scale = b
        .is_greater(1.0715086071862673e+301)
        .select(x.number(7.888609052210118e-31), up);

    let angle = atan_of_ratio(a * scale, b * scale);
    let angle = Double::select(steep, from_angle(FRAC_PI_2, PI_LOW / 2.0, angle), angle);
    let angle = Double::select(x.is_negative(), from_angle(PI, PI_LOW, angle), angle);
    let value = angle.rounded().copysign(y);
    (x.is_nan() | y.is_nan()).select(x + y, value)
}

/// s and s R(s^2) of asin(s) = s + s R(s^2), where s is |x|, or from 1/2 on sqrt((1 - |x|) / 2).
fn asin_parts<'m>(x: Float<'m>) -> (Double<'m>, Float<'m>) {
    let large = !x.is_less(0.5);
    let z = large.select(0.5 * (1.0 - x), x * x);
    let root = z.sqrt();
    let low = || {
        let divisor = root.is(0.0).select(x.number(1.0), root);
        let rest = (-root).fma(root, z) * 0.5 / divisor;
        large.select(rest, x.number(0.0))
    };
    let s = large.select(root, x);
    let ratio = z * z.polynomial(&ASIN_NUMERATOR) / z.polynomial(&ASIN_DENOMINATOR);
    (Double::new(s, x.unless_single(low)), s * ratio)
}

pub(super) fn asin(x: Float) -> Float {
    let magnitude = x.abs();
    let (s, rest) = asin_parts(magnitude);
    let angle = Double::new(2.0 * s.hi, 2.0 * (s.lo + rest));
    let large = from_angle(FRAC_PI_2, PI_LOW / 2.0, angle).rounded();
    let value = magnitude.is_less(0.5).select(s.hi + rest, large);
    value.copysign(x)
}

pub(super) fn acos(x: Float) -> Float {
    let (s, rest) = asin_parts(x.abs());
    let small = x.abs().is_less(0.5);
    let negative = x.is_less(0.0);
    let zero = x.number(0.0);
    // pi/2 - asin(x), or twice the other angle, or pi less that.
    let of = |middle: f64, end: f64| {
        let large = negative.select(x.number(end), zero);
        small.select(x.number(middle), large)
    };
    let angle = small.select(s.hi, 2.0 * s.hi);
    let low = small.select(rest, 2.0 * (s.lo + rest));
    let minus = (small ^ negative).select(x.number(-1.0), x.number(1.0));
    let sum = Double::sum(of(FRAC_PI_2, PI), minus * angle);
    let centre = x.unless_single(|| of(PI_LOW / 2.0, PI_LOW));
    sum.hi + (sum.lo + (centre + minus * low))
}
