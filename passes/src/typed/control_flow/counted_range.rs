//! The trip count of a range, and its items.

use crate::{
    analysis::interval::Interval,
    infra::{
        Builder, CmpInt, OperationExt, ValueExt,
        ops::{arith, marks, typed},
    },
};
use melior::ir::{Attribute, Type, Value, attribute::IntegerAttribute, r#type::IntegerType};
use pyopt_dialects::enums::BinaryKind;

/// Start, stop and step of a range, and their bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range<'c, 'a> {
    pub parts: [Value<'c, 'a>; 3],
    pub bounds: [Interval; 3],
    /// The mark of a range whose iterations may run in any order.
    pub parallel: Option<Attribute<'c>>,
    /// Whether comparisons and differences are unsigned, on all 64 bits.
    pub unsigned: bool,
    /// Whether the type has less than 64 bits.
    pub narrow: bool,
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    /// The trip count. One that would be negative as an `index` becomes 2^63 - 1, which no loop
    /// reaches.
    pub fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        match self.count(builder) {
            (count, true) => count,
            (count, false) => builder.bin(arith::MinUI::NAME, count, builder.index(i64::MAX)),
        }
    }

    /// The number of items, as in Python: 0 when start is already at or past stop in the direction
    /// of the step.
    ///
    /// The distance of start and stop doesn't always fit 63 bits, but as an unsigned number it is
    /// exact. Also returns whether it is known to fit.
    pub fn count(&self, builder: &Builder<'c, 'a>) -> (Value<'c, 'a>, bool) {
        if let [Some(start), Some(stop), Some(step)] = self.bounds.map(Interval::constant)
            && step != 0
        {
            let (low, high) = if step > 0 {
                (start, stop)
            } else {
                (stop, start)
            };
            let length = (high - low + step.abs() - 1).div_euclid(step.abs()).max(0);
            return (builder.index(length as i64), length <= i64::MAX.into());
        }

        let binary = |name: &str, a, b| builder.bin(name, a, b);
        let select = |condition, a, b| builder.select(condition, a, b);
        let zero = builder.index(0);
        let [start, stop] = [0, 1].map(|part| self.as_index(builder, part));
        let [from, to, by] = self.bounds;

        let (low, high, low_bound, high_bound, stride) = if by.low >= 0 {
            (start, stop, from.low, to.low, self.as_index(builder, 2))
        } else if by.high < 0 {
            let stride = match by.constant() {
                Some(step) => builder.index((-step) as i64),
                None => binary(arith::SubI::NAME, zero, self.as_index(builder, 2)),
            };
            (stop, start, to.low, from.low, stride)
        } else {
            let step = self.as_index(builder, 2);
            let upwards = builder.cmpi(CmpInt::Sgt, step, zero);
            let negated = binary(arith::SubI::NAME, zero, step);
            (
                select(upwards, start, stop),
                select(upwards, stop, start),
                from.low.min(to.low),
                from.low.min(to.low),
                select(upwards, step, negated),
            )
        };
        let stride_bound = by.constant().map(i128::abs);

        if stride_bound == Some(1) && !self.unsigned && self.constant_low(by) == Some(0) {
            let length = match high_bound >= 0 {
                true => high,
                false => binary(arith::MaxSI::NAME, high, zero),
            };
            return (length, true);
        }

        let predicate = if self.unsigned {
            CmpInt::Ugt
        } else {
            CmpInt::Sgt
        };
        let some = builder.cmpi(predicate, high, low);
        let distance = binary(arith::SubI::NAME, high, low);
        let count = if stride_bound == Some(1) {
            distance
        } else {
            let one = builder.index(1);
            // The step isn't 0, but nothing in the IR says so.
            let stride = match stride_bound {
                Some(_) => stride,
                None => binary(arith::MaxUI::NAME, stride, one),
            };
            let last = binary(arith::SubI::NAME, distance, one);
            let before = binary(arith::DivUI::NAME, last, stride);
            binary(arith::AddI::NAME, before, one)
        };
        let length = select(some, count, zero);
        let fits = self.narrow
            || !self.unsigned && low_bound >= 0
            || stride_bound.is_some_and(|stride| stride > 2);
        (length, fits)
    }

    /// The lower end of the range, if it is constant.
    fn constant_low(&self, by: Interval) -> Option<i128> {
        self.bounds[usize::from(by.high < 0)].constant()
    }

    /// A part of the range as an `index`: the value that was cast to a Python integer, if it was
    /// one.
    fn as_index(&self, builder: &Builder<'c, 'a>, part: usize) -> Value<'c, 'a> {
        let value = self.parts[part];
        let index = Type::index(builder.context());
        if let Some(constant) = self.bounds[part].constant() {
            return builder.index(constant as i64);
        }
        if let Some(cast) = typed::Cast::defining(value)
            && cast.operand().ty() == index
            && !self.narrow
        {
            return cast.operand();
        }
        if let Some(dim) = typed::Dim::defining(value)
            && !self.narrow
        {
            return typed::Dim::create(builder, dim.array(), dim.dimension(), index).result();
        }
        typed::Cast::create(builder, value, index).result()
    }

    /// `start + index * step`, which doesn't overflow for any index in the range.
    pub fn item(
        &self,
        builder: &Builder<'c, 'a>,
        r#type: Type<'c>,
        position: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let [from, to, by] = self.bounds;
        let [start, _, step] = self.parts;
        let mut minimum = None;
        let least = if by.low >= 0 { from.low } else { to.low + 1 };
        if (by.low >= 0 || by.high < 0) && least > i64::MIN.into() && least <= i64::MAX.into() {
            minimum = Some(word(builder, least as i64));
        }
        let mark = |item: typed::Binary<'c, 'a>| {
            if let Some(minimum) = minimum {
                item.set_attr(marks::MINIMUM, minimum);
            }
        };

        let mut item = typed::Cast::create(builder, position, r#type).result();
        let from_zero = from.constant() == Some(0);
        if by.constant() != Some(1) {
            let product = typed::Binary::create(builder, BinaryKind::Mul, item, step);
            if from_zero {
                mark(product);
            }
            item = product.result();
        }
        if !from_zero {
            let sum = typed::Binary::create(builder, BinaryKind::Add, start, item);
            mark(sum);
            if by.low >= 0 {
                sum.set_attr(marks::ASCENDING, Attribute::unit(builder.context()));
            }
            item = sum.result();
        }
        item
    }
}

/// An integer of 64 bits, as an attribute.
pub(super) fn word<'c>(builder: &Builder<'c, '_>, value: i64) -> Attribute<'c> {
    IntegerAttribute::new(IntegerType::new(builder.context(), 64).into(), value).into()
}
