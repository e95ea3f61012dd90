//! How often a loop over an iterable runs, and what it gets in each iteration.

use super::interval::{Interval, Intervals};
use crate::infra::{Builder, CmpInt, OperationAttributes, OperationExt, ValueExt};
use melior::ir::{
    Attribute, Type, Value,
    attribute::IntegerAttribute,
    r#type::{IntegerType, TupleType},
};
use pyopt_dialects::{
    enums::BinaryKind,
    typed::{ArrayType, TypedType},
};

/// Marks a sum that is at least its first operand: an item of a range that goes upwards.
pub(crate) const ASCENDING: &str = "pyopt.ascending";
/// Marks a value that is at least this: an item of a range that goes down.
pub(crate) const MINIMUM: &str = "pyopt.minimum";

/// Something with a length and an item at each position below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence<'c, 'a> {
    value: Value<'c, 'a>,
    item: Type<'c>,
    kind: Kind<'c, 'a>,
}

#[derive(Clone, Copy, Debug)]
enum Kind<'c, 'a> {
    Range(Range<'c, 'a>),
    Array(ArrayType<'c>),
    Tuple(usize),
    /// A str, or a range that was made elsewhere.
    Other,
}

/// The parts of a range and what is known of them.
#[derive(Clone, Copy, Debug)]
struct Range<'c, 'a> {
    parts: [Value<'c, 'a>; 3],
    bounds: [Interval; 3],
    parallel: bool,
    /// Whether comparing and subtracting is unsigned, on all 64 bits.
    unsigned: bool,
    /// Whether the type has less than 64 bits.
    narrow: bool,
}

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// Looks at an iterable whose items are to have a type; `None` when it isn't a sequence.
    pub fn new(iterable: Value<'c, 'a>, item: Type<'c>) -> Option<Self> {
        let kind = match TypedType::from(iterable.ty()) {
            TypedType::Range(element) => match iterable.defined_by("typed.range") {
                Some(range) => {
                    let integer = IntegerType::try_from(element).ok()?;
                    let mut intervals = Intervals::default();
                    let parts = [0, 1, 2].map(|index| range.operand_value(index));
                    Kind::Range(Range {
                        parts,
                        bounds: parts.map(|part| intervals.of(part)),
                        parallel: range.flag_attr("parallel"),
                        unsigned: integer.is_unsigned() && integer.width() == 64,
                        narrow: integer.width() < 64,
                    })
                }
                None => Kind::Other,
            },
            TypedType::Array(array) if array.rank > 0 => Kind::Array(array),
            TypedType::Str => Kind::Other,
            TypedType::Other(r#type) => {
                let tuple = TupleType::try_from(r#type).ok()?;
                let count = tuple.type_count();
                (0..count)
                    .all(|index| tuple.r#type(index) == Ok(item))
                    .then_some(Kind::Tuple(count))?
            }
            _ => return None,
        };
        Some(Self {
            value: iterable,
            item,
            kind,
        })
    }

    /// Whether iterations may run in any order.
    pub fn is_parallel(&self) -> bool {
        matches!(self.kind, Kind::Range(Range { parallel: true, .. }))
    }

    /// Makes the number of items, of type `index`, which isn't negative.
    pub fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let index = Type::index(builder.context());
        match self.kind {
            Kind::Range(range) => range.length(builder),
            Kind::Array(_) => {
                let zero = IntegerAttribute::new(IntegerType::new(builder.context(), 64).into(), 0);
                builder.value(
                    "typed.dim",
                    &[self.value],
                    index,
                    &[("dimension", zero.into())],
                )
            }
            Kind::Tuple(count) => builder.index(count as i64),
            Kind::Other => builder.value("typed.len", &[self.value], index, &[]),
        }
    }

    /// Makes the item at a position of type `index`.
    pub fn item(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Value<'c, 'a> {
        let name = match self.kind {
            Kind::Range(range) => return range.item(builder, self.item, position),
            Kind::Array(array) if array.rank == 1 => "typed.load",
            Kind::Array(_) => "typed.view",
            Kind::Tuple(_) => "typed.tuple_item",
            Kind::Other => "typed.item",
        };
        builder.value(name, &[self.value, position], self.item, &[])
    }
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    /// The number of items, as Python has it: 0 when the stop isn't on the step's side.
    ///
    /// The distance of start and stop doesn't always fit 63 bits, but as an unsigned number it is
    /// exact. A length that would be negative as an `index` becomes 2^63 - 1: nobody lives to see
    /// the difference.
    fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        if let [Some(start), Some(stop), Some(step)] = self.bounds.map(Interval::constant)
            && step != 0
        {
            let (low, high) = if step > 0 {
                (start, stop)
            } else {
                (stop, start)
            };
            let length = (high - low + step.abs() - 1).div_euclid(step.abs()).max(0);
            return builder.index(length.min(i64::MAX.into()) as i64);
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
                None => binary("arith.subi", zero, self.as_index(builder, 2)),
            };
            (stop, start, to.low, from.low, stride)
        } else {
            let step = self.as_index(builder, 2);
            let upwards = builder.cmpi(CmpInt::Sgt, step, zero);
            let negated = binary("arith.subi", zero, step);
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
            return if high_bound >= 0 {
                high
            } else {
                binary("arith.maxsi", high, zero)
            };
        }

        let predicate = if self.unsigned {
            CmpInt::Ugt
        } else {
            CmpInt::Sgt
        };
        let some = builder.cmpi(predicate, high, low);
        let distance = binary("arith.subi", high, low);
        let count = if stride_bound == Some(1) {
            distance
        } else {
            let one = builder.index(1);
            // The step isn't 0, but nothing here says so.
            let stride = match stride_bound {
                Some(_) => stride,
                None => binary("arith.maxui", stride, one),
            };
            let last = binary("arith.subi", distance, one);
            let before = binary("arith.divui", last, stride);
            binary("arith.addi", before, one)
        };
        let length = select(some, count, zero);
        let fits = self.narrow
            || !self.unsigned && low_bound >= 0
            || stride_bound.is_some_and(|stride| stride > 2);
        if fits {
            length
        } else {
            binary("arith.minui", length, builder.index(i64::MAX))
        }
    }

