//! Views of scalars, the bits of a number as one of another type, and methods of Python's numbers.

use crate::{
    inference::{
        emit::Emit,
        issue::{Typing, stop},
        val::Val,
    },
    infra::ops::{arith, builtin},
    types::{display::display, layout::element_size, number::Number},
};
use melior::ir::{Type, r#type::IntegerType};
use pyopt_library::{self as library, Source};

/// Whether the bits of numbers of a type can be seen as others: integers and floats.
pub(crate) fn has_view(ty: Type) -> bool {
    matches!(Number::of(ty), Some(Number::Int { .. } | Number::Float(_)))
}

/// The library's function for a method of Python's ints or floats.
pub(crate) fn method(ty: Type, name: &str) -> Option<&'static Source> {
    let class = match Number::of(ty)? {
        Number::Int { .. } | Number::Bool => "int",
        Number::Float(_) => "float",
        Number::Complex(_) => return None,
    };
    library::find(&format!("{class}.{name}"))
}

/// `number.view(dtype)`: the number of another type that has the same bits.
pub(crate) fn view<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    number: Val<'c, 'a>,
    target: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    if !has_view(target) || element_size(number.ty) != element_size(target) {
        return stop(format!(
            "{} can't be viewed as {}: an int or float of the same size can",
            display(number.ty),
            display(target)
        ));
    }
    // Only typed integers have signs, which bits have none of.
    let signless = |ty: Type<'c>| match IntegerType::try_from(ty) {
        Ok(integer) => IntegerType::new(e.context(), integer.width()).into(),
        Err(_) => ty,
    };
    let (before, after) = (signless(number.ty), signless(target));
    let mut bits = convert(e, number, before);
    if before != after {
        bits = e.op(after, |b| arith::Bitcast::create(b, bits.ir(), after));
    }
    Ok(convert(e, bits, target))
}

/// The same integer with another signedness.
fn convert<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Val<'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
    if value.ty == ty {
        return Val::new(ty, value.value);
    }
    e.op(ty, |b| {
        builtin::UnrealizedConversionCast::create(b, &[value.ir()], &[ty])
    })
}
