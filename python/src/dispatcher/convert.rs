//! Calls of functions with explicit signatures only: arguments are converted to one of these, as Numba does.

use pyo3::Py;

use crate::boxing;
use crate::records;
use crate::specialisation::Specialisation;
use crate::types::{ArrayType, Elem, Kind, Layout, TypeDesc};
use crate::unbox::{ArgBuffer, ArrayArg};

/// The specialisation that `types` convert to at the lowest cost; the earlier one among equals.
pub fn best(candidates: &[Py<Specialisation>], types: &[TypeDesc]) -> Option<usize> {
    let cost_of = |candidate: &Py<Specialisation>| total(types, candidate.get().arguments());
    let costs = candidates
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((cost_of(entry)?, index)));
    costs.min().map(|(_, index)| index)
}

/// Conversions needed: those that may lose the value, those that change its kind, those that widen it.
/// Fewer of the first weigh more than any number of the next.
type Cost = [u32; 3];

const NOTHING: Cost = [0, 0, 0];
const UNSAFE: Cost = [1, 0, 0];
const KIND: Cost = [0, 1, 0];
const WIDEN: Cost = [0, 0, 1];

fn total(from: &[TypeDesc], to: &[TypeDesc]) -> Option<Cost> {
    if from.len() != to.len() {
        return None;
    }
    let mut pairs = from.iter().zip(to);
    pairs.try_fold(NOTHING, |sum, (from, to)| {
        let more = cost(from, to)?;
        Some([sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]])
    })
}

fn cost(from: &TypeDesc, to: &TypeDesc) -> Option<Cost> {
    match (from, to) {
        (from, to) if from == to => Some(NOTHING),
        (TypeDesc::Scalar(from), TypeDesc::Scalar(to)) => scalar_cost(*from, *to),
        (TypeDesc::Array(from), TypeDesc::Array(to)) => array_cost(*from, *to),
        (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) => total(from, to),
        (TypeDesc::None, TypeDesc::Optional(_)) => Some(WIDEN),
        (from, TypeDesc::Optional(to)) => {
            let inner = cost(from, to)?;
            Some([inner[0], inner[1], inner[2] + WIDEN[2]])
        }
        _ => None,
    }
}

fn scalar_cost(from: Elem, to: Elem) -> Option<Cost> {
    let cost = match (from.kind(), to.kind()) {
        (Kind::Complex, to) if to != Kind::Complex => return None,
        (Kind::Time | Kind::Record, _) | (_, Kind::Time | Kind::Record) => return None,
        (from, to) if from > to => UNSAFE,
        (from, to) if from < to => KIND,
        _ if from.is_unsigned() != to.is_unsigned() && to.size_log2() <= from.size_log2() => UNSAFE,
        _ if !from.is_unsigned() && to.is_unsigned() => UNSAFE,
        _ if to.size_log2() < from.size_log2() => UNSAFE,
        _ => WIDEN,
    };
    Some(cost)
}

fn array_cost(from: ArrayType, to: ArrayType) -> Option<Cost> {
    let same_elements = from.ndim == to.ndim
        && match (from.elem, to.elem) {
            (Elem::Record(from), Elem::Record(to)) => records::same_fields(from, to),
            (from, to) => from == to,
        };
    let mutable_enough = to.readonly || !from.readonly;
    let layout_fits =
        from.layout == to.layout || (to.layout == Layout::A && from.layout != Layout::Bytes);
    (same_elements && mutable_enough && layout_fits).then_some(WIDEN)
}

/// Whether values of the types `from` convert to the types `to`.
pub fn is_possible(from: &[TypeDesc], to: &[TypeDesc]) -> bool {
    total(from, to).is_some()
}

/// Whether that takes no more than to widen numbers and to forget what is known of arrays.
pub fn keeps_kind(from: &[TypeDesc], to: &[TypeDesc]) -> bool {
    total(from, to).is_some_and(|[lossy, kind, _]| lossy == 0 && kind == 0)
}

/// The arguments as values of the types `to`, which `from` has a cost for.
pub fn convert(args: &ArgBuffer, from: &[TypeDesc], to: &[TypeDesc]) -> ArgBuffer {
    let mut out = ArgBuffer::default();
    let mut arrays = args.arrays.iter();
    let mut slots = &args.slots[..];
    for (from, to) in from.iter().zip(to) {
        convert_one(from, to, &mut slots, &mut arrays, &mut out);
    }
    out
}

