//! What is known about the sizes of arrays.

use super::affine::is_word;
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, ValueExt,
    emit::Emit,
    ops::{AnyOp, arith, parfor, typed},
};
use melior::ir::{Attribute, OperationRef, Value};
use pyopt_dialects::typed::{TypedType, array_type};

/// An atom of a size, which isn't analysed any further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Atom<'c, 'a> {
    /// A number.
    Constant(i64),
    /// A dimension of an array whose shape nothing is known about.
    Dimension(Value<'c, 'a>, usize),
    /// Some other value.
    Value(Value<'c, 'a>),
}

/// A size as the set of atoms that it is broadcast from.
///
/// Equal sets mean equal sizes wherever the broadcasts have succeeded: broadcasting is associative
/// and commutative, and a size broadcast with itself is itself.
#[derive(Clone, Debug)]
pub(crate) struct Extent<'c, 'a>(Vec<Atom<'c, 'a>>);

impl<'c: 'a, 'a> Extent<'c, 'a> {
    /// A number.
    pub fn number(number: i64) -> Self {
        Self(vec![Atom::Constant(number)])
    }

    /// What is known about a size.
    pub fn of(value: Value<'c, 'a>) -> Self {
        let atom = || Self(vec![Atom::Value(value)]);
        let Some(operation) = value.defining_op() else {
            return atom();
        };
        let constant = |number: Attribute<'c>| {
            let number = number.integer_value();
            number.map_or_else(atom, Self::number)
        };
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Cast(cast)) if is_word(cast.operand()) && is_word(value) => {
                Self::of(cast.operand())
            }
            AnyOp::Typed(typed::Op::Dim(dim)) => {
                Self::of_dimension(dim.array(), dim.dimension() as usize)
            }
            AnyOp::Typed(typed::Op::Len(len)) if array_type(len.operand().ty()).is_some() => {
                Self::of_dimension(len.operand(), 0)
            }
            AnyOp::Typed(typed::Op::Constant(number)) => constant(number.value()),
            AnyOp::Arith(arith::Op::Constant(number)) => constant(number.value()),
            AnyOp::Typed(typed::Op::BroadcastSize(size)) => {
                Self::of(size.lhs()).broadcast(Self::of(size.rhs()))
            }
            _ => atom(),
        }
    }

    /// What is known about a dimension of an array.
    pub fn of_dimension(array: Value<'c, 'a>, dimension: usize) -> Self {
        if let Some(size) = given_size(array, dimension) {
            return Self::of(size);
        }
        let atom = || Self(vec![Atom::Dimension(array, dimension)]);
        let Some(operation) = array.defining_op() else {
            return atom();
        };
        match typed::Op::of(operation) {
            Some(typed::Op::Transpose(transpose)) => match transposed(transpose, dimension) {
                Some(dimension) => Self::of_dimension(transpose.array(), dimension),
                None => atom(),
            },
            Some(typed::Op::View(view)) => match viewed(view.operation()).get(dimension) {
                Some(Viewed::Whole(dimension)) => Self::of_dimension(view.array(), *dimension),
                Some(Viewed::Fresh) => Self(vec![Atom::Constant(1)]),
                _ => atom(),
            },
            Some(typed::Op::ArrayExpr(expression)) => {
                let result = rank(array);
                let operands = expression.inputs().into_iter();
                let sizes = operands.filter_map(|operand| {
                    let own = array_type(operand.ty())?.rank;
                    let dimension = (dimension + own).checked_sub(result)?;
                    Some(Self::of_dimension(operand, dimension))
                });
                sizes.reduce(Self::broadcast).unwrap_or_else(atom)
            }
            _ => atom(),
        }
    }

    /// The size both broadcast to.
    fn broadcast(mut self, other: Self) -> Self {
        for atom in other.0 {
            if !self.0.contains(&atom) {
                self.0.push(atom);
            }
        }
        if self.0.iter().any(|atom| *atom != Atom::Constant(1)) {
            self.0.retain(|atom| *atom != Atom::Constant(1));
        }
        self
    }

    /// Whether the size is known to be 1.
    pub fn is_one(&self) -> bool {
        self.0 == [Atom::Constant(1)]
    }

    /// Whether the size can't be negative: it is that of arrays, or a number.
    pub fn is_natural(&self) -> bool {
        self.0.iter().all(|atom| match atom {
            Atom::Constant(number) => *number >= 0,
            Atom::Dimension(..) => true,
            Atom::Value(_) => false,
        })
    }
}

impl PartialEq for Extent<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        let within = |a: &Self, b: &Self| a.0.iter().all(|atom| b.0.contains(atom));
        within(self, other) && within(other, self)
    }
}

/// Whether an array has exactly the given extents.
pub(crate) fn has_extents<'c: 'a, 'a>(array: Value<'c, 'a>, extents: &[Value<'c, 'a>]) -> bool {
    rank(array) == extents.len()
        && extents
            .iter()
            .enumerate()
            .all(|(index, size)| Extent::of_dimension(array, index) == Extent::of(*size))
}

