//! How often a loop over an iterable runs, and what it gets in each iteration.

use super::{
    interval::{Interval, Intervals},
    range_to_for::PRANGE,
};
use crate::infra::{Builder, CmpInt, OperationAttributes, OperationExt, ValueExt};
use melior::ir::{
    Attribute, OperationRef, Type, Value,
    attribute::IntegerAttribute,
    operation::OperationLike,
    r#type::{IntegerType, TupleType},
};
use pyopt_dialects::{
    enums::BinaryKind,
    typed::{ArrayType, TypedType, array_type},
};

/// Marks a sum that is at least its first operand: an item of a range that goes upwards.
pub(crate) const ASCENDING: &str = "pyopt.ascending";
/// Marks a value that is at least this: an item of a range that goes down.
pub(crate) const MINIMUM: &str = "pyopt.minimum";

/// Something with a length and an item at each position below it.
#[derive(Clone, Debug)]
pub(crate) struct Sequence<'c, 'a> {
    value: Value<'c, 'a>,
    item: Type<'c>,
    kind: Kind<'c, 'a>,
}

#[derive(Clone, Debug)]
enum Kind<'c, 'a> {
    Range(Range<'c, 'a>),
    Array(ArrayType<'c>),
    Tuple(usize),
    /// A list, which may grow and shrink while it is gone through.
    List,
    /// The sequence from its end.
    Reversed(Reversed<'c, 'a>),
    /// Pairs of a number, which starts at the value, and an item.
    Enumerate(Box<Sequence<'c, 'a>>),
    /// Tuples of items.
    Zip(Vec<Sequence<'c, 'a>>),
    /// The elements of an array.
    Flat(Value<'c, 'a>, usize),
    /// The positions in an array of these sizes, and the mark of those that may be gone through in
    /// any order.
    Indices(Vec<Value<'c, 'a>>, Option<Attribute<'c>>),
    /// A str, or a range that was made elsewhere.
    Other,
}

/// A sequence that is gone through from its end.
#[derive(Clone, Debug)]
struct Reversed<'c, 'a> {
    sequence: Box<Sequence<'c, 'a>>,
    /// The `typed.reversed`.
    made: OperationRef<'c, 'a>,
    /// The length that a list had there.
    start: Option<Value<'c, 'a>>,
}

/// The parts of a range and what is known of them.
#[derive(Clone, Copy, Debug)]
struct Range<'c, 'a> {
    parts: [Value<'c, 'a>; 3],
    bounds: [Interval; 3],
    /// The mark of a range whose items may be gone through in any order.
    parallel: Option<Attribute<'c>>,
    /// Whether comparing and subtracting is unsigned, on all 64 bits.
    unsigned: bool,
    /// Whether the type has less than 64 bits.
    narrow: bool,
}

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// Looks at what an iterator, which an operation makes, goes over: that must be sequences, and
    /// its items must have a type.
    pub fn of_iterator(iterator: OperationRef<'c, 'a>, item: Type<'c>) -> Option<Self> {
        let value = iterator.operand_values().first().copied();
        let of_operand = |index, item| {
            let operand = iterator.operand_value(index).defining_op()?;
            Self::of_iterator(operand, item)
        };
        let items = || -> Option<Vec<_>> {
            let tuple = TupleType::try_from(item).ok()?;
            let count = tuple.type_count();
            (0..count).map(|index| tuple.r#type(index).ok()).collect()
        };
        let (value, kind) = match iterator.full_name() {
            "typed.iter" => return Self::new(value?, item),
            "typed.reversed" => {
                let sequence = Box::new(Self::new(value?, item)?);
                let reversed = Reversed {
                    sequence,
                    made: iterator,
                    start: None,
                };
                (value?, Kind::Reversed(reversed))
            }
            "typed.enumerate" => {
                let [_, item] = items()?[..] else {
                    return None;
                };
                let sequence = of_operand(0, item)?;
                (
                    iterator.operand_value(1),
                    Kind::Enumerate(Box::new(sequence)),
                )
            }
            "typed.zip" => {
                let sequences = items()?.into_iter().enumerate();
                let sequences: Option<Vec<_>> = sequences
                    .map(|(index, item)| of_operand(index, item))
                    .collect();
                (iterator.result_value(0), Kind::Zip(sequences?))
            }
            _ => return None,
        };
        Some(Self { value, item, kind })
    }

    /// Looks at an iterable whose items are to have a type; `None` when it isn't a sequence.
    fn new(iterable: Value<'c, 'a>, item: Type<'c>) -> Option<Self> {
        let kind = match TypedType::from(iterable.ty()) {
            TypedType::Range(element) => match iterable.defined_by("typed.range") {
                Some(range) => {
                    let integer = IntegerType::try_from(element).ok()?;
                    let mut intervals = Intervals::default();
                    let parts = [0, 1, 2].map(|index| range.operand_value(index));
                    Kind::Range(Range {
                        parts,
                        bounds: parts.map(|part| intervals.of(part)),
                        parallel: range
                            .flag_attr("parallel")
                            .then(|| range.attr(PRANGE).or_else(|| range.attr("parallel")))
                            .flatten(),
                        unsigned: integer.is_unsigned() && integer.width() == 64,
                        narrow: integer.width() < 64,
                    })
                }
                None => Kind::Other,
            },
            TypedType::Array(array) if array.rank > 0 => Kind::Array(array),
            TypedType::Str => Kind::Other,
            TypedType::List(_) => Kind::List,
            TypedType::Flat(array) => {
                let flat = iterable.defined_by("typed.flat")?;
                Kind::Flat(flat.operand_value(0), array_type(array)?.rank)
            }
            TypedType::Indices(_) => {
                let indices = iterable.defined_by("typed.indices")?;
                Kind::Indices(indices.operand_values(), indices.attr("parallel"))
            }
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

    /// The mark of a loop whose iterations may run in any order.
    pub fn parallel_mark(&self) -> Option<Attribute<'c>> {
        match &self.kind {
            Kind::Range(range) => range.parallel,
            Kind::Indices(_, parallel) => *parallel,
            _ => None,
        }
    }

    /// Whether the number of items may be another one in each iteration.
    pub fn is_variable(&self) -> bool {
        match &self.kind {
            Kind::List => true,
            Kind::Reversed(Reversed { sequence, .. }) | Kind::Enumerate(sequence) => {
                sequence.is_variable()
            }
            Kind::Zip(sequences) => sequences.iter().any(Self::is_variable),
            _ => false,
        }
    }

    /// Makes the number of items, of type `index`, which isn't negative.
    pub fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let index = Type::index(builder.context());
        match &self.kind {
            Kind::Range(range) => range.length(builder),
            Kind::Reversed(Reversed { sequence, .. }) | Kind::Enumerate(sequence) => {
                sequence.length(builder)
            }
            Kind::Zip(sequences) => {
                let lengths = sequences.iter().map(|sequence| sequence.length(builder));
                let least = |a, b| builder.bin("arith.minsi", a, b);
                lengths.reduce(least).unwrap_or_else(|| builder.index(0))
            }
            Kind::Array(_) => dimension(builder, self.value, 0),
            Kind::Flat(..) | Kind::Indices(..) => {
                let sizes = self.sizes(builder).into_iter();
                let product = sizes.reduce(|a, b| builder.bin("arith.muli", a, b));
                product.unwrap_or_else(|| builder.index(1))
            }
            Kind::Tuple(count) => builder.index(*count as i64),
            Kind::List => builder.value("typed.list_len", &[self.value], index, &[]),
            Kind::Other => builder.value("typed.len", &[self.value], index, &[]),
        }
    }

    /// Makes the lengths that lists have where they are reversed, in front of a loop over what may
    /// vary.
    pub fn begin(&mut self, builder: &Builder<'c, 'a>) {
        match &mut self.kind {
            Kind::Reversed(reversed) => {
                builder.before(reversed.made).at(reversed.made.location());
                reversed.start = Some(reversed.sequence.length(builder));
            }
            Kind::Enumerate(sequence) => sequence.begin(builder),
            Kind::Zip(sequences) => sequences.iter_mut().for_each(|one| one.begin(builder)),
            _ => {}
        }
    }

    /// Makes the condition under which there is an item at a position, after [`Self::begin`]. As in
    /// CPython, a reversed list is done when it became shorter than where its iterator is.
    pub fn goes_on(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Value<'c, 'a> {
        match &self.kind {
            Kind::Reversed(Reversed {
                sequence,
                start: Some(start),
                ..
            }) => {
                let position = sequence.mirrored(builder, position, Some(*start));
                builder.cmpi(CmpInt::Ult, position, sequence.length(builder))
            }
            Kind::Enumerate(sequence) => sequence.goes_on(builder, position),
            Kind::Zip(sequences) => {
                let all = sequences.iter().map(|one| one.goes_on(builder, position));
                let all = all.reduce(|a, b| builder.bin("arith.andi", a, b));
                all.unwrap_or_else(|| builder.bool(false))
            }
            _ => builder.cmpi(CmpInt::Slt, position, self.length(builder)),
        }
    }

    /// Makes the sizes of what is gone through in several dimensions, of type `index`.
    fn sizes(&self, builder: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        match &self.kind {
            Kind::Flat(array, rank) => (0..*rank)
                .map(|number| dimension(builder, *array, number))
                .collect(),
            Kind::Indices(sizes, _) => sizes
                .iter()
                .map(|size| {
                    let index = Type::index(builder.context());
                    builder.value("typed.cast", &[*size], index, &[])
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Makes the index in each dimension of a position among all, the last one varying fastest.
    fn unravel(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let sizes = self.sizes(builder);
        let mut rest = position;
        let mut indices = Vec::new();
        for (number, &size) in sizes.iter().enumerate().rev() {
            let is_first = number == 0;
            indices.push(match is_first {
                true => rest,
                false => builder.bin("arith.remui", rest, size),
            });
            if !is_first {
                rest = builder.bin("arith.divui", rest, size);
            }
        }
        indices.reverse();
        indices
    }

    /// Makes the position that is as far from the end as another one is from the start. The length
    /// of a list may be another one than it has now.
    fn mirrored(
        &self,
        builder: &Builder<'c, 'a>,
        position: Value<'c, 'a>,
        length: Option<Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        let (length, fits) = match (&self.kind, length) {
            (_, Some(length)) => (length, false),
            (Kind::Range(range), None) => range.count(builder),
            (_, None) => (self.length(builder), true),
        };
        let context = builder.context();
        let zero = IntegerAttribute::new(IntegerType::new(context, 64).into(), 0);
        let mark = (MINIMUM, Attribute::from(zero));
        let marks = if fits { &[mark][..] } else { &[] };
        let last = builder.bin("arith.subi", length, builder.index(1));
        let index = Type::index(context);
        builder.value("arith.subi", &[last, position], index, marks)
    }

    /// Makes the item at a position of type `index`.
    pub fn item(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Value<'c, 'a> {
        let name = match &self.kind {
            Kind::Range(range) => return range.item(builder, self.item, position),
            Kind::Reversed(Reversed {
                sequence, start, ..
            }) => {
                let position = sequence.mirrored(builder, position, *start);
                return sequence.item(builder, position);
            }
            Kind::Enumerate(sequence) => {
                let number = self.value.ty();
                let count = builder.value("typed.cast", &[position], number, &[]);
                let kind = BinaryKind::Add.to_attribute(builder.context());
                let marks = [
                    ("kind", kind),
                    (ASCENDING, Attribute::unit(builder.context())),
                ];
                let count = builder.value("typed.binary", &[self.value, count], number, &marks);
                let item = sequence.item(builder, position);
                return builder.value("typed.tuple", &[count, item], self.item, &[]);
            }
            Kind::Zip(sequences) => {
                let items = sequences.iter().map(|one| one.item(builder, position));
                let items: Vec<_> = items.collect();
                return builder.value("typed.tuple", &items, self.item, &[]);
            }
            Kind::Flat(array, _) => {
                let operands = [vec![*array], self.unravel(builder, position)].concat();
                return builder.value("typed.load", &operands, self.item, &[]);
            }
            Kind::Indices(sizes, _) => {
                let indices = self.unravel(builder, position).into_iter().zip(sizes);
                let zero = IntegerAttribute::new(IntegerType::new(builder.context(), 64).into(), 0);
                let marks = [(MINIMUM, Attribute::from(zero))];
                let indices = indices
                    .map(|(index, size)| builder.value("typed.cast", &[index], size.ty(), &marks));
                let indices: Vec<_> = indices.collect();
                return builder.value("typed.tuple", &indices, self.item, &[]);
            }
            Kind::Array(array) if array.rank == 1 && self.item == array.element => "typed.load",
            Kind::Array(_) => "typed.view",
            Kind::Tuple(_) => "typed.tuple_item",
            Kind::List => "typed.list_get",
            Kind::Other => "typed.item",
        };
        builder.value(name, &[self.value, position], self.item, &[])
    }
}

/// Makes the size of a dimension of an array.
fn dimension<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    number: usize,
) -> Value<'c, 'a> {
    let context = builder.context();
    let number = IntegerAttribute::new(IntegerType::new(context, 64).into(), number as i64);
    let attributes = [("dimension", number.into())];
    builder.value("typed.dim", &[array], Type::index(context), &attributes)
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    /// The number of items. One that would be negative as an `index` becomes 2^63 - 1: nobody lives
    /// to see the difference.
    fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        match self.count(builder) {
            (count, true) => count,
            (count, false) => builder.bin("arith.minui", count, builder.index(i64::MAX)),
        }
    }

    /// The number of items, as Python has it: 0 when the stop isn't on the step's side.
    ///
    /// The distance of start and stop doesn't always fit 63 bits, but as an unsigned number it is
    /// exact. Also tells whether the number is known to fit them.
    fn count(&self, builder: &Builder<'c, 'a>) -> (Value<'c, 'a>, bool) {
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
            let length = match high_bound >= 0 {
                true => high,
                false => binary("arith.maxsi", high, zero),
            };
            return (length, true);
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
        (length, fits)
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
