//! Calls of functions with explicit signatures only: arguments are converted to one of these, as Numba does.

use pyopt_passes::conversion::{self, Conversion, Rating};

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use crate::addresses;
use crate::boxing;
use crate::first_class::{self, Source};
use crate::halves;
use crate::records;
use crate::types::{ArrayType, Class, Elem, Kind, Layout, TypeDesc};
use crate::unbox::{ArgBuffer, ArrayArg};

/// The signatures that `types` convert to most easily, by their positions: several if the call is ambiguous.
pub fn best<'t>(
    candidates: impl Iterator<Item = &'t [TypeDesc]>,
    types: &[TypeDesc],
) -> Vec<usize> {
    conversion::best(candidates.map(|candidate| rate(types, candidate)))
}

fn rate(from: &[TypeDesc], to: &[TypeDesc]) -> Option<Rating> {
    if from.len() != to.len() {
        return None;
    }
    Rating::of(from.iter().zip(to).map(|(from, to)| conversion(from, to)))
}

/// What it takes to convert an argument: as the compiler does for calls in compiled code.
fn conversion(from: &TypeDesc, to: &TypeDesc) -> Option<Conversion> {
    match (from, to) {
        (from, to) if from == to => Some(Conversion::Exact),
        (from, to) if let Some(held) = held(from) => conversion(held, to),
        (TypeDesc::Scalar(from), TypeDesc::Scalar(to)) => from.number()?.conversion(to.number()?),
        (TypeDesc::Array(from), TypeDesc::Array(to)) => {
            array_fits(*from, *to).then_some(Conversion::Safe)
        }
        (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) if from.len() == to.len() => {
            let mut pairs = from.iter().zip(to);
            pairs.try_fold(Conversion::Exact, |worst, (from, to)| {
                Some(worst.max(conversion(from, to)?))
            })
        }
        (TypeDesc::Function(_) | TypeDesc::Address(_), TypeDesc::Address(to))
            if first_class::is_signature(*to) && is_function(from) =>
        {
            Some(Conversion::Safe)
        }
        (TypeDesc::None, TypeDesc::Optional(_)) => Some(Conversion::Promote),
        (from, TypeDesc::Optional(to)) => Some(conversion(from, to)?.max(Conversion::Promote)),
        _ => None,
    }
}

/// What a member of an enumeration of ints or texts is, which the name of its field says.
fn held(desc: &TypeDesc) -> Option<&TypeDesc> {
    match desc {
        TypeDesc::Sequence(Class::Named { fields, .. }, items) if *fields == [".=value"] => {
            items.first()
        }
        _ => None,
    }
}

/// Whether a value is a function, Python's or C's.
fn is_function(from: &TypeDesc) -> bool {
    match from {
        TypeDesc::Address(slot) => addresses::is_function(*slot),
        _ => true,
    }
}

fn array_fits(from: ArrayType, to: ArrayType) -> bool {
    let ndim = from.ndim;
    let same_elements = ndim == to.ndim
        && match (from.elem, to.elem) {
            (Elem::Record(from), Elem::Record(to)) => match ndim {
                0 => records::begin_as(from, to),
                _ => records::same_fields(from, to),
            },
            (from, to) => from == to,
        };
    let mutable_enough = to.readonly || !from.readonly;
    let layout_fits =
        from.layout == to.layout || (to.layout == Layout::A && from.layout != Layout::Bytes);
    same_elements && mutable_enough && layout_fits
}

/// Whether the types `to` are `from` with items where these have lists, dicts and sets without any.
pub fn is_filled(from: &[TypeDesc], to: &[TypeDesc]) -> bool {
    from.len() == to.len() && from.iter().zip(to).all(|(from, to)| from.is_filled_by(to))
}

/// Whether values of the types `from` convert to the types `to`.
pub fn is_possible(from: &[TypeDesc], to: &[TypeDesc]) -> bool {
    rate(from, to).is_some()
}

/// Whether that takes no more than to widen numbers and to forget what is known of arrays.
pub fn keeps_kind(from: &TypeDesc, to: &TypeDesc) -> bool {
    let same_kind = match (from, to) {
        (TypeDesc::Scalar(from), TypeDesc::Scalar(to)) => from.kind() == to.kind(),
        (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) => {
            from.iter().zip(to).all(|(from, to)| keeps_kind(from, to))
        }
        (TypeDesc::None, TypeDesc::Optional(_)) => true,
        (from, TypeDesc::Optional(to)) => keeps_kind(from, to),
        _ => true,
    };
    same_kind && conversion(from, to).is_some_and(|needed| needed < Conversion::Unsafe)
}

