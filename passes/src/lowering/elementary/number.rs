//! Floats, integers and conditions of the IR under construction, with overloaded operators: the
//! elementary functions are written in them.
//!
//! A float may be absent: an exact zero that costs no operations. In single precision the low parts
//! of double-double sums are absent, and all that is computed from them disappears.

use crate::{
    infra::{
        CmpFloat, OperationExt,
        ops::{arith, math},
    },
    lowering::emit::Emit,
};
use melior::ir::{Type, Value};
use std::{
    cell::RefCell,
    ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub},
};

/// The insertion point, and the precision: results in single precision are rounded afterwards.
pub(super) struct Math<'b, 'c, 'a> {
    emit: &'b Emit<'b, 'c, 'a>,
    single: bool,
    values: RefCell<Vec<Value<'c, 'a>>>,
}

impl<'b, 'c: 'a, 'a> Math<'b, 'c, 'a> {
    pub(super) fn new(emit: &'b Emit<'b, 'c, 'a>, single: bool) -> Self {
        Self {
            emit,
            single,
            values: RefCell::default(),
        }
    }

    /// A value of the program as a float.
    pub(super) fn float(&self, value: Value<'c, 'a>) -> Float<'_> {
        Float::of(self, Some(self.keep(value)))
    }

    /// A float as a value of the program.
    pub(super) fn value(&self, float: Float) -> Value<'c, 'a> {
        self.values.borrow()[float.id()]
    }

    fn keep(&self, value: Value<'c, 'a>) -> usize {
        self.values.borrow_mut().push(value);
        self.values.borrow().len() - 1
    }
}

/// The types of numbers.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Float,
    Int,
    Bool,
}

/// Makes operations; hides the lifetimes of the IR.
pub(super) trait Maker {
    /// Whether results are rounded to single precision.
    fn single(&self) -> bool;
    /// A float, by its bits.
    fn float_constant(&self, value: f64) -> usize;
    fn int_constant(&self, value: i64) -> usize;
    fn bool_constant(&self, value: bool) -> usize;
    fn compare(&self, predicate: CmpFloat, x: usize, y: usize) -> usize;
    fn operation(&self, name: &str, operands: &[usize], result: Kind) -> usize;
    /// Calls a function from floats to a float where a condition holds, and takes the other float
    /// elsewhere.
    fn call_if(&self, condition: usize, callee: &str, argument: usize, other: usize) -> usize;
}

impl<'c: 'a, 'a> Maker for Math<'_, 'c, 'a> {
    fn single(&self) -> bool {
        self.single
    }

    fn float_constant(&self, value: f64) -> usize {
        let double = Type::float64(self.emit.context());
        self.keep(self.emit.float(double, value))
    }

    fn int_constant(&self, value: i64) -> usize {
        self.keep(self.emit.int(self.emit.i(64), value))
    }

    fn bool_constant(&self, value: bool) -> usize {
        self.keep(self.emit.bool(value))
    }

    fn compare(&self, predicate: CmpFloat, x: usize, y: usize) -> usize {
        let (x, y) = (self.values.borrow()[x], self.values.borrow()[y]);
        self.keep(self.emit.cmpf(predicate, x, y))
    }

    fn operation(&self, name: &str, operands: &[usize], result: Kind) -> usize {
        let operands: Vec<_> = operands
            .iter()
            .map(|id| self.values.borrow()[*id])
            .collect();
        let result = match result {
            Kind::Float => Type::float64(self.emit.context()),
            Kind::Int => self.emit.i(64),
            Kind::Bool => self.emit.i(1),
        };
        self.keep(self.emit.value(name, &operands, result, &[]))
    }

    fn call_if(&self, condition: usize, callee: &str, argument: usize, other: usize) -> usize {
        let value = |id: usize| self.values.borrow()[id];
        let (condition, argument, other) = (value(condition), value(argument), value(other));
        let double = Type::float64(self.emit.context());
        let call = || {
            (self.emit)
                .call_symbol(callee, &[argument], &[double])
                .result_values()
        };
        let values = self
            .emit
            .if_else(condition, &[double], call, || vec![other]);
        self.keep(values[0])
    }
}

/// A float of 64 bits, or nothing.
#[derive(Clone, Copy)]
pub(super) struct Float<'m> {
    math: &'m dyn Maker,
    id: Option<usize>,
}

/// An integer of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Int<'m> {
    math: &'m dyn Maker,
    id: usize,
}

/// A condition.
#[derive(Clone, Copy)]
pub(super) struct Bool<'m> {
    math: &'m dyn Maker,
    id: usize,
}

impl<'m> Float<'m> {
    fn of(math: &'m dyn Maker, id: Option<usize>) -> Self {
        Self { math, id }
    }

