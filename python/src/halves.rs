//! Floats of two bytes, which the interpreter converts.

#[cfg(not(Py_3_11))]
use private::{PyFloat_Pack2, PyFloat_Unpack2};
use pyo3::ffi;
#[cfg(Py_3_11)]
use pyo3::ffi::{PyFloat_Pack2, PyFloat_Unpack2};

/// What the functions are before 3.11, which made them public.
#[cfg(not(Py_3_11))]
mod private {
    use std::ffi::{c_char, c_int};

    unsafe extern "C" {
        #[link_name = "_PyFloat_Pack2"]
        pub fn PyFloat_Pack2(value: f64, bytes: *mut c_char, is_little_endian: c_int) -> c_int;
        #[link_name = "_PyFloat_Unpack2"]
        pub fn PyFloat_Unpack2(bytes: *const c_char, is_little_endian: c_int) -> f64;
    }
}

/// The bits nearest to a value. One beyond the range becomes infinite, as in NumPy.
///
/// # Safety
/// The GIL is held.
pub unsafe fn to_bits(value: f64) -> u16 {
    let mut bytes = [0u8; 2];
    // SAFETY: two bytes are writable, in the order that the last argument says.
    let failed = unsafe { PyFloat_Pack2(value, bytes.as_mut_ptr().cast(), 1) } != 0;
    if failed {
        // SAFETY: the GIL is held, and the OverflowError was set just now.
        unsafe { ffi::PyErr_Clear() };
        return if value < 0.0 { 0xfc00 } else { 0x7c00 };
    }
    u16::from_le_bytes(bytes)
}

/// The value of bits, `None` with an exception where the interpreter raises.
///
/// # Safety
/// The GIL is held.
pub unsafe fn from_bits(bits: u16) -> Option<f64> {
    let bytes = bits.to_le_bytes();
    // SAFETY: two bytes are readable, in the order that the last argument says.
    let value = unsafe { PyFloat_Unpack2(bytes.as_ptr().cast(), 1) };
    // SAFETY: the GIL is held.
    let failed = value == -1.0 && unsafe { !ffi::PyErr_Occurred().is_null() };
    (!failed).then_some(value)
}
