//! The part of NumPy's C API that passing arrays needs.
//!
//! The structures are read in place: the fields used here have the same offsets in NumPy 1.x and 2.x, and
//! reading them costs a few instructions where a binding would make a call or allocate.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use pyopt_dialects::times::Unit;

use crate::records;
use crate::types::Elem;

/// `NPY_ARRAY_C_CONTIGUOUS`.
pub const C_CONTIGUOUS: c_int = 0x1;
/// `NPY_ARRAY_F_CONTIGUOUS`.
pub const F_CONTIGUOUS: c_int = 0x2;
/// `NPY_ARRAY_ALIGNED`.
pub const ALIGNED: c_int = 0x100;
/// `NPY_ARRAY_WRITEABLE`.
pub const WRITEABLE: c_int = 0x400;

/// The head of `PyArrayObject`.
#[repr(C)]
pub struct Array {
    ob_base: PyObject,
    /// First element.
    pub data: *mut c_void,
    /// Number of dimensions.
    pub nd: c_int,
    /// Extents.
    pub dimensions: *const isize,
    /// Strides in bytes.
    pub strides: *const isize,
    base: *mut PyObject,
    /// The dtype.
    pub descr: *const Descr,
    /// `NPY_ARRAY_…` bits.
    pub flags: c_int,
}

/// The head of `PyArray_Descr`.
#[repr(C)]
pub struct Descr {
    ob_base: PyObject,
    typeobj: *mut PyTypeObject,
    kind: u8,
    type_: u8,
    /// `=`, `<`, `>` or `|`.
    pub byteorder: u8,
    former_flags: u8,
    /// `NPY_TYPES`.
    pub type_num: c_int,
}

/// `PyArray_DatetimeMetaData`: the unit of a time.
#[repr(C)]
pub struct TimeUnit {
    /// `NPY_DATETIMEUNIT`.
    base: c_int,
    /// So many of them are one.
    count: c_int,
}

/// `PyVoidScalarObject`: a record.
#[repr(C)]
struct VoidScalar {
    ob_base: ffi::PyVarObject,
    /// Its bytes.
    value: *mut c_void,
    /// The dtype.
    descr: *const Descr,
}

/// `numpy.datetime64(…)` or `numpy.timedelta64(…)`.
#[repr(C)]
pub struct TimeScalar {
    ob_base: PyObject,
    /// So many units.
    pub value: i64,
    unit: TimeUnit,
}

/// A scalar such as `numpy.float32(1)`: its value follows the object's head.
#[repr(C)]
pub struct ScalarObject {
    ob_base: PyObject,
    /// Where the value begins.
    pub value: [u8; 0],
}

type NewFromDescr = unsafe extern "C" fn(
    *mut PyTypeObject,
    *mut Descr,
    c_int,
    *const isize,
    *const isize,
    *mut c_void,
    c_int,
    *mut PyObject,
) -> *mut PyObject;

/// Type objects and functions of the loaded NumPy.
pub struct Api {
    /// `numpy.ndarray`.
    pub array_type: *mut PyTypeObject,
    /// `numpy.dtype`.
    pub descr_type: *mut PyTypeObject,
    /// `numpy.void`.
    void_type: *mut PyTypeObject,
    /// `numpy.datetime64`.
    datetime_type: *mut PyTypeObject,
    /// `numpy.timedelta64`.
    timedelta_type: *mut PyTypeObject,
    /// Where a dtype keeps its auxiliary data, in bytes behind the object's head.
    auxiliary_at: usize,
    scalar_types: [(*mut PyTypeObject, Elem); SCALARS.len()],
    descr_from_type: unsafe extern "C" fn(c_int) -> *mut Descr,
    new_from_descr: NewFromDescr,
    returned: unsafe extern "C" fn(*mut PyObject) -> *mut PyObject,
    scalar: unsafe extern "C" fn(*mut c_void, *mut Descr, *mut PyObject) -> *mut PyObject,
    set_base_object: unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int,
    new_copy: unsafe extern "C" fn(*mut PyObject, c_int) -> *mut PyObject,
}