    fn id(self) -> usize {
        self.id.unwrap_or_else(|| self.math.float_constant(0.0))
    }

    fn make(self, name: &str, operands: &[usize]) -> Self {
        let id = self.math.operation(name, operands, Kind::Float);
        Self::of(self.math, Some(id))
    }

    /// Whether results are rounded to single precision.
    pub(super) fn single(self) -> bool {
        self.math.single()
    }

    /// A constant.
    pub(super) fn number(self, value: f64) -> Self {
        Self::of(self.math, Some(self.math.float_constant(value)))
    }

    /// A zero that costs nothing; for low parts.
    pub(super) fn nothing(self) -> Self {
        Self::of(self.math, None)
    }

    /// The result of `low`; absent in single precision.
    pub(super) fn unless_single(self, low: impl FnOnce() -> Self) -> Self {
        match self.single() {
            true => self.nothing(),
            false => low(),
        }
    }

    /// Whether the float isn't absent.
    pub(super) fn is_something(self) -> bool {
        self.id.is_some()
    }

    /// `self * y + z`, rounded once.
    pub(super) fn fma(self, y: Self, z: Self) -> Self {
        match (self.id, y.id, z.id) {
            (Some(x), Some(y), Some(z)) => self.make(math::Fma::NAME, &[x, y, z]),
            (Some(_), Some(_), None) => self * y,
            _ => z,
        }
    }

    /// `self * y + z` with constants.
    pub(super) fn fma_by(self, y: f64, z: f64) -> Self {
        self.fma(self.number(y), self.number(z))
    }

    /// The polynomial with these coefficients, the lowest first.
    pub(super) fn polynomial(self, coefficients: &[f64]) -> Self {
        let (last, rest) = coefficients.split_last().expect("there are coefficients");
        rest.iter().rev().fold(self.number(*last), |sum, next| {
            sum.fma(self, self.number(*next))
        })
    }

    pub(super) fn abs(self) -> Self {
        self.make(math::AbsF::NAME, &[self.id()])
    }

    pub(super) fn sqrt(self) -> Self {
        self.make(math::Sqrt::NAME, &[self.id()])
    }

    /// The nearest integer.
    pub(super) fn round(self) -> Self {
        self.make(math::RoundEven::NAME, &[self.id()])
    }

    pub(super) fn copysign(self, sign: Self) -> Self {
        self.make(math::CopySign::NAME, &[self.id(), sign.id()])
    }

    pub(super) fn bits(self) -> Int<'m> {
        let id = self
            .math
            .operation(arith::Bitcast::NAME, &[self.id()], Kind::Int);
        Int::of(self.math, id)
    }

    fn compare(self, predicate: CmpFloat, other: Self) -> Bool<'m> {
        let id = self.math.compare(predicate, self.id(), other.id());
        Bool::of(self.math, id)
    }

    pub(super) fn less(self, other: Self) -> Bool<'m> {
        self.compare(CmpFloat::OLT, other)
    }

    pub(super) fn is_less(self, bound: f64) -> Bool<'m> {
        self.less(self.number(bound))
    }

    pub(super) fn is_greater(self, bound: f64) -> Bool<'m> {
        self.compare(CmpFloat::OGT, self.number(bound))
    }

    pub(super) fn equals(self, other: Self) -> Bool<'m> {
        self.compare(CmpFloat::OEQ, other)
    }

    pub(super) fn is(self, value: f64) -> Bool<'m> {
        self.equals(self.number(value))
    }

    pub(super) fn is_nan(self) -> Bool<'m> {
        self.compare(CmpFloat::UNO, self)
    }

    /// Whether the sign is set, also of zero and NaN.
    pub(super) fn is_negative(self) -> Bool<'m> {
        self.number(1.0).copysign(self).is_less(0.0)
    }

    /// Between two bounds; NaN stays.
    pub(super) fn clamp(self, low: f64, high: f64) -> Self {
        let below = self.is_greater(high).select(self.number(high), self);
        below.is_less(low).select(self.number(low), below)
    }

    /// The rounded float in the low bits of a larger one: what `Self::shifted_int` reads.
    pub(super) fn shifted(self, factor: f64) -> Self {
        self.fma_by(factor, SHIFTER)
    }

    /// The integer of `Self::shifted`, as a float.
    pub(super) fn shifted_float(self) -> Self {
        self - SHIFTER
    }

    /// The integer of `Self::shifted`.
    pub(super) fn shifted_int(self) -> Int<'m> {
        self.bits() - SHIFTER.to_bits() as i64
    }

    /// Calls a function where a condition holds; see `Maker::call_if`.
    pub(super) fn or_call(self, condition: Bool<'m>, callee: &str, argument: Self) -> Self {
        let id = (self.math).call_if(condition.id, callee, argument.id(), self.id());
        Self::of(self.math, Some(id))
    }
}

