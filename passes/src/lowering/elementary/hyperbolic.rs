//! asinh, acosh, atanh, hypot and the logarithm of that, for devices: logarithms and roots in twice the precision.

use super::{
    double::Double,
    logarithm::{at_edges, log_of_sum},
    number::Float,
};

/// Below, the function is x and the next term of its series.
fn small_bound(x: Float) -> f64 {
    match x.single() {
        true => 1.0 / 1024.0,
        false => 1.0 / 134217728.0,
    }
}

/// From there on the root of x^2 + 1 or x^2 - 1 is x.
const LARGE: f64 = (1u64 << 60) as f64;

/// The square root of a sum that isn't negative.
fn root<'m>(square: Double<'m>) -> Double<'m> {
    let root = square.hi.sqrt();
    let low = || {
        let is_zero = root.is(0.0);
        let divisor = is_zero.select(root.number(1.0), 2.0 * root);
        ((-root).fma(root, square.hi) + square.lo) / divisor
    };
    Double::new(root, root.unless_single(low))
}

/// x + x^3 `factor` for small numbers, and the value elsewhere; the sign is that of x.
fn odd<'m>(x: Float<'m>, factor: f64, value: Float<'m>) -> Float<'m> {
    let small = (x * x * factor).fma(x, x);
    let is_small = x.abs().is_less(small_bound(x));
    is_small.select(small, value).copysign(x)
}

/// log(x + sqrt(x^2 + `term`)) for x from 0 on.
fn log_with_root<'m>(x: Float<'m>, term: f64) -> Float<'m> {
    let near = x.clamp(0.0, LARGE);
    let sum = root(Double::product(near, near).plus_number(term)).plus(near);
    let is_large = !x.is_less(LARGE);
    let argument = Double::select(is_large, x.into(), sum);
    // Twice x, which may be infinite.
    let doubled = is_large.select(x.number(1.0), x.number(0.0));
    at_edges(x, log_of_sum(argument, doubled).rounded())
}

pub(super) fn asinh(x: Float) -> Float {
    let magnitude = x.abs();
    let value = log_with_root(magnitude, 1.0);
    x.is_nan().select(x, odd(x, -1.0 / 6.0, value))
}

pub(super) fn acosh(x: Float) -> Float {
    let value = log_with_root(x.clamp(1.0, f64::INFINITY), -1.0);
    let value = x.is_less(1.0).select(x.number(f64::NAN), value);
    x.is_nan().select(x, value)
}

/// log((1 + x) / (1 - x)) / 2.
pub(super) fn atanh(x: Float) -> Float {
    let magnitude = x.abs().clamp(0.0, 1.0);
    let one = x.number(1.0);
    let sum = Double::exact_sum(one, magnitude);
    let difference = Double::exact_sum(one, -magnitude);
    let is_end = magnitude.is(1.0);
    let divisor = Double::new(is_end.select(one, difference.hi), difference.lo);
    let value = 0.5 * log_of_sum(sum.over(divisor), x.number(0.0)).rounded();
    let value = is_end.select(x.number(f64::INFINITY), value);
    let value = odd(x, 1.0 / 3.0, value);
    let value = x.abs().is_greater(1.0).select(x.number(f64::NAN), value);
    x.is_nan().select(x, value)
}

/// sqrt(x^2 + y^2), with the larger one brought near 1 by a power of two.
pub(super) fn hypot<'m>(x: Float<'m>, y: Float<'m>) -> Float<'m> {
    let (a, b) = (x.abs(), y.abs());
    let swapped = a.less(b);
    let scaled = Scaled::of(swapped.select(b, a), swapped.select(a, b));
    let value = root(scaled.square()).rounded() * scaled.down;
    let value = (x.is_nan() | y.is_nan()).select(x + y, value);
    let is_infinite = a.is(f64::INFINITY) | b.is(f64::INFINITY);
    is_infinite.select(x.number(f64::INFINITY), value)
}

/// log(sqrt(x^2 + y^2)), the real part of a complex logarithm: exact near 1, too.
pub(super) fn log_of_length<'m>(x: Float<'m>, y: Float<'m>) -> Float<'m> {
    let (a, b) = (x.abs(), y.abs());
    let swapped = a.less(b);
    let scaled = Scaled::of(swapped.select(b, a), swapped.select(a, b));
    let square = scaled.square();
    // Half of the logarithm of the square, and of what both were multiplied by.
    let log = log_of_sum(square, scaled.exponent * -2.0).rounded() * 0.5;
    let log = at_edges(square.hi, log);
    let log = (x.is_nan() | y.is_nan()).select(x + y, log);
    let is_infinite = a.is(f64::INFINITY) | b.is(f64::INFINITY);
    is_infinite.select(x.number(f64::INFINITY), log)
}

/// Two numbers, the first of which isn't the smaller one, brought near 1 by a power of two.
struct Scaled<'m> {
    large: Float<'m>,
    small: Float<'m>,
    /// What they were multiplied by is two to this power.
    exponent: Float<'m>,
    /// Its inverse.
    down: Float<'m>,
}

impl<'m> Scaled<'m> {
    fn of(large: Float<'m>, small: Float<'m>) -> Self {
        let number = |value: f64| large.number(value);
        let is_high = large.is_greater(TOP);
        let is_low = large.is_less(BOTTOM);
        let choose = |high: f64, low: f64, other: f64| {
            is_high.select(number(high), is_low.select(number(low), number(other)))
        };
        let up = choose(1.0 / SCALE, SCALE, 1.0);
        Self {
            large: large * up,
            small: small * up,
            exponent: choose(-SCALE_EXPONENT, SCALE_EXPONENT, 0.0),
            down: choose(SCALE, 1.0 / SCALE, 1.0),
        }
    }

    /// The sum of their squares.
    fn square(&self) -> Double<'m> {
        Double::product(self.large, self.large).plus(Double::product(self.small, self.small))
    }
}

/// Where squares are large, where they are small, and what is multiplied by then.
const TOP: f64 = 3.273390607896142e150; // 2^500
const BOTTOM: f64 = 3.054936363499605e-151; // 2^-500
const SCALE: f64 = 4.149515568880993e180; // 2^600
const SCALE_EXPONENT: f64 = 600.0;
