//! From the slots that compiled code returns to Python objects.
//!
//! Arrays aren't copied. One that compiled code allocated becomes a NumPy array whose base releases the
//! owner; one that came in as an argument is the same object again, or a view of it if it was changed.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyopt_runtime::memory::{Owner, OwnerKind, pyopt_release};
use smallvec::SmallVec;

use crate::addresses;
use crate::classes;
use crate::devices;
use crate::functions;
use crate::halves;
use crate::lists;
use crate::numpy::api;
use crate::owner;
use crate::same_array;
use crate::structures;
use crate::types::{ArrayType, Class, Elem, Kind, Layout, TypeDesc};
use crate::unbox::ArgBuffer;

/// [`to_object`] for what a function returns: inlined for numbers, which most return.
///
/// # Safety
/// As [`to_object`].
#[inline(always)]
pub unsafe fn returned(desc: &TypeDesc, slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    // SAFETY: forwarded.
    unsafe {
        match desc {
            TypeDesc::Scalar(elem) => scalar(*elem, slots),
            _ => to_object(desc, slots, args),
        }
    }
}

/// Makes the Python object of a returned value; null with an exception set if that fails. The references
/// that the value holds on its arrays are used up either way.
///
/// # Safety
/// The GIL is held, `slots` was written by compiled code that returns `desc`, and `args` are the
/// arguments it was called with.
pub unsafe fn to_object(desc: &TypeDesc, slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    // SAFETY: forwarded; the C API calls need only the GIL.
    unsafe {
        match desc {
            TypeDesc::Scalar(elem) => scalar(*elem, slots),
            TypeDesc::Str => text(slots),
            TypeDesc::Bytes => bytes(slots),
            TypeDesc::None => ffi::Py_NewRef(ffi::Py_None()),
            TypeDesc::Ellipsis => ffi::Py_NewRef(ffi::Py_Ellipsis()),
            TypeDesc::Slice(parts) => slice(parts, slots, args),
            TypeDesc::Range(elem) => range(*elem, slots, args),
            TypeDesc::Sequence(class, items) => sequence(class, items, slots, args),
            TypeDesc::Array(ty) => array(*ty, slots, args),
            TypeDesc::Function(slot) => functions::object(*slot),
            TypeDesc::Address(slot) => addresses::object(*slot, slots[0] as u64),
            TypeDesc::Choice(functions) => {
                let (position, held) = slots.split_at(1);
                let at = position[0] as usize;
                let before: usize = functions[..at].iter().map(TypeDesc::slots).sum();
                to_object(
                    &functions[at],
                    &held[before..][..functions[at].slots()],
                    args,
                )
            }
            TypeDesc::Instance(_) | TypeDesc::Literal(..) | TypeDesc::Exception => {
                // The compiler returns none.
                ffi::PyErr_BadInternalCall();
                ptr::null_mut()
            }
            TypeDesc::List(_) | TypeDesc::Dict(_) | TypeDesc::Set(_) => {
                lists::to_object(desc, slots[0] as *mut Owner, args)
            }
            TypeDesc::Tuple(items) => tuple(items, slots, args, to_object),
            TypeDesc::Dtype(elem) => api().dtype(*elem),
            TypeDesc::Optional(inner) => match slots[inner.slots()] {
                0 => ffi::Py_NewRef(ffi::Py_None()),
                _ => to_object(inner, &slots[..inner.slots()], args),
            },
        }
    }
}

/// Makes the object of a number or time of one or two slots.
///
/// # Safety
/// As [`to_object`].
#[inline]
pub unsafe fn scalar(elem: Elem, slots: &[i64]) -> *mut PyObject {
    let slot = slots[0];
    // SAFETY: the GIL is held.
    unsafe {
        match elem.kind() {
            Kind::Int if elem == Elem::U64 => ffi::PyLong_FromUnsignedLongLong(slot as u64),
            Kind::Int => ffi::PyLong_FromLongLong(slot),
            Kind::Bool => ffi::PyBool_FromLong(slot),
            Kind::Float => match float(elem, slot) {
                // Only an unpacked half can fail, with an exception set.
                Some(value) => ffi::PyFloat_FromDouble(value),
                None => ptr::null_mut(),
            },
            Kind::Complex => {
                let part = if elem == Elem::C64 {
                    Elem::F32
                } else {
                    Elem::F64
                };
                let [re, im] = [slot, slots[1]].map(|bits| float(part, bits).unwrap_or(f64::NAN));
                ffi::PyComplex_FromDoubles(re, im)
            }
            Kind::Time => api().new_time(elem, slot),
            Kind::Record => unreachable!("records are arrays without dimensions"),
        }
    }
}