/// 1.5 * 2^52: what is added to it is rounded to an integer, in the low bits of the sum.
const SHIFTER: f64 = 6755399441055744.0;

impl<'m> Int<'m> {
    fn of(math: &'m dyn Maker, id: usize) -> Self {
        Self { math, id }
    }

    fn with(self, name: &str, other: Self) -> Self {
        let id = self.math.operation(name, &[self.id, other.id], Kind::Int);
        Self::of(self.math, id)
    }

    fn number(self, value: i64) -> Self {
        Self::of(self.math, self.math.int_constant(value))
    }

    /// The float with these bits.
    pub(super) fn float(self) -> Float<'m> {
        let id = self
            .math
            .operation(arith::Bitcast::NAME, &[self.id], Kind::Float);
        Float::of(self.math, Some(id))
    }

    /// Two to this power, which must be the exponent of a normal float.
    pub(super) fn power_of_two(self) -> Float<'m> {
        ((self + 1023) << 52).float()
    }

    /// Whether the integer is odd.
    pub(super) fn is_odd(self) -> Bool<'m> {
        let id = (self.math).operation(arith::TruncI::NAME, &[self.id], Kind::Bool);
        Bool::of(self.math, id)
    }
}

impl<'m> Bool<'m> {
    fn of(math: &'m dyn Maker, id: usize) -> Self {
        Self { math, id }
    }

    fn with(self, name: &str, other: Self) -> Self {
        let id = self.math.operation(name, &[self.id, other.id], Kind::Bool);
        Self::of(self.math, id)
    }

    pub(super) fn select(self, yes: Float<'m>, no: Float<'m>) -> Float<'m> {
        match (yes.id, no.id) {
            (None, None) => yes,
            _ => yes.make(arith::Select::NAME, &[self.id, yes.id(), no.id()]),
        }
    }
}

macro_rules! float_operator {
    ($($trait:ident $method:ident $name:path;)*) => {$(
        impl<'m> $trait for Float<'m> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                match (self.id, other.id, $name) {
                    (Some(x), Some(y), _) => self.make($name, &[x, y]),
                    (Some(_), None, arith::AddF::NAME | arith::SubF::NAME) => self,
                    (None, Some(_), arith::AddF::NAME) => other,
                    (None, Some(_), arith::SubF::NAME) => -other,
                    (_, _, arith::DivF::NAME) => unreachable!("nothing is never divided"),
                    _ => self.nothing(),
                }
            }
        }

        impl<'m> $trait<f64> for Float<'m> {
            type Output = Self;

            fn $method(self, other: f64) -> Self {
                $trait::$method(self, self.number(other))
            }
        }

        impl<'m> $trait<Float<'m>> for f64 {
            type Output = Float<'m>;

            fn $method(self, other: Float<'m>) -> Float<'m> {
                $trait::$method(other.number(self), other)
            }
        }
    )*};
}

float_operator! {
    Add add arith::AddF::NAME;
    Sub sub arith::SubF::NAME;
    Mul mul arith::MulF::NAME;
    Div div arith::DivF::NAME;
}

impl Neg for Float<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        match self.id {
            Some(x) => self.make(arith::NegF::NAME, &[x]),
            None => self,
        }
    }
}

macro_rules! int_operator {
    ($($trait:ident $method:ident $name:path;)*) => {$(
        impl<'m> $trait for Int<'m> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.with($name, other)
            }
        }

        impl<'m> $trait<i64> for Int<'m> {
            type Output = Self;

            fn $method(self, other: i64) -> Self {
                self.with($name, self.number(other))
            }
        }
    )*};
}

// Vectors have no arithmetic shift of 64 bits before AVX-512, hence the logical one.
int_operator! {
    Add add arith::AddI::NAME;
    Sub sub arith::SubI::NAME;
    BitAnd bitand arith::AndI::NAME;
    BitOr bitor arith::OrI::NAME;
    BitXor bitxor arith::XOrI::NAME;
    Shl shl arith::ShLI::NAME;
    Shr shr arith::ShRUI::NAME;
}

macro_rules! bool_operator {
    ($($trait:ident $method:ident $name:path;)*) => {$(
        impl<'m> $trait for Bool<'m> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.with($name, other)
            }
        }
    )*};
}

bool_operator! {
    BitAnd bitand arith::AndI::NAME;
    BitOr bitor arith::OrI::NAME;
    BitXor bitxor arith::XOrI::NAME;
}

impl Not for Bool<'_> {
    type Output = Self;

    fn not(self) -> Self {
        let yes = Self::of(self.math, self.math.bool_constant(true));
        self.with(arith::XOrI::NAME, yes)
    }
}
