//! Short names for the operations of `arith`, and constants.

use super::Builder;
use crate::infra::{ValueExt, ops::arith};
use melior::ir::{
    Attribute, Type, Value,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};

pub use crate::infra::ops::arith::{CmpFPredicate as CmpFloat, CmpIPredicate as CmpInt};

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// A signless integer type.
    pub fn i(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context(), width).into()
    }

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context())
    }

    /// Makes an `arith.constant`.
    pub fn constant(&self, r#type: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        let value = (arith::Constant::VALUE_ATTR, value);
        self.value(arith::Constant::NAME, &[], r#type, &[value])
    }

    /// Makes an `arith.constant` of a signless integer or `index` type.
    pub fn int(&self, r#type: Type<'c>, value: i64) -> Value<'c, 'a> {
        let value = IntegerAttribute::new(r#type, value).into();
        arith::Constant::create(self, value).result()
    }

    /// Makes an `arith.constant` of type `index`.
    pub fn index(&self, value: i64) -> Value<'c, 'a> {
        self.int(self.index_type(), value)
    }

    /// Makes an `arith.constant` of type `i64`.
    pub fn i64(&self, value: i64) -> Value<'c, 'a> {
        self.int(self.i(64), value)
    }

    /// Makes an `arith.constant` of type `i1`.
    pub fn bool(&self, value: bool) -> Value<'c, 'a> {
        self.int(self.i(1), value.into())
    }

    /// Makes an `arith.constant` of a float type.
    pub fn float(&self, r#type: Type<'c>, value: f64) -> Value<'c, 'a> {
        let value = FloatAttribute::new(self.context(), r#type, value).into();
        arith::Constant::create(self, value).result()
    }

    /// Makes an operation on two values of the type of its result, such as `arith::AddI::NAME`.
    pub fn bin(&self, name: &str, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(name, &[x, y], x.ty(), &[])
    }

    /// Makes an operation on a value of the type of its result.
    pub fn un(&self, name: &str, x: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(name, &[x], x.ty(), &[])
    }

    /// Makes an operation on one value.
    pub fn to(&self, name: &str, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        self.value(name, &[x], result, &[])
    }

    /// Makes an `arith.cmpi`.
    pub fn cmpi(&self, kind: CmpInt, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::CmpI::create(self, kind, x, y).result()
    }

    /// Makes an `arith.cmpf`.
    pub fn cmpf(&self, kind: CmpFloat, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::CmpF::create(self, kind, x, y).result()
    }

    /// Makes an `arith.select`.
    pub fn select(
        &self,
        condition: Value<'c, 'a>,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        arith::Select::create(self, condition, x, y).result()
    }

    /// Makes an `arith.andi`.
    pub fn and(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::AndI::create(self, x, y).result()
    }

    /// Makes an `arith.ori`.
    pub fn or(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::OrI::create(self, x, y).result()
    }

    /// Makes the other truth value.
    pub fn not(&self, x: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::XOrI::create(self, x, self.bool(true)).result()
    }

    /// Sign-extends or truncates between `index` and an integer.
    pub fn index_cast(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        arith::IndexCast::create(self, x, result).out()
    }
}
