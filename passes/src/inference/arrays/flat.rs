//! Going through all elements or positions of arrays: `array.flat`, `numpy.ndenumerate` and
//! `numpy.ndindex`.

use super::{dimensions, size};
use crate::inference::{
    display::display,
    emit::{Emit, Val},
    functions::Arguments,
    issue::{Stop, Typing},
    iteration, tuples,
};
use melior::ir::r#type::TupleType;
use pyopt_dialects::{
    enums::CompareKind,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// `array.flat`: a view of one dimension where there is one, else something to iterate over.
pub(super) fn flat<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let Some(source) = array_type(array.ty).filter(|source| source.rank != 1) else {
        return array;
    };
    if source.layout != Layout::C {
        let ty = e.type_of(TypedType::Flat(array.ty));
        return e.op("typed.flat", &[array], ty, &[]);
    }
    let size = size(e, array);
    let ty = ArrayType { rank: 1, ..source }.to_type(e.context());
    e.op("typed.reshape", &[array, size], ty, &[])
}

/// `numpy.ndenumerate(array)`: pairs of a position and the element there.
pub(crate) fn ndenumerate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let array = arguments.one()?;
    if array_type(array.ty).is_none() {
        return Err(arguments.no_implementation());
    }
    let sizes = dimensions(e, array);
    let positions = indices(e, &sizes);
    let elements = flat(e, array);
    let mut arguments = arguments.clone();
    arguments.positional = vec![positions, elements];
    iteration::zip(e, &arguments)
}

/// `numpy.ndindex(shape)`, or each size as an argument: the positions in such an array.
pub(crate) fn ndindex<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let sizes = match arguments.positional.as_slice() {
        &[shape] => tuples::unpack(e, shape).unwrap_or_else(|| vec![shape]),
        sizes => sizes.to_vec(),
    };
    if let Some(other) = sizes.iter().find(|size| !e.is_int(size.ty)) {
        return Err(Stop::issue(format!(
            "ndindex() takes ints or a tuple of ints, not {}",
            display(other.ty)
        )));
    }
    let si64 = e.si64();
    let sizes: Vec<_> = sizes.into_iter().map(|size| e.cast(size, si64)).collect();
    let zero = e.int(0);
    for &size in &sizes {
        let negative = e.compare(CompareKind::Lt, size, zero);
        e.raise_if(
            negative,
            "ValueError",
            Some("negative dimensions are not allowed"),
        );
    }
    let positions = indices(e, &sizes);
    iteration::get_iter(e, positions)
}

fn indices<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, sizes: &[Val<'c, 'a>]) -> Val<'c, 'a> {
    let types: Vec<_> = sizes.iter().map(|_| e.si64()).collect();
    let position = TupleType::new(e.context(), &types).into();
    let ty = e.type_of(TypedType::Indices(position));
    e.op("typed.indices", sizes, ty, &[])
}
