//! Where CPython 3.11 keeps attributes: dicts and their keys, the values of instances without a
//! dict, slots; and what methods of builtin types are.

use std::mem::offset_of;

use pyo3::ffi::{self, PyObject, PyTypeObject};

/// `PyDictObject`.
#[repr(C)]
pub struct Dict {
    base: PyObject,
    used: ffi::Py_ssize_t,
    /// Changes with every change; no two dicts have the same but two empty ones.
    pub version: u64,
    keys: *mut Keys,
    values: *mut *mut PyObject,
}

/// `PyDictKeysObject` up to its table.
#[repr(C)]
pub struct Keys {
    references: ffi::Py_ssize_t,
    log2_size: u8,
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: ffi::Py_ssize_t,
    /// Entries in use or deleted. An instance's shared keys only ever get more.
    pub count: ffi::Py_ssize_t,
    table: [u8; 0],
}

/// `PyDictUnicodeEntry`.
#[repr(C)]
struct Entry {
    key: *mut PyObject,
    value: *mut PyObject,
}

/// The kind of [`Keys`] that may be other than strings, whose entries look otherwise.
const GENERAL: u8 = 0;

unsafe extern "C" {
    fn _PyDict_GetItem_KnownHash(
        dict: *mut PyObject,
        key: *mut PyObject,
        hash: ffi::Py_hash_t,
    ) -> *mut PyObject;
}

/// The hash of a string that is interned and so has been hashed.
unsafe fn hash(name: *mut PyObject) -> ffi::Py_hash_t {
    // SAFETY: behind the head of a string are its length and its hash.
    unsafe { *name.cast::<ffi::Py_hash_t>().add(3) }
}

impl Keys {
    unsafe fn entries(this: *mut Keys) -> *mut Entry {
        // SAFETY: the caller has live keys that aren't general ones; the table has this size.
        unsafe {
            let table = this.byte_add(offset_of!(Keys, table));
            table.byte_add(1 << (*this).log2_index_bytes).cast()
        }
    }

    /// The entry of a key, found by identity.
    unsafe fn find(this: *mut Keys, name: *mut PyObject) -> Option<u32> {
        // SAFETY: as `entries`; so many are there.
        unsafe {
            let entries = Self::entries(this);
            let count = u32::try_from((*this).count).ok()?;
            (0..count).find(|index| (*entries.add(*index as usize)).key == name)
        }
    }
}

impl Dict {
    /// The entry of a string, found by identity; none for dicts that don't only have strings.
    ///
    /// # Safety
    /// `this` is a live dict.
    pub unsafe fn find(this: *mut Dict, name: *mut PyObject) -> Option<u32> {
        // SAFETY: the caller's promise; the kind is that of the entries.
        unsafe {
            match (*(*this).keys).kind {
                GENERAL => None,
                _ => Keys::find((*this).keys, name),
            }
        }
    }

    /// The value of a key whose entry may be the given one; null when it isn't.
    ///
    /// # Safety
    /// `this` is a live dict.
    #[inline]
    pub unsafe fn at(this: *mut Dict, index: u32, name: *mut PyObject) -> *mut PyObject {
        // SAFETY: the caller's promise; kind and count are those of the entries.
        unsafe {
            let keys = (*this).keys;
            let index = index as usize;
            if (*keys).kind != GENERAL && index < (*keys).count as usize {
                let entry = Keys::entries(keys).add(index);
                if (*entry).key == name {
                    return match (*this).values.is_null() {
                        true => (*entry).value,
                        false => *(*this).values.add(index),
                    };
                }
            }
            std::ptr::null_mut()
        }
    }

    /// Whether a dict certainly lacks an interned string. Runs no Python code.
    ///
    /// # Safety
    /// `this` is a live dict.
    pub unsafe fn lacks(this: *mut Dict, name: *mut PyObject) -> bool {
        // SAFETY: the caller's promise; strings are compared without calling anything.
        unsafe {
            (*this).used == 0
                || (*(*this).keys).kind != GENERAL
                    && _PyDict_GetItem_KnownHash(this.cast(), name, hash(name)).is_null()
        }
    }
}

/// An object whose dict CPython manages: the words in front of it and of the collector's.
pub struct Managed;

/// The flag of types with managed dicts: `Py_TPFLAGS_MANAGED_DICT`.
const MANAGED: u64 = 1 << 4;

/// Where such an object's dict is, in bytes behind the object.
const MANAGED_DICT: i32 = -24;

impl Managed {
    /// Whether a type's instances are such.
    ///
    /// # Safety
    /// The type is live.
    pub unsafe fn is(ty: *mut PyTypeObject) -> bool {
        // SAFETY: the caller's promise.
        unsafe { (*ty).tp_flags & MANAGED != 0 }
    }

    /// The values of an object that has no dict yet, else null.
    ///
    /// # Safety
    /// The object is live and of such a type.
    #[inline]
    pub unsafe fn values(object: *mut PyObject) -> *mut *mut PyObject {
        // SAFETY: the caller's promise.
        unsafe { *object.cast::<*mut *mut PyObject>().sub(4) }
    }

