//! What an `objmode` block hands out as values of compiled code.
//!
//! The objects go when the block is over, so every value here owns what it is made of: arrays hold their
//! objects and so do texts, lists are new ones. Values are made type by type, from the
//! inside out, each with references of its own: whatever fails gives back what is there by then.

use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyopt_runtime::lists::List;
use pyopt_runtime::memory::{Owner, pyopt_acquire, pyopt_release};
use smallvec::{SmallVec, smallvec};

use crate::boxing;
use crate::classes;
use crate::dispatcher::convert;
use crate::fingerprint;
use crate::lists;
use crate::structures;
use crate::types::{Class, TypeDesc, shown};
use crate::unbox::{ArgBuffer, Failure};

type Slots = SmallVec<[i64; 48]>;

/// The slots of several objects, one behind the other, with references of their own.
pub(super) fn all<'py>(
    descs: &[TypeDesc],
    values: impl Iterator<Item = Bound<'py, PyAny>>,
    in_list: bool,
) -> PyResult<Slots> {
    let mut found = Slots::new();
    for (index, (desc, value)) in descs.iter().zip(values).enumerate() {
        match one(desc, &value, in_list) {
            Ok(slots) => found.extend_from_slice(&slots),
            Err(error) => {
                let before = TypeDesc::Tuple(descs[..index].to_vec());
                // SAFETY: each owner has the reference that it was made with.
                boxing::each_owner(&before, &found, |owner| unsafe { pyopt_release(owner) });
                return Err(error);
            }
        }
    }
    Ok(found)
}

/// The slots of an object as a value of a type, with references of their own.
fn one(desc: &TypeDesc, value: &Bound<'_, PyAny>, in_list: bool) -> PyResult<Slots> {
    if let Some(items) = items_of(desc, value)? {
        return all(items, value.cast::<PyTuple>()?.iter(), in_list);
    }
    match desc {
        TypeDesc::List(Some(item)) if value.is_exact_instance_of::<PyList>() => {
            list(item, value.cast::<PyList>()?)
        }
        TypeDesc::Optional(inner) if value.is_none() => Ok(smallvec![0; inner.slots() + 1]),
        TypeDesc::Optional(inner) => {
            let mut slots = one(inner, value, in_list)?;
            slots.push(1);
            Ok(slots)
        }
        _ => match container(desc, value)? {
            Some(slots) => Ok(slots),
            None => plain(desc, value, in_list),
        },
    }
}

/// A typed container, an instance of a class, or a dict or set of numbers; `None` for anything else.
fn container(desc: &TypeDesc, value: &Bound<'_, PyAny>) -> PyResult<Option<Slots>> {
    let is_one = match desc {
        TypeDesc::Sequence(class, _) => structures::is_structure(class),
        TypeDesc::Dict(Some(parts)) => parts.iter().all(is_number),
        TypeDesc::Set(Some(item)) => is_number(item),
        _ => false,
    };
    if !is_one {
        return Ok(None);
    }
    let mut buffer = ArgBuffer::default();
    // SAFETY: the GIL is held, and the object outlives the buffer.
    unsafe { buffer.push(value.as_ptr()) }.map_err(|failure| error_of(value.py(), failure))?;
    if fingerprint::decode(&buffer.words) != std::slice::from_ref(desc) {
        return Ok(None);
    }
    // A structure is shared, and what holds numbers alone has nothing of the object.
    // SAFETY: the buffer holds each owner, and compiled code gets a reference of its own.
    boxing::each_owner(desc, &buffer.slots, |owner| unsafe { pyopt_acquire(owner) });
    Ok(Some(std::mem::take(&mut buffer.slots)))
}

fn is_number(desc: &TypeDesc) -> bool {
    matches!(desc, TypeDesc::Scalar(elem) if elem.number().is_some())
}

