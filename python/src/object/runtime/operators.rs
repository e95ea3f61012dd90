//! Operators, comparisons and truth values.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

/// An operator that CPython has a function for.
macro_rules! operators {
    ($($name:ident($($operand:ident),*) = $function:ident($($argument:expr),*);)*) => {
        $(
            /// CPython's operator of this name.
            pub unsafe extern "C" fn $name($($operand: *mut PyObject),*) -> *mut PyObject {
                // SAFETY: the conventions of the module.
                unsafe { ffi::$function($($argument),*) }
            }
        )*
    };
}

operators! {
    unary_neg(operand) = PyNumber_Negative(operand);
    unary_pos(operand) = PyNumber_Positive(operand);
    unary_invert(operand) = PyNumber_Invert(operand);
    binary_truediv(lhs, rhs) = PyNumber_TrueDivide(lhs, rhs);
    binary_floordiv(lhs, rhs) = PyNumber_FloorDivide(lhs, rhs);
    binary_mod(lhs, rhs) = PyNumber_Remainder(lhs, rhs);
    binary_pow(lhs, rhs) = PyNumber_Power(lhs, rhs, ffi::Py_None());
    binary_matmul(lhs, rhs) = PyNumber_MatrixMultiply(lhs, rhs);
    binary_and(lhs, rhs) = PyNumber_And(lhs, rhs);
    binary_or(lhs, rhs) = PyNumber_Or(lhs, rhs);
    binary_xor(lhs, rhs) = PyNumber_Xor(lhs, rhs);
    binary_lshift(lhs, rhs) = PyNumber_Lshift(lhs, rhs);
    binary_rshift(lhs, rhs) = PyNumber_Rshift(lhs, rhs);
    inplace_truediv(lhs, rhs) = PyNumber_InPlaceTrueDivide(lhs, rhs);
    inplace_floordiv(lhs, rhs) = PyNumber_InPlaceFloorDivide(lhs, rhs);
    inplace_mod(lhs, rhs) = PyNumber_InPlaceRemainder(lhs, rhs);
    inplace_pow(lhs, rhs) = PyNumber_InPlacePower(lhs, rhs, ffi::Py_None());
    inplace_matmul(lhs, rhs) = PyNumber_InPlaceMatrixMultiply(lhs, rhs);
    inplace_and(lhs, rhs) = PyNumber_InPlaceAnd(lhs, rhs);
    inplace_or(lhs, rhs) = PyNumber_InPlaceOr(lhs, rhs);
    inplace_xor(lhs, rhs) = PyNumber_InPlaceXor(lhs, rhs);
    inplace_lshift(lhs, rhs) = PyNumber_InPlaceLshift(lhs, rhs);
    inplace_rshift(lhs, rhs) = PyNumber_InPlaceRshift(lhs, rhs);
}

/// The value of an int of at most one digit; CPython's layout of ints.
///
/// # Safety
/// The object is live.
#[inline(always)]
pub unsafe fn small_int(object: *mut PyObject) -> Option<i64> {
    #[repr(C)]
    struct Int {
        base: ffi::PyVarObject,
        digit: u32,
    }
    // SAFETY: the caller's promise; the type is compared before the fields are read, and an int
    // of size zero has room for a digit too, which isn't used.
    unsafe {
        if ffi::Py_TYPE(object) != &raw mut ffi::PyLong_Type {
            return None;
        }
        let int = object.cast::<Int>();
        match (*int).base.ob_size {
            0 => Some(0),
            1 => Some(i64::from((*int).digit)),
            -1 => Some(-i64::from((*int).digit)),
            _ => None,
        }
    }
}

/// The value of a float.
///
/// # Safety
/// The object is live.
unsafe fn float(object: *mut PyObject) -> Option<f64> {
    // SAFETY: the caller's promise; the type is compared first.
    unsafe {
        (ffi::Py_TYPE(object) == &raw mut ffi::PyFloat_Type).then(|| ffi::PyFloat_AS_DOUBLE(object))
    }
}

