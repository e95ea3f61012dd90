//! Accesses to elements: what `typed.load` and `typed.store` have in common.

use crate::infra::ops::typed;
use melior::ir::{OperationRef, Value};

/// A `typed.load` or `typed.store`.
#[derive(Clone, Copy)]
pub enum ElementAccess<'c, 'a> {
    /// A load.
    Load(typed::Load<'c, 'a>),
    /// A store.
    Store(typed::Store<'c, 'a>),
}

impl<'c: 'a, 'a> ElementAccess<'c, 'a> {
    /// The access that an operation is.
    pub fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        match typed::Op::of(operation)? {
            typed::Op::Load(load) => Some(Self::Load(load)),
            typed::Op::Store(store) => Some(Self::Store(store)),
            _ => None,
        }
    }

    /// The array.
    pub fn array(self) -> Value<'c, 'a> {
        match self {
            Self::Load(load) => load.array(),
            Self::Store(store) => store.array(),
        }
    }

    /// The index in each dimension.
    pub fn indices(self) -> Vec<Value<'c, 'a>> {
        match self {
            Self::Load(load) => load.indices(),
            Self::Store(store) => store.indices(),
        }
    }

    /// Has it access an element of another array.
    pub fn set_element(self, array: Value<'c, 'a>, indices: &[Value<'c, 'a>]) {
        match self {
            Self::Load(load) => {
                load.set_array(array);
                load.set_indices(indices);
            }
            Self::Store(store) => {
                store.set_array(array);
                store.set_indices(indices);
            }
        }
    }

    /// Whether negative indices count from the end.
    pub fn wraparound(self) -> bool {
        match self {
            Self::Load(load) => load.wraparound(),
            Self::Store(store) => store.wraparound(),
        }
    }

    /// Says whether negative indices count from the end.
    pub fn set_wraparound(self, wraps: bool) {
        match self {
            Self::Load(load) => load.set_wraparound(wraps),
            Self::Store(store) => store.set_wraparound(wraps),
        }
    }
}
