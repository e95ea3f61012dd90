//! Sums of integers as terms with factors, in which what is added and subtracted cancels.
//!
//! Of `k - i - 1` alone nothing is known but the bounds of `k` and `i`. In `for i in range(k)` it is not
//! negative: `i` is at most `k - 1`, and what is left without it is 0.

use super::interval::{Interval, Intervals};
use crate::infra::{BlockExt, OperationAttributes, OperationExt, ValueExt};
use melior::ir::{OperationRef, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::{enums::BinaryKind, typed::array_type};

/// How many operations of a sum to look at.
const BUDGET: usize = 32;
/// What isn't greater adds up with a size to something that, if it wraps around, is no index: see
/// [`Interval::is_index`].
const SMALL: i128 = 1 << 62;
/// Greater factors are parts of terms, so that no product of factors is too large to be computed.
const LARGEST_FACTOR: i128 = 1 << 31;

/// Whether a value is a signed integer of 64 bits.
pub(crate) fn is_word(value: Value) -> bool {
    let r#type = value.ty();
    let signed = |integer: IntegerType| integer.is_signed() && integer.width() == 64;
    r#type.is_index() || IntegerType::try_from(r#type).is_ok_and(signed)
}

/// The integer that a value is a cast of, if different ones stay different: the cast goes to a type that
/// is as wide or wider. A sum modulo 2^64 stays what it is where the width does, whatever the sign;
/// a narrower type has one value for many.
pub(super) fn widened<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let width = |value: Value| match IntegerType::try_from(value.ty()) {
        Ok(integer) => Some(integer.width()),
        Err(_) => value.ty().is_index().then_some(64),
    };
    let source = value.defined_by("typed.cast")?.operand_value(0);
    (width(source)? <= width(value)?).then_some(source)
}

/// Whether an integer is another one plus what is the same in all iterations, modulo 2 to the width of a
/// type that no narrower one is between: as different from one iteration to the next as the other one.
pub(super) fn counts_with<'c: 'a, 'a>(
    index: Value<'c, 'a>,
    position: Value<'c, 'a>,
    is_fixed: &impl Fn(Value<'c, 'a>) -> bool,
) -> bool {
    if index == position {
        return true;
    }
    if let Some(source) = widened(index) {
        return counts_with(source, position, is_fixed);
    }
    let sum = index
        .defining_op()
        .filter(|sum| binary_kind(*sum) == Some(BinaryKind::Add));
    sum.is_some_and(|sum| {
        let [one, other] = [0, 1].map(|at| sum.operand_value(at));
        let plus = |x, y| is_fixed(y) && counts_with(x, position, is_fixed);
        plus(one, other) || plus(other, one)
    })
}

/// What a `typed.binary` computes.
pub(crate) fn binary_kind(operation: OperationRef) -> Option<BinaryKind> {
    let kind = operation
        .is("typed.binary")
        .then(|| operation.attr("kind"))?;
    BinaryKind::from_attribute(kind?)
}

/// A part of a sum that isn't looked into any further.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term<'c, 'a> {
    Value(Value<'c, 'a>),
    /// A dimension of an array.
    Size(Value<'c, 'a>, usize),
}

/// A sum of terms, each times a factor, and a number: modulo 2^64 the value that it was made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum<'c, 'a> {
    terms: Vec<(Term<'c, 'a>, i128)>,
    number: i128,
    /// How many operations were looked at.
    seen: usize,
}