/// The arguments as values of the types `to`, which `from` converts to. Functions that become ones of a
/// signature may have to be compiled for it.
pub fn convert(
    py: Python<'_>,
    args: &ArgBuffer,
    from: &[TypeDesc],
    to: &[TypeDesc],
) -> PyResult<ArgBuffer> {
    let mut out = ArgBuffer::default();
    out.set_on_devices(args);
    out.structures.clone_from(&args.structures);
    let mut arrays = args.arrays.iter();
    let mut slots = &args.slots[..];
    for (from, to) in from.iter().zip(to) {
        convert_one(py, from, to, &mut slots, &mut arrays, &mut out)?;
    }
    Ok(out)
}

fn convert_one<'a>(
    py: Python<'_>,
    from: &TypeDesc,
    to: &TypeDesc,
    slots: &mut &[i64],
    arrays: &mut impl Iterator<Item = &'a ArrayArg>,
    out: &mut ArgBuffer,
) -> PyResult<()> {
    if let (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) = (from, to) {
        for (from, to) in from.iter().zip(to) {
            convert_one(py, from, to, slots, arrays, out)?;
        }
        return Ok(());
    }
    if let TypeDesc::Optional(inner) = to
        && from != to
    {
        let is_none = *from == TypeDesc::None;
        match is_none {
            true => out.slots.extend(std::iter::repeat_n(0, inner.slots())),
            false => convert_one(py, from, inner, slots, arrays, out)?,
        }
        out.slots.push(i64::from(!is_none));
        return Ok(());
    }
    if from != to
        && let Some(held) = held(from)
    {
        return convert_one(py, held, to, slots, arrays, out);
    }
    let (own, rest) = slots.split_at(from.slots());
    *slots = rest;
    match (from, to) {
        (TypeDesc::Scalar(from), TypeDesc::Scalar(to)) if from != to => {
            convert_scalar(*from, *to, own, out)?;
        }
        (TypeDesc::Array(_), _) => {
            if let Some(array) = arrays.next() {
                // The owner stays in the original buffer, which outlives the call.
                out.arrays.push(ArrayArg {
                    slot: out.slots.len(),
                    ..*array
                });
            }
            out.slots.extend_from_slice(own);
        }
        (TypeDesc::Function(slot), TypeDesc::Address(to)) => {
            let source = Source::Function(*slot);
            out.slots.push(first_class::value(py, source, *to)?);
        }
        (TypeDesc::Address(slot), TypeDesc::Address(to)) if slot != to => {
            let source = Source::Address(*slot, own[0]);
            out.slots.push(first_class::value(py, source, *to)?);
        }
        _ => out.slots.extend_from_slice(own),
    }
    Ok(())
}

/// Raises where the argument, as an int of Python's, is none of the widest integer of the type's sign, as Numba
/// does; narrower ones keep the low bits.
fn convert_scalar(from: Elem, to: Elem, own: &[i64], out: &mut ArgBuffer) -> PyResult<()> {
    let part = |elem: Elem| match elem {
        Elem::C64 => Elem::F32,
        Elem::C128 => Elem::F64,
        other => other,
    };
    // SAFETY: the dispatcher calls this, with the GIL held.
    let read = |slot: i64| unsafe { boxing::float(part(from), slot) }.unwrap_or(f64::NAN);
    match (from.kind(), to.kind()) {
        (Kind::Bool | Kind::Int, Kind::Bool) => out.slots.push(wrap(own[0], to)),
        (Kind::Bool | Kind::Int, Kind::Int) => match (from == Elem::U64, is_unsigned(to)) {
            (false, true) if own[0] < 0 => return Err(negative()),
            (true, false) if own[0] < 0 => return Err(too_big()),
            _ => out.slots.push(wrap(own[0], to)),
        },
        (Kind::Float, Kind::Bool) => out.slots.push(i64::from(read(own[0]) != 0.0)),
        (Kind::Float, Kind::Int) => out.slots.push(truncate(read(own[0]), to)?),
        (_, Kind::Float | Kind::Complex) => {
            let parts = match from.kind() {
                Kind::Bool | Kind::Int if from == Elem::U64 => [own[0] as u64 as f64, 0.0],
                Kind::Bool | Kind::Int => [own[0] as f64, 0.0],
                Kind::Float => [read(own[0]), 0.0],
                _ => [read(own[0]), read(own[1])],
            };
            let count = TypeDesc::Scalar(to).slots();
            out.slots
                .extend(parts[..count].iter().map(|value| write(*value, part(to))));
        }
        (Kind::Complex, Kind::Bool | Kind::Int)
        | (Kind::Time | Kind::Record, _)
        | (_, Kind::Time | Kind::Record) => {
            unreachable!("no conversion")
        }
    }
    Ok(())
}

