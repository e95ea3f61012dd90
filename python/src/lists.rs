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
use crate::held::Held;
use crate::kept_lists::KeptList;
use crate::nones::Nones;
use crate::shapes::Shape;
use crate::types::TypeDesc;
use crate::unbox::{ArgBuffer, Failure, display};

/// The lists among the arguments of a call, and what they hold.
#[derive(Default)]
pub struct Lists {
    /// Given up before the owners that items borrow.
    passed: Vec<Passed>,
    /// Where items are converted; its own lists are those in lists.
    pub items: ArgBuffer,
    known: Known,
    /// Of lists in lists whether there is None among items, by how deep these are.
    nones: Option<Nones>,
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
    /// What keeps the entries of the object that compiled code borrows from.
    _copy: Option<Held>,
}

impl Drop for Passed {
    fn drop(&mut self) {
        // A field of a structure may have the list after the call, which is none of Python's from now on.
        // SAFETY: the owner is alive as long as this has it.
        unsafe { (*self.owner.as_ptr()).set_object(std::ptr::null_mut()) };
    }
}

/// The objects of lists that compiled code has made, by the addresses of their owners: a list that is in a
/// result several times is one object. Each entry keeps both, so that an address means one list.
#[derive(Default)]
pub struct Boxed(RefCell<Option<Box<Objects>>>);

type Objects = HashMap<usize, (OwnerRef, Held, TypeDesc)>;

impl Boxed {
    /// Whether there is something to free.
    #[inline]
    pub fn is_allocated(&mut self) -> bool {
        self.0.get_mut().is_some()
    }

    /// A new reference to the object of a list, if one was made.
    fn find(&self, owner: *mut Owner) -> Option<*mut PyObject> {
        let boxed = self.0.borrow();
        // SAFETY: objects are made and asked for where the GIL is held.
        let py = unsafe { Python::assume_attached() };
        let (_, object, _) = boxed.as_ref()?.get(&owner.addr())?;
        Some(object.clone_ref(py).into_ptr())
    }

    /// Keeps the object of a list that has other references.
    ///
    /// # Safety
    /// The GIL is held, the owner is alive, and `object` is a list or null.
    unsafe fn keep(&self, owner: *mut Owner, object: *mut PyObject, desc: &TypeDesc) {
        // SAFETY: as the caller says; the entry gets references of its own.
        unsafe {
            if object.is_null() || (*owner).refcount() < 2 {
                return;
            }
            pyopt_acquire(owner);
            let Some(own) = OwnerRef::from_raw(owner) else {
                return;
            };
            let object = Bound::from_borrowed_ptr(Python::assume_attached(), object);
            let object = Held::new(object.unbind());
            let mut boxed = self.0.borrow_mut();
            boxed
                .get_or_insert_default()
                .insert(owner.addr(), (own, object, desc.clone()));
        }
    }

    /// The lists for a generator that may still change them; none is here then.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn take(&self) -> Vec<KeptList> {
        let taken = self.0.borrow_mut().take().into_iter();
        let lists = taken.flat_map(|objects| objects.into_values());
        let kept = lists.map(|(owner, object, desc)| {
            let (shape, parts) = Shape::of_type(&desc);
            // SAFETY: the GIL is held; the list is alive, and the object is as it.
            unsafe {
                List::of(owner.as_ptr()).forget_changes();
                KeptList::new(owner, object.as_ptr(), shape, parts)
            }
        });
        kept.collect()
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

