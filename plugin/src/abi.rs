//! What crosses the border between a process and a library that it loads: C's types alone.

use mlir_sys::MlirOperation;
pub use pyopt_driver::{List, Sink, Text, table::Table as Driver};
use std::ffi::c_void;

/// The version of this interface. The first number of a table says it.
pub const VERSION: u32 = 2;

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
    /// Modules of Python with overloads and types, which are imported before anything is compiled.
    pub modules: List<Text>,
    /// Devices.
    pub devices: List<Device>,
}

// SAFETY: what a table points to is never changed.
unsafe impl Sync for Table {}

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

/// Devices that parallel loops run on: those of one driver.
#[repr(C)]
pub struct Device {
    /// The driver's name, the first part of its devices' names.
    pub name: Text,
    /// The code that they take: `llvm`, `spirv` or `ptx`, or else what `passes` make.
    pub code: Text,
    /// The passes that make code of the device's own, as in a textual pipeline.
    pub passes: Text,
    /// The operators and functions of floats that they don't have, with commas between.
    pub lacks: Text,
    /// Whether they take a loop; `false` where not, which it has told why.
    pub accepts: unsafe extern "C" fn(MlirOperation, *const Sink) -> bool,
    /// Gives the driver, which lives as long as the library.
    pub driver: unsafe extern "C" fn() -> *const Driver,
}

// SAFETY: as of tables.
unsafe impl Sync for Device {}