/// The dimension of a transposed array that a dimension of the result is.
pub(crate) fn transposed(transpose: typed::Transpose, dimension: usize) -> Option<usize> {
    match transpose.permutation() {
        Some(order) => Some(*order.get(dimension)? as usize),
        None => Some(rank(transpose.array()) - 1 - dimension),
    }
}

/// The operand of an array's `typed.with_shape`, if there is one.
pub(crate) fn unshaped<'c: 'a, 'a>(mut array: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(shaped) = typed::WithShape::defining(array) {
        array = shaped.array();
    }
    array
}

/// Removes all `typed.with_shape`, where loops know their sizes already: one array is one value
/// again.
pub(crate) fn drop_shapes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) {
    for shaped in function.nested_ops::<typed::WithShape>() {
        shaped.result().replace_all_uses(shaped.array());
        shaped.erase();
    }
}

/// The number of dimensions; 0 for what isn't an array.
pub(crate) fn rank<'c: 'a, 'a>(array: Value<'c, 'a>) -> usize {
    array_type(array.ty()).map_or(0, |array| array.rank)
}

/// What a dimension of a `typed.view` is of the array that is viewed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Viewed {
    /// All of this dimension.
    Whole(usize),
    /// A part of one.
    Part,
    /// None of them: a new one of size 1.
    Fresh,
}

/// What the dimensions of a `typed.view` are.
pub(crate) fn viewed<'c: 'a, 'a>(view: OperationRef<'c, 'a>) -> Vec<Viewed> {
    let view = typed::View::of(view).expect("only views are asked for their dimensions");
    let mut dimensions = Vec::new();
    let mut consumed = 0;
    for subscript in view.subscripts() {
        match TypedType::from(subscript.ty()) {
            TypedType::None => {
                dimensions.push(Viewed::Fresh);
                continue;
            }
            TypedType::Slice(parts) => dimensions.push(
                match parts
                    .into_iter()
                    .all(|part| matches!(TypedType::from(part), TypedType::None))
                {
                    true => Viewed::Whole(consumed),
                    false => Viewed::Part,
                },
            ),
            _ => {}
        }
        consumed += 1;
    }
    dimensions.extend((consumed..rank(view.array())).map(Viewed::Whole));
    dimensions
}

/// The value that the operation which made an array was given as a size.
pub(crate) fn given_size<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    dimension: usize,
) -> Option<Value<'c, 'a>> {
    let sizes = match AnyOp::of(array.defining_op()?) {
        AnyOp::Typed(typed::Op::Empty(empty)) => empty.sizes(),
        AnyOp::Typed(typed::Op::Generate(generate)) => generate.sizes(),
        AnyOp::Typed(typed::Op::Reshape(reshape)) => reshape.sizes(),
        AnyOp::Typed(typed::Op::Strided(strided)) => strided.sizes(),
        AnyOp::Typed(typed::Op::WithShape(shaped)) => shaped.sizes(),
        AnyOp::Typed(typed::Op::Broadcast(broadcast)) => broadcast.sizes(),
        // Only fresh results are arrays, and they have the space's sizes.
        AnyOp::Parfor(parfor::Op::Loop(nest)) => nest.extents(),
        _ => return None,
    };
    Some(sizes[dimension])
}

/// Makes sizes as `index` values, each once.
///
/// The operations stand right behind what defines the array, so that all its uses can share them.
#[derive(Debug, Default)]
pub(crate) struct Sizes<'c, 'a> {
    known: Vec<(Value<'c, 'a>, usize, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Sizes<'c, 'a> {
    /// A dimension of an array.
    pub fn of(
        &mut self,
        builder: &Builder<'c, 'a>,
        array: Value<'c, 'a>,
        dimension: usize,
    ) -> Value<'c, 'a> {
        let given = given_size(array, dimension);
        if let Some(size) = given.filter(|size| size.ty() == builder.index_type()) {
            return size;
        }
        let found = self
            .known
            .iter()
            .find(|(known, number, _)| *known == array && *number == dimension);
        if let Some((_, _, size)) = found {
            return *size;
        }
        let (root, block) = (array.defining_op(), array.defining_block());
        let parent = block.parent().expect("blocks of a function have a parent");
        let at = Builder::new(builder.context(), root.unwrap_or(parent));
        match root {
            Some(operation) => at.after(operation),
            None => at.at_start(block),
        };
        let size = at.dim(array, dimension);
        self.known.push((array, dimension, size));
        size
    }

    /// All dimensions of an array.
    pub fn all(&mut self, builder: &Builder<'c, 'a>, array: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        (0..rank(array))
            .map(|dimension| self.of(builder, array, dimension))
            .collect()
    }
}
