//! Affine forms of integers, in which common terms cancel.
//!
//! The interval of `k - i - 1` alone says little. In `for i in range(k)` it is known not to be
//! negative: `i` is at most `k - 1`, and substituting that bound leaves 0.
//!
//! **Soundness.** A form equals its value modulo 2^64, since addition, subtraction and multiplication
//! by a constant are homomorphisms to the integers modulo 2^64, and a cast between words keeps the
//! bits. So two values whose forms differ by a constant differ by that constant modulo 2^64. A
//! statement about the mathematical integer (a bound) is made only where the sum of the terms'
//! intervals is known not to leave the range of indices.

use super::form::Form;
use crate::infra::{
    AttributeExt, BlockExt, ValueExt,
    ops::{AnyOp, arith, scf, typed},
};
use melior::ir::{OperationRef, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::{enums::BinaryKind, typed::array_type};

/// The most operations that are expanded into one form.
const BUDGET: usize = 32;
/// Products by larger constants are opaque terms, so that products of coefficients don't overflow.
const LARGEST_FACTOR: i128 = 1 << 31;

/// Whether a value is a signed 64-bit integer or an `index`.
pub(crate) fn is_word(value: Value) -> bool {
    let r#type = value.ty();
    let signed = |integer: IntegerType| integer.is_signed() && integer.width() == 64;
    r#type.is_index() || IntegerType::try_from(r#type).is_ok_and(signed)
}

/// The integer that a value is a cast of, if different ones stay different: the cast goes to a type that
/// is as wide or wider. A sum modulo 2^64 stays what it is where the width does, whatever the sign;
/// a narrower type has one value for many.
pub(crate) fn widened<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let width = |value: Value| match IntegerType::try_from(value.ty()) {
        Ok(integer) => Some(integer.width()),
        Err(_) => value.ty().is_index().then_some(64),
    };
    let source = typed::Cast::defining(value)?.operand();
    (width(source)? <= width(value)?).then_some(source)
}

/// Whether an integer is another one plus what is the same in all iterations, modulo 2 to the width of a
/// type that no narrower one is between: as different from one iteration to the next as the other one.
pub(crate) fn counts_with<'c: 'a, 'a>(
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
    let sum = typed::Binary::defining(index).filter(|sum| sum.kind() == BinaryKind::Add);
    sum.is_some_and(|sum| {
        let plus = |x, y| is_fixed(y) && counts_with(x, position, is_fixed);
        plus(sum.lhs(), sum.rhs()) || plus(sum.rhs(), sum.lhs())
    })
}

/// The most bounds of one induction variable.
const BOUNDS: usize = 4;

/// An operation on two integers, of `typed` or `arith`.
#[derive(Clone, Copy)]
pub(crate) struct Computed<'c, 'a> {
    pub kind: BinaryKind,
    pub lhs: Value<'c, 'a>,
    pub rhs: Value<'c, 'a>,
}

/// What an operation computes of two integers, where `typed` has a name for it.
pub(crate) fn computed<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Computed<'c, 'a>> {
    let (kind, lhs, rhs) = match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Binary(binary)) => (binary.kind(), binary.lhs(), binary.rhs()),
        AnyOp::Arith(arith::Op::AddI(sum)) => (BinaryKind::Add, sum.lhs(), sum.rhs()),
        AnyOp::Arith(arith::Op::SubI(rest)) => (BinaryKind::Sub, rest.lhs(), rest.rhs()),
        AnyOp::Arith(arith::Op::MulI(product)) => (BinaryKind::Mul, product.lhs(), product.rhs()),
        AnyOp::Arith(arith::Op::MaxSI(most)) => (BinaryKind::Max, most.lhs(), most.rhs()),
        AnyOp::Arith(arith::Op::MinSI(least)) => (BinaryKind::Min, least.lhs(), least.rhs()),
        _ => return None,
    };
    Some(Computed { kind, lhs, rhs })
}

/// An opaque term of an affine form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term<'c, 'a> {
    Value(Value<'c, 'a>),
    /// A dimension of an array.
    Size(Value<'c, 'a>, usize),
}