/// The text of an argument is its object; any other one is copied, and its reference given up.
///
/// # Safety
/// As [`to_object`].
unsafe fn text(slots: &[i64]) -> *mut PyObject {
    let owner = slots[0] as *mut Owner;
    let (units, length) = (slots[1] as *const c_void, slots[2] as ffi::Py_ssize_t);
    // SAFETY: compiled code wrote the slots; arguments and constants are still alive, and what isn't has an
    // owner with a reference. The object of an owner of texts is a text.
    unsafe {
        let object = owner.as_ref().map_or(ptr::null_mut(), Owner::object);
        let object = object.cast::<PyObject>();
        let is_whole = !object.is_null()
            && ffi::PyUnicode_Check(object) != 0
            && ffi::PyUnicode_DATA(object).cast_const() == units
            && ffi::PyUnicode_GET_LENGTH(object) == length;
        let made = match is_whole {
            true => ffi::Py_NewRef(object),
            false => ffi::PyUnicode_FromKindAndData(slots[3] as c_int, units, length),
        };
        pyopt_release(owner);
        made
    }
}

/// The bytes of an argument are its object; any other ones are copied, and their reference given up.
///
/// # Safety
/// As [`to_object`].
unsafe fn bytes(slots: &[i64]) -> *mut PyObject {
    let owner = slots[0] as *mut Owner;
    let (units, length) = (slots[1] as *const c_char, slots[2] as ffi::Py_ssize_t);
    // SAFETY: as for texts.
    unsafe {
        let object = owner.as_ref().map_or(ptr::null_mut(), Owner::object);
        let object = object.cast::<PyObject>();
        let is_whole = !object.is_null()
            && ffi::PyBytes_CheckExact(object) != 0
            && ffi::PyBytes_AS_STRING(object) == units
            && ffi::PyBytes_Size(object) == length;
        let made = match is_whole {
            true => ffi::Py_NewRef(object),
            false => ffi::PyBytes_FromStringAndSize(units, length),
        };
        pyopt_release(owner);
        made
    }
}

/// The value of a float's slot.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn float(elem: Elem, slot: i64) -> Option<f64> {
    match elem {
        Elem::F32 => Some(f64::from(f32::from_bits(slot as u32))),
        // SAFETY: the GIL is held.
        Elem::F16 => unsafe { halves::from_bits(slot as u16) },
        _ => Some(f64::from_bits(slot as u64)),
    }
}

/// # Safety
/// As [`to_object`].
unsafe fn array(ty: ArrayType, slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    let owner = slots[0] as *mut Owner;
    let source = args.find_array(owner);
    // SAFETY: an owner that isn't an argument's holds the memory and is given to the new object. Without one the
    // memory of an array that nobody may write to belongs to the compiled function, so that the object gets a
    // copy; any other is what the program has made an array of itself, as `carray` does, and vouches for.
    unsafe {
        match source {
            Some((arg, args)) if same_array::is_argument(arg, ty, slots, args) => {
                ffi::Py_NewRef(arg.object)
            }
            Some((arg, _)) => {
                let view = view(ty, slots, ffi::Py_NewRef(arg.object));
                match devices::is_array_type(ffi::Py_TYPE(arg.object)) {
                    true => devices::wrap(view, arg.object),
                    false => view,
                }
            }
            // Python code that compiled code calls gets the arguments of that.
            None if !owner.is_null() && (*owner).kind() == OwnerKind::Borrowed => {
                view(ty, slots, ffi::Py_NewRef((*owner).object().cast()))
            }
            None if owner.is_null() && !ty.readonly => {
                view(ty, slots, ffi::Py_NewRef(ffi::Py_None()))
            }
            None if owner.is_null() => {
                let shared = array_of(ty, slots, ffi::Py_NewRef(ffi::Py_None()));
                if shared.is_null() {
                    return shared;
                }
                let copy = api().copy(shared);
                ffi::Py_DECREF(shared);
                record_or_array(ty, copy)
            }
            None if (*owner).kind() == OwnerKind::Object
                && same_array::is_kept((*owner).object().cast(), ty, slots) =>
            {
                let kept = ffi::Py_NewRef((*owner).object().cast());
                pyopt_release(owner);
                kept
            }
            None => {
                let base = owner::to_object(owner);
                if base.is_null() {
                    base
                } else {
                    view(ty, slots, base)
                }
            }
        }
    }
}

