//! The memory of lists of numbers, and the lengths of all containers.

use pyo3::ffi;
use pyo3::prelude::*;
use pyopt_runtime::lists::List;
use pyopt_runtime::memory::{Owner, OwnerKind};
use pyopt_runtime::sharing;
use pyopt_runtime::tables::Table;

use super::description::Held;
use crate::boxing;
use crate::structures::Structure;
use crate::types::{Elem, Kind};

/// A number as compiled code has it, read out of a list.
pub struct Number {
    elem: Elem,
    words: [i64; 2],
}

impl Number {
    fn new(elem: Elem, words: &[i64]) -> Option<Self> {
        match *words {
            [word] => Some(Self {
                elem,
                words: [word, 0],
            }),
            [first, second] => Some(Self {
                elem,
                words: [first, second],
            }),
            _ => None,
        }
    }

    /// The object.
    #[inline]
    pub fn to_object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the thread is attached; numbers have no more words, which compiled code or `word_of` wrote.
        unsafe { Bound::from_owned_ptr_or_err(py, boxing::scalar(self.elem, &self.words)) }
    }
}

/// Whether a container can be read and written here: no call that runs meanwhile may have it. With the GIL none
/// begins before this thread gives it up; where there is none calls take turns.
#[inline]
fn is_alone() -> bool {
    !cfg!(Py_GIL_DISABLED) && !sharing::is_any_in_use()
}

/// Gives what a structure holds to `work`, if no other thread may use it.
#[inline]
fn with_held<R>(
    structure: &Bound<'_, Structure>,
    kind: OwnerKind,
    work: impl FnOnce(*mut Owner) -> Option<R>,
) -> Option<R> {
    if !is_alone() {
        return None;
    }
    // SAFETY: the structure is alive as long as the object, and the one word of its one field is that of what it
    // holds, alive as long as it is there: nobody else changes it, as was asked.
    let held = unsafe {
        let fields = List::of(structure.get().root().owner).words();
        *fields.first()? as *mut Owner
    };
    // SAFETY: as above.
    let found = unsafe { held.as_ref() }?;
    if found.kind() != kind {
        return None;
    }
    work(held)
}

/// Gives a list of numbers to `work`, which runs no Python code.
#[inline]
fn with_numbers<R>(
    structure: &Bound<'_, Structure>,
    work: impl FnOnce(&mut List, Elem) -> Option<R>,
) -> Option<R> {
    let Held::Numbers(elem) = structure.get().description().held else {
        return None;
    };
    with_held(structure, OwnerKind::List, |held| {
        // SAFETY: it is a list that is alive; `work` runs no Python code, and nothing else refers to it meanwhile.
        work(unsafe { List::of(held) }, elem)
    })
}

/// Gives the table of a dict or set to `work`, which runs no Python code.
#[inline]
fn with_table<R>(
    structure: &Bound<'_, Structure>,
    work: impl FnOnce(&mut Table) -> Option<R>,
) -> Option<R> {
    with_held(structure, OwnerKind::Table, |held| {
        // SAFETY: it is a table that is alive; `work` runs no Python code, and nothing else refers to it meanwhile.
        work(unsafe { Table::of(held) })
    })
}

/// The place of an item; `None` where there is none.
#[inline]
fn place(list: &List, index: i64) -> Option<usize> {
    let length = list.len() as i64;
    let at = if index < 0 { index + length } else { index };
    (0..length).contains(&at).then_some(at as usize)
}

/// The item of a list of numbers at an index; `None` where compiled code is to look.
#[inline]
pub fn read(structure: &Bound<'_, Structure>, index: i64) -> Option<Number> {
    with_numbers(structure, |list, elem| {
        Number::new(elem, list.item(place(list, index)?))
    })
}

/// Replaces the item of a list of numbers at an index; `None` where compiled code is to do it.
#[inline]
pub fn write(structure: &Bound<'_, Structure>, index: i64, item: &Bound<'_, PyAny>) -> Option<()> {
    with_numbers(structure, |list, elem| {
        let (at, word) = (place(list, index)?, word_of(elem, item)?);
        list.replace(at, &[word]);
        Some(())
    })
}