/// Slots of the scalar types in NumPy's table, the usual ones first.
const SCALARS: [(usize, Elem); 16] = [
    (31, Elem::F64),
    (23, Elem::I64),
    (30, Elem::F32),
    (22, Elem::I32),
    (8, Elem::Bool),
    (25, Elem::U8),
    (20, Elem::I8),
    (21, Elem::I16),
    (26, Elem::U16),
    (27, Elem::U32),
    (28, Elem::U64),
    (24, Elem::I64),
    (29, Elem::U64),
    (34, Elem::C128),
    (33, Elem::C64),
    (217, Elem::F16),
];

/// `NPY_TYPES` of each element type this side makes arrays of, by code of [`Elem`].
const TYPE_NUMS: [c_int; 14] = [0, 1, 3, 5, 7, 2, 4, 6, 8, 23, 11, 12, 14, 15];
/// The version of the ABI from which on dtypes have NumPy 2's form.
const NUMPY_2: c_uint = 0x0200_0000;
/// Bytes of `NpyAuxData`.
const AUXILIARY_HEAD: usize = 32;
/// `NPY_VOID`.
const VOID: c_int = 20;
/// `NPY_DATETIME`.
const DATETIME: c_int = 21;
/// `NPY_TIMEDELTA`.
const TIMEDELTA: c_int = 22;

/// The element type of a dtype's `type_num`; `None` for those that compiled code can't hold.
#[inline]
pub fn elem_of(type_num: c_int) -> Option<Elem> {
    let elem = match type_num {
        0 => Elem::Bool,
        1 => Elem::I8,
        2 => Elem::U8,
        3 => Elem::I16,
        4 => Elem::U16,
        5 => Elem::I32,
        6 => Elem::U32,
        7 | 9 => Elem::I64,
        8 | 10 => Elem::U64,
        11 => Elem::F32,
        12 => Elem::F64,
        14 => Elem::C64,
        15 => Elem::C128,
        23 => Elem::F16,
        _ => return None,
    };
    Some(elem)
}

impl TimeUnit {
    /// The unit, if it is one and not several.
    fn unit(&self) -> Option<Unit> {
        Unit::from_number(self.base).filter(|_| self.count == 1)
    }
}

static API: AtomicPtr<Api> = AtomicPtr::new(ptr::null_mut());

/// The API that [`load`] found.
#[inline]
pub fn api() -> &'static Api {
    // SAFETY: `load` runs when the extension is initialised, before anything else of it can be reached, and
    // what it stores is never freed.
    unsafe { &*API.load(Ordering::Relaxed) }
}

/// A table of NumPy's C API.
fn table(py: Python<'_>, name: &str) -> PyResult<*const *mut c_void> {
    // NumPy 2 moved the module and warns about the old name.
    let module = py
        .import("numpy._core._multiarray_umath")
        .or_else(|_| py.import("numpy.core._multiarray_umath"))?;
    let capsule = module.getattr(name)?.cast_into::<PyCapsule>()?;
    // SAFETY: NumPy's capsules hold their tables and carry no name.
    let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), ptr::null()) };
    match table.is_null() {
        true => Err(PyImportError::new_err("numpy offers no C API")),
        false => Ok(table.cast()),
    }
}

/// The C API of universal functions.
pub fn umath(py: Python<'_>) -> PyResult<*const *mut c_void> {
    table(py, "_UFUNC_API")
}

