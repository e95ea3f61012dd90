//! Texts and lists as C has them, and where a function says why it failed.

use std::{ffi::c_void, ptr, slice, str};

/// UTF-8, which lives as long as whoever hands it over says.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const u8,
    length: usize,
}

impl Text {
    /// A text that lives as long as the library.
    pub const fn new(text: &'static str) -> Self {
        Self::borrowed(text)
    }

    /// A text for the time of a call.
    pub const fn borrowed(text: &str) -> Self {
        Self {
            data: text.as_ptr(),
            length: text.len(),
        }
    }

    /// Reads it.
    ///
    /// # Safety
    ///
    /// The bytes are there, for as long as the result is used.
    pub unsafe fn read<'t>(self) -> Result<&'t str, str::Utf8Error> {
        match self.length {
            0 => Ok(""),
            // SAFETY: the caller says so.
            length => str::from_utf8(unsafe { slice::from_raw_parts(self.data, length) }),
        }
    }
}

/// Values one behind the other, which live as long as whoever hands them over says.
#[repr(C)]
pub struct List<T> {
    data: *const T,
    length: usize,
}

impl<T> List<T> {
    /// A list that lives as long as the library.
    pub const fn new(values: &'static [T]) -> Self {
        Self::borrowed(values)
    }

    /// A list for the time of a call.
    pub const fn borrowed(values: &[T]) -> Self {
        Self {
            data: values.as_ptr(),
            length: values.len(),
        }
    }

    /// Reads it.
    ///
    /// # Safety
    ///
    /// The values are there, for as long as the result is used.
    pub unsafe fn read<'t>(&self) -> &'t [T] {
        match self.length {
            0 => &[],
            // SAFETY: the caller says so.
            length => unsafe { slice::from_raw_parts(self.data, length) },
        }
    }
}

/// Where a function says why it failed.
#[repr(C)]
pub struct Sink {
    /// For `fail` alone.
    pub state: *mut c_void,
    /// Takes the reason.
    pub fail: unsafe extern "C" fn(*mut c_void, Text),
}

impl Sink {
    /// Has a call say into a text why it failed.
    pub fn read<R>(call: impl FnOnce(*const Self) -> R) -> (R, String) {
        unsafe extern "C" fn fail(state: *mut c_void, reason: Text) {
            // SAFETY: the state is the text below, and the reason lives through the call.
            let (into, reason) = unsafe { (&mut *state.cast::<String>(), reason.read()) };
            into.push_str(reason.unwrap_or("a reason that isn't UTF-8"));
        }
        let mut reason = String::new();
        let sink = Self {
            state: ptr::from_mut(&mut reason).cast(),
            fail,
        };
        let result = call(&raw const sink);
        (result, reason)
    }

    /// Says why something failed.
    ///
    /// # Safety
    ///
    /// The sink is one of [`Self::read`], within its call.
    pub unsafe fn say(sink: *const Self, reason: &str) {
        // SAFETY: the caller says so; the text is read before the function returns.
        unsafe { ((*sink).fail)((*sink).state, Text::borrowed(reason)) };
    }
}
