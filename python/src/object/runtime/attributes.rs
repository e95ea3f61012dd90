//! Attributes and methods, with a cache for each place in a function that asks for one.
//!
//! A cache remembers where an attribute was found for the type of the last object: by the type's
//! version, which changes when the type or one of its bases does. What the version doesn't cover,
//! such as another attribute in the object's own dict, is checked every time.

use std::ffi::c_int;
use std::ptr;

use pyo3::ffi::{self, PyObject, PyTypeObject};

use crate::object::layout_311::attributes::{Dict, Managed, dict_at, dict_place, slot_place};

unsafe extern "C" {
    fn _PyObject_GetMethod(
        object: *mut PyObject,
        name: *mut PyObject,
        method: *mut *mut PyObject,
    ) -> c_int;
    fn _PyType_Lookup(ty: *mut PyTypeObject, name: *mut PyObject) -> *mut PyObject;
}

/// Where an attribute is.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Place {
    /// Not known.
    Nowhere = 0,
    /// Among the values of an object without a dict: `index`.
    Value,
    /// In the object's dict: the entry `index`.
    Entry,
    /// In a slot: `index` bytes behind the object.
    Slot,
    /// In the type; its objects have no dict.
    Type,
    /// In the type, while objects have no dict and share no more than `keys` keys.
    TypeUnlessValue,
    /// In the type, if the object's dict has it not.
    TypeUnlessEntry,
    /// In the object, which is a type itself, of the version `keys`.
    Class,
}

/// What was found last; all zero at first.
#[repr(C)]
pub struct AttributeCache {
    /// The version of the type; zero matches none.
    version: u32,
    place: Place,
    /// Whether what was found is a function that wants the object as its first argument.
    binds: bool,
    /// How many misses to let pass before looking again.
    patience: u16,
    index: u32,
    keys: u32,
    /// The byte offset of the objects' dict.
    dict: i32,
    /// What the type has, which lives as long as the version.
    found: *mut PyObject,
}

/// How many misses pass behind one that filled the cache, or didn't.
const PATIENCE: u16 = 40;

impl AttributeCache {
    /// What the cache leads to, borrowed; null when it doesn't fit.
    #[inline(always)]
    unsafe fn get(&self, object: *mut PyObject, name: *mut PyObject) -> *mut PyObject {
        // SAFETY: the conventions of the module; places are those of objects of the type.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            if (*ty).tp_version_tag != self.version {
                return ptr::null_mut();
            }
            let index = self.index as usize;
            let fits = match self.place {
                Place::Nowhere => false,
                Place::Value => {
                    let values = Managed::values(object);
                    match values.is_null() {
                        true => return ptr::null_mut(),
                        false => return *values.add(index),
                    }
                }
                Place::Entry => {
                    let dict = dict_at(object, self.dict);
                    match dict.is_null() {
                        true => return dict.cast(),
                        false => return Dict::at(dict, self.index, name),
                    }
                }
                Place::Slot => return *object.byte_add(index).cast(),
                Place::Type => true,
                Place::TypeUnlessValue => {
                    let keys = Managed::keys(ty);
                    !Managed::values(object).is_null() && (*keys).count == self.keys as isize
                }
                Place::TypeUnlessEntry => {
                    let dict = dict_at(object, self.dict);
                    match dict.is_null() {
                        // Another object of the type may still have values.
                        true => !Managed::is(ty) || Managed::values(object).is_null(),
                        false => Dict::lacks(dict, name),
                    }
                }
                Place::Class => (*object.cast::<PyTypeObject>()).tp_version_tag == self.keys,
            };
            if fits { self.found } else { ptr::null_mut() }
        }
    }

    /// Looks where an attribute is, when it is time to.
    #[cold]
    unsafe fn fill(&mut self, object: *mut PyObject, name: *mut PyObject, to_call: bool) {
        if self.patience > 0 {
            self.patience -= 1;
            return;
        }
        // SAFETY: the conventions of the module.
        let found = unsafe { locate(object, name, to_call) };
        *self = found.unwrap_or_else(Self::empty);
        self.patience = PATIENCE;
    }

    fn empty() -> Self {
        Self {
            version: 0,
            place: Place::Nowhere,
            binds: false,
            patience: 0,
            index: 0,
            keys: 0,
            dict: 0,
            found: ptr::null_mut(),
        }
    }
}

