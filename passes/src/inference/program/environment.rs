//! What is known of the values of a `py` function.

use super::uses::Use;
use crate::{
    inference::{
        issue::{Stop, Typing},
        lattice::Fact,
        val::Val,
    },
    types::display::display,
};
use melior::ir::{Location, Type, Value, ValueLike};
use mlir_sys::mlirValueGetLocation;
use std::{cell::RefCell, collections::HashMap};

/// What is known of a value of the `py` function, and in the emission the typed value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot<'c, 'a> {
    /// What is known.
    pub fact: Fact<'c>,
    /// The typed value. A local that is never bound has none.
    pub value: Option<Value<'c, 'a>>,
}

impl<'c, 'a> From<Val<'c, 'a>> for Slot<'c, 'a> {
    fn from(val: Val<'c, 'a>) -> Self {
        Self {
            fact: Fact {
                literal: val.literal,
                ..Fact::of(val.ty)
            },
            value: val.value,
        }
    }
}

/// The values of a `py` function.
#[derive(Debug, Default)]
pub(crate) struct Environment<'c, 'a> {
    slots: HashMap<usize, Slot<'c, 'a>>,
    /// The values of optionals that aren't None in the block that is looked at: see `presence`.
    present: HashMap<usize, Slot<'c, 'a>>,
    /// Types of lists that values are to have where they are made: see `refinement`.
    pub wanted: HashMap<usize, Type<'c>>,
    /// The uses that asked for those, with the types that they ask for where the values are made.
    pub uses: HashMap<usize, Vec<(Type<'c>, Use<'c>)>>,
    /// Whether the items of lists are known where these are made: each extension of one asks.
    displays: RefCell<HashMap<usize, bool>>,
}

impl<'c, 'a> Environment<'c, 'a> {
    /// The same without what is known of values.
    pub fn emptied(&self) -> Self {
        Self {
            slots: HashMap::new(),
            present: HashMap::new(),
            wanted: self.wanted.clone(),
            uses: self.uses.clone(),
            displays: RefCell::default(),
        }
    }

    /// Whether the items of a list are known where it is made; `find_out` is asked once for each.
    pub fn is_known_display(&self, list: Value<'c, 'a>, find_out: impl FnOnce() -> bool) -> bool {
        let mut known = self.displays.borrow_mut();
        *known.entry(key(list)).or_insert_with(find_out)
    }

    /// What is known of a value, in the block that is looked at.
    pub fn slot(&self, value: Value<'c, 'a>) -> Slot<'c, 'a> {
        let present = self.present.get(&key(value));
        present.copied().unwrap_or_else(|| self.everywhere(value))
    }

    /// What is known of a value in whatever block.
    pub fn everywhere(&self, value: Value<'c, 'a>) -> Slot<'c, 'a> {
        self.slots.get(&key(value)).copied().unwrap_or_default()
    }

    /// Goes on to another block, where these values of optionals are known to be there.
    pub fn enter(&mut self, present: impl IntoIterator<Item = (Value<'c, 'a>, Slot<'c, 'a>)>) {
        let present = present.into_iter();
        self.present = present.map(|(value, slot)| (key(value), slot)).collect();
    }

    /// Takes note of a value; whether more is known than before.
    pub fn set(&mut self, value: Value<'c, 'a>, slot: Slot<'c, 'a>) -> bool {
        self.slots
            .insert(key(value), slot)
            .is_none_or(|before| before.fact != slot.fact)
    }

    /// A value to compute with.
    pub fn val(&self, value: Value<'c, 'a>) -> Typing<Val<'c, 'a>> {
        let variable = value;
        let Slot { fact, value } = self.slot(value);
        if let Some((a, b)) = fact.conflict {
            return Err(Stop::issue(format!(
                "can't unify {} and {}: {} has these types on different paths",
                display(a),
                display(b),
                describe(variable)
            ))
            .hint("give the variable one type on every path, or use two variables"));
        }
        match fact.ty {
            Some(ty) if !fact.unbound => Ok(Val {
                literal: fact.literal,
                // What would be wished for it isn't the optional's to be.
                origin: (!self.present.contains_key(&key(variable))).then_some(variable),
                ..Val::new(ty, value)
            }),
            _ => Err(Stop::Unknown),
        }
    }
}

/// The name of the variable that a block's argument stands for.
fn describe(argument: Value) -> String {
    // SAFETY: the value is valid, and so is its location.
    let location = unsafe { Location::from_raw(mlirValueGetLocation(argument.to_raw())) };
    if argument.is_block_argument() && location.is_name() {
        format!(
            "'{}'",
            location
                .name_value()
                .as_string_ref()
                .as_str()
                .unwrap_or_default()
        )
    } else {
        "a variable".into()
    }
}

/// What a value is known by.
pub(crate) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}
