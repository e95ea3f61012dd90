//! From Python objects to the slots of the calling convention.
//!
//! One pass over the arguments writes their slots and their fingerprint. Nothing is copied or allocated on
//! the usual path: an [`ArgBuffer`] lives on the dispatcher's stack, and so do the owners that arrays
//! borrow from it.

use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyopt_runtime::memory::Owner;
use smallvec::SmallVec;

use crate::classes;
use crate::fingerprint;
use crate::functions;
use crate::instances;
use crate::lists::Lists;
use crate::numpy::{self, Array, Descr, api};
use crate::types::{ArrayType, Elem, Kind, Layout, TypeDesc};

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
    lists: Option<Box<Lists>>,
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
            (&raw mut (*buffer).owners.used).write(0);
            (&raw mut (*buffer).owners.far).write(Vec::new());
            &mut *buffer
        }
    }

    /// Whether there is something to free.
    #[inline]
    pub fn is_allocated(&self) -> bool {
        self.words.spilled()
            || self.slots.spilled()
            || self.arrays.spilled()
            || self.lists.is_some()
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

    /// How many lists there are, those in lists aside.
    pub fn list_count(&self) -> usize {
        self.lists.as_ref().map_or(0, |lists| lists.len())
    }

    /// Writes what compiled code changed back to lists; false with an exception set if that fails.
    ///
    /// # Safety
    /// The GIL is held, and the call is over.
    #[inline]
    pub unsafe fn write_back(&self) -> bool {
        match &self.lists {
            None => true,
            // SAFETY: forwarded.
            Some(lists) => unsafe { lists.write_back() },
        }
    }

    /// Converts one argument and appends it.
    ///
    /// # Safety
    /// The GIL is held, and `object` is alive until the buffer is dropped.
    #[inline]
    pub unsafe fn push(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: the type of a live object is readable, and each branch has checked it before it reads
        // the object as that type.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            if ty == &raw mut ffi::PyLong_Type {
                let value = ffi::PyLong_AsLongLong(object);
                if value == -1 && !ffi::PyErr_Occurred().is_null() {
                    return self.large_int(object);
                }
                self.scalar(Elem::I64, value);
                Ok(())
            } else if ty == &raw mut ffi::PyFloat_Type {
                let value = ffi::PyFloat_AS_DOUBLE(object);
                self.scalar(Elem::F64, value.to_bits() as i64);
                Ok(())
            } else if ty == api().array_type {
                self.array(object)
            } else if ty == &raw mut ffi::PyBool_Type {
                self.scalar(Elem::Bool, i64::from(object == ffi::Py_True()));
                Ok(())
            } else {
                self.push_rare(object)
            }
        }
    }

    /// Has the argument that was pushed last, whose first word is at a place, known by its value.
    pub fn make_literal(&mut self, place: usize) {
        let (word, value) = (self.words[place], self.slots.last());
        if let Some(words) = value.and_then(|value| fingerprint::literal(word, *value)) {
            self.words.truncate(place);
            self.words.extend(words);
        }
    }

    #[inline]
    fn scalar(&mut self, elem: Elem, slot: i64) {
        self.words.push(fingerprint::scalar(elem));
        self.slots.push(slot);
    }

    /// # Safety
    /// As [`Self::push`]; `object` is an array.
    #[inline(always)]
    unsafe fn array(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: an array's fields are readable, `nd` extents and strides among them.
        let (array, descr) = unsafe {
            let array = &*object.cast::<Array>();
            (array, &*array.descr)
        };
        // SAFETY: the dtype of a live array is alive, and the caller holds the GIL.
        let elem = unsafe { api().elem(descr) };
        let Some(elem) = elem else {
            // SAFETY: forwarded.
            return Err(Failure::Unsupported(unsafe { unsupported_dtype(object) }));
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

    /// Everything that isn't an int, float, bool or plain array.
    ///
    /// # Safety
    /// As [`Self::push`].
    #[cold]
    #[inline(never)]
    unsafe fn push_rare(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: as in `push`.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            if let Some(elem) = api().scalar_elem(ty) {
                self.numpy_scalar(elem, object.cast::<numpy::ScalarObject>());
                Ok(())
            } else if let Some((elem, value)) = api().time_scalar(object) {
                self.scalar(elem, value);
                Ok(())
            } else if let Some((elem, data)) = api().record_scalar(object) {
                self.record(object, elem, data);
                Ok(())
            } else if ty == &raw mut ffi::PyTuple_Type {
                self.tuple(object, fingerprint::tuple)
            } else if ty == &raw mut ffi::PyList_Type {
                self.list(object)
            } else if ty == &raw mut ffi::PyUnicode_Type {
                self.text(object)
            } else if object == ffi::Py_None() {
                self.words.push(fingerprint::NONE);
                Ok(())
            } else if ffi::PyTuple_Check(object) != 0
                && ffi::PyObject_HasAttrString(ty.cast(), c"_fields".as_ptr()) != 0
            {
                self.named_tuple(object)
            } else if ty == &raw mut ffi::PySlice_Type {
                self.words.push(fingerprint::SLICE);
                let slice = object.cast::<ffi::PySliceObject>();
                [(*slice).start, (*slice).stop, (*slice).step]
                    .into_iter()
                    .try_for_each(|part| self.slice_part(part))
            } else if object == ffi::Py_Ellipsis() {
                self.words.push(fingerprint::ELLIPSIS);
                Ok(())
            } else if ty == &raw mut ffi::PyComplex_Type {
                let value = ffi::PyComplex_AsCComplex(object);
                self.scalar(Elem::C128, value.real.to_bits() as i64);
                self.slots.push(value.imag.to_bits() as i64);
                Ok(())
            } else if ffi::PyType_IsSubtype(ty, api().array_type) != 0 {
                // As in Numba, compiled code sees the array that it is, without what the class adds.
                // A masked array would lose its mask without a word.
                match is_masked(ty) {
                    false => self.array(object),
                    true => Err(Failure::Unsupported(format!(
                        "cannot pass a '{}': compiled code doesn't see its mask; pass its .data or .filled(…)",
                        type_name(object)
                    ))),
                }
            } else if let Some(elem) = dtype_elem(object) {
                self.words.push(fingerprint::dtype(elem));
                Ok(())
            } else if let Some(slot) = self.function(object)? {
                self.words.push(fingerprint::function(slot));
                Ok(())
            } else if let Some(elem) = number_type(object)? {
                self.words.push(fingerprint::dtype(elem));
                Ok(())
            } else if is_container(object) {
                let slot = self.class(object, instances::slot)?;
                self.words.push(fingerprint::instance(slot));
                Ok(())
            } else {
                Err(Failure::Unsupported(unsupported(object)))
            }
        }
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a list.
    unsafe fn list(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: forwarded.
        unsafe {
            if ffi::Py_EnterRecursiveCall(c" while converting an argument".as_ptr()) != 0 {
                return Err(Failure::Raised);
            }
            self.words.push(fingerprint::LIST_OF);
            let lists = self.lists.get_or_insert_default();
            let owner = lists.add(object, &mut self.words);
            ffi::Py_LeaveRecursiveCall();
            self.slots.push(owner? as i64);
            Ok(())
        }
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a `str`.
    unsafe fn text(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: once it is ready, a string's code units stay where they are as long as it lives.
        unsafe {
            if ffi::PyUnicode_READY(object) != 0 {
                return Err(Failure::Raised);
            }
            self.words.push(fingerprint::STR);
            self.slots.push(ffi::PyUnicode_DATA(object) as i64);
            self.slots.push(ffi::PyUnicode_GET_LENGTH(object) as i64);
            self.slots.push(i64::from(ffi::PyUnicode_KIND(object)));
        }
        Ok(())
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a named tuple.
    unsafe fn named_tuple(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: the caller checked the type, and a tuple holds references to its items.
        unsafe {
            let slot = self.class(object, classes::slot)?;
            self.tuple(object, |len| fingerprint::named(slot, len))
        }
    }

    /// The number of an object's class.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn class(
        &self,
        object: *mut PyObject,
        number: impl Fn(&Bound<'_, PyType>) -> PyResult<u32>,
    ) -> Result<u32, Failure> {
        // SAFETY: the GIL is held and the object is alive, and so is its type.
        unsafe {
            let py = Python::assume_attached();
            let class = Bound::from_borrowed_ptr(py, ffi::Py_TYPE(object).cast());
            let number = class.cast::<PyType>().map_err(PyErr::from).and_then(number);
            number.map_err(|error| {
                error.restore(py);
                Failure::Raised
            })
        }
    }

    /// The number of a function that compiled code can call.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn function(&self, object: *mut PyObject) -> Result<Option<u32>, Failure> {
        // SAFETY: the GIL is held and the object is alive.
        unsafe {
            if ffi::PyCallable_Check(object) == 0 {
                return Ok(None);
            }
            let py = Python::assume_attached();
            functions::slot(&Bound::from_borrowed_ptr(py, object)).map_err(|error| {
                error.restore(py);
                Failure::Raised
            })
        }
    }

    /// An int that a signed integer doesn't hold, as an unsigned one. An exception is set.
    ///
    /// # Safety
    /// As [`Self::push`]; `object` is an int.
    #[cold]
    unsafe fn large_int(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: the GIL is held and the object is an int.
        unsafe {
            ffi::PyErr_Clear();
            let value = ffi::PyLong_AsUnsignedLongLong(object);
            if value == u64::MAX && !ffi::PyErr_Occurred().is_null() {
                ffi::PyErr_Clear();
                return Err(Failure::TooLarge);
            }
            self.scalar(Elem::U64, value as i64);
            Ok(())
        }
    }

    /// A slice's part: an integer or None.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn slice_part(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: the object is alive, and its type was checked before it is converted.
        unsafe {
            if object == ffi::Py_None() || ffi::PyIndex_Check(object) != 0 {
                return self.push(object);
            }
            Err(Failure::Unsupported(format!(
                "cannot pass a slice with a part of type '{}'; its parts are ints and None",
                type_name(object)
            )))
        }
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a tuple.
    unsafe fn tuple(
        &mut self,
        object: *mut PyObject,
        word: impl FnOnce(usize) -> u64,
    ) -> Result<(), Failure> {
        // SAFETY: the caller checked the type, and a tuple holds references to its items.
        unsafe {
            if ffi::Py_EnterRecursiveCall(c" while converting an argument".as_ptr()) != 0 {
                return Err(Failure::Raised);
            }
            let len = ffi::PyTuple_GET_SIZE(object);
            self.words.push(word(len as usize));
            let result =
                (0..len).try_for_each(|index| self.push(ffi::PyTuple_GET_ITEM(object, index)));
            ffi::Py_LeaveRecursiveCall();
            result
        }
    }

    /// # Safety
    /// `object` is a NumPy scalar of element type `elem`.
    unsafe fn numpy_scalar(&mut self, elem: Elem, object: *const numpy::ScalarObject) {
        // SAFETY: the value, of the type that `elem` says, follows the head, aligned.
        unsafe {
            let value = (&raw const (*object).value).cast::<u8>();
            let slot = match elem {
                Elem::Bool | Elem::U8 => i64::from(*value),
                Elem::I8 => i64::from(*value.cast::<i8>()),
                Elem::I16 => i64::from(*value.cast::<i16>()),
                Elem::I32 => i64::from(*value.cast::<i32>()),
                Elem::U16 | Elem::F16 => i64::from(*value.cast::<u16>()),
                Elem::U32 | Elem::F32 | Elem::C64 => i64::from(*value.cast::<u32>()),
                _ => *value.cast::<i64>(),
            };
            self.scalar(elem, slot);
            match elem {
                Elem::C64 => self.slots.push(i64::from(*value.cast::<u32>().add(1))),
                Elem::C128 => self.slots.push(*value.cast::<i64>().add(1)),
                _ => debug_assert!(elem.kind() != Kind::Complex),
            }
        }
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

/// The element type that `numpy.float64` or `numpy.dtype('f8')` names.
///
/// # Safety
/// The GIL is held and `object` is alive.
unsafe fn dtype_elem(object: *mut PyObject) -> Option<Elem> {
    // SAFETY: the type of the object is checked before it is read as such.
    unsafe {
        if ffi::PyType_Check(object) != 0 {
            api().scalar_elem(object.cast())
        } else if ffi::PyType_IsSubtype(ffi::Py_TYPE(object), api().descr_type) != 0 {
            api().elem(object.cast::<Descr>())
        } else {
            None
        }
    }
}

/// The element type that one of this package's own types of numbers is, such as `types.int32`.
///
/// # Safety
/// The GIL is held and `object` is alive.
unsafe fn number_type(object: *mut PyObject) -> Result<Option<Elem>, Failure> {
    // SAFETY: forwarded.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let text = || -> PyResult<Option<String>> {
        let types = object.py().import("pyopt.types")?;
        match object.is_instance(&types.getattr("Type")?)? {
            true => object.getattr("text")?.extract().map(Some),
            false => Ok(None),
        }
    };
    match text() {
        Ok(text) => Ok(match TypeDesc::parse(&text.unwrap_or_default()) {
            Ok(TypeDesc::Scalar(elem)) => Some(elem),
            _ => None,
        }),
        Err(error) => {
            error.restore(object.py());
            Err(Failure::Raised)
        }
    }
}

/// # Safety
/// The GIL is held and `object` is alive.
unsafe fn type_name(object: *mut PyObject) -> String {
    // SAFETY: a type's name is a C string that lives as long as the type; for heap types it is the plain
    // name, for static ones qualified.
    let name =
        unsafe { std::ffi::CStr::from_ptr((*ffi::Py_TYPE(object)).tp_name) }.to_string_lossy();
    name.rsplit('.').next().unwrap_or(&name).to_string()
}

/// Whether an object is a container of which compiled code knows the class alone.
///
/// # Safety
/// The GIL is held and `object` is alive.
unsafe fn is_container(object: *mut PyObject) -> bool {
    // SAFETY: the type of a live object is readable.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        let is_text = ffi::PyType_IsSubtype(ty, &raw mut ffi::PyUnicode_Type) != 0;
        let mapping = (*ty).tp_as_mapping.as_ref();
        let sequence = (*ty).tp_as_sequence.as_ref();
        let has_length = mapping.is_some_and(|slots| slots.mp_length.is_some())
            || sequence.is_some_and(|slots| slots.sq_length.is_some());
        has_length && !is_text
    }
}

/// # Safety
/// The GIL is held and `object` is alive.
unsafe fn unsupported(object: *mut PyObject) -> String {
    // SAFETY: forwarded.
    let name = unsafe { type_name(object) };
    let advice = match name.as_str() {
        "str_" => "; pass str(…) of it",
        "longdouble" => "; extended precision has no machine type here, use numpy.float64",
        "function" => "; compile it with njit, or refer to it by its global name",
        "builtin_function_or_method" => "; refer to the function by its global name",
        "dict" | "set" | "bytes" => "",
        _ => "; pass the numbers, arrays and texts that it holds",
    };
    format!("cannot pass an object of type '{name}'{advice}")
}

/// # Safety
/// As [`unsupported`]; `object` is an array.
#[cold]
unsafe fn unsupported_dtype(object: *mut PyObject) -> String {
    // SAFETY: an array's dtype is an object that lives as long as the array.
    let (type_num, descr) = unsafe {
        let descr = (*object.cast::<Array>()).descr;
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), descr.cast_mut().cast());
        ((*descr).type_num, object)
    };
    let name = descr
        .str()
        .map_or_else(|_| "?".to_string(), |text| text.to_string());
    match numpy::elem_of(type_num) {
        Some(_) => format!(
            "an array of dtype '{name}' isn't in this machine's byte order; convert it with \
             array.astype(array.dtype.newbyteorder('='))"
        ),
        None => format!("unsupported array dtype '{name}'; convert it with array.astype(…)"),
    }
}

/// Whether a class is NumPy's `MaskedArray` or derived from it.
///
/// # Safety
/// The class is ready and alive, and the caller holds the GIL.
unsafe fn is_masked(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: the MRO of a class that is ready is a tuple of classes.
    unsafe {
        let order = (*class).tp_mro;
        (0..ffi::PyTuple_GET_SIZE(order)).any(|at| {
            let base = ffi::PyTuple_GET_ITEM(order, at).cast::<ffi::PyTypeObject>();
            let name = CStr::from_ptr((*base).tp_name).to_bytes();
            name.rsplit(|byte| *byte == b'.').next() == Some(b"MaskedArray")
        })
    }
}
