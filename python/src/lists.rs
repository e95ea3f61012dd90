//! Python's lists, dicts and sets as arguments and results; below, a list may be any of them.
//!
//! The items of a list that is passed are copied. After the call, what compiled code changed is written
//! back, so that the caller sees it. A list that is passed several times in a call, also in other lists, is
//! one list there, so that what is changed by one name is seen by all. A list that compiled code returns is a
//! new one, or the one that was passed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_runtime::lists::{List, pyopt_list_new};
use pyopt_runtime::memory::{Owner, OwnerRef, pyopt_acquire, pyopt_release};
use pyopt_runtime::tables::pyopt_table_new;

use crate::boxing;
use crate::fingerprint;
use crate::shapes::Shape;
use crate::types::TypeDesc;
use crate::unbox::{ArgBuffer, Failure};

/// The lists among the arguments of a call, and what they hold.
#[derive(Default)]
pub struct Lists {
    /// Given up before the owners that items borrow.
    passed: Vec<Passed>,
    /// Where items are converted; its own lists are those in lists.
    pub items: ArgBuffer,
    known: Known,
}

/// The lists of a call at any depth, by the addresses of their objects: each with the words of its item's
/// type. Their owners live as long as the buffer of the call's arguments.
type Known = Rc<RefCell<HashMap<usize, (*mut Owner, Vec<u64>)>>>;

/// A list that was passed.
struct Passed {
    owner: OwnerRef,
    /// The list, dict or set, a reference that the caller holds.
    object: *mut PyObject,
    shape: Shape,
    /// The types of an entry's parts.
    parts: Vec<TypeDesc>,
}

/// The objects of lists that compiled code has made, by the addresses of their owners: a list that is in a
/// result several times is one object. Each entry keeps both, so that an address means one list.
#[derive(Default)]
pub struct Boxed(RefCell<Option<Box<Objects>>>);

type Objects = HashMap<usize, (OwnerRef, Py<PyAny>)>;

impl Boxed {
    /// Whether there is something to free.
    #[inline]
    pub fn is_allocated(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// A new reference to the object of a list, if one was made.
    fn find(&self, owner: *mut Owner) -> Option<*mut PyObject> {
        let boxed = self.0.borrow();
        // SAFETY: objects are made and asked for where the GIL is held.
        let py = unsafe { Python::assume_attached() };
        let (_, object) = boxed.as_ref()?.get(&owner.addr())?;
        Some(object.clone_ref(py).into_ptr())
    }

    /// Keeps the object of a list that has other references.
    ///
    /// # Safety
    /// The GIL is held, the owner is alive, and `object` is a list or null.
    unsafe fn keep(&self, owner: *mut Owner, object: *mut PyObject) {
        // SAFETY: as the caller says; the entry gets references of its own.
        unsafe {
            if object.is_null() || (*owner).refcount() < 2 {
                return;
            }
            pyopt_acquire(owner);
            let Some(own) = OwnerRef::from_raw(owner) else {
                return;
            };
            let object = Bound::from_borrowed_ptr(Python::assume_attached(), object).unbind();
            let mut boxed = self.0.borrow_mut();
            boxed
                .get_or_insert_default()
                .insert(owner.addr(), (own, object));
        }
    }
}

impl Lists {
    /// Those in lists of a call whose lists are `known`.
    fn inner(known: &Known) -> Self {
        Self {
            known: Rc::clone(known),
            ..Self::default()
        }
    }

    /// Converts a list, dict or set: its owner, and the words of the types of its entries' parts.
    ///
    /// # Safety
    /// The GIL is held, `object` is one that is alive until this is dropped.
    pub unsafe fn add(
        &mut self,
        object: *mut PyObject,
        words: &mut impl Extend<u64>,
    ) -> Result<*mut Owner, Failure> {
        // SAFETY: the caller checked the type, and converting runs no Python code that could change the
        // object.
        unsafe {
            if let Some((owner, item_words)) = self.known.borrow().get(&object.addr()) {
                words.extend(item_words.iter().copied());
                return Ok(*owner);
            }
            let shape = Shape::of(object);
            let parts = shape.parts(object);
            if parts.is_empty() {
                return Err(Failure::Unsupported(format!(
                    "cannot pass an empty {}: its items have no type",
                    shape.name()
                )));
            }
            let known = &self.known;
            self.items.begin_lists(|| Self::inner(known));
            let mut made: Option<(OwnerRef, Vec<TypeDesc>, Vec<u64>)> = None;
            for entry in parts.chunks_exact(shape.width()) {
                let begin = (self.items.words.len(), self.items.slots.len());
                let references = (self.items.arrays.len(), self.items.list_count());
                for part in entry {
                    self.items.push(*part)?;
                }
                let found = &self.items.words[begin.0..];
                if made.is_none() {
                    let descs = fingerprint::decode(found);
                    made = Some((new(shape, &descs)?, descs, found.to_vec()));
                }
                let (owner, descs, expected) = made.as_ref().expect("was just made");
                if found != &expected[..] {
                    let others = fingerprint::decode(found);
                    let (desc, other) = descs
                        .iter()
                        .zip(&others)
                        .find(|(desc, other)| desc != other)
                        .unwrap_or((&descs[0], &others[0]));
                    return Err(Failure::Unsupported(format!(
                        "cannot pass a {} of items of several types: {desc} and {other}",
                        shape.name()
                    )));
                }
                let slots = &self.items.slots[begin.1..];
                // Arrays have an owner each; a list in the list has a second reference now.
                each_container(descs, slots, |inner| pyopt_acquire(inner));
                if !List::of(owner.as_ptr()).push(slots) {
                    ffi::PyErr_NoMemory();
                    return Err(Failure::Raised);
                }
                self.items.words.truncate(begin.0);
                if references == (self.items.arrays.len(), self.items.list_count()) {
                    self.items.slots.truncate(begin.1);
                }
            }
            let (owner, parts, item_words) = made.expect("there is an item");
            words.extend(item_words.iter().copied());
            (*owner.as_ptr()).set_object(object.cast());
            let address = owner.as_ptr();
            self.known
                .borrow_mut()
                .insert(object.addr(), (address, item_words));
            self.passed.push(Passed {
                owner,
                object,
                shape,
                parts,
            });
            Ok(address)
        }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.passed.len()
    }

