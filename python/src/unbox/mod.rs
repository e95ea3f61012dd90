//! From Python objects to the slots of the calling convention.
//!
//! One pass over the arguments writes their slots and their fingerprint. Nothing is copied or allocated on
//! the usual path: an [`ArgBuffer`] lives on the dispatcher's stack, and so do the owners that arrays
//! borrow from it.

mod copies;
mod kinds;
mod rare;
mod refusals;

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::rc::Rc;

use pyo3::ffi::{self, PyObject};
use pyopt_runtime::memory::Owner;
use pyopt_runtime::sharing::Root;
use smallvec::SmallVec;

use self::copies::Copies;
pub use self::refusals::display;

use crate::held::Held;
use crate::kept_lists::KeptList;
use crate::lists::{Boxed, Lists};
use crate::numpy::{self, Array, api};
use crate::types::{ArrayType, Elem, Kind, Layout, LiteralKind, TypeDesc};
use crate::{fingerprint, literal_texts};

/// Why an argument wasn't converted.
pub enum Failure {
    /// A Python exception is set.
    Raised,
    /// An int, there or in a tuple, that 64 bits don't hold.
    TooLarge,
    /// Compiled code can't take it; the text completes "argument 'x': …".
    Unsupported(String),
}

/// An array among the arguments, to be recognised when compiled code returns it.
pub struct ArrayArg {
    /// The owner that stands for the object.
    pub owner: *const Owner,
    /// The array, a reference that the caller holds.
    pub object: *mut PyObject,
    /// Element type, rank, layout and mutability.
    pub ty: ArrayType,
    /// Where the array's slots begin.
    pub slot: usize,
}

/// Owners with stable addresses: a few in place, further ones in boxes.
struct Owners {
    near: [MaybeUninit<Owner>; 6],
    used: usize,
    #[expect(clippy::vec_box, reason = "compiled code holds their addresses")]
    far: Vec<Box<Owner>>,
}

impl Owners {
    #[inline]
    fn borrow(&mut self, object: *mut PyObject) -> *const Owner {
        let owner = Owner::borrowed(object.cast());
        match self.near.get_mut(self.used) {
            Some(place) => {
                self.used += 1;
                place.write(owner)
            }
            None => {
                self.far.push(Box::new(owner));
                &**self.far.last().expect("just pushed")
            }
        }
    }
}

/// The arguments of one call, converted.
pub struct ArgBuffer {
    /// Their types.
    pub words: SmallVec<[u64; 16]>,
    /// Their values.
    pub slots: SmallVec<[i64; 48]>,
    /// The arrays among them, at any depth of tuples.
    pub arrays: SmallVec<[ArrayArg; 6]>,
    /// The lists that objects were made of meanwhile. Given up before the lists among the arguments: their
    /// items may be of those.
    pub boxed: Boxed,
    lists: Option<Box<Lists>>,
    /// Whether lists, dicts and sets become new objects that have what they hold now, also those that are
    /// arguments, whose objects get that when the call is over.
    pub copies: bool,
    /// What stands for objects of extensions' types and lists of functions: it lives as long as what was
    /// read from it.
    stand_ins: SmallVec<[Held; 2]>,
    /// What is known of objects of which compiled code has copies, in all of the call's arguments.
    copies_of: Option<Rc<Copies>>,
    /// The structures among them, at any depth of tuples.
    pub structures: SmallVec<[Root; 2]>,
    /// An address of each array on a device among them.
    on_devices: SmallVec<[usize; 8]>,
    /// How many tuples and lists there are around the argument that is being converted.
    depth: usize,
    owners: Owners,
}

impl Default for ArgBuffer {
    fn default() -> Self {
        let mut place = MaybeUninit::uninit();
        Self::begin(&mut place);
        // SAFETY: it was just written.
        unsafe { place.assume_init() }
    }
}

impl ArgBuffer {
    /// Makes an empty buffer where it is to be: moving it would copy all of its room.
    #[inline]
    pub fn begin(place: &mut MaybeUninit<Self>) -> &mut Self {
        let buffer = place.as_mut_ptr();
        // SAFETY: each field is written in place; the room for owners needs no value.
        unsafe {
            (&raw mut (*buffer).words).write(SmallVec::new());
            (&raw mut (*buffer).slots).write(SmallVec::new());
            (&raw mut (*buffer).arrays).write(SmallVec::new());
            (&raw mut (*buffer).lists).write(None);
            (&raw mut (*buffer).boxed).write(Boxed::default());
            (&raw mut (*buffer).copies).write(false);
            (&raw mut (*buffer).stand_ins).write(SmallVec::new());
            (&raw mut (*buffer).copies_of).write(None);
            (&raw mut (*buffer).structures).write(SmallVec::new());
            (&raw mut (*buffer).on_devices).write(SmallVec::new());
            (&raw mut (*buffer).depth).write(0);
            (&raw mut (*buffer).owners.used).write(0);
            (&raw mut (*buffer).owners.far).write(Vec::new());
            &mut *buffer
        }
    }