/// Where an object has an attribute, if that is a place for a cache.
unsafe fn locate(
    object: *mut PyObject,
    name: *mut PyObject,
    to_call: bool,
) -> Option<AttributeCache> {
    // SAFETY: the conventions of the module.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        let getter = (*ty).tp_getattro? as usize;
        if getter == ffi::PyType_Type.tp_getattro? as usize {
            return locate_in_class(object, name);
        }
        let generic = ffi::PyObject_GenericGetAttr as *const () as usize;
        let of_modules = ffi::PyModule_Type.tp_getattro? as usize;
        if getter != generic && getter != of_modules {
            return None;
        }
        // This gives the type a version.
        let found = _PyType_Lookup(ty, name);
        let known = AttributeCache {
            version: (*ty).tp_version_tag,
            found,
            ..AttributeCache::empty()
        };
        if known.version == 0 {
            return None;
        }
        let described = |getter: bool| {
            let ty = ffi::Py_TYPE(found);
            match getter {
                true => (*ty).tp_descr_get.is_some(),
                false => (*ty).tp_descr_set.is_some(),
            }
        };
        if !found.is_null() && described(false) {
            return Some(AttributeCache {
                place: Place::Slot,
                index: slot_place(found, ty)?,
                ..known
            });
        }
        let dict = dict_place(ty)?;
        let has_values = Managed::is(ty) && !Managed::values(object).is_null();
        let own = match has_values {
            true => Managed::find(ty, name),
            false if dict == 0 || dict_at(object, dict).is_null() => None,
            false => Dict::find(dict_at(object, dict), name),
        };
        if let Some(index) = own {
            let place = match has_values {
                true => Place::Value,
                false => Place::Entry,
            };
            return Some(AttributeCache {
                place,
                index,
                dict,
                ..known
            });
        }
        if found.is_null() || getter != generic {
            return None;
        }
        let is_method = (*ffi::Py_TYPE(found)).tp_flags & ffi::Py_TPFLAGS_METHOD_DESCRIPTOR != 0;
        let binds = to_call && is_method;
        if described(true) && !binds {
            return None;
        }
        let place = match dict {
            0 => Place::Type,
            _ if has_values => Place::TypeUnlessValue,
            _ => Place::TypeUnlessEntry,
        };
        let keys = match has_values {
            true => u32::try_from((*Managed::keys(ty)).count).ok()?,
            false => 0,
        };
        Some(AttributeCache {
            place,
            binds,
            dict,
            keys,
            ..known
        })
    }
}

/// As [`locate`], of an object that is a type.
unsafe fn locate_in_class(object: *mut PyObject, name: *mut PyObject) -> Option<AttributeCache> {
    // SAFETY: the conventions of the module; the object is a type.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        let of_type = _PyType_Lookup(ty, name);
        if !of_type.is_null() && (*ffi::Py_TYPE(of_type)).tp_descr_set.is_some() {
            return None;
        }
        let found = _PyType_Lookup(object.cast(), name);
        if found.is_null() {
            return None;
        }
        // These descriptors give themselves when a class is asked.
        let of_functions = ffi::PyFunction_Type.tp_descr_get.map(|get| get as usize);
        let of_methods = ffi::PyMethodDescr_Type.tp_descr_get.map(|get| get as usize);
        let getter = (*ffi::Py_TYPE(found)).tp_descr_get.map(|get| get as usize);
        if getter.is_some() && getter != of_functions && getter != of_methods {
            return None;
        }
        let (version, keys) = (
            (*ty).tp_version_tag,
            (*object.cast::<PyTypeObject>()).tp_version_tag,
        );
        if version == 0 || keys == 0 {
            return None;
        }
        Some(AttributeCache {
            version,
            place: Place::Class,
            keys,
            found,
            ..AttributeCache::empty()
        })
    }
}

/// `object.name`.
pub unsafe extern "C" fn load_attribute(
    object: *mut PyObject,
    name: *mut PyObject,
    cache: *mut AttributeCache,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let found = (*cache).get(object, name);
        if !found.is_null() {
            return ffi::Py_NewRef(found);
        }
        (*cache).fill(object, name, false);
        ffi::PyObject_GetAttr(object, name)
    }
}

/// `object.name` to be called: a function with `this` set to the object, with a reference of its
/// own, or anything with `this` set to null.
pub unsafe extern "C" fn load_method(
    object: *mut PyObject,
    name: *mut PyObject,
    cache: *mut AttributeCache,
    this: *mut *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; `this` can be written.
    unsafe {
        let found = (*cache).get(object, name);
        if !found.is_null() {
            *this = match (*cache).binds {
                true => ffi::Py_NewRef(object),
                false => ptr::null_mut(),
            };
            return ffi::Py_NewRef(found);
        }
        (*cache).fill(object, name, true);
        let mut method = ptr::null_mut();
        let unbound = _PyObject_GetMethod(object, name, &raw mut method);
        *this = match unbound {
            0 => ptr::null_mut(),
            _ => ffi::Py_NewRef(object),
        };
        method
    }
}

/// `object.name = value`.
pub unsafe extern "C" fn store_attribute(
    object: *mut PyObject,
    name: *mut PyObject,
    value: *mut PyObject,
    cache: *mut AttributeCache,
) -> c_int {
    // SAFETY: the conventions of the module. The old value goes when the new one is in its place.
    unsafe {
        let known = &mut *cache;
        if (*ffi::Py_TYPE(object)).tp_version_tag == known.version {
            let index = known.index as usize;
            let values = match known.place {
                Place::Value => Managed::values(object),
                _ => ptr::null_mut(),
            };
            let place = match known.place {
                Place::Slot => object.byte_add(index).cast(),
                _ if !values.is_null() => values.add(index),
                _ => ptr::null_mut(),
            };
            if !place.is_null() {
                let old = std::mem::replace(&mut *place, ffi::Py_NewRef(value));
                if !old.is_null() {
                    ffi::Py_DECREF(old);
                } else if !values.is_null() {
                    Managed::append(values, known.index);
                }
                return 0;
            }
        }
        let status = ffi::PyObject_SetAttr(object, name, value);
        if status == 0 {
            let setter = (*ffi::Py_TYPE(object)).tp_setattro.map(|set| set as usize);
            if setter == Some(ffi::PyObject_GenericSetAttr as *const () as usize) {
                known.fill(object, name, false);
            }
        }
        status
    }
}

/// `del object.name`.
pub unsafe extern "C" fn delete_attribute(object: *mut PyObject, name: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module. Setting to null deletes.
    unsafe { ffi::PyObject_SetAttr(object, name, ptr::null_mut()) }
}