/// A list of the items. Nobody else has it: what compiled code does to it the block doesn't see.
fn list(item: &TypeDesc, value: &Bound<'_, PyList>) -> PyResult<Slots> {
    let owner = lists::new_list(item).map_err(|failure| error_of(value.py(), failure))?;
    for object in value.iter() {
        let slots = one(item, &object, true)?;
        // SAFETY: the list is alive and nobody else's. It takes over the references of the slots.
        unsafe {
            if !List::of(owner.as_ptr()).push(&slots) {
                boxing::each_owner(item, &slots, |owner| pyopt_release(owner));
                return Err(PyMemoryError::new_err("no memory for the items of a list"));
            }
        }
    }
    Ok(smallvec![owner.into_raw() as i64])
}

/// A value that isn't made of others.
fn plain(desc: &TypeDesc, value: &Bound<'_, PyAny>, in_list: bool) -> PyResult<Slots> {
    let mut buffer = ArgBuffer::default();
    // SAFETY: the GIL is held, and the object outlives the buffer.
    unsafe { buffer.push(value.as_ptr()) }.map_err(|failure| error_of(value.py(), failure))?;
    let given = fingerprint::decode(&buffer.words);
    let given = given
        .first()
        .ok_or_else(|| PyTypeError::new_err("a value without a type"))?;
    let from = std::slice::from_ref(given);
    let to = std::slice::from_ref(desc);
    // A list has items of its type, as one that is an argument.
    let converts = match in_list {
        true => convert::keeps_kind(given, desc),
        false => convert::is_possible(from, to),
    };
    // What is made of others was taken apart before, if it is what its type says.
    let is_owned_by_buffer = matches!(
        desc,
        TypeDesc::List(_) | TypeDesc::Dict(_) | TypeDesc::Set(_) | TypeDesc::Sequence(..)
    );
    if !converts || is_owned_by_buffer {
        return Err(PyTypeError::new_err(format!(
            "an objmode block hands out a value of type {}, but its type was given as {}",
            shown(value.py(), from),
            shown(value.py(), to)
        )));
    }
    let mut out = convert::convert(value.py(), &buffer, from, to)?;
    for array in std::mem::take(&mut out.arrays) {
        // There is one array at most, so nothing is left behind where memory is short.
        out.slots[array.slot] = owner_of(value)? as i64;
    }
    if let TypeDesc::Str | TypeDesc::Bytes = desc {
        out.slots[0] = owner_of(value)? as i64;
    }
    Ok(std::mem::take(&mut out.slots))
}

/// An owner that holds an object.
fn owner_of(value: &Bound<'_, PyAny>) -> PyResult<*mut Owner> {
    let object = value.clone().into_ptr();
    let owner = Owner::of_object(object.cast());
    if owner.is_null() {
        // SAFETY: the GIL is held, and the reference is the one from above.
        unsafe { ffi::Py_DECREF(object) };
        return Err(PyMemoryError::new_err(
            "no memory for what an objmode block hands out",
        ));
    }
    Ok(owner)
}

/// The types of the items of a tuple, if an object is one of the type's class and length.
fn items_of<'a>(desc: &'a TypeDesc, value: &Bound<'_, PyAny>) -> PyResult<Option<&'a [TypeDesc]>> {
    let items = match desc {
        TypeDesc::Tuple(items) if value.is_exact_instance_of::<PyTuple>() => items,
        TypeDesc::Sequence(Class::Named { slot, .. }, items)
            if is_named_tuple(value)? && classes::slot(&value.get_type())? == *slot =>
        {
            items
        }
        _ => return Ok(None),
    };
    let fits = value.cast::<PyTuple>()?.len() == items.len();
    Ok(fits.then_some(items))
}

fn is_named_tuple(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyTuple>() && value.get_type().hasattr("_fields")?)
}

/// The exception for what can't be converted.
fn error_of(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Raised => PyErr::fetch(py),
        Failure::TooLarge => PyOverflowError::new_err("the int does not fit into 64 bits"),
        Failure::Unsupported(reason) => PyTypeError::new_err(reason),
    }
}