    /// The lower end of the range where it is constant.
    fn constant_low(&self, by: Interval) -> Option<i128> {
        self.bounds[usize::from(by.high < 0)].constant()
    }

    /// A part as an `index`: what it was before it became a Python integer, if it was one.
    fn as_index(&self, builder: &Builder<'c, 'a>, part: usize) -> Value<'c, 'a> {
        let value = self.parts[part];
        let index = Type::index(builder.context());
        if let Some(constant) = self.bounds[part].constant() {
            return builder.index(constant as i64);
        }
        let source = value.defining_op();
        if let Some(cast) = source.filter(|source| source.is("typed.cast"))
            && cast.operand_value(0).ty() == index
            && !self.narrow
        {
            return cast.operand_value(0);
        }
        if let Some(dimension) = source.filter(|source| source.is("typed.dim"))
            && let Some(number) = dimension.attr("dimension")
            && !self.narrow
        {
            let array = dimension.operand_value(0);
            return builder.value("typed.dim", &[array], index, &[("dimension", number)]);
        }
        builder.value("typed.cast", &[value], index, &[])
    }

    /// `start + position * step`, which doesn't leave the type for any position in the range.
    fn item(
        &self,
        builder: &Builder<'c, 'a>,
        r#type: Type<'c>,
        position: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let context = builder.context();
        let [from, to, by] = self.bounds;
        let [start, _, step] = self.parts;
        let mut marks = Vec::new();
        let least = if by.low >= 0 { from.low } else { to.low + 1 };
        if (by.low >= 0 || by.high < 0) && least > i64::MIN.into() && least <= i64::MAX.into() {
            let least = IntegerAttribute::new(IntegerType::new(context, 64).into(), least as i64);
            marks.push((MINIMUM, Attribute::from(least)));
        }
        let binary = |kind: BinaryKind, a, b, marks: &[(&str, Attribute<'c>)]| {
            let attributes = [&[("kind", kind.to_attribute(context))], marks].concat();
            builder.value("typed.binary", &[a, b], r#type, &attributes)
        };

        let mut item = builder.value("typed.cast", &[position], r#type, &[]);
        let from_zero = from.constant() == Some(0);
        if by.constant() != Some(1) {
            let marks = if from_zero { &marks[..] } else { &[] };
            item = binary(BinaryKind::Mul, item, step, marks);
        }
        if !from_zero {
            if by.low >= 0 {
                marks.push((ASCENDING, Attribute::unit(context)));
            }
            item = binary(BinaryKind::Add, start, item, &marks);
        }
        item
    }
}
