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
    binary_add(lhs, rhs) = PyNumber_Add(lhs, rhs);
    binary_sub(lhs, rhs) = PyNumber_Subtract(lhs, rhs);
    binary_mul(lhs, rhs) = PyNumber_Multiply(lhs, rhs);
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
    inplace_add(lhs, rhs) = PyNumber_InPlaceAdd(lhs, rhs);
    inplace_sub(lhs, rhs) = PyNumber_InPlaceSubtract(lhs, rhs);
    inplace_mul(lhs, rhs) = PyNumber_InPlaceMultiply(lhs, rhs);
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
    unsafe { ffi::PyObject_IsTrue(object) }
}