    /// Says that a value that wasn't there is the newest one.
    ///
    /// # Safety
    /// The values are an object's, and the index that of a key its type has.
    #[inline]
    pub unsafe fn append(values: *mut *mut PyObject, index: u32) {
        // SAFETY: in front of the values are their number and their order, growing downwards,
        // with room for all keys.
        unsafe {
            let size = values.cast::<u8>().sub(2);
            let count = *size + 1;
            *size.sub(usize::from(count)) = index as u8;
            *size = count;
        }
    }

    /// The keys that the instances of a type share.
    ///
    /// # Safety
    /// The type is live and its instances are such.
    #[inline]
    pub unsafe fn keys(ty: *mut PyTypeObject) -> *mut Keys {
        // SAFETY: only types made by `class` have such instances.
        unsafe { (*ty.cast::<ffi::PyHeapTypeObject>()).ht_cached_keys.cast() }
    }

    /// The place of a name among the values of a type's instances.
    ///
    /// # Safety
    /// As [`Self::keys`].
    pub unsafe fn find(ty: *mut PyTypeObject, name: *mut PyObject) -> Option<u32> {
        // SAFETY: the caller's promise; shared keys are strings.
        unsafe {
            let keys = Self::keys(ty);
            if keys.is_null() {
                return None;
            }
            Keys::find(keys, name)
        }
    }
}

/// Where instances of a type have their dict, in bytes behind the object: zero for none, none for a
/// place that depends on the object.
///
/// # Safety
/// The type is live.
pub unsafe fn dict_place(ty: *mut PyTypeObject) -> Option<i32> {
    // SAFETY: the caller's promise.
    unsafe {
        if Managed::is(ty) {
            return Some(MANAGED_DICT);
        }
        let offset = i32::try_from((*ty).tp_dictoffset).ok()?;
        (offset >= 0).then_some(offset)
    }
}

/// The dict of an object, or null.
///
/// # Safety
/// The object is live and has its dict there.
#[inline]
pub unsafe fn dict_at(object: *mut PyObject, place: i32) -> *mut Dict {
    // SAFETY: the caller's promise.
    unsafe { *object.byte_offset(place as isize).cast::<*mut Dict>() }
}

/// The start of what describes a member or a method of a type: `PyDescrObject`.
#[repr(C)]
struct Descriptor {
    base: PyObject,
    class: *mut PyTypeObject,
    name: *mut PyObject,
    qualified_name: *mut PyObject,
    described: *mut std::ffi::c_void,
}

/// Where a slot's value is in objects of a type, if a descriptor is of such a slot.
///
/// # Safety
/// Both objects are live.
pub unsafe fn slot_place(descriptor: *mut PyObject, ty: *mut PyTypeObject) -> Option<u32> {
    // SAFETY: the type of the descriptor is compared before it is read.
    unsafe {
        if ffi::Py_TYPE(descriptor) != &raw mut ffi::PyMemberDescr_Type {
            return None;
        }
        let descriptor = descriptor.cast::<Descriptor>();
        let member = (*descriptor).described.cast::<ffi::PyMemberDef>();
        let plain = (*member).type_code == ffi::Py_T_OBJECT_EX && (*member).flags == 0;
        match plain && ffi::PyType_IsSubtype(ty, (*descriptor).class) != 0 {
            true => u32::try_from((*member).offset).ok(),
            false => None,
        }
    }
}

/// The C function of a method of a builtin type, and the type that it is for.
///
/// # Safety
/// The object is a live `PyMethodDescr_Type`.
#[inline]
pub unsafe fn method(descriptor: *mut PyObject) -> (*mut PyTypeObject, *mut ffi::PyMethodDef) {
    // SAFETY: the caller's promise.
    unsafe {
        let descriptor = descriptor.cast::<Descriptor>();
        ((*descriptor).class, (*descriptor).described.cast())
    }
}

/// `PyMethodObject`: a function with the object that it is for.
#[repr(C)]
pub struct BoundMethod {
    base: PyObject,
    /// What is called.
    pub function: *mut PyObject,
    /// Its first argument.
    pub this: *mut PyObject,
}

impl BoundMethod {
    /// A bound method, if an object is one.
    ///
    /// # Safety
    /// The object is live.
    #[inline]
    pub unsafe fn of(object: *mut PyObject) -> Option<*mut BoundMethod> {
        unsafe extern "C" {
            static mut PyMethod_Type: PyTypeObject;
        }
        // SAFETY: the caller's promise.
        let is = unsafe { ffi::Py_TYPE(object) } == &raw mut PyMethod_Type;
        is.then_some(object.cast())
    }
}

const _: () = {
    assert!(offset_of!(Keys, count) == 24 && offset_of!(Keys, table) == 32);
    assert!(offset_of!(Dict, keys) == 32 && offset_of!(Descriptor, described) == 40);
};