    /// Writes back what compiled code has changed; false with an exception set if that fails.
    ///
    /// # Safety
    /// The GIL is held, and the call is over.
    pub unsafe fn write_back(&self) -> bool {
        // SAFETY: the lists are alive, and nobody else has them any more.
        unsafe {
            if !self.items.write_back() {
                return false;
            }
            self.passed.iter().all(|passed| {
                let list = List::of(passed.owner.as_ptr());
                if !list.is_changed() {
                    return true;
                }
                list.forget_changes();
                passed.shape.write_back(
                    passed.object,
                    passed.owner.as_ptr(),
                    &passed.parts,
                    &self.items,
                )
            })
        }
    }
}

/// An empty list for items of a type.
pub fn new_list(desc: &TypeDesc) -> Result<OwnerRef, Failure> {
    new(Shape::List, std::slice::from_ref(desc))
}

/// An empty list, dict or set for entries whose parts are of these types.
fn new(shape: Shape, parts: &[TypeDesc]) -> Result<OwnerRef, Failure> {
    let count: usize = parts.iter().map(TypeDesc::slots).sum();
    let name = shape.name();
    if parts
        .iter()
        .any(|part| matches!(part, TypeDesc::Function(_)))
    {
        let advice = if shape == Shape::List {
            "; pass a tuple of them"
        } else {
            ""
        };
        let message = format!("cannot pass a {name} of functions{advice}");
        return Err(Failure::Unsupported(message));
    }
    if parts
        .iter()
        .any(|part| matches!(part, TypeDesc::Instance(_)))
    {
        let message = format!("cannot pass a {name} of objects of which only the class is known");
        return Err(Failure::Unsupported(message));
    }
    if count > 64 {
        let largest = parts
            .iter()
            .max_by_key(|part| part.slots())
            .expect("there are parts");
        let message = format!("cannot pass a {name} of items as large as {largest}");
        return Err(Failure::Unsupported(message));
    }
    let mut owners = 0;
    // What is asked for are positions, so each word holds its own.
    let positions: Vec<i64> = (0..count as i64).collect();
    let mut rest = &positions[..];
    for part in parts {
        let (own, others) = rest.split_at(part.slots());
        boxing::each_owner(part, own, |position| owners |= 1 << position.addr());
        rest = others;
    }
    let made = match shape {
        Shape::List => pyopt_list_new(count as i64, owners),
        Shape::Dict | Shape::Set => pyopt_table_new(count as i64, owners),
    };
    // SAFETY: the one reference is taken over.
    let owner = unsafe { OwnerRef::from_raw(made) };
    Ok(owner.expect("making a list ends the process when memory is short"))
}

/// The owners of the lists, dicts and sets in an entry.
fn each_container(parts: &[TypeDesc], mut slots: &[i64], mut act: impl FnMut(*mut Owner)) {
    fn walk(desc: &TypeDesc, slots: &mut &[i64], act: &mut dyn FnMut(*mut Owner)) {
        if let TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) = desc {
            return items.iter().for_each(|item| walk(item, slots, act));
        }
        let (own, rest) = slots.split_at(desc.slots());
        *slots = rest;
        if let TypeDesc::List(_) | TypeDesc::Dict(_) | TypeDesc::Set(_) = desc {
            act(own[0] as *mut Owner);
        }
    }
    for part in parts {
        walk(part, &mut slots, &mut act);
    }
}

/// Makes the object of a returned list, dict or set; the reference is used up.
///
/// # Safety
/// As [`boxing::to_object`].
pub unsafe fn to_object(desc: &TypeDesc, owner: *mut Owner, args: &ArgBuffer) -> *mut PyObject {
    // SAFETY: the owner is a container's, alive until it is released here. Where it has an object, that is an
    // argument's.
    unsafe {
        let object = (*owner).object();
        let made = if !object.is_null() {
            ffi::Py_NewRef(object.cast())
        } else if let Some(known) = args.boxed.find(owner) {
            known
        } else {
            let (shape, parts) = Shape::of_type(desc);
            let made = shape.new_object();
            if !made.is_null() && !shape.fill(made, owner, parts, args) {
                ffi::Py_DECREF(made);
                pyopt_release(owner);
                return std::ptr::null_mut();
            }
            args.boxed.keep(owner, made);
            made
        };
        pyopt_release(owner);
        made
    }
}