const fn is_unsigned(elem: Elem) -> bool {
    matches!(elem, Elem::U8 | Elem::U16 | Elem::U32 | Elem::U64)
}

fn negative() -> PyErr {
    PyOverflowError::new_err("can't convert negative int to unsigned")
}

fn too_big() -> PyErr {
    PyOverflowError::new_err("int too big to convert")
}

/// The whole part of a float as an integer.
fn truncate(value: f64, to: Elem) -> PyResult<i64> {
    let whole = value.trunc();
    // The bounds are powers of two, which floats hold.
    match is_unsigned(to) {
        _ if value.is_nan() => Err(PyValueError::new_err("cannot convert float NaN to integer")),
        _ if value.is_infinite() => Err(PyOverflowError::new_err(
            "cannot convert float infinity to integer",
        )),
        true if whole < 0.0 => Err(negative()),
        true if whole >= 2f64.powi(64) => Err(too_big()),
        true => Ok(wrap((whole as u64).cast_signed(), to)),
        false if whole < -2f64.powi(63) || whole >= 2f64.powi(63) => Err(too_big()),
        false => Ok(wrap(whole as i64, to)),
    }
}

/// Keeps the bits that an integer type has, extended to a slot.
fn wrap(value: i64, to: Elem) -> i64 {
    match to {
        Elem::Bool => i64::from(value != 0),
        Elem::I8 => i64::from(value as i8),
        Elem::I16 => i64::from(value as i16),
        Elem::I32 => i64::from(value as i32),
        Elem::U8 => i64::from(value as u8),
        Elem::U16 => i64::from(value as u16),
        Elem::U32 => i64::from(value as u32),
        _ => value,
    }
}

/// The slot of a float.
fn write(value: f64, to: Elem) -> i64 {
    match to {
        Elem::F32 => i64::from((value as f32).to_bits()),
        // SAFETY: the GIL is held, as values are converted for a call.
        Elem::F16 => i64::from(unsafe { halves::to_bits(value) }),
        _ => value.to_bits() as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desc(text: &str) -> TypeDesc {
        TypeDesc::parse(text).unwrap()
    }

    #[test]
    fn arguments_convert_as_in_numba() {
        let to = |from: &str, to: &str| conversion(&desc(from), &desc(to));
        assert_eq!(to("si64", "si64"), Some(Conversion::Exact));
        assert_eq!(to("ui32", "si64"), Some(Conversion::Safe));
        assert_eq!(
            to("si64", "!typed.optional<si64>"),
            Some(Conversion::Promote)
        );
        assert_eq!(
            to("!typed.none", "!typed.optional<si64>"),
            Some(Conversion::Promote)
        );
        assert_eq!(to("complex<f64>", "f64"), None);
        let array = |suffix: &str| format!("!typed.array<1, f64, {suffix}>");
        assert_eq!(to(&array("C"), &array("A")), Some(Conversion::Safe));
        assert_eq!(to(&array("A"), &array("C")), None);
        assert_eq!(to(&array("C, readonly"), &array("C")), None);
        assert_eq!(
            to("tuple<si32, f64>", "tuple<si64, f64>"),
            Some(Conversion::Promote)
        );
    }

    #[test]
    fn integers_wrap_as_in_numba() {
        assert_eq!(wrap(1 << 33, Elem::I32), 0);
        assert_eq!(wrap(-1, Elem::U8), 255);
        assert_eq!(wrap(200, Elem::I8), -56);
    }
}
