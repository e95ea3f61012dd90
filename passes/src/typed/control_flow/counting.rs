//! The trip count of a loop over an iterable, and the item of each iteration.

use super::counted_range::{Range, word};
use crate::{
    analysis::interval::Intervals,
    infra::{
        Builder, CmpInt, OperationExt, ValueExt,
        emit::Emit,
        ops::{arith, marks, typed},
    },
};
use melior::ir::{
    Attribute, OperationRef, Type, Value,
    operation::OperationLike,
    r#type::{IntegerType, TupleType},
};
use pyopt_dialects::{
    enums::BinaryKind,
    typed::{ArrayType, TypedType, array_type},
};

/// An iterable with a length and an item for each index below it.
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
    /// A list, which may grow and shrink during iteration.
    List,
    /// A sequence in reverse.
    Reversed(Reversed<'c, 'a>),
    /// Pairs of a counter, which starts at this value, and an item.
    Enumerate(Box<Sequence<'c, 'a>>),
    /// Tuples of items.
    Zip(Vec<Sequence<'c, 'a>>),
    /// The elements of an array.
    Flat(Value<'c, 'a>, usize),
    /// The multi-indices of an array of these sizes, and the mark of an index space whose
    /// iterations may run in any order.
    Indices(Vec<Value<'c, 'a>>, Option<Attribute<'c>>),
    /// A str, or a range that was made elsewhere.
    Other,
}

