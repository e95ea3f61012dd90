//! Versions of loops for arrays that have the same strides.

use crate::{
    analysis::nest::Nest,
    infra::{
        Builder, CmpInt, ValueExt,
        emit::Emit,
        ops::{arith, scf, typed},
    },
    types::layout::element_size,
};
use melior::ir::operation::OperationLike;
use pyopt_dialects::typed::{Layout, array_type};

/// Makes a version of a loop for the case that the arrays of as many dimensions as the loop have the same
/// strides, of one element in the last dimension: each of them is an address then, and the element is as
/// far from it in all of them. `None` where that isn't likely, or saves nothing.
pub(super) fn with_shared_strides<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Nest<'c, 'a>> {
    let rank = nest.extents.len();
    let arrays: Vec<_> = (nest.live_ins().into_iter())
        .filter_map(|value| Some((value, array_type(value.ty())?)))
        .filter(|(_, array)| array.layout == Layout::A && array.rank == rank)
        .collect();
    let [(first, array), others @ ..] = &arrays[..] else {
        return None;
    };
    let size = element_size(array.element);
    let mut sizes = others.iter().map(|(_, other)| element_size(other.element));
    if others.is_empty() || !nest.reductions.is_empty() || sizes.any(|other| other != size) {
        return None;
    }
    builder.before(nest.operation).at(nest.operation.location());
    let stride = |array, dimension: usize| {
        typed::Stride::create(builder, array, dimension as i64, builder.index_type()).result()
    };
    let strides: Vec<_> = (0..rank).map(|at| stride(*first, at)).collect();
    let equal = |x, y| builder.cmpi(CmpInt::Eq, x, y);
    let bytes = builder.index(size);
    let mut same = equal(strides[rank - 1], bytes);
    for (other, _) in others {
        for (at, expected) in strides.iter().enumerate() {
            same = builder.and(same, equal(stride(*other, at), *expected));
        }
    }
    let (branch, yes, no) = builder.scf_if(same, &[]);

    builder.at_end(yes);
    let mut elements: Vec<_> = (strides[..rank - 1].iter())
        .map(|stride| builder.bin(arith::DivSI::NAME, *stride, bytes))
        .collect();
    elements.push(builder.index(1));
    let mapping: Vec<_> = (arrays.iter())
        .map(|(array, r#type)| {
            let sizes: Vec<_> = (0..rank).map(|at| builder.dim(*array, at)).collect();
            let r#type = r#type.to_type(builder.context());
            let view = typed::Strided::create(builder, *array, &sizes, &elements, r#type);
            (*array, view.result())
        })
        .collect();
    let version = builder.clone_op(nest.operation, &mapping);
    builder.scf_yield(&[]);
    builder.at_end(no);
    let end = scf::Yield::create(builder, &[]);
    builder.move_before(nest.operation, *end);
    builder.after(branch);
    Nest::of(version)
}
