//! Interval analysis of integers, by walking back over their definitions.
//!
//! Intervals are over the mathematical integers: a value whose computation may wrap around has the
//! interval of its type. There is an exception for indices: see [`Interval::is_index`].
//!
//! Loop-carried values rest on an assumption: a counter that starts small and is incremented by one
//! stays below 2^56 (at one iteration per nanosecond that takes two years), and one that grows by
//! at most 64 in each iteration stays below 2^62. Nothing is assumed of such a value after the
//! loop, since LLVM may replace a loop by its final values. Who can't rely on that asks
//! [`Intervals::without_counting`]. A variable that is set to what has been the index of an element needs no such
//! assumption.

mod carried;
mod elements;
mod guards;
mod repeated;
mod sums;

use carried::{Assumptions, forwarded};

use super::affine::{Computed, computed};
use crate::infra::{
    AttributeExt, BlockExt, Identity, Key, OperationAttributes, OperationExt, OperationInterfaces,
    RegionExt, ValueExt,
    ops::{AnyOp, arith, marks, scf, typed, ub},
};
use melior::ir::{Attribute, OperationRef, RegionRef, Type, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::enums::{BinaryKind, UnaryKind};
use std::collections::{HashMap, HashSet};

/// Counters stay below.
const ITERATIONS: i128 = 1 << 56;
/// Variables that grow by at most [`STRIDE`] in each iteration stay below.
const COUNTED: i128 = 1 << 62;
const STRIDE: i128 = 64;
/// The recursion limit.
const DEPTH: usize = 64;

/// A closed interval of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

impl Interval {
    const WORD: Self = Self::new(i64::MIN as i128, i64::MAX as i128);

    const fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// The interval of a type; that of 64-bit integers if it isn't an integer type.
    fn of_type(r#type: Type) -> Self {
        let Ok(integer) = IntegerType::try_from(r#type) else {
            return Self::WORD;
        };
        let width = integer.width();
        if width > 64 {
            Self::new(i128::MIN, i128::MAX)
        } else if integer.is_unsigned() || width == 1 {
            Self::new(0, (1 << width) - 1)
        } else {
            Self::new(-(1 << (width - 1)), (1 << (width - 1)) - 1)
        }
    }

    /// The only element, if there is just one.
    pub fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether an index in this interval is never negative (and so has no wrap-around).
    ///
    /// A sum that exceeds 2^63 by less than 2^62 may wrap around, to a number near -2^63. That is
    /// out of bounds for any array, whichever end it counts from, so the wrapping can't be
    /// observed.
    pub fn is_index(self) -> bool {
        self.low >= 0
    }

    fn is_within(self, other: Self) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// The interval of a value of a type, given the interval of the mathematical result: that of
    /// the type if it doesn't fit.
    fn wrapped(self, r#type: Type) -> Self {
        let values = Self::of_type(r#type);
        if self.is_within(values) {
            return self;
        }
        // A number becomes one of the type again; a truth value isn't the lowest bit.
        let count = values.high - values.low + 1;
        match self.constant().map(|number| number.rem_euclid(count)) {
            Some(number) if count > 2 => {
                let number = number - if number > values.high { count } else { 0 };
                Self::new(number, number)
            }
            _ => values,
        }
    }

    /// As [`Interval::wrapped`], but keeps intervals that are valid for indices only.
    fn wrapped_sum(self, r#type: Type) -> Self {
        let is_word = Self::of_type(r#type) == Self::WORD;
        if is_word && self.low >= 0 && self.high < Self::WORD.high + COUNTED {
            self
        } else {
            self.wrapped(r#type)
        }
    }

    /// The sums of an element of each.
    fn plus(self, other: Self) -> Self {
        Self::new(self.low + other.low, self.high + other.high)
    }

    fn union(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }
}

/// Computes intervals and caches them. The IR must not change meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Intervals {
    known: HashMap<Key, Interval>,
    /// What is being computed of loops, which may depend on itself.
    active: HashSet<Key>,
    depth: usize,
    assumptions: Assumptions,
    /// Whether nothing is assumed of how long loops run.
    is_strict: bool,
    /// What holds without such an assumption, for what loops end with.
    behind_loops: Option<Box<Self>>,
}

impl Intervals {
    /// Intervals that hold however often a loop is repeated, even in no time: where LLVM may compute what it
    /// ends with, for instance.
    pub fn without_counting() -> Self {
        Self {
            is_strict: true,
            ..Self::default()
        }
    }

    /// Returns the interval of an integer for use as an index only: see [`Interval::is_index`].
    pub fn of_index<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Interval {
        let key = value.key();
        let known = self.assumptions.of(key).or(self.known.get(&key).copied());
        if let Some(interval) = known {
            return interval;
        }
        let values = Interval::of_type(value.ty());
        let operation = value.defining_op();
        // Any cycle goes through what a loop carries.
        let may_be_cyclic = match operation {
            Some(operation) => operation.is_loop(),
            None => forwarded(value).is_none(),
        };
        if self.depth >= DEPTH || (may_be_cyclic && !self.active.insert(key)) {
            return values;
        }
        self.depth += 1;
        let interval = match operation {
            Some(operation) => self.of_result(value, operation),
            None => self.of_argument(value),
        };
        let mut interval = interval.unwrap_or(values);
        if !interval.is_index()
            && let Some(sum) = self.of_sum(value)
        {
            interval = sum;
        }
        self.depth -= 1;
        if may_be_cyclic {
            self.active.remove(&key);
        }
        self.known.insert(key, interval);
        // What holds of any value of the type needs no assumption.
        if interval != values {
            self.assumptions.note(key);
        }
        interval
    }

    /// Returns the interval of an integer.
    pub fn of<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Interval {
        self.of_index(value).wrapped(value.ty())
    }

    fn of_result<'c: 'a, 'a>(
        &mut self,
        value: Value<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Option<Interval> {
        let r#type = value.ty();
        let found = match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Constant(constant)) => of_constant(constant.value(), r#type)?,
            AnyOp::Arith(arith::Op::Constant(constant)) => of_constant(constant.value(), r#type)?,
            AnyOp::Typed(typed::Op::Dim(_) | typed::Op::Len(_)) => {
                Interval::new(0, i64::MAX.into()).wrapped(r#type)
            }
            AnyOp::Typed(typed::Op::Cast(cast)) => {
                let from = cast.operand().ty();
                let is_number = IntegerType::try_from(from).is_ok() || from.is_index();
                is_number.then(|| self.of(cast.operand()).wrapped(r#type))?
            }
            AnyOp::Typed(typed::Op::Unary(unary)) => self.of_unary(unary)?,
            AnyOp::Arith(arith::Op::MinUI(least)) => {
                // The unsigned minimum is at most any operand that isn't negative.
                let sides = [self.of(least.lhs()), self.of(least.rhs())];
                let high = sides
                    .iter()
                    .filter(|side| side.low >= 0)
                    .map(|side| side.high)
                    .min()?;
                Interval::new(0, high)
            }
            AnyOp::Arith(arith::Op::DivUI(quotient)) => {
                let side = self.of(quotient.lhs());
                (side.low >= 0).then(|| Interval::new(0, side.high))?
            }
            AnyOp::Arith(arith::Op::Select(select)) => {
                let chosen = self.of(select.true_value());
                chosen.union(self.of(select.false_value()))
            }
            AnyOp::Scf(scf::Op::If(_) | scf::Op::IndexSwitch(_)) => {
                yielded(operation, value.position())
                    .into_iter()
                    .filter(|value| ub::Poison::defining(*value).is_none())
                    .map(|value| self.of(value))
                    .reduce(Interval::union)?
            }
            AnyOp::Scf(scf::Op::For(r#loop)) => self.of_repeated(r#loop, value.position())?,
            AnyOp::Scf(scf::Op::While(r#loop)) => self.of_ended(r#loop, value.position())?,
            _ => self.of_binary(operation, computed(operation)?, r#type)?,
        };
        Some(self.marked(operation, found))
    }

    /// The interval of what a loop ends with at a position: of what is passed on.
    fn of_ended<'c: 'a, 'a>(
        &mut self,
        r#loop: scf::While<'c, 'a>,
        position: usize,
    ) -> Option<Interval> {
        let value = passed_on(r#loop, position)?;
        if self.is_strict {
            return Some(self.of(value));
        }
        let strict = self
            .behind_loops
            .get_or_insert_with(|| Box::new(Self::without_counting()));
        Some(strict.of(value))
    }

    fn of_unary(&mut self, unary: typed::Unary) -> Option<Interval> {
        let r#type = unary.result().ty();
        match unary.kind() {
            UnaryKind::Abs => {
                let Interval { low, high } = self.of(unary.operand());
                let least = if low <= 0 && high >= 0 {
                    0
                } else {
                    low.abs().min(high.abs())
                };
                Some(Interval::new(least, low.abs().max(high.abs())).wrapped_sum(r#type))
            }
            UnaryKind::Neg => {
                let Interval { low, high } = self.of(unary.operand());
                Some(Interval::new(high.checked_neg()?, low.checked_neg()?).wrapped(r#type))
            }
            _ => None,
        }
    }

    /// Applies the facts that `typed-range-to-for` attached to items of ranges, which don't wrap
    /// around.
    fn marked(&mut self, operation: OperationRef, interval: Interval) -> Interval {
        let mut low = interval.low;
        let minimum = operation.int_attr(marks::MINIMUM);
        if let Some(minimum) = minimum {
            low = low.max(minimum.into());
        }
        let ascends = computed(operation).filter(|_| operation.flag_attr(marks::ASCENDING));
        if let Some(sum) = ascends {
            low = low.max(self.of(sum.lhs).low);
        }
        let mut high = interval.high;
        if ascends.is_some() || minimum.is_some() {
            high = high.min(Interval::of_type(operation.result_types()[0]).high);
        }
        Interval { low, high }
    }

    fn of_binary<'c: 'a, 'a>(
        &mut self,
        operation: OperationRef<'c, 'a>,
        binary: Computed<'c, 'a>,
        r#type: Type<'c>,
    ) -> Option<Interval> {
        let [a, b] = [binary.lhs, binary.rhs].map(|value| self.of_operand(value, operation));
        let natural = |a: Interval| a.low >= 0;
        Some(match binary.kind {
            BinaryKind::Add => a.plus(b).wrapped_sum(r#type),
            BinaryKind::Sub => Interval::new(a.low - b.high, a.high - b.low).wrapped_sum(r#type),
            BinaryKind::Mul => {
                let products = [a.low, a.high].map(|x| [b.low, b.high].map(|y| x.checked_mul(y)));
                let mut bounds = products.iter().flatten().copied();
                let first = bounds.next()??;
                bounds
                    .try_fold(Interval::new(first, first), |interval, product| {
                        product.map(|product| interval.union(Interval::new(product, product)))
                    })?
                    .wrapped(r#type)
            }
            BinaryKind::Min => Interval::new(a.low.min(b.low), a.high.min(b.high)),
            BinaryKind::Max => Interval::new(a.low.max(b.low), a.high.max(b.high)),
            // Floor division; dividing by zero gives zero.
            BinaryKind::FloorDiv if natural(a) && natural(b) => Interval::new(0, a.high),
            BinaryKind::FloorDiv => {
                let divisor = b.constant().filter(|divisor| *divisor > 0)?;
                Interval::new(a.low.div_euclid(divisor), a.high.div_euclid(divisor))
            }
            // Has the divisor's sign; modulo zero is zero.
            BinaryKind::Mod if natural(b) => {
                let high = (b.high - 1).max(0);
                Interval::new(0, if natural(a) { high.min(a.high) } else { high })
            }
            BinaryKind::And if natural(a) && natural(b) => Interval::new(0, a.high.min(b.high)),
            BinaryKind::And if natural(a) => Interval::new(0, a.high),
            BinaryKind::And if natural(b) => Interval::new(0, b.high),
            BinaryKind::Or | BinaryKind::Xor if natural(a) && natural(b) => {
                Interval::new(0, Interval::of_type(r#type).high)
            }
            BinaryKind::RShift if natural(a) => Interval::new(0, a.high),
            _ => return None,
        })
    }

    fn of_argument<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Option<Interval> {
        let block = value.defining_block();
        let parent = block.parent()?;
        let position = value.position();
        match AnyOp::of(parent) {
            AnyOp::Typed(typed::Op::Generate(_)) => Some(Interval::new(0, ITERATIONS)),
            AnyOp::Scf(scf::Op::For(r#loop)) if position == 0 => {
                let [lower, upper, step] =
                    [r#loop.lower_bound(), r#loop.upper_bound(), r#loop.step()]
                        .map(|bound| self.of(bound));
                if lower.constant() == Some(0) && step.constant() == Some(1) {
                    let most = if self.is_strict {
                        i128::MAX
                    } else {
                        ITERATIONS
                    };
                    return Some(Interval::new(0, (upper.high - 1).clamp(0, most)));
                }
                // One part of a loop whose iterations are divided begins anywhere.
                (step.low > 0).then(|| Interval::new(lower.low, (upper.high - 1).max(lower.low)))
            }
            AnyOp::Scf(scf::Op::For(r#loop)) => {
                let position = position - 1;
                if let Some(interval) = self.of_repeated(r#loop, position) {
                    return Some(interval);
                }
                let next = yielded_by(r#loop.region(), position)?;
                let end = r#loop.region().entry()?;
                self.of_carried(value, r#loop.init_args()[position], (next, end))
            }
            AnyOp::Scf(scf::Op::While(r#loop)) if r#loop.before().entry() == Some(block) => {
                let next = yielded_by(r#loop.after(), position)?;
                let end = r#loop.after().entry()?;
                self.of_carried(value, r#loop.inits()[position], (next, end))
            }
            AnyOp::Scf(scf::Op::While(r#loop)) => self.of_passed_on(r#loop, position),
            _ => None,
        }
    }
}

/// The interval of a constant of a type.
fn of_constant(value: Attribute, r#type: Type) -> Option<Interval> {
    let value = i128::from(value.integer_value()?);
    // For an unsigned type the attribute holds the bit pattern.
    let value = if value < Interval::of_type(r#type).low {
        i128::from(value as u64)
    } else {
        value
    };
    Some(Interval::new(value, value))
}

/// What the `before` region of an `scf.while` passes on to the `after` region.
fn passed_on<'c: 'a, 'a>(r#loop: scf::While<'c, 'a>, position: usize) -> Option<Value<'c, 'a>> {
    let condition = scf::Condition::of(r#loop.before().entry()?.terminator_op()?)?;
    Some(condition.args()[position])
}

/// What the regions of an operation yield for a result.
fn yielded<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, position: usize) -> Vec<Value<'c, 'a>> {
    operation
        .region_list()
        .into_iter()
        .filter_map(|region| yielded_by(region, position))
        .collect()
}

/// What a region of a single block yields for a result.
fn yielded_by<'c: 'a, 'a>(region: RegionRef<'c, 'a>, position: usize) -> Option<Value<'c, 'a>> {
    let end = scf::Yield::of(region.entry()?.terminator_op()?)?;
    Some(end.results()[position])
}
