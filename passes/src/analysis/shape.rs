//! Shapes of arrays as operations give and change them: dimensions of views, sizes that are given.

use crate::infra::{
    BlockExt, Builder, OperationExt, OperationInterfaces, ValueExt,
    emit::Emit,
    ops::{AnyOp, parfor, typed},
};
use melior::ir::{OperationRef, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::typed::{TypedType, array_type};

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

/// The array that views lead back to.
pub(crate) fn storage<'c: 'a, 'a>(mut array: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(source) = array
        .defining_op()
        .and_then(OperationInterfaces::view_source)
    {
        array = source;
    }
    array
}

/// The array that this one is a view of, none of whose elements lies outside of it.
pub(crate) fn viewed_within<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    match array.defining_op().and_then(typed::Op::of)? {
        typed::Op::View(view) => Some(view.array()),
        typed::Op::Transpose(transpose) => Some(transpose.array()),
        typed::Op::WithShape(shaped) => Some(shaped.array()),
        typed::Op::Apart(apart) => Some(apart.array()),
        _ => None,
    }
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

/// Whether a subscript of a `typed.view` is a number, which drops a dimension.
pub(crate) fn is_index(subscript: Value) -> bool {
    subscript.ty().is_index() || IntegerType::try_from(subscript.ty()).is_ok()
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
