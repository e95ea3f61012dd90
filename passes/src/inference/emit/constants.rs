//! Constants, whose values are known at compile time.

use super::Emit;
use crate::{inference::val::Val, infra::ops::typed, types::number::Number};
use melior::ir::{
    Attribute, Type,
    attribute::{ArrayAttribute, BoolAttribute, FloatAttribute, IntegerAttribute, StringAttribute},
};
use pyopt_dialects::{times::Time, typed::TypedType};
use pyopt_frontend::attributes::bytes_attribute;

impl<'c, 'a> Emit<'_, 'c, 'a> {
    /// A constant number, bool or string.
    pub fn constant(&mut self, literal: Attribute<'c>, ty: Type<'c>) -> Val<'c, 'a> {
        let mut constant = self.op(ty, |b| typed::Constant::create(b, literal, ty));
        constant.literal = Some(literal);
        constant
    }

    /// A constant int.
    pub fn int(&mut self, value: i64) -> Val<'c, 'a> {
        self.int_of(value, self.si64())
    }

    /// A constant of an integer type or `index`.
    pub fn int_of(&mut self, value: i64, ty: Type<'c>) -> Val<'c, 'a> {
        self.constant(IntegerAttribute::new(ty, value).into(), ty)
    }

    /// A constant float.
    pub fn float(&mut self, value: f64) -> Val<'c, 'a> {
        self.float_of(value, self.f64())
    }

    /// A constant of a float type.
    pub fn float_of(&mut self, value: f64, ty: Type<'c>) -> Val<'c, 'a> {
        self.constant(FloatAttribute::new(self.context(), ty, value).into(), ty)
    }

    /// A constant of any type of numbers, or so many units of a type of times.
    pub fn number(&mut self, value: i64, ty: Type<'c>) -> Val<'c, 'a> {
        match Number::of(ty) {
            Some(Number::Bool) => self.bool(value != 0),
            Some(Number::Float(_)) => self.float_of(value as f64, ty),
            Some(Number::Complex(width)) => {
                let part = Number::Float(width);
                self.complex(value as f64, 0.0, part)
            }
            None if let Some(time) = Time::of(ty) => {
                let ticks = self.int(value);
                self.time_of_ticks(ticks, time)
            }
            _ => self.int_of(value, ty),
        }
    }

    /// A constant complex number whose parts are of a kind of float.
    pub fn complex(&mut self, real: f64, imag: f64, part: Number) -> Val<'c, 'a> {
        let context = self.context();
        let part_type = part.to_type(context);
        let parts = [real, imag].map(|part| FloatAttribute::new(context, part_type, part).into());
        let Number::Float(width) = part else {
            unreachable!("the parts of a complex number are floats")
        };
        let literal = ArrayAttribute::new(context, &parts).into();
        self.constant(literal, Number::Complex(width).to_type(context))
    }

    /// A constant bool.
    pub fn bool(&mut self, value: bool) -> Val<'c, 'a> {
        let literal = BoolAttribute::new(self.context(), value).into();
        self.constant(literal, self.i1())
    }

    /// A constant string.
    pub fn string(&mut self, value: &str) -> Val<'c, 'a> {
        let literal = StringAttribute::new(self.context(), value).into();
        self.constant(literal, self.type_of(TypedType::Str))
    }

    /// A constant bytes object. Nobody is told its value: what is known of texts is a str.
    pub fn bytes(&mut self, value: &[u8]) -> Val<'c, 'a> {
        let literal = bytes_attribute(self.context(), value).into();
        let mut constant = self.constant(literal, self.type_of(TypedType::Bytes));
        constant.literal = None;
        constant
    }

    /// None.
    pub fn none(&mut self) -> Val<'c, 'a> {
        self.singleton(TypedType::None)
    }

    /// The value of a type that has only one.
    pub fn singleton(&mut self, r#type: TypedType<'c>) -> Val<'c, 'a> {
        let ty = self.type_of(r#type);
        self.op(ty, |b| typed::Singleton::create(b, ty))
    }
}
