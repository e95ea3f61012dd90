//! Where a size can be read: the representative of a class of equal sizes.

use crate::{
    analysis::{
        affine::{constant_of, is_word},
        shape::{Viewed, given_size, rank, transposed, viewed},
    },
    infra::{
        ValueExt,
        ops::{AnyOp, typed},
    },
};
use melior::ir::Value;
use pyopt_dialects::typed::array_type;

/// A place that a size is read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source<'c, 'a> {
    /// A number.
    Constant(i64),
    /// A dimension of an array.
    Dimension(Value<'c, 'a>, usize),
    /// A value that is the size.
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Source<'c, 'a> {
    /// The array of the dimension, or the value.
    pub fn value(&self) -> Option<Value<'c, 'a>> {
        match self {
            Self::Constant(_) => None,
            Self::Dimension(value, _) | Self::Value(value) => Some(*value),
        }
    }

    /// Whether the IR reads both from the same place already, so that a `typed.with_shape` would add
    /// nothing: both end at one value or dimension, or are broadcast from the same ones. Sizes that
    /// are equal by arithmetic only, as of two slices, are not: sharing one value is what makes
    /// later comparisons of bounds cancel.
    pub fn is_written_as(self, other: Self) -> bool {
        let (ours, theirs) = (self.origins(), other.origins());
        let within = |a: &[Self], b: &[Self]| a.iter().all(|one| b.contains(one));
        within(&ours, &theirs) && within(&theirs, &ours)
    }

    /// The places that the size is broadcast from, behind casts, views and sizes that were given.
    fn origins(self) -> Vec<Self> {
        match self {
            Self::Constant(_) => vec![self],
            Self::Value(value) => self.of_value(value),
            Self::Dimension(array, dimension) => self.of_dimension(array, dimension),
        }
    }

    fn of_value(self, value: Value<'c, 'a>) -> Vec<Self> {
        if let Some(number) = constant_of(value).and_then(|number| i64::try_from(number).ok()) {
            return vec![Self::Constant(number)];
        }
        match value.defining_op().map(AnyOp::of) {
            Some(AnyOp::Typed(typed::Op::Cast(cast)))
                if is_word(cast.operand()) && is_word(value) =>
            {
                Self::Value(cast.operand()).origins()
            }
            Some(AnyOp::Typed(typed::Op::Dim(dim))) => {
                Self::Dimension(dim.array(), dim.dimension() as usize).origins()
            }
            Some(AnyOp::Typed(typed::Op::Len(len))) if array_type(len.operand().ty()).is_some() => {
                Self::Dimension(len.operand(), 0).origins()
            }
            Some(AnyOp::Typed(typed::Op::BroadcastSize(size))) => {
                broadcast([size.lhs(), size.rhs()].map(Self::Value))
            }
            _ => vec![self],
        }
    }

    fn of_dimension(self, array: Value<'c, 'a>, dimension: usize) -> Vec<Self> {
        if let Some(size) = given_size(array, dimension) {
            return Self::Value(size).origins();
        }
        match array.defining_op().and_then(typed::Op::of) {
            Some(typed::Op::Transpose(transpose)) => match transposed(transpose, dimension) {
                Some(from) => Self::Dimension(transpose.array(), from).origins(),
                None => vec![self],
            },
            Some(typed::Op::View(view)) => match viewed(view.operation()).get(dimension) {
                Some(Viewed::Whole(from)) => Self::Dimension(view.array(), *from).origins(),
                Some(Viewed::Fresh) => vec![Self::Constant(1)],
                _ => vec![self],
            },
            Some(typed::Op::ArrayExpr(expression)) => {
                let result = rank(array);
                let sizes = broadcast(expression.inputs().into_iter().filter_map(|operand| {
                    let own = array_type(operand.ty())?.rank;
                    let dimension = (dimension + own).checked_sub(result)?;
                    Some(Self::Dimension(operand, dimension))
                }));
                match sizes.is_empty() {
                    true => vec![self],
                    false => sizes,
                }
            }
            _ => vec![self],
        }
    }
}

/// What sizes broadcast to: all their origins but 1, if there are others.
fn broadcast<'c: 'a, 'a>(sizes: impl IntoIterator<Item = Source<'c, 'a>>) -> Vec<Source<'c, 'a>> {
    let mut origins: Vec<_> = sizes.into_iter().flat_map(Source::origins).collect();
    let one = Source::Constant(1);
    if origins.iter().any(|origin| *origin != one) {
        origins.retain(|origin| *origin != one);
    }
    origins
}
