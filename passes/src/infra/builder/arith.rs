//! Short names for the operations of `arith`, and constants.

use super::Builder;
use crate::infra::ValueExt;
use melior::ir::{
    Attribute, Type, Value,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};

/// Predicates of `arith.cmpi`, with upstream's numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CmpInt {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, signed.
    Slt,
    /// Less or equal, signed.
    Sle,
    /// Greater, signed.
    Sgt,
    /// Greater or equal, signed.
    Sge,
    /// Less, unsigned.
    Ult,
    /// Less or equal, unsigned.
    Ule,
    /// Greater, unsigned.
    Ugt,
    /// Greater or equal, unsigned.
    Uge,
}

/// Predicates of `arith.cmpf`, with upstream's numbers: ordered but for `Une` and `Uno`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CmpFloat {
    /// Equal.
    Oeq = 1,
    /// Greater.
    Ogt = 2,
    /// Greater or equal.
    Oge = 3,
    /// Less.
    Olt = 4,
    /// Less or equal.
    Ole = 5,
    /// Neither is NaN.
    Ord = 7,
    /// Not equal, or one is NaN.
    Une = 13,
    /// One is NaN.
    Uno = 14,
}

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
        self.value("arith.constant", &[], r#type, &[("value", value)])
    }

    /// Makes an `arith.constant` of a signless integer or `index` type.
    pub fn int(&self, r#type: Type<'c>, value: i64) -> Value<'c, 'a> {
        self.constant(r#type, IntegerAttribute::new(r#type, value).into())
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
        let attribute = FloatAttribute::new(self.context(), r#type, value);
        self.constant(r#type, attribute.into())
    }

    /// Makes an operation on two values of the type of its result, such as `arith.addi`.
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
        self.compare("arith.cmpi", kind as i64, x, y)
    }

    /// Makes an `arith.cmpf`.
    pub fn cmpf(&self, kind: CmpFloat, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", kind as i64, x, y)
    }

    fn compare(&self, name: &str, kind: i64, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        let predicate = IntegerAttribute::new(self.i(64), kind).into();
        self.value(name, &[x, y], self.i(1), &[("predicate", predicate)])
    }

    /// Makes an `arith.select`.
    pub fn select(
        &self,
        condition: Value<'c, 'a>,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.value("arith.select", &[condition, x, y], x.ty(), &[])
    }

    /// Makes an `arith.andi`.
    pub fn and(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.andi", x, y)
    }

    /// Makes an `arith.ori`.
    pub fn or(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.ori", x, y)
    }

    /// Makes the other truth value.
    pub fn not(&self, x: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.xori", x, self.bool(true))
    }

    /// Sign-extends or truncates between `index` and an integer.
    pub fn index_cast(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        self.to("arith.index_cast", x, result)
    }
}
