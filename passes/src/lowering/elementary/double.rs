//! Double-double arithmetic: unevaluated sums of two floats with twice the precision, by the
//! error-free transformations of Dekker, Knuth and Møller. In single precision the low part is
//! absent.

use super::number::{Bool, Float};

/// `hi + lo` with `lo` below half a unit in the last place of `hi`, unless said otherwise.
#[derive(Clone, Copy)]
pub(super) struct Double<'m> {
    pub(super) hi: Float<'m>,
    pub(super) lo: Float<'m>,
}

impl<'m> From<Float<'m>> for Double<'m> {
    fn from(hi: Float<'m>) -> Self {
        Self {
            hi,
            lo: hi.nothing(),
        }
    }
}

impl<'m> Double<'m> {
    pub(super) fn new(hi: Float<'m>, lo: Float<'m>) -> Self {
        Self { hi, lo }
    }

    /// A constant in two parts, made where `like` is.
    pub(super) fn number(like: Float<'m>, hi: f64, lo: f64) -> Self {
        Self::new(like.number(hi), like.unless_single(|| like.number(lo)))
    }

    /// `x + y` without error if the first is the larger one.
    pub(super) fn ordered_sum(x: Float<'m>, y: Float<'m>) -> Self {
        let sum = x + y;
        match y.is_something() {
            true => Self::new(sum, sum.unless_single(|| y - (sum - x))),
            false => Self::from(sum),
        }
    }

    /// `x + y` without error.
    pub(super) fn sum(x: Float<'m>, y: Float<'m>) -> Self {
        match y.is_something() && !x.single() {
            true => Self::exact_sum(x, y),
            false => Self::from(x + y),
        }
    }

    /// `x + y` without error, in single precision, too.
    pub(super) fn exact_sum(x: Float<'m>, y: Float<'m>) -> Self {
        let sum = x + y;
        let part = sum - x;
        Self::new(sum, (x - (sum - part)) + (y - part))
    }

    /// `x * y` without error.
    pub(super) fn product(x: Float<'m>, y: Float<'m>) -> Self {
        let product = x * y;
        Self::new(product, product.unless_single(|| x.fma(y, -product)))
    }

    pub(super) fn plus(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        let sum = Self::sum(self.hi, other.hi);
        Self::ordered_sum(sum.hi, sum.lo + (self.lo + other.lo))
    }

    pub(super) fn minus(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        self.plus(Self::new(-other.hi, -other.lo))
    }

    pub(super) fn plus_number(self, number: f64) -> Self {
        self.plus(self.hi.number(number))
    }

    pub(super) fn times(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        let cross = self.hi.fma(other.lo, self.lo * other.hi);
        Self::ordered_sum(product.hi, product.lo + cross)
    }

    /// The quotient, with one division.
    pub(super) fn over(self, divisor: Self) -> Self {
        let Self { hi: d, lo: d_low } = divisor;
        if self.hi.single() {
            return Self::from(self.hi / d);
        }
        let inverse = 1.0 / d;
        let quotient = self.hi * inverse;
        let rest = (-quotient).fma(d, self.hi) + (-quotient).fma(d_low, self.lo);
        Self::ordered_sum(quotient, rest * inverse)
    }

    pub(super) fn twice(self) -> Self {
        Self::new(2.0 * self.hi, self.lo * 2.0)
    }

    /// The nearest float.
    pub(super) fn rounded(self) -> Float<'m> {
        self.hi + self.lo
    }

    pub(super) fn select(condition: Bool<'m>, yes: Self, no: Self) -> Self {
        Self::new(
            condition.select(yes.hi, no.hi),
            condition.select(yes.lo, no.lo),
        )
    }
}