/// A sequence that is iterated in reverse.
#[derive(Clone, Debug)]
struct Reversed<'c, 'a> {
    sequence: Box<Sequence<'c, 'a>>,
    /// The `typed.reversed`.
    made: typed::Reversed<'c, 'a>,
    /// The length of a list when it was reversed.
    start: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// Analyses the iterable of an iterator, given the operation that makes it: it must consist of
    /// sequences, and its items must have one type.
    pub fn of_iterator(iterator: OperationRef<'c, 'a>, item: Type<'c>) -> Option<Self> {
        let items = || -> Option<Vec<_>> {
            let tuple = TupleType::try_from(item).ok()?;
            let count = tuple.type_count();
            (0..count).map(|index| tuple.r#type(index).ok()).collect()
        };
        let (value, kind) = match typed::Op::of(iterator)? {
            typed::Op::Iter(iter) => return Self::new(iter.iterable(), item),
            typed::Op::Reversed(made) => {
                let value = made.iterable();
                let sequence = Box::new(Self::new(value, item)?);
                let reversed = Reversed {
                    sequence,
                    made,
                    start: None,
                };
                (value, Kind::Reversed(reversed))
            }
            typed::Op::Enumerate(enumerate) => {
                let [_, item] = items()?[..] else {
                    return None;
                };
                let sequence = Self::of_iterator(enumerate.iterator().defining_op()?, item)?;
                (enumerate.start(), Kind::Enumerate(Box::new(sequence)))
            }
            typed::Op::Zip(zip) => {
                let iterators = zip.iterators().into_iter().zip(items()?);
                let sequences: Option<Vec<_>> = iterators
                    .map(|(iterator, item)| Self::of_iterator(iterator.defining_op()?, item))
                    .collect();
                (zip.result(), Kind::Zip(sequences?))
            }
            _ => return None,
        };
        Some(Self { value, item, kind })
    }

    /// Analyses an iterable whose items are to have a given type; `None` when it isn't a sequence.
    fn new(iterable: Value<'c, 'a>, item: Type<'c>) -> Option<Self> {
        let kind = match TypedType::from(iterable.ty()) {
            TypedType::Range(element) => match typed::Range::defining(iterable) {
                Some(range) => {
                    let integer = IntegerType::try_from(element).ok()?;
                    let mut intervals = Intervals::default();
                    let parts = [range.start(), range.stop(), range.step()];
                    Kind::Range(Range {
                        parts,
                        bounds: parts.map(|part| intervals.of(part)),
                        parallel: range
                            .parallel()
                            .then(|| range.attr(marks::PRANGE).or_else(|| parallel_mark(*range)))
                            .flatten(),
                        unsigned: integer.is_unsigned() && integer.width() == 64,
                        narrow: integer.width() < 64,
                    })
                }
                None => Kind::Other,
            },
            TypedType::Array(array) if array.rank > 0 => Kind::Array(array),
            TypedType::Str | TypedType::Bytes => Kind::Other,
            TypedType::List(_) => Kind::List,
            TypedType::Flat(array) => {
                let flat = typed::Flat::defining(iterable)?;
                Kind::Flat(flat.array(), array_type(array)?.rank)
            }
            TypedType::Indices(_) => {
                let indices = typed::Indices::defining(iterable)?;
                Kind::Indices(indices.sizes(), parallel_mark(*indices))
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

    /// Whether the length may change from one iteration to the next.
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

    /// Emits the trip count, a non-negative `index`.
    pub fn length(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let index = Type::index(builder.context());
        match &self.kind {
            Kind::Range(range) => range.length(builder),
            Kind::Reversed(Reversed { sequence, .. }) | Kind::Enumerate(sequence) => {
                sequence.length(builder)
            }
            Kind::Zip(sequences) => {
                let lengths = sequences.iter().map(|sequence| sequence.length(builder));
                let least = |a, b| builder.bin(arith::MinSI::NAME, a, b);
                lengths.reduce(least).unwrap_or_else(|| builder.index(0))
            }
            Kind::Array(_) => builder.dim(self.value, 0),
            Kind::Flat(..) | Kind::Indices(..) => {
                let sizes = self.sizes(builder).into_iter();
                let product = sizes.reduce(|a, b| builder.bin(arith::MulI::NAME, a, b));
                product.unwrap_or_else(|| builder.index(1))
            }
            Kind::Tuple(count) => builder.index(*count as i64),
            Kind::List => typed::ListLen::create(builder, self.value, index).result(),
            Kind::Other => typed::Len::create(builder, self.value, index).result(),
        }
    }

    /// Emits, in front of the loop, the lengths that reversed lists start with.
    pub fn begin(&mut self, builder: &Builder<'c, 'a>) {
        match &mut self.kind {
            Kind::Reversed(reversed) => {
                builder.before(*reversed.made).at(reversed.made.location());
                reversed.start = Some(reversed.sequence.length(builder));
            }
            Kind::Enumerate(sequence) => sequence.begin(builder),
            Kind::Zip(sequences) => sequences.iter_mut().for_each(|one| one.begin(builder)),
            _ => {}
        }
    }

    /// Emits the condition under which there is an item at an index, after [`Self::begin`]. As in
    /// CPython, the reversal of a list ends when the list has become shorter than the iterator's
    /// index.
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
                let all = all.reduce(|a, b| builder.and(a, b));
                all.unwrap_or_else(|| builder.bool(false))
            }
            _ => builder.cmpi(CmpInt::Slt, position, self.length(builder)),
        }
    }

    /// Emits the extents of a multi-dimensional index space, of type `index`.
    fn sizes(&self, builder: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        match &self.kind {
            Kind::Flat(array, rank) => (0..*rank)
                .map(|number| builder.dim(*array, number))
                .collect(),
            Kind::Indices(sizes, _) => sizes
                .iter()
                .map(|size| {
                    let index = builder.index_type();
                    typed::Cast::create(builder, *size, index).result()
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Delinearises an index: the index in each dimension, the last one varying fastest.
    fn unravel(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let sizes = self.sizes(builder);
        let mut rest = position;
        let mut indices = Vec::new();
        for (number, &size) in sizes.iter().enumerate().rev() {
            let is_first = number == 0;
            indices.push(match is_first {
                true => rest,
                false => builder.bin(arith::RemUI::NAME, rest, size),
            });
            if !is_first {
                rest = builder.bin(arith::DivUI::NAME, rest, size);
            }
        }
        indices.reverse();
        indices
    }

    /// Emits the index that is as far from the end as another one is from the start. The length of
    /// a list may differ from its present one.
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
        let last = builder.bin(arith::SubI::NAME, length, builder.index(1));
        let mirrored = arith::SubI::create(builder, last, position);
        if fits {
            mirrored.set_attr(marks::MINIMUM, word(builder, 0));
        }
        mirrored.result()
    }

    /// Emits the item at an `index`.
    pub fn item(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Value<'c, 'a> {
        match &self.kind {
            Kind::Range(range) => range.item(builder, self.item, position),
            Kind::Reversed(Reversed {
                sequence, start, ..
            }) => {
                let position = sequence.mirrored(builder, position, *start);
                sequence.item(builder, position)
            }
            Kind::Enumerate(sequence) => {
                let count = typed::Cast::create(builder, position, self.value.ty()).result();
                let count = typed::Binary::create(builder, BinaryKind::Add, self.value, count);
                count.set_attr(marks::ASCENDING, Attribute::unit(builder.context()));
                let item = sequence.item(builder, position);
                typed::Tuple::create(builder, &[count.result(), item], self.item).result()
            }
            Kind::Zip(sequences) => {
                let items = sequences.iter().map(|one| one.item(builder, position));
                let items: Vec<_> = items.collect();
                typed::Tuple::create(builder, &items, self.item).result()
            }
            Kind::Flat(array, _) => {
                let indices = self.unravel(builder, position);
                typed::Load::create(builder, *array, &indices, self.item).result()
            }
            Kind::Indices(sizes, _) => {
                let indices = self.unravel(builder, position).into_iter().zip(sizes);
                let indices = indices.map(|(index, size)| {
                    let index = typed::Cast::create(builder, index, size.ty());
                    index.set_attr(marks::MINIMUM, word(builder, 0));
                    index.result()
                });
                let indices: Vec<_> = indices.collect();
                typed::Tuple::create(builder, &indices, self.item).result()
            }
            Kind::Array(array) if array.rank == 1 && self.item == array.element => {
                typed::Load::create(builder, self.value, &[position], self.item).result()
            }
            Kind::Array(_) => {
                typed::View::create(builder, self.value, &[position], self.item).result()
            }
            Kind::Tuple(_) => {
                typed::TupleItem::create(builder, self.value, position, self.item).result()
            }
            Kind::List => typed::ListGet::create(builder, self.value, position).result(),
            Kind::Other => typed::Item::create(builder, self.value, position, self.item).result(),
        }
    }
}

/// The attribute of a range, or of multi-indices, whose iterations may run in any order.
fn parallel_mark<'c>(operation: OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    operation.attr(typed::Range::PARALLEL_ATTR)
}
