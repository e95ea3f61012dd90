//! Types as values: `dtype` arguments.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    types::{
        display::display,
        scalar_names::{coded_type, scalar_type, time_constructor, time_named},
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    times::{Time, Unit},
    typed::TypedType,
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
