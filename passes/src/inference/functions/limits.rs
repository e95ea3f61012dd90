//! `numpy.finfo` and `numpy.iinfo`: the limits of number types, as constants.

use super::table::Table;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{dtypes::dtype_argument, elements},
        issue::{Stop, Typing, stop},
        val::Val,
    },
    types::{display::display, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

const FLOATS: &str = "finfo";
const INTEGERS: &str = "iinfo";

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.finfo", |e, arguments| limits(e, arguments, FLOATS)),
    ("numpy.iinfo", |e, arguments| limits(e, arguments, INTEGERS)),
];

/// The number that an argument is a dtype of, or whose values it has; of complex numbers that of
/// their parts.
fn number_of<'c, 'a>(e: &Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Typing<Option<Number>> {
    let ty = match elements::element_type(operand) {
        ty if Number::of(ty).is_some() => ty,
        _ => dtype_argument(e, operand)?,
    };
    Ok(match Number::of(ty) {
        Some(Number::Complex(width)) => Some(Number::Float(width)),
        number => number,
    })
}

/// The limits of a type: a value that has them as attributes.
fn limits<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    name: &'static str,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    let number = match (name, number_of(e, operand)?) {
        (FLOATS, Some(number @ Number::Float(_))) => number,
        (INTEGERS, Some(number @ Number::Int { .. })) => number,
        _ => {
            let kind = if name == FLOATS { "floats" } else { "integers" };
            return stop(format!(
                "{name}() takes a type of {kind}, not {}",
                display(operand.ty)
            ));
        }
    };
    let element = number.to_type(e.context());
    let dtype = e.singleton(TypedType::DType(element));
    Ok(e.method(dtype, name))
}

/// An attribute of what `finfo` or `iinfo` gave; `None` for values of other types.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    name: &str,
) -> Option<Typing<Val<'c, 'a>>> {
    let TypedType::Method(dtype, of) = TypedType::from(value.ty) else {
        return None;
    };
    let TypedType::DType(element) = TypedType::from(dtype) else {
        return None;
    };
    let found = match (Number::of(element)?, of == e.intern(FLOATS)) {
        (Number::Float(width), true) => float_limit(e, element, width, name),
        (Number::Int { width, signed }, _) if of == e.intern(INTEGERS) => {
            integer_limit(e, width, signed, name)
        }
        _ => return None,
    };
    Some(found.ok_or_else(|| {
        Stop::issue(format!(
            "unknown attribute '{name}' of the limits of {}",
            display(element)
        ))
    }))
}

fn integer_limit<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    width: u32,
    signed: bool,
    name: &str,
) -> Option<Val<'c, 'a>> {
    let bits = i64::from(width);
    Some(match (name, signed) {
        ("bits", _) => e.int(bits),
        ("min", true) => e.int(i64::MIN >> (64 - width)),
        ("min", false) => e.int(0),
        ("max", true) => e.int(i64::MAX >> (64 - width)),
        ("max", false) if width == 64 => {
            let ty = Number::UINT64.to_type(e.context());
            // All bits are set.
            e.int_of(-1, ty)
        }
        ("max", false) => e.int((1 << width) - 1),
        _ => return None,
    })
}

/// A limit of a float of so many bits.
fn float_limit<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ty: Type<'c>,
    width: u32,
    name: &str,
) -> Option<Val<'c, 'a>> {
    // How many bits the fraction and the exponent have, and how many decimal digits are exact.
    let (fraction, exponent, digits) = match width {
        16 => (10, 5, 3),
        32 => (23, 8, 6),
        _ => (52, 11, 15),
    };
    let highest: i32 = 1 << (exponent - 1);
    let lowest = 2 - highest;
    let power = |exponent: i32| 2f64.powi(exponent);
    let most = (2.0 - power(-fraction)) * power(highest - 1);
    let float = match name {
        "eps" => power(-fraction),
        "epsneg" => power(-fraction - 1),
        "max" => most,
        "min" => -most,
        "tiny" | "smallest_normal" => power(lowest),
        // In two steps: the power itself is too small for the function.
        "smallest_subnormal" => power(lowest) * power(-fraction),
        "resolution" => 10f64.powi(-digits),
        _ => {
            let int = match name {
                "bits" => width as i32,
                "nmant" => fraction,
                "nexp" | "iexp" => exponent,
                "precision" => digits,
                "machep" => -fraction,
                "negep" => -fraction - 1,
                "maxexp" => highest,
                "minexp" => lowest,
                _ => return None,
            };
            return Some(e.int(i64::from(int)));
        }
    };
    Some(e.float_of(float, ty))
}
