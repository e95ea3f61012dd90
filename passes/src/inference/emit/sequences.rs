//! Tuples, and what Python has as objects of other classes: named tuples, lists that nobody changes
//! and closures are tuples of a class.

use super::Emit;
use crate::{
    inference::val::{Val, values},
    infra::{AttributeExt, ops::typed},
    types::{choices, sequences::LIST, tuples::elements},
};
use melior::ir::{Attribute, Type, attribute::ArrayAttribute, r#type::TupleType};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

impl<'c, 'a> Emit<'_, 'c, 'a> {
    /// Makes a tuple.
    pub fn tuple(&mut self, items: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let context = self.context();
        let types: Vec<_> = items.iter().map(|item| item.ty).collect();
        let literals: Option<Vec<_>> = items.iter().map(Val::constant).collect();
        let ty = TupleType::new(context, &types).into();
        let mut tuple = self.op(ty, |b| typed::Tuple::create(b, &values(items), ty));
        tuple.literal = literals.map(|items| ArrayAttribute::new(context, &items).into());
        let is_known = |item: &Val| item.origin.is_some() || item.parts.is_some();
        if !self.is_emitting() && items.iter().any(is_known) {
            tuple.parts = Some(self.parts.len());
            self.parts.push(items.to_vec());
        }
        tuple
    }

    /// The element of a tuple at a position it has.
    pub fn tuple_get(&mut self, tuple: Val<'c, 'a>, position: usize) -> Val<'c, 'a> {
        let tuple = self.as_tuple(tuple);
        let ty = elements(tuple.ty).expect("the operand is a tuple")[position];
        let literal = tuple
            .literal
            .and_then(AttributeExt::elements)
            .and_then(|items| items.get(position).copied());
        let mut item = self.op(ty, |b| {
            typed::TupleGet::create(b, tuple.ir(), position as i64, ty)
        });
        item.literal = literal;
        item
    }

    /// The elements of a tuple as values.
    pub fn unpack(&mut self, tuple: Val<'c, 'a>) -> Option<Vec<Val<'c, 'a>>> {
        let count = elements(tuple.ty)?.len();
        Some(
            (0..count)
                .map(|index| self.tuple_get(tuple, index))
                .collect(),
        )
    }

    /// The items as a tuple.
    pub fn as_tuple(&mut self, value: Val<'c, 'a>) -> Val<'c, 'a> {
        let TypedType::Sequence(items, _) = TypedType::from(value.ty) else {
            return value;
        };
        if elements(value.ty).is_none() {
            return value;
        }
        let mut tuple = self.op(items, |b| typed::AsTuple::create(b, value.ir()));
        tuple.literal = value.literal;
        tuple
    }

    /// A tuple as an object of a class.
    pub fn of_class(&mut self, items: Val<'c, 'a>, class: Attribute<'c>) -> Val<'c, 'a> {
        let ty = self.type_of(TypedType::Sequence(items.ty, class));
        let mut made = self.op(ty, |b| typed::AsSequence::create(b, items.ir(), ty));
        made.literal = items.literal;
        made.parts = items.parts;
        made
    }

    /// A list of items.
    pub fn list(&mut self, items: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let items = self.tuple(items);
        let class = PyAttribute::Named(LIST).to_attribute(self.context());
        self.of_class(items, class)
    }

    /// A tuple of functions as one whose items have the same type; nothing for any other tuple.
    pub fn same_items(&mut self, tuple: Val<'c, 'a>, types: &[Type<'c>]) -> Option<Val<'c, 'a>> {
        let ty = choices::common(self.context(), types)?;
        let items: Option<Vec<_>> = (0..types.len())
            .map(|at| {
                let item = self.tuple_get(tuple, at);
                self.coerce(item, ty).ok()
            })
            .collect();
        Some(self.tuple(&items?))
    }
}