/// Puts an item to the end of a list of numbers; `None` where compiled code is to do it.
#[inline]
pub fn append(structure: &Bound<'_, Structure>, item: &Bound<'_, PyAny>) -> Option<()> {
    with_numbers(structure, |list, elem| {
        let word = word_of(elem, item)?;
        list.set_changed();
        list.push(&[word]).then_some(())
    })
}

/// Takes the last item of a list of numbers out; `None` where compiled code is to do it.
#[inline]
pub fn pop(structure: &Bound<'_, Structure>) -> Option<Number> {
    with_numbers(structure, |list, elem| {
        let last = list.len().checked_sub(1)?;
        let found = Number::new(elem, list.item(last))?;
        list.truncate(last as i64);
        Some(found)
    })
}

/// How many items or entries there are; `None` where compiled code is to count.
#[inline]
pub fn length(structure: &Bound<'_, Structure>) -> Option<usize> {
    match structure.get().description().held {
        Held::Numbers(_) | Held::Items => with_held(structure, OwnerKind::List, |held| {
            // SAFETY: it is a list that is alive, and nothing else refers to it meanwhile.
            Some(unsafe { List::of(held) }.len())
        }),
        Held::Table { .. } => with_table(structure, |table| Some(table.len())),
        Held::Other => None,
    }
}

/// A key of a dict or set that is a number, and the entry where it is.
#[derive(Clone, Copy)]
pub struct NumberKey {
    word: i64,
    entry: usize,
}

impl NumberKey {
    /// The number.
    pub fn number(self, elem: Elem) -> Number {
        Number {
            elem,
            words: [self.word, 0],
        }
    }
}

/// The keys of a dict or set, if they are numbers of one word; `None` where compiled code is to list them.
pub fn keys(structure: &Bound<'_, Structure>) -> Option<(Elem, Vec<NumberKey>)> {
    let Held::Table {
        key: Some(elem), ..
    } = structure.get().description().held
    else {
        return None;
    };
    if elem.kind() == Kind::Complex {
        return None;
    }
    with_table(structure, |table| {
        let count = table.entries().len();
        let mut keys = Vec::with_capacity(count);
        for entry in 0..count {
            if !table.is_hole(entry) {
                let word = *table.entries().item(entry).first()?;
                keys.push(NumberKey { word, entry });
            }
        }
        Some((elem, keys))
    })
}

/// The value of a key of a dict of numbers; `None` where compiled code is to look it up.
#[inline]
pub fn value(structure: &Bound<'_, Structure>, key: NumberKey) -> Option<Number> {
    let Held::Table {
        key: Some(elem),
        value: Some(value),
    } = structure.get().description().held
    else {
        return None;
    };
    // Of floats some equal nothing.
    if matches!(elem.kind(), Kind::Float | Kind::Time) {
        return None;
    }
    with_table(structure, |table| {
        // The table may have moved the entry, or have another key there.
        if key.entry >= table.entries().len() || table.is_hole(key.entry) {
            return None;
        }
        match table.entries().item(key.entry) {
            [word, rest @ ..] if *word == key.word => Number::new(value, rest),
            _ => None,
        }
    })
}

/// The word of an item of exactly the type of the elements: nothing is converted here.
#[inline]
fn word_of(elem: Elem, item: &Bound<'_, PyAny>) -> Option<i64> {
    let object = item.as_ptr();
    // SAFETY: the thread is attached, and each object is read as what its type says.
    unsafe {
        match elem {
            Elem::I64 if ffi::PyLong_CheckExact(object) != 0 => int(item),
            Elem::F64 if ffi::PyFloat_CheckExact(object) != 0 => {
                Some(ffi::PyFloat_AS_DOUBLE(object).to_bits().cast_signed())
            }
            Elem::Bool if ffi::PyBool_Check(object) != 0 => {
                Some(i64::from(object == ffi::Py_True()))
            }
            _ => None,
        }
    }
}

/// The value of a plain int of 64 bits.
#[inline]
pub fn int(object: &Bound<'_, PyAny>) -> Option<i64> {
    // SAFETY: the thread is attached, and the object is an int where it is read as such.
    unsafe {
        if ffi::PyLong_CheckExact(object.as_ptr()) == 0 {
            return None;
        }
        let mut overflow = 0;
        let value = ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow);
        (overflow == 0).then_some(value)
    }
}
