//! Going through all elements or positions of arrays: `array.flat`, `numpy.ndenumerate` and
//! `numpy.ndindex`.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            elements::{dimensions, require_writable, size},
            iteration,
        },
        issue::{Stop, Typing},
        rules,
        val::{Val, values},
    },
    infra::ops::typed,
    types::display::display,
};
use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::{
    enums::CompareKind,
    typed::{ArrayType, Layout, TypedType, array_type},
};
use pyopt_library as library;

/// `array.flat`: a view of one dimension where there is one, else something to iterate over.
pub(crate) fn flat<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let Some(source) = array_type(array.ty).filter(|source| source.rank != 1) else {
        return array;
    };
    if source.layout != Layout::C {
        let ty = e.type_of(TypedType::Flat(array.ty));
        return e.op(ty, |b| typed::Flat::create(b, array.ir()));
    }
    let size = size(e, array);
    let ty = ArrayType { rank: 1, ..source }.to_type(e.context());
    e.op(ty, |b| {
        typed::Reshape::create(b, array.ir(), &[size.ir()], ty)
    })
}

/// The array of a `flat`.
fn array_of<'c: 'a, 'a>(flat: Val<'c, 'a>, array: Type<'c>) -> Val<'c, 'a> {
    let made = flat.value.and_then(typed::Flat::defining);
    Val::new(array, made.map(typed::Flat::array))
}

/// `array.flat[index]` of an array that isn't contiguous.
pub(crate) fn flat_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flat: Val<'c, 'a>,
    array: Type<'c>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let array = array_of(flat, array);
    call_library(e, "flat.__getitem__", &[array, index])
}

/// `array.flat[index] = value` of an array that isn't contiguous.
pub(crate) fn set_flat_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flat: Val<'c, 'a>,
    array: Type<'c>,
    [index, value]: [Val<'c, 'a>; 2],
) -> Typing<()> {
    let array = array_of(flat, array);
    require_writable(array)?;
    call_library(e, "flat.__setitem__", &[array, index, value]).map(|_| ())
}

/// `len(array.flat)` of an array that isn't contiguous.
pub(crate) fn flat_size<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    flat: Val<'c, 'a>,
    array: Type<'c>,
) -> Val<'c, 'a> {
    size(e, array_of(flat, array))
}

fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let source = library::find(name).ok_or(Stop::Unknown)?;
    rules::call_library(e, source, &Arguments::new(arguments, None))
}

/// The array whose `flags` a value is.
pub(crate) fn of_flags<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Option<Val<'c, 'a>> {
    match TypedType::from(value.ty) {
        TypedType::Method(array, name) if name == e.intern("flags") => {
            Some(Val::new(array, value.value))
        }
        _ => None,
    }
}

/// `array.flags.name`.
pub(crate) fn flag<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    let is_c = array_type(array.ty).is_some_and(|array| array.layout == Layout::C);
    match (name, library::find(&format!("array.flags.{name}"))) {
        ("contiguous" | "c_contiguous", _) if is_c => Ok(e.bool(true)),
        (_, Some(source)) => rules::call_library(e, source, &Arguments::new(&[array], None)),
        (_, None) => Err(Stop::issue(format!(
            "the flag '{name}' of {} is not supported",
            display(array.ty)
        ))
        .hint("compiled code knows c_contiguous, f_contiguous and contiguous")),
    }
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
    let positions = indices(e, &sizes, false);
    let elements = flat(e, array);
    let mut arguments = arguments.clone();
    arguments.positional = vec![positions, elements];
    iteration::zip(e, &arguments)
}

/// `numpy.ndindex(shape)`, or each size as an argument: the positions in such an array. A loop over
/// them may run in any order if it is `parallel`.
pub(crate) fn ndindex<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    parallel: bool,
) -> Typing<Val<'c, 'a>> {
    let sizes = match arguments.positional.as_slice() {
        &[shape] => e.unpack(shape).unwrap_or_else(|| vec![shape]),
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
    let positions = indices(e, &sizes, parallel);
    rules::iterate(e, positions)
}

fn indices<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, sizes: &[Val<'c, 'a>], parallel: bool) -> Val<'c, 'a> {
    let types: Vec<_> = sizes.iter().map(|_| e.si64()).collect();
    let position = TupleType::new(e.context(), &types).into();
    let ty = e.type_of(TypedType::Indices(position));
    e.op(ty, |b| {
        let indices = typed::Indices::create(b, &values(sizes), ty);
        indices.set_parallel(parallel);
        indices
    })
}