/// # Safety
/// As [`to_object`]; `base` is an owned reference that keeps the memory alive.
unsafe fn view(ty: ArrayType, slots: &[i64], base: *mut PyObject) -> *mut PyObject {
    // SAFETY: forwarded.
    unsafe { record_or_array(ty, array_of(ty, slots, base)) }
}

/// A record is an array of no dimensions in compiled code, and in NumPy a scalar.
///
/// # Safety
/// The GIL is held, and the array is an owned reference, which is used up, or null.
unsafe fn record_or_array(ty: ArrayType, array: *mut PyObject) -> *mut PyObject {
    match (ty.elem.kind(), ty.ndim) {
        // SAFETY: forwarded.
        (Kind::Record, 0) => unsafe { api().scalar_of(array) },
        _ => array,
    }
}

/// # Safety
/// As [`view`].
unsafe fn array_of(ty: ArrayType, slots: &[i64], base: *mut PyObject) -> *mut PyObject {
    let ndim = usize::from(ty.ndim);
    let shift = if ty.layout == Layout::Bytes {
        0
    } else {
        ty.elem.size_log2()
    };
    let shape: SmallVec<[isize; 8]> = slots[2..2 + ndim]
        .iter()
        .map(|extent| *extent as isize)
        .collect();
    let strides: SmallVec<[isize; 8]> = slots[2 + ndim..2 + 2 * ndim]
        .iter()
        .map(|stride| (*stride << shift) as isize)
        .collect();
    let data = slots[1] as *mut c_void;
    // SAFETY: compiled code wrote the slots; the caller vouches for `base`.
    unsafe { api().new_array(ty.elem, &shape, &strides, data, !ty.readonly, base) }
}

/// # Safety
/// As [`to_object`].
unsafe fn tuple(
    items: &[TypeDesc],
    mut slots: &[i64],
    args: &ArgBuffer,
    to_item: unsafe fn(&TypeDesc, &[i64], &ArgBuffer) -> *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the tuple is filled before anything else sees it; slots of items behind a failed one are
    // released, as nobody else will.
    unsafe {
        let tuple = ffi::PyTuple_New(items.len() as ffi::Py_ssize_t);
        let mut failed = tuple.is_null();
        for (index, item) in items.iter().enumerate() {
            let (own, rest) = slots.split_at(item.slots());
            slots = rest;
            if failed {
                release(item, own);
                continue;
            }
            let object = to_item(item, own, args);
            failed = object.is_null();
            if !failed {
                ffi::PyTuple_SET_ITEM(tuple, index as ffi::Py_ssize_t, object);
            }
        }
        if failed {
            ffi::Py_XDECREF(tuple);
            return ptr::null_mut();
        }
        tuple
    }
}

fn boxes(class: &Class) -> bool {
    matches!(class, Class::Named { slot, .. } if classes::boxes(*slot))
}

/// The object of a field of an extension's type: what boxes that may look into the fields of its fields,
/// so that these are what stands for objects of their types.
///
/// # Safety
/// As [`to_object`].
unsafe fn to_field(desc: &TypeDesc, slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    // SAFETY: forwarded; the tuple of the items is owned here.
    unsafe {
        match desc {
            TypeDesc::Tuple(items) => tuple(items, slots, args, to_field),
            TypeDesc::Sequence(class @ Class::Named { slot, .. }, items)
                if boxes(class) && !structures::is_structure(class) =>
            {
                let objects = tuple(items, slots, args, to_field);
                if objects.is_null() {
                    return objects;
                }
                let made = classes::plain_instance(*slot, objects);
                ffi::Py_DECREF(objects);
                made
            }
            _ => to_object(desc, slots, args),
        }
    }
}