/// Imports NumPy and reads its table; part of the extension's initialisation.
pub fn load(py: Python<'_>) -> PyResult<()> {
    let table = table(py, "_ARRAY_API")?;
    // SAFETY: the indices are part of NumPy's stable ABI.
    let api = unsafe {
        let slot = |index: usize| *table.add(index);
        Api {
            array_type: slot(2).cast(),
            descr_type: slot(3).cast(),
            auxiliary_at: match std::mem::transmute::<*mut c_void, extern "C" fn() -> c_uint>(slot(
                0,
            ))() {
                ..NUMPY_2 => 64,
                _ => 96,
            },
            void_type: slot(39).cast(),
            datetime_type: slot(215).cast(),
            timedelta_type: slot(216).cast(),
            scalar_types: SCALARS.map(|(index, elem)| (slot(index).cast(), elem)),
            descr_from_type: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(c_int) -> *mut Descr,
            >(slot(45)),
            new_from_descr: std::mem::transmute::<*mut c_void, NewFromDescr>(slot(94)),
            returned: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut PyObject) -> *mut PyObject,
            >(slot(76)),
            scalar: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut c_void, *mut Descr, *mut PyObject) -> *mut PyObject,
            >(slot(60)),
            set_base_object: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int,
            >(slot(282)),
            new_copy: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut PyObject, c_int) -> *mut PyObject,
            >(slot(85)),
        }
    };
    API.store(Box::into_raw(Box::new(api)), Ordering::Release);
    Ok(())
}

impl Api {
    /// The element type that a scalar type such as `numpy.int32` stands for.
    #[inline]
    pub fn scalar_elem(&self, ty: *mut PyTypeObject) -> Option<Elem> {
        self.scalar_types
            .iter()
            .find(|entry| entry.0 == ty)
            .map(|entry| entry.1)
    }

    /// An array over existing memory, kept alive by `base`, whose reference it takes in any case.
    ///
    /// # Safety
    /// The GIL is held, `base` is an owned reference, and `data` with the shape and the strides (in bytes)
    /// describes memory that lives as long as `base`.
    pub unsafe fn new_array(
        &self,
        elem: Elem,
        shape: &[isize],
        strides: &[isize],
        data: *mut c_void,
        writeable: bool,
        base: *mut PyObject,
    ) -> *mut PyObject {
        let flags = if writeable { WRITEABLE } else { 0 };
        // SAFETY: forwarded.
        let descr = unsafe { self.dtype(elem) };
        if descr.is_null() {
            // SAFETY: the GIL is held, and the reference is ours.
            unsafe { ffi::Py_DECREF(base) };
            return ptr::null_mut();
        }
        // SAFETY: the caller vouches for the memory.
        // NewFromDescr takes the dtype's reference and SetBaseObject the base's, also when they fail.
        unsafe {
            let array = (self.new_from_descr)(
                self.array_type,
                descr.cast(),
                shape.len() as c_int,
                shape.as_ptr(),
                strides.as_ptr(),
                data,
                flags,
                ptr::null_mut(),
            );
            if array.is_null() {
                ffi::Py_DECREF(base);
            } else if (self.set_base_object)(array, base) < 0 {
                ffi::Py_DECREF(array);
                return ptr::null_mut();
            }
            array
        }
    }

