//! Slices: `start:stop:step`.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::{AttributeExt, ops::typed},
    types::{display::display, number::Number, optional},
};
use melior::ir::{Attribute, attribute::ArrayAttribute};
use pyopt_dialects::{enums::CompareKind, typed::TypedType};

/// Raises ValueError where the step of a range or slice is zero.
pub(crate) fn require_step<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    step: Val<'c, 'a>,
    message: &'static str,
) -> Typing<()> {
    match step.literal_int() {
        Some(0) => Err(Stop::Raises("ValueError", message.into())),
        Some(_) => Ok(()),
        None => {
            let zero = e.number(0, step.ty);
            let is_zero = e.compare(CompareKind::Eq, step, zero);
            e.raise_if(is_zero, "ValueError", Some(message));
            Ok(())
        }
    }
}

/// What is taken for a bound of a range or slice: of a float the int that it equals.
///
/// A variable that is an int on one path and a float on another one is a float here, where in Python it
/// may have been an int whenever it was used; Numba takes all floats. One with a fraction is Python's
/// error. The library's functions leave floats to their callers, as overloads that refuse them.
pub(crate) fn whole_bound<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    bound: Val<'c, 'a>,
    message: &'static str,
) -> Val<'c, 'a> {
    if !matches!(bound.number(), Some(Number::Float(_))) || e.is_library() {
        return bound;
    }
    let whole = e.cast(bound, e.si64());
    let again = e.cast(whole, bound.ty);
    let differs = e.compare(CompareKind::Ne, again, bound);
    e.raise_if(differs, "TypeError", Some(message));
    whole
}

/// The start, stop or step of a slice.
pub(crate) fn slice_part<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    slice: Val<'c, 'a>,
    part: usize,
) -> Val<'c, 'a> {
    let TypedType::Slice(types) = TypedType::from(slice.ty) else {
        unreachable!("the caller checked for a slice");
    };
    let known = slice.literal.and_then(AttributeExt::elements);
    if let Some(value) = known.and_then(|parts| parts[part].integer_value()) {
        return e.int_of(value, types[part]);
    }
    let ty = types[part];
    e.op(ty, |b| {
        typed::SliceGet::create(b, slice.ir(), part as i64, ty)
    })
}

/// `start:stop:step`; the value that is known of it is an array of its parts.
pub(crate) fn slice<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    start: Val<'c, 'a>,
    end: Val<'c, 'a>,
    step: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut parts = [start, end, step];
    for part in &mut parts {
        if part.number() == Some(Number::Bool) {
            let si64 = e.si64();
            *part = e.cast(*part, si64);
        }
        *part = whole_bound(
            e,
            *part,
            "slice indices must be integers or None or have an __index__ method",
        );
        if optional::is_optional(part.ty) {
            return Err(Stop::issue(format!(
                "a slice is made of ints and None, not {}",
                display(part.ty)
            ))
            .hint("ask with 'is None' first, and write a slice for each case"));
        }
        if !part.is_none() && !e.is_int(part.ty) {
            return stop(format!(
                "a slice is made of ints and None, not {}",
                display(part.ty)
            ));
        }
    }
    let ty = e.type_of(TypedType::Slice(parts.map(|part| part.ty)));
    let known = parts.map(|part| match part.is_none() {
        true => Some(Attribute::unit(e.context())),
        false => part.literal,
    });
    let mut slice = e.op(ty, |b| {
        let [start, end, step] = parts.map(|part| part.ir());
        typed::Slice::create(b, start, end, step, ty)
    });
    if let [Some(start), Some(end), Some(step)] = known {
        slice.literal = Some(ArrayAttribute::new(e.context(), &[start, end, step]).into());
    }
    Ok(slice)
}
