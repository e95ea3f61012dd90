//! Operations on values of one type, and conversions between numbers. What was computed of constants
//! stays known where that is cheap.

use super::Emit;
use crate::{
    inference::{
        issue::Typing,
        val::{Val, values},
    },
    infra::ops::{arith, typed},
    types::number::Number,
};
use melior::ir::{
    Type,
    attribute::{IntegerAttribute, StringAttribute},
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PyCompareKind, UnaryKind},
    times::Time,
};

impl<'c, 'a> Emit<'_, 'c, 'a> {
    /// `typed.binary` on two values of one type.
    pub fn binary(&mut self, kind: BinaryKind, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        debug_assert_eq!(lhs.ty, rhs.ty, "the operands of {kind:?} have one type");
        self.op(lhs.ty, |b| {
            typed::Binary::create(b, kind, lhs.ir(), rhs.ir())
        })
    }

    /// `typed.unary`, whose result has the operand's type but for predicates and parts of complex
    /// numbers.
    pub fn unary(&mut self, kind: UnaryKind, operand: Val<'c, 'a>) -> Val<'c, 'a> {
        let ty = match (kind, operand.number()) {
            (UnaryKind::IsNan | UnaryKind::IsInf | UnaryKind::IsFinite, _) => self.i1(),
            (UnaryKind::Abs | UnaryKind::Real | UnaryKind::Imag, Some(Number::Complex(width))) => {
                Number::Float(width).to_type(self.context())
            }
            _ => operand.ty,
        };
        self.op(ty, |b| typed::Unary::create(b, kind, operand.ir(), ty))
    }

    /// `typed.compare` of two values of one type.
    pub fn compare(
        &mut self,
        kind: CompareKind,
        lhs: Val<'c, 'a>,
        rhs: Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        debug_assert_eq!(lhs.ty, rhs.ty, "the operands of {kind:?} have one type");
        self.op(self.i1(), |b| {
            typed::Compare::create(b, kind, lhs.ir(), rhs.ir())
        })
    }

    /// One of two values of one type.
    pub fn select(
        &mut self,
        condition: Val<'c, 'a>,
        yes: Val<'c, 'a>,
        no: Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        match condition.literal_bool() {
            Some(true) => yes,
            Some(false) => no,
            // Upstream would make a zero extension of it, which isn't defined on signed integers.
            None if self.is_int(yes.ty)
                && (yes.literal_int(), no.literal_int()) == (Some(1), Some(0)) =>
            {
                self.cast(condition, yes.ty)
            }
            None => self.op(yes.ty, |b| {
                arith::Select::create(b, condition.ir(), yes.ir(), no.ir())
            }),
        }
    }

    /// Whether both bools hold.
    pub fn and(&mut self, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        match (lhs.literal_bool(), rhs.literal_bool()) {
            (Some(true), _) | (_, Some(false)) => rhs,
            (_, Some(true)) | (Some(false), _) => lhs,
            (None, None) => self.binary(BinaryKind::And, lhs, rhs),
        }
    }

    /// Whether one of two bools holds.
    pub fn or(&mut self, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        match (lhs.literal_bool(), rhs.literal_bool()) {
            (Some(false), _) | (_, Some(true)) => rhs,
            (_, Some(false)) | (Some(true), _) => lhs,
            (None, None) => self.binary(BinaryKind::Or, lhs, rhs),
        }
    }

    /// Whether a bool does not hold.
    pub fn not(&mut self, operand: Val<'c, 'a>) -> Val<'c, 'a> {
        if let Some(value) = operand.literal_bool() {
            return self.bool(!value);
        }
        let yes = self.bool(true);
        self.binary(BinaryKind::Xor, operand, yes)
    }

    /// The value of `==` or `!=`, from whether the operands are equal.
    pub fn equality(&mut self, kind: PyCompareKind, equal: Val<'c, 'a>) -> Val<'c, 'a> {
        match kind {
            PyCompareKind::Ne => self.not(equal),
            _ => equal,
        }
    }

    /// Converts a number to another type of number, as NumPy's `astype` does. Constants stay
    /// known where their value is exact.
    pub fn cast(&mut self, operand: Val<'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
        if operand.ty == ty {
            return operand;
        }
        let literal = match (Number::of(ty), operand.literal_int()) {
            (Some(Number::Int { width: 64, .. }), Some(value)) => {
                Some(IntegerAttribute::new(ty, value).into())
            }
            _ => None,
        };
        let mut result = self.op(ty, |b| typed::Cast::create(b, operand.ir(), ty));
        result.literal = literal;
        result
    }

    /// The number of units of a time.
    pub fn ticks(&mut self, time: Val<'c, 'a>) -> Val<'c, 'a> {
        let si64 = self.si64();
        self.op(si64, |b| typed::Ticks::create(b, time.ir(), si64))
    }

    /// The time of so many units.
    pub fn time_of_ticks(&mut self, ticks: Val<'c, 'a>, time: Time) -> Val<'c, 'a> {
        let ty = time.to_type(self.context());
        self.op(ty, |b| typed::Ticks::create(b, ticks.ir(), ty))
    }

    /// Raises an exception when a condition holds.
    pub fn raise_if(&mut self, condition: Val<'c, 'a>, exception: &str, message: Option<&str>) {
        if condition.literal_bool() == Some(false) {
            return;
        }
        let class = StringAttribute::new(self.context(), exception).into();
        self.effect(|b| {
            typed::RaiseIf::create(b, condition.ir(), class, &[], &[]).set_message(message);
        });
    }

    /// The same with a template for the message: each `{}` stands for one of the ints.
    pub fn raise_with(
        &mut self,
        condition: Val<'c, 'a>,
        exception: &str,
        template: &str,
        ints: &[Val<'c, 'a>],
    ) {
        if condition.literal_bool() == Some(false) {
            return;
        }
        let class = StringAttribute::new(self.context(), exception).into();
        let si64 = self.si64();
        let words: Vec<_> = ints.iter().map(|int| self.cast(*int, si64)).collect();
        self.effect(|b| {
            let words = values(&words);
            let raise = typed::RaiseIf::create(b, condition.ir(), class, &words, &[]);
            raise.set_message(Some(template));
        });
    }

    /// An index that counts from the end when negative, checked against a length: raises IndexError.
    pub fn wrap_index(
        &mut self,
        index: Val<'c, 'a>,
        length: Val<'c, 'a>,
        message: &str,
    ) -> Typing<Val<'c, 'a>> {
        let index = self.cast(index, self.si64());
        let zero = self.int(0);
        let negative = self.compare(CompareKind::Lt, index, zero);
        let from_end = self.binary(BinaryKind::Add, index, length);
        let index = self.select(negative, from_end, index);
        let below = self.compare(CompareKind::Lt, index, zero);
        let above = self.compare(CompareKind::Ge, index, length);
        let outside = self.binary(BinaryKind::Or, below, above);
        self.raise_if(outside, "IndexError", Some(message));
        Ok(index)
    }
}