/// The affine form of an integer. Modulo 2^64 it equals the value that it was made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum<'c, 'a> {
    pub(super) form: Form<Term<'c, 'a>, i128>,
    /// Operations expanded so far.
    seen: usize,
}

impl<'c: 'a, 'a> Sum<'c, 'a> {
    /// The form of an integer.
    pub(crate) fn of(value: Value<'c, 'a>) -> Self {
        let mut sum = Self::default();
        sum.add(value, 1);
        sum
    }

    /// The coefficient of a value.
    pub(crate) fn factor_of(&self, value: Value<'c, 'a>) -> i128 {
        self.form.coefficient_of(Term::Value(value))
    }

    /// The sum of both.
    pub(crate) fn plus(mut self, other: &Self) -> Self {
        self.form.add(&other.form, 1);
        self
    }

    /// The sum with a constant.
    pub(crate) fn plus_number(mut self, number: i128) -> Self {
        self.form.add_constant(number);
        self
    }

    /// The form multiplied by a constant.
    pub(crate) fn times(mut self, factor: i128) -> Self {
        self.form = self.form.scaled(factor);
        self
    }

    /// The difference of two forms.
    pub(crate) fn minus(mut self, other: &Self) -> Self {
        self.form.add(&other.form, -1);
        self
    }

    /// The constant that it is, if it has no terms.
    pub(crate) fn as_number(&self) -> Option<i128> {
        self.form.as_constant()
    }

    /// The constant term.
    pub(crate) fn number(&self) -> i128 {
        self.form.number()
    }

    /// The terms: a value, or an array and a dimension of it, and the coefficient.
    pub(crate) fn terms(&self) -> Vec<(Value<'c, 'a>, Option<usize>, i128)> {
        let terms = self.form.terms().iter().map(|(term, factor)| match term {
            Term::Value(value) => (*value, None, *factor),
            Term::Size(array, dimension) => (*array, Some(*dimension), *factor),
        });
        terms.collect()
    }

    /// The values in its terms, and the arrays whose extents are terms.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.form.terms().iter().map(|(term, _)| match term {
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
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Constant(_)) | AnyOp::Arith(arith::Op::Constant(_)) => {
                match constant_of(value) {
                    Some(number) => self.form.add_constant(factor * number),
                    None => self.add_term(Term::Value(value), factor),
                }
            }
            AnyOp::Typed(typed::Op::Cast(cast)) if is_word(cast.operand()) => {
                self.add(cast.operand(), factor);
            }
            AnyOp::Typed(typed::Op::Dim(dim)) => {
                self.add_term(Term::Size(dim.array(), dim.dimension() as usize), factor);
            }
            AnyOp::Typed(typed::Op::Len(len)) if array_type(len.operand().ty()).is_some() => {
                self.add_term(Term::Size(len.operand(), 0), factor);
            }
            _ => match computed(operation) {
                Some(binary) => self.add_binary(value, binary, factor),
                None => self.add_term(Term::Value(value), factor),
            },
        }
    }

    /// Adds an operation on two numbers, whose result is `value`.
    fn add_binary(&mut self, value: Value<'c, 'a>, binary: Computed<'c, 'a>, factor: i128) {
        let Computed { kind, lhs, rhs } = binary;
        match kind {
            BinaryKind::Add => {
                self.add(lhs, factor);
                self.add(rhs, factor);
            }
            BinaryKind::Sub => {
                self.add(lhs, factor);
                self.add(rhs, -factor);
            }
            BinaryKind::Mul if factor.abs() <= LARGEST_FACTOR => {
                let number = |side| constant_of(side).filter(|n| n.abs() <= LARGEST_FACTOR);
                match (number(lhs), number(rhs)) {
                    (_, Some(number)) => self.add(lhs, factor * number),
                    (Some(number), None) => self.add(rhs, factor * number),
                    _ => self.add_term(Term::Value(value), factor),
                }
            }
            _ => self.add_term(Term::Value(value), factor),
        }
    }

    fn add_term(&mut self, term: Term<'c, 'a>, factor: i128) {
        self.form.add_term(term, factor);
    }

    /// What is left of the form without the position of a loop that counts by 1 from where it isn't
    /// negative and stays below `bound`, if it has one, with the coefficient 1. So where the form is
    /// computed `bound` is at least 1, and the form is that far from a number in `0 .. bound`.
    pub(crate) fn beyond_position_below(&self, bound: Value<'c, 'a>) -> Option<Self> {
        let bound = Self::of(bound);
        let is_bound = |upper: Value<'c, 'a>| {
            let difference = Self::of(upper).minus(&bound);
            difference.as_number() == Some(0)
        };
        let position = self.form.terms().iter().find_map(|term| match *term {
            (Term::Value(position), 1) if bounds_of(position).into_iter().any(is_bound) => {
                Some(position)
            }
            _ => None,
        })?;
        let mut rest = self.clone();
        rest.add_term(Term::Value(position), -1);
        Some(rest)
    }

    /// Lower bounds of the form that hold in all iterations of a loop: an induction variable with
    /// coefficient -1 is replaced by its maximum, each of its bounds minus 1. The form exceeds a
    /// bound by less than 2^63.
    pub(super) fn at_last_position(&self) -> Vec<Self> {
        let found = self.form.terms().iter().find_map(|term| {
            let (Term::Value(position), -1) = *term else {
                return None;
            };
            let bounds = bounds_of(position);
            (!bounds.is_empty()).then_some((position, bounds))
        });
        let Some((position, bounds)) = found else {
            return Vec::new();
        };
        let replaced = |bound| {
            let mut rest = Self {
                form: self.form.clone(),
                seen: 0,
            };
            rest.add_term(Term::Value(position), 1);
            rest.form.add_constant(1);
            rest.add(bound, -1);
            rest
        };
        bounds.into_iter().map(replaced).collect()
    }
}

