//! Complex arithmetic as C's and NumPy's.

use crate::{
    infra::{
        CmpFloat, ValueExt,
        ops::{arith, complex, math},
    },
    lowering::{emit::Emit, externals::Known},
    types::{
        layout::{complex_part, float_width},
        number::Number,
    },
};
use melior::ir::{Type, Value};
use pyopt_dialects::enums::{BinaryKind, CompareKind, UnaryKind};

/// The real and the imaginary part.
pub(in crate::lowering) fn parts<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>) {
    let re = complex::Re::create(e, x).real();
    (re, complex::Im::create(e, x).imaginary())
}

/// A complex number of its parts.
pub(in crate::lowering) fn create<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    r#type: Type<'c>,
    re: Value<'c, 'a>,
    im: Value<'c, 'a>,
) -> Value<'c, 'a> {
    complex::Create::create(e, re, im, r#type).complex()
}

/// Writes an operator on two complex numbers; `None` when it has no meaning.
pub(super) fn binary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let ((a, b), (c, d)) = (parts(e, x), parts(e, y));
    let mul = |x, y| e.bin(arith::MulF::NAME, x, y);

    let (re, im) = match kind {
        BinaryKind::Add => (
            e.bin(arith::AddF::NAME, a, c),
            e.bin(arith::AddF::NAME, b, d),
        ),
        BinaryKind::Sub => (
            e.bin(arith::SubF::NAME, a, c),
            e.bin(arith::SubF::NAME, b, d),
        ),
        BinaryKind::Mul => (
            e.bin(arith::SubF::NAME, mul(a, c), mul(b, d)),
            e.bin(arith::AddF::NAME, mul(a, d), mul(b, c)),
        ),
        BinaryKind::TrueDiv => divide(e, (a, b), (c, d)),
        BinaryKind::Pow => {
            return Some(libm(e, "pyopt_pow_complex", &[x, y]));
        }
        _ => return None,
    };
    Some(create(e, x.ty(), re, im))
}

/// Smith's division, which NumPy uses: scales by the larger part of the divisor.
fn divide<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    (a, b): (Value<'c, 'a>, Value<'c, 'a>),
    (c, d): (Value<'c, 'a>, Value<'c, 'a>),
) -> (Value<'c, 'a>, Value<'c, 'a>) {
    let add = |x, y| e.bin(arith::AddF::NAME, x, y);
    let sub = |x, y| e.bin(arith::SubF::NAME, x, y);
    let mul = |x, y| e.bin(arith::MulF::NAME, x, y);
    let div = |x, y| e.bin(arith::DivF::NAME, x, y);
    let zero = e.float(a.ty(), 0.0);
    let (c_size, d_size) = (e.un(math::AbsF::NAME, c), e.un(math::AbsF::NAME, d));

    let real_larger = e.cmpf(CmpFloat::OGE, c_size, d_size);
    let (large, small) = (e.select(real_larger, c, d), e.select(real_larger, d, c));
    let ratio = div(small, large);
    let scale = div(e.float(a.ty(), 1.0), add(large, mul(small, ratio)));
    // With the larger part real: (a + b·r)·s, (b - a·r)·s; otherwise (a·r + b)·s, (b·r - a)·s.
    let re = e.select(real_larger, add(a, mul(b, ratio)), add(mul(a, ratio), b));
    let im = e.select(real_larger, sub(b, mul(a, ratio)), sub(mul(b, ratio), a));

    let is_zero = e.and(
        e.cmpf(CmpFloat::OEQ, c_size, zero),
        e.cmpf(CmpFloat::OEQ, d_size, zero),
    );
    (
        e.select(is_zero, div(a, c_size), mul(re, scale)),
        e.select(is_zero, div(b, c_size), mul(im, scale)),
    )
}

/// Writes a function of a complex number; `None` when it has no meaning. `isnan`, `isinf` and
/// `isfinite` are the caller's.
pub(super) fn unary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    x: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let (re, im) = parts(e, x);
    let name = match kind {
        UnaryKind::Real => return Some(re),
        UnaryKind::Imag => return Some(im),
        UnaryKind::Conj => return Some(create(e, x.ty(), re, e.un(arith::NegF::NAME, im))),
        UnaryKind::Neg => {
            return Some(create(
                e,
                x.ty(),
                e.un(arith::NegF::NAME, re),
                e.un(arith::NegF::NAME, im),
            ));
        }
        UnaryKind::Abs => return Some(super::float::libm(e, "hypot", &[re, im])),
        UnaryKind::Sqrt => "csqrt",
        UnaryKind::Exp => "cexp",
        UnaryKind::Log => "clog",
        UnaryKind::Sin => "csin",
        UnaryKind::Cos => "ccos",
        UnaryKind::Tan => "ctan",
        UnaryKind::Asin => "casin",
        UnaryKind::Acos => "cacos",
        UnaryKind::Atan => "catan",
        UnaryKind::Sinh => "csinh",
        UnaryKind::Cosh => "ccosh",
        UnaryKind::Tanh => "ctanh",
        UnaryKind::Asinh => "casinh",
        UnaryKind::Acosh => "cacosh",
        UnaryKind::Atanh => "catanh",
        _ => return None,
    };
    Some(libm(e, name, &[x]))
}

/// Calls a complex function of libm or the runtime. C passes a double precision complex number as its two parts,
/// as LLVM does a struct of them; single precision is packed otherwise, so it goes through double.
fn libm<'c, 'a>(e: &Emit<'_, 'c, 'a>, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let r#type = arguments[0].ty();
    let part = complex_part(r#type).expect("the arguments are complex");
    let call = |arguments: &[Value<'c, 'a>], r#type| {
        e.call_known(name, Known::Computes, arguments, &[r#type])
            .part0()[0]
    };
    if float_width(part) == 64 {
        return call(arguments, r#type);
    }
    let double = Number::Complex(64).to_type(e.context());
    let wide: Vec<_> = arguments
        .iter()
        .map(|argument| convert(e, *argument, double))
        .collect();
    convert(e, call(&wide, double), r#type)
}

/// A complex number in another precision.
pub(super) fn convert<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    to: Type<'c>,
) -> Value<'c, 'a> {
    let part = complex_part(to).expect("the type is complex");
    let (re, im) = parts(e, x);
    let convert = |x| super::cast::float_to_float(e, x, part);
    create(e, to, convert(re), convert(im))
}

/// Compares complex numbers: by parts, and NumPy's order by real, then by imaginary part.
pub(super) fn compare<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: CompareKind,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let ((a, b), (c, d)) = (parts(e, x), parts(e, y));
    let equal = |x, y| e.cmpf(CmpFloat::OEQ, x, y);
    let ordered = |strict, last| {
        let tie = e.and(equal(a, c), e.cmpf(last, b, d));
        let known = e.cmpf(CmpFloat::ORD, b, d);
        e.or(e.and(e.cmpf(strict, a, c), known), tie)
    };
    match kind {
        CompareKind::Eq => e.and(equal(a, c), equal(b, d)),
        CompareKind::Ne => e.or(e.cmpf(CmpFloat::UNE, a, c), e.cmpf(CmpFloat::UNE, b, d)),
        CompareKind::Lt => ordered(CmpFloat::OLT, CmpFloat::OLT),
        CompareKind::Le => ordered(CmpFloat::OLT, CmpFloat::OLE),
        CompareKind::Gt => ordered(CmpFloat::OGT, CmpFloat::OGT),
        CompareKind::Ge => ordered(CmpFloat::OGT, CmpFloat::OGE),
    }
}