impl<'c: 'a, 'a> Sum<'c, 'a> {
    /// Takes an integer apart.
    pub(crate) fn of(value: Value<'c, 'a>) -> Self {
        let mut sum = Self::default();
        sum.add(value, 1);
        sum
    }

    /// How often a value is added.
    pub(crate) fn factor_of(&self, value: Value<'c, 'a>) -> i128 {
        let found = self
            .terms
            .iter()
            .find(|(term, _)| *term == Term::Value(value));
        found.map_or(0, |(_, factor)| *factor)
    }

    /// The sum of both.
    pub(crate) fn plus(mut self, other: &Self) -> Self {
        for (term, factor) in &other.terms {
            self.add_term(*term, *factor);
        }
        self.number += other.number;
        self
    }

    /// The sum so many times.
    pub(crate) fn times(mut self, factor: i128) -> Self {
        self.terms.iter_mut().for_each(|(_, own)| *own *= factor);
        self.terms.retain(|(_, factor)| *factor != 0);
        self.number *= factor;
        self
    }

    /// What is left of it without another one.
    pub(crate) fn minus(mut self, other: &Self) -> Self {
        for (term, factor) in &other.terms {
            self.add_term(*term, -factor);
        }
        self.number -= other.number;
        self
    }

    /// The number that it is, if nothing else is added.
    pub(crate) fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.number)
    }

    /// The number that is added to the terms.
    pub(crate) fn number(&self) -> i128 {
        self.number
    }

    /// The values that are added, and the arrays whose sizes are.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.terms.iter().map(|(term, _)| match term {
            Term::Value(value) | Term::Size(value, _) => *value,
        })
    }

    fn add(&mut self, value: Value<'c, 'a>, factor: i128) {
        self.seen += 1;
        let may_look = self.seen <= BUDGET && is_word(value);
        let operation = value.defining_op().filter(|_| may_look);
        let Some(operation) = operation else {
            return self.add_term(Term::Value(value), factor);
        };
        let operand = |at| operation.operand_value(at);
        let kind = match operation.full_name() {
            "typed.constant" | "arith.constant" => {
                return match constant_of(value) {
                    Some(number) => self.number += factor * number,
                    None => self.add_term(Term::Value(value), factor),
                };
            }
            "typed.cast" if is_word(operand(0)) => return self.add(operand(0), factor),
            "typed.dim" | "typed.len" if array_type(operand(0).ty()).is_some() => {
                let dimension = operation.int_attr("dimension").unwrap_or(0) as usize;
                return self.add_term(Term::Size(operand(0), dimension), factor);
            }
            "arith.addi" => Some(BinaryKind::Add),
            "arith.subi" => Some(BinaryKind::Sub),
            "arith.muli" => Some(BinaryKind::Mul),
            _ => binary_kind(operation),
        };
        match kind {
            Some(BinaryKind::Add) => {
                self.add(operand(0), factor);
                self.add(operand(1), factor);
            }
            Some(BinaryKind::Sub) => {
                self.add(operand(0), factor);
                self.add(operand(1), -factor);
            }
            Some(BinaryKind::Mul) if factor.abs() <= LARGEST_FACTOR => {
                let number = |at| constant_of(operand(at)).filter(|n| n.abs() <= LARGEST_FACTOR);
                match (number(0), number(1)) {
                    (_, Some(number)) => self.add(operand(0), factor * number),
                    (Some(number), None) => self.add(operand(1), factor * number),
                    _ => self.add_term(Term::Value(value), factor),
                }
            }
            _ => self.add_term(Term::Value(value), factor),
        }
    }

    fn add_term(&mut self, term: Term<'c, 'a>, factor: i128) {
        match self.terms.iter_mut().find(|(known, _)| *known == term) {
            Some((_, known)) => *known += factor,
            None => self.terms.push((term, factor)),
        }
        self.terms.retain(|(_, factor)| *factor != 0);
    }

    /// The sum without a position that is subtracted once, less what that is at most. The
    /// difference is less than 2^63.
    fn at_last_position(&self) -> Option<Self> {
        let (at, count) = self.terms.iter().enumerate().find_map(|(at, term)| {
            let (Term::Value(position), -1) = *term else {
                return None;
            };
            Some((at, count_of(position)?))
        })?;
        let mut rest = self.clone();
        rest.terms.remove(at);
        rest.number += 1;
        rest.seen = 0;
        rest.add(count, -1);
        Some(rest)
    }
}

/// An integer that is written in the program.
fn constant_of(value: Value) -> Option<i128> {
    let operation = value.defining_op()?;
    let is_constant = operation.is("typed.constant") || operation.is("arith.constant");
    let number = is_constant.then(|| operation.int_attr("value"))?;
    number.map(i128::from)
}

/// How often a loop runs whose position counts up from 0: a value which is that much whenever the
/// loop runs at all.
fn count_of<'c: 'a, 'a>(position: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    if position.defining_op().is_some() || position.position() != 0 {
        return None;
    }
    let r#loop = position.defining_block().parent();
    let r#loop = r#loop.filter(|r#loop| r#loop.is("scf.for"))?;
    let constant = |value: Value| value.defining_op()?.int_attr("value");
    let [lower, upper, step] = [0, 1, 2].map(|at| r#loop.operand_value(at));
    if constant(lower) != Some(0) || constant(step) != Some(1) {
        return None;
    }
    let Some(operation) = upper.defining_op() else {
        return Some(upper);
    };
    let is_zero = |at| constant(operation.operand_value(at)) == Some(0);
    Some(match operation.full_name() {
        "arith.maxsi" if is_zero(1) => operation.operand_value(0),
        "arith.select" if is_zero(2) => operation.operand_value(1),
        _ => upper,
    })
}

impl Intervals {
    /// Bounds of a sum, to be used as an index only, from what is left of it when what cancels is
    /// gone; `None` where that may be negative.
    pub(super) fn of_sum<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Option<Interval> {
        let operation = value.defining_op().filter(|_| is_word(value))?;
        let adds = [BinaryKind::Add, BinaryKind::Sub];
        let is_sum = operation.is("arith.addi")
            || operation.is("arith.subi")
            || binary_kind(operation).is_some_and(|kind| adds.contains(&kind));
        if !is_sum {
            return None;
        }
        let sum = Sum::of(value);
        if let Some(interval) = self.of_terms(&sum) {
            return Some(interval);
        }
        let rest = self.of_terms(&sum.at_last_position()?)?;
        Some(Interval {
            low: rest.low,
            high: i128::from(i64::MAX) + rest.high - 1,
        })
    }

    /// Bounds of a small sum that isn't negative.
    fn of_terms(&mut self, sum: &Sum) -> Option<Interval> {
        let (mut low, mut high) = (sum.number, sum.number);
        for (term, factor) in &sum.terms {
            let Term::Value(value) = term else {
                return None;
            };
            let interval = self.of(*value);
            let ends = [interval.low, interval.high].map(|end| end.checked_mul(*factor));
            let [Some(one), Some(other)] = ends else {
                return None;
            };
            low += one.min(other);
            high += one.max(other);
        }
        (low >= 0 && high <= SMALL).then_some(Interval { low, high })
    }
}