/// # Safety
/// As [`to_object`].
unsafe fn sequence(
    class: &Class,
    items: &[TypeDesc],
    slots: &[i64],
    args: &ArgBuffer,
) -> *mut PyObject {
    // SAFETY: forwarded; the tuple of the items is owned here.
    unsafe {
        let objects = match (items, structures::slot(class)) {
            ([TypeDesc::List(Some(item))], Some(slot)) => {
                structures::to_items(slot, item, slots[0] as *mut Owner)
            }
            _ if boxes(class) => tuple(items, slots, args, to_field),
            _ => tuple(items, slots, args, to_object),
        };
        if objects.is_null() {
            return objects;
        }
        let made = match class {
            Class::List => ffi::PySequence_List(objects),
            Class::Named { slot, .. } => classes::instance(*slot, objects),
        };
        ffi::Py_DECREF(objects);
        made
    }
}

/// # Safety
/// As [`to_object`].
unsafe fn slice(parts: &[TypeDesc; 3], slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    // SAFETY: forwarded; the parts are owned here, and the slice takes references of its own. Without
    // a part there is no slice, and the part's exception is set.
    unsafe {
        let objects = tuple(parts, slots, args, to_object);
        if objects.is_null() {
            return objects;
        }
        let part = |at| ffi::PyTuple_GET_ITEM(objects, at);
        let slice = ffi::PySlice_New(part(0), part(1), part(2));
        ffi::Py_DECREF(objects);
        slice
    }
}

/// # Safety
/// As [`to_object`].
unsafe fn range(elem: Elem, slots: &[i64], args: &ArgBuffer) -> *mut PyObject {
    let parts = std::array::from_fn::<_, 3, _>(|_| TypeDesc::Scalar(elem));
    // SAFETY: forwarded; the range takes references of its own.
    unsafe {
        let parts = tuple(&parts, slots, args, to_object);
        if parts.is_null() {
            return parts;
        }
        let range = ffi::PyObject_CallObject((&raw mut ffi::PyRange_Type).cast(), parts);
        ffi::Py_DECREF(parts);
        range
    }
}

/// Gives up a value that becomes no object.
///
/// # Safety
/// As [`to_object`].
unsafe fn release(desc: &TypeDesc, slots: &[i64]) {
    // SAFETY: the value holds a reference on each owner; null and borrowed ones are tolerated.
    each_owner(desc, slots, |owner| unsafe { pyopt_release(owner) });
}

/// Where the owners of values are among their slots.
pub fn owner_positions(descs: &[TypeDesc]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut begin = 0;
    for desc in descs {
        // What is asked for are positions, so each slot holds its own.
        let positions: Vec<i64> = (begin..begin + desc.slots() as i64).collect();
        each_owner(desc, &positions, |position| found.push(position.addr()));
        begin += desc.slots() as i64;
    }
    found
}

/// The owners of the arrays, texts, lists, dicts and sets in a value, at any depth of tuples and optionals.
pub fn each_owner(desc: &TypeDesc, mut slots: &[i64], mut act: impl FnMut(*mut Owner)) {
    fn walk(desc: &TypeDesc, slots: &mut &[i64], act: &mut dyn FnMut(*mut Owner)) {
        if let TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) = desc {
            return items.iter().for_each(|item| walk(item, slots, act));
        }
        let (own, rest) = slots.split_at(desc.slots());
        *slots = rest;
        if let TypeDesc::Optional(inner) = desc {
            // None has null owners.
            walk(inner, &mut &own[..inner.slots()], act);
        }
        if let TypeDesc::Array(_)
        | TypeDesc::List(_)
        | TypeDesc::Dict(_)
        | TypeDesc::Set(_)
        | TypeDesc::Str
        | TypeDesc::Bytes = desc
        {
            act(own[0] as *mut Owner);
        }
    }
    walk(desc, &mut slots, &mut act);
}