    /// The dtype object of an element type; null with an exception set if it can't be made.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn dtype(&self, elem: Elem) -> *mut PyObject {
        if let Elem::Record(slot) = elem {
            // SAFETY: the GIL is held.
            return records::dtype(unsafe { Python::assume_attached() }, slot).into_ptr();
        }
        let Some(name) = elem.time_name() else {
            // SAFETY: the GIL is held; builtin dtypes always exist.
            return unsafe { (self.descr_from_type)(TYPE_NUMS[usize::from(elem.code())]).cast() };
        };
        // SAFETY: the GIL is held; the type object lives as long as NumPy.
        unsafe {
            let name = PyString::new(Python::assume_attached(), &name);
            ffi::PyObject_CallOneArg(self.descr_type.cast(), name.as_ptr())
        }
    }

    /// What a datetime64 or timedelta64 scalar is; `None` for other objects, and for those whose unit is
    /// several of one.
    ///
    /// # Safety
    /// The GIL is held and `object` is alive.
    pub unsafe fn time_scalar(&self, object: *mut PyObject) -> Option<(Elem, i64)> {
        // SAFETY: the type is checked before the object is read as such.
        unsafe {
            let ty = ffi::Py_TYPE(object);
            let elem = if ty == self.datetime_type {
                Elem::Datetime
            } else if ty == self.timedelta_type {
                Elem::Timedelta
            } else {
                return None;
            };
            let scalar = &*object.cast::<TimeScalar>();
            Some((elem(scalar.unit.unit()?), scalar.value))
        }
    }

    /// A datetime64 or timedelta64 scalar; null with an exception set if it can't be made.
    ///
    /// # Safety
    /// The GIL is held, and `elem` is a type of times.
    pub unsafe fn new_time(&self, elem: Elem, value: i64) -> *mut PyObject {
        // SAFETY: the GIL is held; PyArray_Scalar copies the eight bytes of a value of the dtype.
        unsafe {
            let descr = self.dtype(elem);
            if descr.is_null() {
                return descr;
            }
            let value = (&raw const value).cast_mut().cast();
            let scalar = (self.scalar)(value, descr.cast(), ptr::null_mut());
            ffi::Py_DECREF(descr);
            scalar
        }
    }

    /// The element type of a dtype in native byte order.
    ///
    /// # Safety
    /// The GIL is held and `descr` is alive.
    #[inline]
    pub unsafe fn elem(&self, descr: *const Descr) -> Option<Elem> {
        let swapped = if cfg!(target_endian = "little") {
            b'>'
        } else {
            b'<'
        };
        // SAFETY: forwarded.
        unsafe {
            if (*descr).byteorder == swapped {
                return None;
            }
            elem_of((*descr).type_num).or_else(|| self.rare_elem(descr))
        }
    }

    /// # Safety
    /// As [`Self::elem`].
    #[cold]
    unsafe fn rare_elem(&self, descr: *const Descr) -> Option<Elem> {
        // SAFETY: forwarded.
        unsafe {
            if (*descr).type_num != VOID {
                return self.time_elem(descr);
            }
            let py = Python::assume_attached();
            let dtype = Bound::from_borrowed_ptr(py, descr.cast_mut().cast());
            records::slot(&dtype).ok().map(Elem::Record)
        }
    }

    /// A record scalar; `None` for other objects.
    ///
    /// # Safety
    /// The GIL is held and `object` is alive.
    pub unsafe fn record_scalar(&self, object: *mut PyObject) -> Option<(Elem, *mut c_void)> {
        // SAFETY: the type is checked before the object is read as such.
        unsafe {
            if ffi::PyType_IsSubtype(ffi::Py_TYPE(object), self.void_type) == 0 {
                return None;
            }
            let scalar = &*object.cast::<VoidScalar>();
            match self.elem(scalar.descr)? {
                elem @ Elem::Record(_) => Some((elem, scalar.value)),
                _ => None,
            }
        }
    }

    /// The scalar of an array without dimensions, whose reference it takes.
    ///
    /// # Safety
    /// The GIL is held and `array` is an array, or null.
    pub unsafe fn scalar_of(&self, array: *mut PyObject) -> *mut PyObject {
        match array.is_null() {
            true => array,
            // SAFETY: forwarded.
            false => unsafe { (self.returned)(array) },
        }
    }

    /// The element type of a dtype of times.
    ///
    /// # Safety
    /// The GIL is held and `descr` is alive.
    unsafe fn time_elem(&self, descr: *const Descr) -> Option<Elem> {
        // SAFETY: dtypes of times hold their unit, behind the head of auxiliary data, where this
        // version of NumPy keeps it.
        unsafe {
            let elem = match (*descr).type_num {
                DATETIME => Elem::Datetime,
                TIMEDELTA => Elem::Timedelta,
                _ => return None,
            };
            let data = *descr
                .byte_add(size_of::<PyObject>() + self.auxiliary_at)
                .cast::<*const TimeUnit>();
            (*data.byte_add(AUXILIARY_HEAD)).unit().map(elem)
        }
    }

    /// A fresh array in C order with the contents of another one.
    ///
    /// # Safety
    /// The GIL is held and `array` is an array.
    pub unsafe fn copy(&self, array: *mut PyObject) -> *mut PyObject {
        // SAFETY: forwarded; 0 is NPY_CORDER.
        unsafe { (self.new_copy)(array, 0) }
    }
}