    /// Gives an empty buffer on the stack to `work`.
    #[inline(always)]
    pub fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        let mut place = MaybeUninit::uninit();
        let buffer = Self::begin(&mut place);
        let result = work(buffer);
        // It has nothing to drop where nothing was allocated, which is usual.
        if buffer.is_allocated() {
            // SAFETY: it was written, and this is behind its last use.
            unsafe { place.assume_init_drop() };
        }
        result
    }

    /// Whether there is something to free.
    #[inline]
    fn is_allocated(&mut self) -> bool {
        self.words.spilled()
            || self.slots.spilled()
            || self.arrays.spilled()
            || self.lists.is_some()
            || self.boxed.is_allocated()
            || !self.stand_ins.is_empty()
            || self.copies_of.is_some()
            || self.structures.spilled()
            || self.on_devices.spilled()
            || self.owners.far.capacity() > 0
    }

    /// The array that an owner stands for, and the buffer that it is in.
    pub fn find_array(&self, owner: *const Owner) -> Option<(&ArrayArg, &Self)> {
        let own = self
            .arrays
            .iter()
            .find(|arg| std::ptr::eq(arg.owner, owner));
        match (own, &self.lists) {
            (Some(arg), _) => Some((arg, self)),
            (None, Some(lists)) => lists.items.find_array(owner),
            (None, None) => None,
        }
    }

    /// Says what its lists are put in, if there are none yet.
    pub fn begin_lists(&mut self, make: impl FnOnce() -> Lists) {
        self.lists.get_or_insert_with(|| Box::new(make()));
    }

    /// The lists among the arguments.
    pub fn lists(&mut self) -> Option<&mut Lists> {
        self.lists.as_deref_mut()
    }

    /// Makes of lists, dicts and sets without items ones for what compiled code puts in: the arguments are of
    /// the types `from`, which `to` [fills](TypeDesc::is_filled_by).
    ///
    /// # Safety
    /// The slots are of the types `from`.
    pub unsafe fn fill(&mut self, from: &[TypeDesc], to: &[TypeDesc]) -> Result<(), Failure> {
        let slots = &self.slots;
        match &mut self.lists {
            // SAFETY: forwarded.
            Some(lists) => unsafe { lists.fill(from, to, slots) },
            None => Ok(()),
        }
    }

    /// How many lists there are, those in lists aside.
    pub fn list_count(&self) -> usize {
        self.lists.as_ref().map_or(0, |lists| lists.len())
    }

    /// Whether calls need nothing but the slots: no lists to write back to, no arrays on devices, no
    /// structures that threads may share.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.lists.is_none() && self.on_devices.is_empty() && self.structures.is_empty()
    }

    /// Whether there are arrays on devices among the arguments.
    #[inline]
    pub fn has_device_arrays(&self) -> bool {
        !self.on_devices.is_empty()
            || self
                .lists
                .as_ref()
                .is_some_and(|lists| lists.items.has_device_arrays())
    }

    /// An address of each array on a device, also of those in lists.
    pub fn device_arrays(&self) -> SmallVec<[usize; 8]> {
        let mut found = self.on_devices.clone();
        if let Some(lists) = &self.lists {
            found.extend(lists.items.device_arrays());
        }
        found
    }

    /// Has the arrays on devices of another buffer, whose values this one's are.
    pub fn set_on_devices(&mut self, other: &Self) {
        self.on_devices = other.device_arrays();
    }

    /// The lists among the arguments, for a generator that goes on with them.
    ///
    /// # Safety
    /// The GIL is held, and the objects are alive.
    pub unsafe fn kept_lists(&self) -> Vec<KeptList> {
        let lists = self.lists.as_ref();
        // SAFETY: forwarded.
        lists.map_or_else(Vec::new, |lists| unsafe { lists.kept() })
    }

    /// Writes what compiled code changed back to lists and other objects that it has copies of; false with an
    /// exception set if that fails.
    ///
    /// # Safety
    /// The GIL is held, and the call is over.
    #[inline]
    pub unsafe fn write_back(&self) -> bool {
        // SAFETY: forwarded.
        unsafe {
            let lists = self.lists.as_ref();
            lists.is_none_or(|lists| lists.write_back())
                && self
                    .copies_of
                    .as_ref()
                    .is_none_or(|copies| copies.give_back())
        }
    }

    /// Converts one argument and appends it.
    ///
    /// # Safety
    /// The GIL is held, and `object` is alive until the buffer is dropped.
    #[inline(always)]
    pub unsafe fn push(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: the type of a live object is readable, and each branch has checked it before it reads
        // the object as that type.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            if ty == &raw mut ffi::PyLong_Type {
                self.int(object)
            } else if ty == &raw mut ffi::PyFloat_Type {
                let value = ffi::PyFloat_AS_DOUBLE(object);
                self.scalar(Elem::F64, value.to_bits() as i64);
                Ok(())
            } else if ty == api().array_type {
                self.array(object, object)
            } else if ty == &raw mut ffi::PyBool_Type {
                self.scalar(Elem::Bool, i64::from(object == ffi::Py_True()));
                Ok(())
            } else {
                self.push_rare(object)
            }
        }
    }

    /// # Safety
    /// As [`Self::push`]; `object` is an int.
    #[inline(always)]
    unsafe fn int(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: forwarded.
        unsafe {
            let value = ffi::PyLong_AsLongLong(object);
            if value == -1 && !ffi::PyErr_Occurred().is_null() {
                return self.large_int(object);
            }
            self.scalar(Elem::I64, value);
        }
        Ok(())
    }

    /// Has the argument that was pushed last, whose first word is at a place, known by its value.
    pub fn make_literal(&mut self, place: usize) {
        let value = match (
            fingerprint::literal_kind(self.words[place]),
            &self.slots[..],
        ) {
            (Some(LiteralKind::Text), [.., data, length, width]) => {
                // SAFETY: they are those of a text that the caller holds.
                let text = unsafe { literal_texts::read(*data, *length, *width) };
                Some((LiteralKind::Text, literal_texts::number(&text)))
            }
            (Some(kind), [.., value]) => Some((kind, *value)),
            _ => None,
        };
        if let Some((kind, value)) = value {
            self.words.truncate(place);
            self.words.extend(fingerprint::literal(kind, value));
        }
    }

    #[inline(always)]
    fn scalar(&mut self, elem: Elem, slot: i64) {
        self.words.push(fingerprint::scalar(elem));
        self.slots.push(slot);
    }

    /// # Safety
    /// As [`Self::push`]; `array` is an array, for which `object` stands, which keeps it alive.
    #[inline(always)]
    unsafe fn array(&mut self, array: *mut PyObject, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: an array's fields are readable, `nd` extents and strides among them.
        let (array, descr) = unsafe {
            let array = &*array.cast::<Array>();
            (array, &*array.descr)
        };
        // SAFETY: the dtype of a live array is alive, and the caller holds the GIL.
        let elem = unsafe { api().elem(descr) };
        let Some(elem) = elem else {
            // SAFETY: forwarded.
            return Err(Failure::Unsupported(unsafe {
                refusals::unsupported_dtype(ptr::from_ref(array).cast_mut().cast())
            }));
        };
        let ndim = array.nd as usize;
        // SAFETY: see above. Rank 0 may come with null pointers, which a slice can't be made of.
        let (shape, strides) = unsafe {
            match ndim {
                0 => (&[][..], &[][..]),
                _ => (
                    std::slice::from_raw_parts(array.dimensions, ndim),
                    std::slice::from_raw_parts(array.strides, ndim),
                ),
            }
        };
        let layout = layout(array.flags, elem, strides);
        let shift = if layout == Layout::Bytes {
            0
        } else {
            elem.size_log2()
        };
        let readonly = array.flags & numpy::WRITEABLE == 0;
        let ty = ArrayType {
            elem,
            ndim: ndim as u8,
            layout,
            readonly,
        };
        let owner = self.owners.borrow(object);
        self.words.push(fingerprint::array(ty));
        self.arrays.push(ArrayArg {
            owner,
            object,
            ty,
            slot: self.slots.len(),
        });
        self.slots.reserve(2 + 2 * ndim);
        self.slots.push(owner as i64);
        self.slots.push(array.data as i64);
        shape
            .iter()
            .for_each(|extent| self.slots.push(*extent as i64));
        strides
            .iter()
            .for_each(|stride| self.slots.push((*stride >> shift) as i64));
        Ok(())
    }

    /// A record: the view of no dimensions of its bytes.
    fn record(&mut self, object: *mut PyObject, elem: Elem, data: *mut c_void) {
        let ty = ArrayType {
            elem,
            ndim: 0,
            layout: Layout::Bytes,
            readonly: false,
        };
        let owner = self.owners.borrow(object);
        self.words.push(fingerprint::array(ty));
        self.arrays.push(ArrayArg {
            owner,
            object,
            ty,
            slot: self.slots.len(),
        });
        self.slots.extend([owner as i64, data as i64]);
    }
}

#[inline]
fn layout(flags: c_int, elem: Elem, strides: &[isize]) -> Layout {
    let mask = (1isize << elem.size_log2()) - 1;
    if flags & numpy::ALIGNED == 0 || elem.kind() == Kind::Record {
        Layout::Bytes
    } else if flags & numpy::C_CONTIGUOUS != 0 {
        Layout::C
    } else if flags & numpy::F_CONTIGUOUS != 0 {
        Layout::F
    } else if strides.iter().all(|stride| stride & mask == 0) {
        Layout::A
    } else {
        Layout::Bytes
    }
}