    /// The object of the first list of the call, at any depth, of which something holds.
    pub fn find(&self, holds: impl FnMut(*mut PyObject) -> bool) -> Option<*mut PyObject> {
        let known = self.known.borrow();
        let mut objects = known.keys().map(|address| *address as *mut PyObject);
        let mut holds = holds;
        objects.find(|object| holds(*object))
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
        // SAFETY: the caller checked the type. The parts stay alive while they are converted, and as long as this.
        unsafe {
            if let Some((owner, item_words)) = self.known.borrow().get(&object.addr()) {
                words.extend(item_words.iter().copied());
                return Ok(*owner);
            }
            let shape = Shape::of(object);
            let (parts, copy) = shape.lasting_parts(object)?;
            let nones = match &self.nones {
                Some(nones) => nones.clone(),
                None => Nones::among(object),
            };
            if parts.is_empty() {
                let nothing = vec![fingerprint::NOTHING];
                words.extend(nothing.iter().copied());
                let owner = new(shape, &[])?;
                return Ok(self.pass(owner, object, shape, (Vec::new(), nothing), None));
            }
            let as_floats = mixed_numbers(&parts, shape.width());
            let known = &self.known;
            self.items.begin_lists(|| Self::inner(known));
            if let Some(inner) = self.items.lists() {
                inner.nones = Some(nones.inner());
            }
            // Keys are what they are.
            let other = nones.other().filter(|_| shape != Shape::Set);
            let missing = match other {
                Some(other) => Some(self.missing(&parts, shape.width(), as_floats, other)?),
                None => None,
            };
            let mut made: Option<(OwnerRef, Vec<TypeDesc>, Vec<u64>)> = None;
            for entry in parts.chunks_exact(shape.width()) {
                let begin = (self.items.words.len(), self.items.slots.len());
                let references = (self.items.arrays.len(), self.items.list_count());
                for (at, part) in entry.iter().enumerate() {
                    let missing = missing.as_ref().filter(|_| at + 1 == shape.width());
                    match missing {
                        Some(missing) => self.push_optional(*part, as_floats[at], missing)?,
                        None => self.push_part(*part, as_floats[at])?,
                    }
                }
                let found = &self.items.words[begin.0..];
                if made.is_none() {
                    let descs = fingerprint::decode(found);
                    made = Some((new(shape, &descs)?, descs, found.to_vec()));
                }
                let (owner, descs, expected) = made.as_mut().expect("was just made");
                if found != &expected[..]
                    && !self.share_item_type(owner.as_ptr(), descs, expected, begin)
                {
                    let others = fingerprint::decode(&self.items.words[begin.0..]);
                    let (desc, other) = descs
                        .iter()
                        .zip(&others)
                        .find(|(desc, other)| desc != other)
                        .unwrap_or((&descs[0], &others[0]));
                    return Err(Failure::Unsupported(format!(
                        "cannot pass a {} of items of several types: {} and {}",
                        shape.name(),
                        display(desc),
                        display(other)
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
            Ok(self.pass(owner, object, shape, (parts, item_words), copy))
        }
    }

    /// Converts a part of an entry.
    ///
    /// # Safety
    /// As [`Self::add`].
    unsafe fn push_part(&mut self, part: *mut PyObject, as_float: bool) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        unsafe {
            match as_float && ffi::PyLong_CheckExact(part) != 0 {
                true => self.items.push_as_float(part),
                false => self.items.push(part),
            }
        }
    }

    /// What stands for None among items: the words of their type, and how many slots they have. Where all are None
    /// those of `other` are meant, which is in another list.
    ///
    /// # Safety
    /// As [`Self::add`].
    unsafe fn missing(
        &mut self,
        parts: &[*mut PyObject],
        width: usize,
        as_floats: [bool; 2],
        other: *mut PyObject,
    ) -> Result<(Vec<u64>, usize), Failure> {
        // SAFETY: as the caller says.
        unsafe {
            let mut column = parts.iter().skip(width - 1).step_by(width);
            let first = column.find(|part| **part != ffi::Py_None());
            let first = first.copied().unwrap_or(other);
            let begin = (self.items.words.len(), self.items.slots.len());
            let references = (self.items.arrays.len(), self.items.list_count());
            self.push_part(first, as_floats[width - 1])?;
            let words = self.items.words[begin.0..].to_vec();
            let slots = self.items.slots.len() - begin.1;
            self.items.words.truncate(begin.0);
            if references == (self.items.arrays.len(), self.items.list_count()) {
                self.items.slots.truncate(begin.1);
            }
            Ok((words, slots))
        }
    }

    /// Converts a part of an entry, or None, as an optional.
    ///
    /// # Safety
    /// As [`Self::add`].
    unsafe fn push_optional(
        &mut self,
        part: *mut PyObject,
        as_float: bool,
        (words, slots): &(Vec<u64>, usize),
    ) -> Result<(), Failure> {
        self.items.words.push(fingerprint::OPTIONAL);
        // SAFETY: as the caller says.
        unsafe {
            let is_there = part != ffi::Py_None();
            match is_there {
                true => self.push_part(part, as_float)?,
                false => {
                    self.items.words.extend_from_slice(words);
                    self.items.slots.extend(std::iter::repeat_n(0, *slots));
                }
            }
            self.items.slots.push(i64::from(is_there));
        }
        Ok(())
    }

    /// Makes lists of one type of those in a list or dict of which some have no items: `descs` with the words
    /// `expected` are the types of the parts of `outer`'s entries, and another one's words and slots are from
    /// `begin` on. False where the types differ otherwise.
    ///
    /// # Safety
    /// As [`Self::add`].
    unsafe fn share_item_type(
        &mut self,
        outer: *mut Owner,
        descs: &mut [TypeDesc],
        expected: &mut Vec<u64>,
        begin: (usize, usize),
    ) -> bool {
        let others = fingerprint::decode(&self.items.words[begin.0..]);
        let joined = descs
            .iter()
            .zip(&others)
            .map(|(one, other)| one.joined(other));
        let Some(joined) = joined.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let slots = self.items.slots[begin.1..].to_vec();
        let Some(inner) = self.items.lists() else {
            return false;
        };
        // SAFETY: as the caller says.
        let earlier = unsafe { List::of(outer).words() };
        let is_new = |descs: &[TypeDesc]| joined != descs;
        // SAFETY: the slots are those of entries of these types.
        let filled = unsafe {
            (!is_new(descs) || inner.fill(descs, &joined, earlier).is_ok())
                && (!is_new(&others) || inner.fill(&others, &joined, &slots).is_ok())
        };
        if !filled {
            return false;
        }
        descs.clone_from_slice(&joined);
        expected.clear();
        descs
            .iter()
            .for_each(|desc| fingerprint::encode(desc, expected));
        true
    }

    /// Notes what was made of an object: its owner, the types of an entry's parts with their words, and what
    /// keeps the entries.
    ///
    /// # Safety
    /// As [`Self::add`].
    unsafe fn pass(
        &mut self,
        owner: OwnerRef,
        object: *mut PyObject,
        shape: Shape,
        (parts, words): (Vec<TypeDesc>, Vec<u64>),
        copy: Option<Py<PyAny>>,
    ) -> *mut Owner {
        let address = owner.as_ptr();
        // SAFETY: the owner was just made.
        unsafe { (*address).set_object(object.cast()) };
        self.known
            .borrow_mut()
            .insert(object.addr(), (address, words));
        self.passed.push(Passed {
            owner,
            object,
            shape,
            parts,
            // SAFETY: the GIL is held as long as there is a buffer.
            _copy: copy.map(|copy| unsafe { Held::new(copy) }),
        });
        address
    }

    /// Makes lists without items ones for what others hold, or for what compiled code puts in: the slots are of
    /// entries of the types `from`, which become those of `to`, that [fill](TypeDesc::is_filled_by) them.
    ///
    /// # Safety
    /// The slots are those of the call's arguments.
    pub unsafe fn fill(
        &mut self,
        from: &[TypeDesc],
        to: &[TypeDesc],
        slots: &[i64],
    ) -> Result<(), Failure> {
        let mut filled = HashMap::new();
        let mut slots = slots;
        while !slots.is_empty() {
            for (from, to) in from.iter().zip(to) {
                // SAFETY: forwarded.
                unsafe { filled_lists(from, to, &mut slots, &mut filled)? };
            }
        }
        filled.retain(|_, parts| parts.is_some());
        self.fill_passed(&mut filled)?;
        match filled.is_empty() {
            true => Ok(()),
            // It was passed before what has it now.
            false => Err(passed_twice()),
        }
    }

    /// Gives lists at any depth the parts of their entries, by the addresses of their owners, and takes those that
    /// it finds. Those that were made last are wanted most.
    fn fill_passed(
        &mut self,
        filled: &mut HashMap<usize, Option<Vec<TypeDesc>>>,
    ) -> Result<(), Failure> {
        for passed in self.passed.iter_mut().rev() {
            if filled.is_empty() {
                return Ok(());
            }
            let address = passed.owner.as_ptr();
            if let Some(parts) = filled.remove(&address.addr()).flatten() {
                check(passed.shape, &parts)?;
                if passed.parts.is_empty() {
                    let (words, owners) = form(&parts);
                    // SAFETY: the list lives as long as this.
                    unsafe { List::of(address).become_of(words, owners) };
                }
                passed.parts = parts;
            }
        }
        match self.items.lists() {
            Some(inner) => inner.fill_passed(filled),
            None => Ok(()),
        }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.passed.len()
    }

    /// The lists for a generator that goes on with them when the call is over: those in lists come first.
    ///
    /// # Safety
    /// The GIL is held, and the objects are alive.
    pub unsafe fn kept(&self) -> Vec<KeptList> {
        // SAFETY: forwarded.
        let mut kept = unsafe { self.items.kept_lists() };
        kept.extend(self.passed.iter().map(|passed| {
            let (owner, shape) = (passed.owner.clone(), passed.shape);
            // SAFETY: as the caller says.
            unsafe { KeptList::new(owner, passed.object, shape, &passed.parts) }
        }));
        kept
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

/// Which parts of entries are ints in some and floats in others: all are floats in compiled code.
///
/// # Safety
/// The parts are alive.
unsafe fn mixed_numbers(parts: &[*mut PyObject], width: usize) -> [bool; 2] {
    // SAFETY: as the caller says.
    let is_none = |part: *mut PyObject| unsafe { part == ffi::Py_None() };
    // SAFETY: as above.
    let is_float = |part: *mut PyObject| unsafe { ffi::PyFloat_Check(part) != 0 };
    // SAFETY: as above.
    let is_int = |part: *mut PyObject| unsafe { ffi::PyLong_CheckExact(part) != 0 };
    let mut mixed = [false; 2];
    for (at, mixed) in mixed.iter_mut().enumerate().take(width) {
        let mut column = parts.iter().skip(at).step_by(width);
        let first = column.find(|part| !is_none(**part));
        *mixed = match first {
            Some(first) if is_int(*first) => column.any(|part| is_float(*part)),
            Some(first) => is_float(*first) && column.any(|part| is_int(*part)),
            None => false,
        };
    }
    mixed
}

/// An empty list for items of a type.
pub fn new_list(desc: &TypeDesc) -> Result<OwnerRef, Failure> {
    new(Shape::List, std::slice::from_ref(desc))
}

/// Refuses types that parts of an entry can't have.
fn check(shape: Shape, parts: &[TypeDesc]) -> Result<(), Failure> {
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
    Ok(())
}

/// An empty list, dict or set for entries whose parts are of these types.
fn new(shape: Shape, parts: &[TypeDesc]) -> Result<OwnerRef, Failure> {
    check(shape, parts)?;
    let (words, owners) = form(parts);
    let made = match shape {
        Shape::List => pyopt_list_new(words, owners),
        Shape::Dict | Shape::Set => pyopt_table_new(words, owners),
    };
    // SAFETY: the one reference is taken over.
    let owner = unsafe { OwnerRef::from_raw(made) };
    Ok(owner.expect("making a list ends the process when memory is short"))
}

/// The words of entries whose parts are of these types, and a bit for each that is an owner.
fn form(parts: &[TypeDesc]) -> (i64, u64) {
    let count: usize = parts.iter().map(TypeDesc::slots).sum();
    let positions = boxing::owner_positions(parts).into_iter();
    let owners = positions.fold(0, |owners, position| owners | 1 << position);
    (count as i64, owners)
}

/// Notes which parts the entries of lists get that are of a type which another one fills, by the addresses of
/// their owners: none where nothing is put in. The slots of the type are taken.
///
/// # Safety
/// The slots are of the type `from`, and what they are of is alive.
unsafe fn filled_lists(
    from: &TypeDesc,
    to: &TypeDesc,
    slots: &mut &[i64],
    filled: &mut HashMap<usize, Option<Vec<TypeDesc>>>,
) -> Result<(), Failure> {
    if let (TypeDesc::Tuple(from), TypeDesc::Tuple(to)) = (from, to) {
        for (from, to) in from.iter().zip(to) {
            // SAFETY: the slots of a tuple are those of its items.
            unsafe { filled_lists(from, to, slots, filled)? };
        }
        return Ok(());
    }
    let (mut own, rest) = slots.split_at(from.slots());
    *slots = rest;
    if !from.has_empty() {
        return Ok(());
    }
    if let (TypeDesc::Optional(from), TypeDesc::Optional(to)) = (from, to) {
        return match own[from.slots()] {
            0 => Ok(()),
            // SAFETY: the value's slots come first.
            _ => unsafe { filled_lists(from, to, &mut own, filled) },
        };
    }
    let (Some(before), Some(after)) = (entry_parts(from), entry_parts(to)) else {
        return Ok(());
    };
    let owner = own[0] as *mut Owner;
    let parts = after.map(<[TypeDesc]>::to_vec);
    if let Some(earlier) = filled.insert(owner.addr(), parts.clone())
        && earlier != parts
    {
        return Err(passed_twice());
    }
    if let (Some(before), Some(after)) = (before, after) {
        // SAFETY: the slot is a list, whose words are the slots of its entries.
        let mut words = unsafe { List::of(owner).words() };
        while !words.is_empty() {
            for (from, to) in before.iter().zip(after) {
                // SAFETY: as above.
                unsafe { filled_lists(from, to, &mut words, filled)? };
            }
        }
    }
    Ok(())
}

/// Refuses lists that hold nothing, which compiled code knows by several names.
fn passed_twice() -> Failure {
    let message = "a list, dict or set without items is passed twice, and what is put in by one name isn't known \
                   of the other one";
    Failure::Unsupported(message.to_owned())
}

/// The types of the parts of an entry, where a type is that of lists, dicts or sets: none of one without items.
fn entry_parts(desc: &TypeDesc) -> Option<Option<&[TypeDesc]>> {
    match desc {
        TypeDesc::List(item) | TypeDesc::Set(item) => {
            Some(item.as_deref().map(std::slice::from_ref))
        }
        TypeDesc::Dict(parts) => Some(parts.as_deref().map(<[TypeDesc; 2]>::as_slice)),
        _ => None,
    }
}

/// The owners of the lists, dicts and sets in an entry.
fn each_container(parts: &[TypeDesc], mut slots: &[i64], mut act: impl FnMut(*mut Owner)) {
    fn walk(desc: &TypeDesc, slots: &mut &[i64], act: &mut dyn FnMut(*mut Owner)) {
        if let TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) = desc {
            return items.iter().for_each(|item| walk(item, slots, act));
        }
        let (mut own, rest) = slots.split_at(desc.slots());
        *slots = rest;
        if let TypeDesc::Optional(inner) = desc
            && own[inner.slots()] != 0
        {
            walk(inner, &mut own, act);
        }
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
        let made = if !object.is_null() && !args.copies {
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
            args.boxed.keep(owner, made, desc);
            made
        };
        pyopt_release(owner);
        made
    }
}
