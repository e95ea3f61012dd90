//! Types as values: `dtype` arguments.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::AttributeExt,
    types::{
        display::display,
        number::is_scalar,
        scalar_names::{coded_type, scalar_type, time_constructor, time_named},
    },
};
use melior::ir::{AttributeLike, Type, r#type::TupleType};
use pyopt_dialects::{
    times::{Time, Unit},
    typed::{ArrayType, Layout, TypedType},
};

/// The element type that a `dtype` argument means: a type, a dtype or its name.
pub(crate) fn dtype_argument<'c>(e: &Emit<'_, 'c, '_>, dtype: Val<'c, '_>) -> Typing<Type<'c>> {
    let number = match TypedType::from(dtype.ty) {
        TypedType::DType(element) => return Ok(element),
        TypedType::Named(name) => match time_constructor(name) {
            Some(is_delta) => {
                let unit = Unit::Generic;
                return Ok(Time { is_delta, unit }.to_type(e.context()));
            }
            None => scalar_type(name),
        },
        TypedType::Str if let Some(time) = dtype.literal_str().and_then(time_named) => {
            return Ok(time.to_type(e.context()));
        }
        TypedType::Str => match dtype.literal_str() {
            Some(text) => scalar_type(&format!("numpy.{text}"))
                .or_else(|| scalar_type(&format!("builtins.{text}")))
                .or_else(|| coded_type(text)),
            None => return stop("the name of a dtype must be a constant"),
        },
        _ => None,
    };
    match number {
        Some(number) => Ok(number.to_type(e.context())),
        None => Err(Stop::issue(format!("{} is not a dtype", display(dtype.ty)))
            .hint("use a type such as np.float64")),
    }
}

/// The type that a `dtype` argument gives, if there is one.
pub(crate) fn dtype_or<'c>(
    e: &Emit<'_, 'c, '_>,
    dtype: Option<Val<'c, '_>>,
    default: Type<'c>,
) -> Typing<Type<'c>> {
    match dtype.filter(|dtype| !dtype.is_none()) {
        Some(dtype) => dtype_argument(e, dtype),
        None => Ok(default),
    }
}

/// `float64[:, ::1]`: the type of arrays, as Numba's users write it.
pub(crate) fn array_of<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    element: Type<'c>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let parts = e.unpack(index).unwrap_or_else(|| vec![index]);
    let is_dense: Option<Vec<bool>> = parts.iter().map(|part| is_dense(*part)).collect();
    let layout = match is_dense.as_deref() {
        Some([.., true]) => Layout::C,
        Some([true, rest @ ..]) if !rest.contains(&true) => Layout::F,
        Some(all) if is_scalar(element) && !all.contains(&true) => Layout::A,
        _ => {
            return Err(Stop::issue(format!(
                "{}[{}] is no type",
                display(element),
                display(index.ty)
            ))
            .hint(
                "the type of an array is written float64[:], float64[:, ::1] or float64[::1, :]",
            ));
        }
    };
    let array = ArrayType {
        layout,
        ..ArrayType::contiguous(parts.len(), element)
    };
    Ok(e.singleton(TypedType::DType(array.to_type(e.context()))))
}

/// Whether a part of the index is `::1`, and not `:`; `None` for anything else.
fn is_dense(part: Val) -> Option<bool> {
    let TypedType::Slice(_) = TypedType::from(part.ty) else {
        return None;
    };
    let [start, end, step] = part.literal.and_then(AttributeExt::elements)?[..] else {
        return None;
    };
    match (start.is_unit() && end.is_unit(), step.integer_value()) {
        (true, Some(1)) => Some(true),
        (true, None) if step.is_unit() => Some(false),
        _ => None,
    }
}

/// `numpy.dtype(…)` of a type, a dtype or a name that is a constant.
pub(crate) fn dtype<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(dtype)] = arguments.bind(["dtype"], 1)? else {
        return Err(arguments.wrong_count("one argument"));
    };
    let element = dtype_argument(e, dtype)?;
    Ok(e.singleton(TypedType::DType(element)))
}

/// `UniTuple(int64, 2)`: a type as a value that compiled code makes of another one.
pub(crate) fn uniform_tuple<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(item), Some(count)] = arguments.bind(["dtype", "count"], 2)? else {
        return Err(arguments.wrong_count("a type and a count"));
    };
    let item = dtype_argument(e, item)?;
    match count.literal_int().map(usize::try_from) {
        Some(Ok(count)) => Ok(tuple_type(e, &vec![item; count])),
        _ => stop("how many items a UniTuple has must be a constant"),
    }
}

/// `Tuple((int64, float64))`: likewise of several.
pub(crate) fn tuple_of<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let items = arguments.one()?;
    let Some(items) = e.unpack(items) else {
        return stop(format!(
            "Tuple takes a tuple of types, not {}",
            display(items.ty)
        ));
    };
    let items: Vec<_> = items
        .into_iter()
        .map(|item| dtype_argument(e, item))
        .collect::<Typing<_>>()?;
    Ok(tuple_type(e, &items))
}

fn tuple_type<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: &[Type<'c>]) -> Val<'c, 'a> {
    let tuple = TupleType::new(e.context(), items).into();
    e.singleton(TypedType::DType(tuple))
}
