//! Numbers: the types that arithmetic works on, and NumPy's promotion of them.

use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};
use mlir_sys::{
    mlirComplexTypeGet, mlirComplexTypeGetElementType, mlirTypeIsABF16, mlirTypeIsAComplex,
    mlirTypeIsAF16, mlirTypeIsAF32, mlirTypeIsAF64,
};
use pyopt_dialects::times::Time;

/// The type of a number, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `i1`.
    Bool,
    /// An integer of so many bits.
    Int {
        /// How many bits it has.
        width: u32,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A float of so many bits.
    Float(u32),
    /// A complex number whose parts are floats of so many bits.
    Complex(u32),
}

impl Number {
    /// Python's int.
    pub const INT64: Self = Self::Int {
        width: 64,
        signed: true,
    };
    /// NumPy's widest unsigned integer.
    pub const UINT64: Self = Self::Int {
        width: 64,
        signed: false,
    };
    /// Python's float.
    pub const FLOAT64: Self = Self::Float(64);

    /// Takes a type apart, `None` for what isn't a number.
    pub fn of(r#type: Type) -> Option<Self> {
        if let Ok(integer) = IntegerType::try_from(r#type) {
            let width = integer.width();
            return match (width, integer.is_signless()) {
                (1, true) => Some(Self::Bool),
                (_, true) => None,
                _ => Some(Self::Int {
                    width,
                    signed: integer.is_signed(),
                }),
            };
        }
        let raw = r#type.to_raw();
        // SAFETY: any type may be asked; the element type is read of a complex type.
        unsafe {
            if mlirTypeIsAF64(raw) {
                Some(Self::Float(64))
            } else if mlirTypeIsAF32(raw) {
                Some(Self::Float(32))
            } else if mlirTypeIsAF16(raw) && !mlirTypeIsABF16(raw) {
                Some(Self::Float(16))
            } else if mlirTypeIsAComplex(raw) {
                match Self::of(Type::from_raw(mlirComplexTypeGetElementType(raw)))? {
                    Self::Float(width) => Some(Self::Complex(width)),
                    _ => None,
                }
            } else {
                None
            }
        }
    }

    /// The MLIR type.
    pub fn to_type(self, context: &Context) -> Type<'_> {
        match self {
            Self::Bool => IntegerType::new(context, 1).into(),
            Self::Int {
                width,
                signed: true,
            } => IntegerType::signed(context, width).into(),
            Self::Int {
                width,
                signed: false,
            } => IntegerType::unsigned(context, width).into(),
            Self::Float(16) => Type::float16(context),
            Self::Float(32) => Type::float32(context),
            Self::Float(_) => Type::float64(context),
            Self::Complex(width) => {
                let part = Self::Float(width).to_type(context);
                // SAFETY: the part is a float type of a living context.
                unsafe { Type::from_raw(mlirComplexTypeGet(part.to_raw())) }
            }
        }
    }

    /// Whether it is an integer or a bool.
    pub const fn is_integral(self) -> bool {
        matches!(self, Self::Bool | Self::Int { .. })
    }

    /// Whether it is an integer that can't be negative, or a bool.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::Bool | Self::Int { signed: false, .. })
    }

    /// The float that mathematical functions of this number give: itself, or `float64` for
    /// integers. Complex numbers stay what they are.
    pub const fn to_inexact(self) -> Self {
        match self {
            Self::Bool | Self::Int { .. } => Self::FLOAT64,
            inexact => inexact,
        }
    }

    /// NumPy's `promote_types`: the smallest number that holds both. Numba unifies variables of
    /// two types by the same rule.
    pub fn promote(self, other: Self) -> Self {
        match (self, other) {
            (Self::Bool, number) | (number, Self::Bool) => number,
            (
                Self::Int {
                    width: a,
                    signed: a_signed,
                },
                Self::Int {
                    width: b,
                    signed: b_signed,
                },
            ) => promote_integers((a, a_signed), (b, b_signed)),
            (Self::Int { width, .. }, Self::Float(float))
            | (Self::Float(float), Self::Int { width, .. }) => {
                Self::Float(float.max(exact_float(width)))
            }
            (Self::Int { width, .. }, Self::Complex(float))
            | (Self::Complex(float), Self::Int { width, .. }) => {
                Self::Complex(float.max(exact_float(width)))
            }
            (Self::Float(a), Self::Float(b)) => Self::Float(a.max(b)),
            (Self::Complex(a), Self::Complex(b) | Self::Float(b))
            | (Self::Float(b), Self::Complex(a)) => Self::Complex(a.max(b)),
        }
    }

    /// What Numba's arithmetic on two Python scalars gives: integers grow to 64 bits, signed when
    /// one of them is; everything else is promoted as NumPy does.
    pub fn arithmetic(self, other: Self) -> Self {
        if self.is_integral() && other.is_integral() {
            return Self::Int {
                width: 64,
                signed: self.counts_as_signed() || other.counts_as_signed(),
            };
        }
        self.promote(other)
    }

    const fn counts_as_signed(self) -> bool {
        !matches!(self, Self::Int { signed: false, .. })
    }
}

fn promote_integers((a, a_signed): (u32, bool), (b, b_signed): (u32, bool)) -> Number {
    if a_signed == b_signed {
        return Number::Int {
            width: a.max(b),
            signed: a_signed,
        };
    }
    let (signed, unsigned) = if a_signed { (a, b) } else { (b, a) };
    match signed.max(2 * unsigned) {
        width @ ..=64 => Number::Int {
            width,
            signed: true,
        },
        _ => Number::FLOAT64,
    }
}

/// The narrowest float that NumPy puts integers of a width into.
const fn exact_float(width: u32) -> u32 {
    match width {
        0..=8 => 16,
        9..=16 => 32,
        _ => 64,
    }
}

/// Whether values of a type are computed with, element by element.
pub(crate) fn is_scalar(ty: Type) -> bool {
    Number::of(ty).is_some() || Time::of(ty).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn int(width: u32) -> Number {
        Number::Int {
            width,
            signed: true,
        }
    }

    const fn uint(width: u32) -> Number {
        Number::Int {
            width,
            signed: false,
        }
    }

    #[test]
    fn promotion_is_numpys() {
        assert_eq!(int(32).promote(uint(32)), int(64));
        assert_eq!(int(64).promote(uint(64)), Number::Float(64));
        assert_eq!(int(8).promote(Number::Float(32)), Number::Float(32));
        assert_eq!(int(32).promote(Number::Float(32)), Number::Float(64));
        assert_eq!(uint(8).promote(int(16)), int(16));
        assert_eq!(int(32).promote(Number::Complex(32)), Number::Complex(64));
        assert_eq!(Number::Bool.promote(Number::Float(16)), Number::Float(16));
    }

    #[test]
    fn scalar_arithmetic_is_numbas() {
        assert_eq!(int(8).arithmetic(int(8)), int(64));
        assert_eq!(uint(8).arithmetic(uint(32)), uint(64));
        assert_eq!(int(64).arithmetic(uint(64)), int(64));
        assert_eq!(Number::Bool.arithmetic(Number::Bool), int(64));
        assert_eq!(Number::Bool.arithmetic(uint(8)), int(64));
    }

    #[test]
    fn types_round_trip() {
        let context = Context::new();
        for number in [
            Number::Bool,
            int(8),
            uint(64),
            Number::Float(16),
            Number::Float(32),
            Number::Complex(64),
        ] {
            assert_eq!(Number::of(number.to_type(&context)), Some(number));
        }
    }
}