/// The value of an integer constant.
pub(crate) fn constant_of(value: Value) -> Option<i128> {
    let constant = match AnyOp::of(value.defining_op()?) {
        AnyOp::Typed(typed::Op::Constant(constant)) => constant.value(),
        AnyOp::Arith(arith::Op::Constant(constant)) => constant.value(),
        _ => return None,
    };
    constant.integer_value().map(i128::from)
}

/// Numbers that the induction variable of a loop is less than, if that counts up by 1 from a number
/// that isn't negative: the upper bound, or what that is the lesser of. They are so wherever the body
/// runs; `max(n, 0)` is `n` there, since something that isn't negative is less.
fn bounds_of<'c: 'a, 'a>(position: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut bounds = Vec::new();
    if position.defining_op().is_some() || position.position() != 0 {
        return bounds;
    }
    let parent = position.defining_block().parent();
    let Some(r#loop) = parent.and_then(scf::For::of) else {
        return bounds;
    };
    if constant_of(r#loop.step()) != Some(1) || !is_natural(r#loop.lower_bound()) {
        return bounds;
    }
    let is_zero = |value| constant_of(value) == Some(0);
    let mut waiting = vec![r#loop.upper_bound()];
    while let Some(upper) = waiting.pop() {
        match upper.defining_op().and_then(arith::Op::of) {
            Some(arith::Op::MaxSI(most)) if is_zero(most.rhs()) => waiting.push(most.lhs()),
            Some(arith::Op::Select(select)) if is_zero(select.false_value()) => {
                waiting.push(select.true_value());
            }
            Some(arith::Op::MinSI(least)) if bounds.len() + waiting.len() < BOUNDS => {
                waiting.extend([least.lhs(), least.rhs()]);
            }
            _ => bounds.push(upper),
        }
    }
    bounds
}

/// Whether it is written down that a number isn't negative.
fn is_natural(value: Value) -> bool {
    let is_natural = |value| constant_of(value).is_some_and(|number| number >= 0);
    let most = arith::MaxSI::defining(value);
    is_natural(value) || most.is_some_and(|most| is_natural(most.rhs()))
}
