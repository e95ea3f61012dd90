//! What crosses the border between a process and a library that it loads: C's types alone.

use mlir_sys::MlirOperation;
use std::{ffi::c_void, slice, str};

/// The version of this interface. The first number of a table says it.
pub const VERSION: u32 = 1;

/// The name of the function that gives the table: [`Entry`].
pub const ENTRY: &str = "pyopt_plugin";

/// The function that gives the table, which lives as long as the library.
pub type Entry = unsafe extern "C" fn() -> *const Table;

/// What a library adds.
#[repr(C)]
pub struct Table {
    /// [`VERSION`].
    pub version: u32,
    /// The address that the library's MLIR has for the identity of integer types. Two MLIRs have two.
    pub mlir: unsafe extern "C" fn() -> *const c_void,
    /// The extension's name.
    pub name: Text,
    /// The version of its code.
    pub code: Text,
    /// Dialects without C++: a module in MLIR's dialect `irdl`, or nothing.
    pub irdl: Text,
    /// Passes.
    pub passes: List<Pass>,
    /// Where they run.
    pub at: List<Placed>,
}

// SAFETY: what a table points to is never changed.
unsafe impl Sync for Table {}

/// UTF-8 that lives as long as the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const u8,
    length: usize,
}

impl Text {
    /// A text.
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

/// Values that live as long as the library.
#[repr(C)]
pub struct List<T> {
    data: *const T,
    length: usize,
}

impl<T: 'static> List<T> {
    /// A list.
    pub const fn new(values: &'static [T]) -> Self {
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

/// A pass.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name in pipelines.
    pub name: Text,
    /// One line about it.
    pub summary: Text,
    /// The operation that it runs on; nothing for any.
    pub anchor: Text,
    /// Changes an operation; `false` where it failed, which it has told why.
    pub run: unsafe extern "C" fn(MlirOperation, *const Sink) -> bool,
}

// SAFETY: as of tables.
unsafe impl Sync for Pass {}
// SAFETY: as of tables.
unsafe impl Send for Pass {}

/// Passes at a place in the pipelines.
#[repr(C)]
pub struct Placed {
    /// The place: a point, or `before:PASS` or `after:PASS`.
    pub place: Text,
    /// The passes, as in a textual pipeline.
    pub passes: Text,
}

// SAFETY: as of tables.
unsafe impl Sync for Placed {}

/// Where a pass says why it failed.
#[repr(C)]
pub struct Sink {
    /// For `fail` alone.
    pub state: *mut c_void,
    /// Takes the reason.
    pub fail: unsafe extern "C" fn(*mut c_void, Text),
}