fn convert_one<'a>(
    from: &TypeDesc,
    to: &TypeDesc,
    slots: &mut &[i64],
    arrays: &mut impl Iterator<Item = &'a ArrayArg>,
    out: &mut ArgBuffer,
) {
    if let (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) = (from, to) {
        for (from, to) in from.iter().zip(to) {
            convert_one(from, to, slots, arrays, out);
        }
        return;
    }
    if let TypeDesc::Optional(inner) = to
        && from != to
    {
        let is_none = *from == TypeDesc::None;
        match is_none {
            true => out.slots.extend(std::iter::repeat_n(0, inner.slots())),
            false => convert_one(from, inner, slots, arrays, out),
        }
        out.slots.push(i64::from(!is_none));
        return;
    }
    let (own, rest) = slots.split_at(from.slots());
    *slots = rest;
    match (from, to) {
        (TypeDesc::Scalar(from), TypeDesc::Scalar(to)) if from != to => {
            convert_scalar(*from, *to, own, out)
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
        _ => out.slots.extend_from_slice(own),
    }
}

fn convert_scalar(from: Elem, to: Elem, own: &[i64], out: &mut ArgBuffer) {
    let part = |elem: Elem| match elem {
        Elem::C64 => Elem::F32,
        Elem::C128 => Elem::F64,
        other => other,
    };
    // SAFETY: the dispatcher calls this, with the GIL held.
    let read = |slot: i64| unsafe { boxing::float(part(from), slot) }.unwrap_or(f64::NAN);
    match (from.kind(), to.kind()) {
        (Kind::Bool | Kind::Int, Kind::Bool | Kind::Int) => out.slots.push(wrap(own[0], to)),
        (Kind::Float, Kind::Bool) => out.slots.push(i64::from(read(own[0]) != 0.0)),
        (Kind::Float, Kind::Int) => out.slots.push(wrap(read(own[0]) as i64, to)),
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
            unreachable!("has no cost")
        }
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
        Elem::F16 => {
            let mut bytes = [0u8; 2];
            // SAFETY: two bytes are writable. A value beyond the range becomes infinite, as in NumPy.
            let failed =
                unsafe { pyo3::ffi::PyFloat_Pack2(value, bytes.as_mut_ptr().cast(), 1) } != 0;
            if failed {
                // SAFETY: the GIL is held, and the OverflowError was set just now.
                unsafe { pyo3::ffi::PyErr_Clear() };
                return if value < 0.0 { 0xfc00 } else { 0x7c00 };
            }
            i64::from(u16::from_le_bytes(bytes))
        }
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
    fn costs_rank_as_in_numba() {
        let rank = |from: &str, to: &str| cost(&desc(from), &desc(to));
        assert_eq!(rank("si64", "si64"), Some(NOTHING));
        assert_eq!(rank("si32", "si64"), Some(WIDEN));
        assert_eq!(rank("si64", "f64"), Some(KIND));
        assert_eq!(rank("si64", "si32"), Some(UNSAFE));
        assert_eq!(rank("si8", "ui64"), Some(UNSAFE));
        assert_eq!(rank("ui32", "si64"), Some(WIDEN));
        assert_eq!(rank("f64", "si64"), Some(UNSAFE));
        assert_eq!(rank("complex<f64>", "f64"), None);
        assert_eq!(
            rank("!typed.array<1, f64, C>", "!typed.array<1, f64, A>"),
            Some(WIDEN)
        );
        assert_eq!(
            rank(
                "!typed.array<1, f64, C, readonly>",
                "!typed.array<1, f64, C>"
            ),
            None
        );
        assert_eq!(rank("tuple<si32, f64>", "tuple<si64, f64>"), Some(WIDEN));
    }

    #[test]
    fn integers_wrap_as_in_numba() {
        assert_eq!(wrap(1 << 33, Elem::I32), 0);
        assert_eq!(wrap(-1, Elem::U8), 255);
        assert_eq!(wrap(200, Elem::I8), -56);
    }
}
