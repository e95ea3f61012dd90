//! Arguments of the less usual kinds: NumPy's scalars, tuples, lists, texts, functions, classes.

use std::ffi::CStr;
use std::rc::Rc;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyopt_runtime::stack;

use super::copies::taken_twice;
use super::kinds::{Named, dtype_elem, is_container, is_masked, is_numpy_text, named_type};
use super::refusals::{type_name, unsupported};
use super::{ArgBuffer, Failure};
use crate::held::Held;
use crate::numpy::{self, api};
use crate::types::{Elem, Kind, Layout};
use crate::{
    addresses, classes, devices, fingerprint, functions, instances, own_types, structures,
};

/// How many tuples, lists and dicts that are passed can be within each other.
const DEEPEST: usize = 1000;
/// The attribute by which a view of an array is one whose type leaves strides open.
const ANY_STRIDES: &CStr = c"__pyopt_any_strides__";

impl ArgBuffer {
    /// Everything that isn't an int, float, bool or plain array.
    ///
    /// # Safety
    /// As [`Self::push`].
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn push_rare(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: as in `push`.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            if ty == &raw mut ffi::PyUnicode_Type {
                // Keys of dicts often are.
                self.text(object)
            } else if let Some((words, root)) = structures::of_object(object) {
                self.words.extend_from_slice(words);
                self.slots.push(root.owner as i64);
                self.structures.push(root);
                Ok(())
            } else if let Some(fields) = own_types::held_by(object).map_err(|error| {
                error.restore(Python::assume_attached());
                Failure::Raised
            })? {
                let pointer = fields.as_ptr();
                self.stand_ins.push(Held::new(fields));
                self.named_tuple(pointer)
            } else if let Some(elem) = api().scalar_elem(ty) {
                self.numpy_scalar(elem, object.cast::<numpy::ScalarObject>());
                Ok(())
            } else if devices::is_array_type(ty) {
                let (shadow, address) = devices::shadow(object);
                self.on_devices.push(address);
                self.array(shadow, object)
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
            } else if ty == &raw mut ffi::PyDict_Type {
                self.table(object, fingerprint::DICT_OF)
            } else if ty == &raw mut ffi::PySet_Type {
                self.table(object, fingerprint::SET_OF)
            } else if is_numpy_text(ty) {
                self.text(object)
            } else if ty == &raw mut ffi::PyBytes_Type {
                self.bytes(object);
                Ok(())
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
            } else if ty == &raw mut ffi::PyRange_Type {
                self.range(object)
            } else if object == ffi::Py_Ellipsis() {
                self.words.push(fingerprint::ELLIPSIS);
                Ok(())
            } else if ty == &raw mut ffi::PyComplex_Type {
                self.complex(object);
                Ok(())
            } else if ffi::PyType_IsSubtype(ty, api().array_type) != 0 {
                // As in Numba, compiled code sees the array that it is, without what the class adds.
                // A masked array would lose its mask without a word.
                match is_masked(ty) {
                    false if ffi::PyObject_HasAttrString(ty.cast(), ANY_STRIDES.as_ptr()) != 0 => {
                        self.of_any_strides(object)
                    }
                    false => self.array(object, object),
                    true => Err(Failure::Unsupported(format!(
                        "cannot pass a '{}': compiled code doesn't see its mask; pass its .data or .filled(…)",
                        type_name(object)
                    ))),
                }
            } else if let Some(fields) = self.stand_in(object)? {
                self.named_tuple(fields)
            } else if self.derived(object)? {
                Ok(())
            } else if let Some(elem) = dtype_elem(object) {
                self.words.push(fingerprint::dtype(elem));
                Ok(())
            } else if let Some(slot) = self.function(object)? {
                self.words.push(fingerprint::function(slot));
                Ok(())
            } else if let Some((slot, address)) = self.address(object)? {
                self.words.push(fingerprint::address(slot));
                self.slots.push(address as i64);
                Ok(())
            } else if let Some(named) = named_type(object)? {
                let place = self.words.len();
                match named {
                    Named::Number(elem) => self.words.push(fingerprint::dtype(elem)),
                    Named::Text(text) => {
                        // A program passes the type so that the value is known.
                        self.text(text)?;
                        self.make_literal(place);
                    }
                }
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

    /// An object of a class that derives from one of Python's numbers, texts or lists: as in Numba, compiled
    /// code sees the value without what the class adds. `false` for any other object.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn derived(&mut self, object: *mut PyObject) -> Result<bool, Failure> {
        // SAFETY: forwarded; each branch has checked what the object's class derives from.
        unsafe {
            if ffi::PyLong_Check(object) != 0 {
                self.int(object)?;
            } else if ffi::PyFloat_Check(object) != 0 {
                let value = ffi::PyFloat_AS_DOUBLE(object);
                self.scalar(Elem::F64, value.to_bits().cast_signed());
            } else if ffi::PyComplex_Check(object) != 0 {
                self.complex(object);
            } else if ffi::PyUnicode_Check(object) != 0 {
                self.text(object)?;
            } else if ffi::PyList_Check(object) != 0 {
                self.list(object)?;
            } else {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a complex number.
    unsafe fn complex(&mut self, object: *mut PyObject) {
        // SAFETY: forwarded.
        let value = unsafe { (*object.cast::<ffi::PyComplexObject>()).cval };
        self.scalar(Elem::C128, value.real.to_bits().cast_signed());
        self.slots.push(value.imag.to_bits().cast_signed());
    }

    /// An array that goes for a field whose type leaves strides open: its own type does, too. It is a view
    /// that has the array which compiled code gives back as an attribute.
    ///
    /// # Safety
    /// As [`Self::push`]; `view` is such a view.
    unsafe fn of_any_strides(&mut self, view: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: forwarded; the view holds the array.
        unsafe {
            let object = ffi::PyObject_GetAttrString(view, ANY_STRIDES.as_ptr());
            if object.is_null() {
                return Err(Failure::Raised);
            }
            ffi::Py_DECREF(object);
            self.array(view, object)?;
        }
        if let Some(pushed) = self.arrays.last_mut()
            && pushed.ty.layout != Layout::Bytes
        {
            pushed.ty.layout = Layout::A;
            if let Some(word) = self.words.last_mut() {
                *word = fingerprint::array(pushed.ty);
            }
        }
        Ok(())
    }

    /// A list of functions is passed as a tuple: each of them has a type of its own.
    ///
    /// # Safety
    /// As [`Self::push`]; `object` is a list.
    unsafe fn list(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        // SAFETY: forwarded; the tuple is a new reference, or null with an exception set.
        unsafe {
            let py = Python::assume_attached();
            if let Some(first) = first_item(py, object)
                && self.is_function(first.as_ptr())?
            {
                let items = Bound::from_owned_ptr_or_opt(py, ffi::PyList_AsTuple(object));
                let items = items.ok_or(Failure::Raised)?;
                // The list may lose its items while the call runs.
                self.stand_ins.push(Held::new(items.clone().unbind()));
                return self.tuple(items.as_ptr(), fingerprint::tuple);
            }
            self.container(object, fingerprint::LIST_OF)
        }
    }

    /// An int as the float that equals it.
    ///
    /// # Safety
    /// As [`Self::push`]; `object` is an int.
    pub unsafe fn push_as_float(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        let mut overflow = 0;
        // SAFETY: forwarded.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
        if overflow != 0 {
            return Err(Failure::TooLarge);
        }
        let float = value as f64;
        if float as i128 != i128::from(value) {
            return Err(Failure::Unsupported(format!(
                "cannot pass ints among floats of which no float equals one: {value}"
            )));
        }
        self.scalar(Elem::F64, float.to_bits().cast_signed());
        Ok(())
    }

    /// A dict or set; only its class where it has no entries or some of several types.
    ///
    /// # Safety
    /// As [`Self::push`]; `object` is one, whose first word this is.
    unsafe fn table(&mut self, object: *mut PyObject, word: u64) -> Result<(), Failure> {
        let begin = (self.words.len(), self.slots.len());
        // SAFETY: forwarded.
        unsafe {
            match self.container(object, word) {
                Err(Failure::Unsupported(_) | Failure::TooLarge) => {
                    self.words.truncate(begin.0);
                    self.slots.truncate(begin.1);
                    let slot = self.class(object, instances::slot)?;
                    self.words.push(fingerprint::instance(slot));
                    Ok(())
                }
                done => done,
            }
        }
    }

    /// Counts one more argument that is within another. The count is none of the interpreter's: what it allows
    /// differs between versions and can be set, and types as deep are taken apart by recursion everywhere.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn enter(&mut self) -> Result<(), Failure> {
        let here = 0_u8;
        if self.depth == DEEPEST || (&raw const here).addr() < stack::limit() {
            let message = c"maximum recursion depth exceeded while converting an argument";
            // SAFETY: the GIL is held.
            unsafe { ffi::PyErr_SetString(ffi::PyExc_RecursionError, message.as_ptr()) };
            return Err(Failure::Raised);
        }
        self.depth += 1;
        Ok(())
    }

    /// A list, dict or set, whose first word this is.
    ///
    /// # Safety
    /// As [`Self::push`]; `object` is one.
    unsafe fn container(&mut self, object: *mut PyObject, word: u64) -> Result<(), Failure> {
        // SAFETY: forwarded.
        unsafe {
            let copies = Rc::clone(self.copies_of());
            if copies.has_taken(object) {
                return Err(taken_twice(object));
            }
            self.enter()?;
            self.words.push(word);
            let lists = self.lists.get_or_insert_default();
            lists.items.depth = self.depth;
            lists.items.copies_of = Some(copies);
            let owner = lists.add(object, &mut self.words);
            self.depth -= 1;
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
            self.slots.push(self.owners.borrow(object) as i64);
            self.slots.push(ffi::PyUnicode_DATA(object) as i64);
            self.slots.push(ffi::PyUnicode_GET_LENGTH(object) as i64);
            self.slots.push(i64::from(ffi::PyUnicode_KIND(object)));
        }
        Ok(())
    }

    /// # Safety
    /// As [`Self::push`]; `object` is a `bytes`.
    unsafe fn bytes(&mut self, object: *mut PyObject) {
        // SAFETY: the bytes stay where they are as long as the object lives.
        unsafe {
            self.words.push(fingerprint::BYTES);
            self.slots.push(self.owners.borrow(object) as i64);
            self.slots.push(ffi::PyBytes_AS_STRING(object) as i64);
            self.slots.push(ffi::PyBytes_Size(object) as i64);
            self.slots.push(1);
        }
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

    /// Whether an object is a function of Python's or a compiled one.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn is_function(&self, object: *mut PyObject) -> Result<bool, Failure> {
        // SAFETY: forwarded.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            let is_number = ty == &raw mut ffi::PyLong_Type || ty == &raw mut ffi::PyFloat_Type;
            Ok(!is_number && dtype_elem(object).is_none() && self.function(object)?.is_some())
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

    /// The type and the value of an address.
    ///
    /// # Safety
    /// As [`Self::push`].
    unsafe fn address(&self, object: *mut PyObject) -> Result<Option<(u32, u64)>, Failure> {
        // SAFETY: the GIL is held and the object is alive.
        unsafe {
            let py = Python::assume_attached();
            addresses::of_object(&Bound::from_borrowed_ptr(py, object)).map_err(|error| {
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
    pub(super) unsafe fn large_int(&mut self, object: *mut PyObject) -> Result<(), Failure> {
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
    /// As [`Self::push`]; `object` is a range.
    unsafe fn range(&mut self, object: *mut PyObject) -> Result<(), Failure> {
        let place = self.words.len();
        for name in [c"start", c"stop", c"step"] {
            // SAFETY: a range has these attributes, which are ints; their values are copied.
            unsafe {
                let part = ffi::PyObject_GetAttrString(object, name.as_ptr());
                let pushed = self.push(part);
                ffi::Py_DECREF(part);
                pushed?;
            }
        }
        let int = fingerprint::scalar(Elem::I64);
        if self.words[place..].iter().any(|word| *word != int) {
            let message = "cannot pass a range with bounds beyond 64 bits";
            return Err(Failure::Unsupported(message.into()));
        }
        self.words.truncate(place);
        self.words.push(fingerprint::range(Elem::I64));
        Ok(())
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
            self.enter()?;
            let len = ffi::PyTuple_GET_SIZE(object);
            self.words.push(word(len as usize));
            let result =
                (0..len).try_for_each(|index| self.push(ffi::PyTuple_GET_ITEM(object, index)));
            self.depth -= 1;
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

/// The first item of a list, if there is one.
///
/// # Safety
/// The object is a list that is alive.
unsafe fn first_item<'py>(py: Python<'py>, list: *mut PyObject) -> Option<Bound<'py, PyAny>> {
    // SAFETY: as the caller says.
    unsafe {
        if ffi::PyList_GET_SIZE(list) == 0 {
            return None;
        }
        let item = ffi::compat::PyList_GetItemRef(list, 0);
        let item = Bound::from_owned_ptr_or_opt(py, item);
        if item.is_none() {
            // Another thread has emptied the list.
            ffi::PyErr_Clear();
        }
        item
    }
}