/// Arithmetic with a short way for small ints and for floats.
macro_rules! arithmetic {
    ($($name:ident $operator:tt $function:ident;)*) => {
        $(
            /// CPython's operator of this name.
            pub unsafe extern "C" fn $name(lhs: *mut PyObject, rhs: *mut PyObject) -> *mut PyObject {
                // SAFETY: the conventions of the module. Digits have 30 bits: nothing overflows.
                unsafe {
                    if let Some(x) = small_int(lhs) {
                        if let Some(y) = small_int(rhs) {
                            return ffi::PyLong_FromLongLong(x $operator y);
                        }
                    } else if let (Some(x), Some(y)) = (float(lhs), float(rhs)) {
                        return ffi::PyFloat_FromDouble(x $operator y);
                    }
                    ffi::$function(lhs, rhs)
                }
            }
        )*
    };
}

arithmetic! {
    binary_add + PyNumber_Add;
    binary_sub - PyNumber_Subtract;
    binary_mul * PyNumber_Multiply;
    inplace_add + PyNumber_InPlaceAdd;
    inplace_sub - PyNumber_InPlaceSubtract;
    inplace_mul * PyNumber_InPlaceMultiply;
}

/// `local += rhs`: a string that nothing but the local holds grows where it is.
pub unsafe extern "C" fn add_to_local(local: *mut *mut PyObject, rhs: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module; the local is bound.
    unsafe {
        let old = *local;
        let text = ffi::PyUnicode_CheckExact(old) != 0 && ffi::PyUnicode_CheckExact(rhs) != 0;
        if text && ffi::Py_REFCNT(old) == 1 {
            ffi::PyUnicode_Append(local, rhs);
            return if (*local).is_null() { -1 } else { 0 };
        }
        let sum = inplace_add(old, rhs);
        if sum.is_null() {
            return -1;
        }
        // The local may have been changed meanwhile by whoever looks at the frame.
        ffi::Py_XDECREF(std::mem::replace(&mut *local, sum));
        0
    }
}

/// How two small ints or two floats compare; none for anything else.
///
/// # Safety
/// The objects are live.
unsafe fn compare_numbers(lhs: *mut PyObject, rhs: *mut PyObject, operator: c_int) -> Option<bool> {
    fn answer<T: PartialOrd>(x: T, y: T, operator: c_int) -> bool {
        match operator {
            ffi::Py_LT => x < y,
            ffi::Py_LE => x <= y,
            ffi::Py_EQ => x == y,
            ffi::Py_NE => x != y,
            ffi::Py_GT => x > y,
            _ => x >= y,
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(x) = small_int(lhs) {
            return Some(answer(x, small_int(rhs)?, operator));
        }
        Some(answer(float(lhs)?, float(rhs)?, operator))
    }
}

/// A rich comparison, with CPython's numbers for the operators.
pub unsafe extern "C" fn compare(
    lhs: *mut PyObject,
    rhs: *mut PyObject,
    operator: c_int,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_RichCompare(lhs, rhs, operator) }
}

/// The truth value of a rich comparison. Unlike CPython's function for it this asks identical
/// objects too, as the evaluation loop does.
pub unsafe extern "C" fn compare_truth(
    lhs: *mut PyObject,
    rhs: *mut PyObject,
    operator: c_int,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        if let Some(answer) = compare_numbers(lhs, rhs, operator) {
            return answer.into();
        }
        let result = ffi::PyObject_RichCompare(lhs, rhs, operator);
        if result.is_null() {
            return -1;
        }
        let status = truth(result);
        ffi::Py_DECREF(result);
        status
    }
}

/// `item in container`.
pub unsafe extern "C" fn contains(item: *mut PyObject, container: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PySequence_Contains(container, item) }
}

/// The truth value of an object.
pub unsafe extern "C" fn truth(object: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        if object == ffi::Py_True() {
            return 1;
        }
        if object == ffi::Py_False() || object == ffi::Py_None() {
            return 0;
        }
        ffi::PyObject_IsTrue(object)
    }
}
