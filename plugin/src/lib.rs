//! Extensions that are loaded into a Python process with `pyopt.load_extension`.
//!
//! Such a library has no MLIR of its own: it uses the one in `pyopt._core`, against which
//! `pyopt_build::plugin` links it. It has passes over MLIR's C API, which melior wraps, dialects in IRDL, and
//! devices that parallel loops run on, whose drivers implement [`driver::Driver`].
//!
//! ```
//! use melior::ir::OperationRef;
//!
//! pyopt_plugin::plugin! {
//!     name: "idle",
//!     irdl: "",
//!     passes: [("idle-pass", "func.func", "do nothing", idle)],
//!     at: [("after-fusion", "idle-pass")],
//! }
//!
//! fn idle(_function: OperationRef) -> Result<(), String> {
//!     Ok(())
//! }
//! # fn main() {}
//! ```

pub mod abi;

pub use mlir_sys;
pub use pyopt_driver as driver;

use abi::Sink;
use melior::ir::OperationRef;
use mlir_sys::{MlirOperation, mlirIntegerTypeGetTypeID};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Defines what a library adds: its name, dialects in IRDL, passes (name, the operation that it runs on or
/// nothing for any, one line about it, function), where they run (place, passes), modules of Python with overloads and types,
/// and devices (name, the code that they take, the functions of floats that they don't have, a function that refuses
/// loops, the driver).
///
/// A pass that makes invalid operations, panics or returns an error fails the compilation, which says so. A loop that
/// a device refuses stays on the host, and the remark about it says why.
#[macro_export]
macro_rules! plugin {
    (
        name: $name:expr,
        irdl: $irdl:expr,
        passes: [$(($pass:expr, $anchor:expr, $summary:expr, $run:path)),* $(,)?],
        at: [$(($place:expr, $passes:expr)),* $(,)?]
        $(, modules: [$($module:expr),* $(,)?])?
        $(, devices: [$(($device:expr, $code:expr, $lacks:expr, $accepts:path, $driver:path)),* $(,)?])?
        $(,)?
    ) => {
        /// What this library adds, for the process that loads it.
        #[unsafe(no_mangle)]
        pub extern "C" fn pyopt_plugin() -> *const $crate::abi::Table {
            use $crate::abi::{Device, List, Pass, Placed, Table, Text, VERSION};
            static PASSES: &[Pass] = &[$(Pass {
                name: Text::new($pass),
                summary: Text::new($summary),
                anchor: Text::new($anchor),
                run: {
                    unsafe extern "C" fn pyopt_plugin_pass(
                        operation: $crate::mlir_sys::MlirOperation,
                        sink: *const $crate::abi::Sink,
                    ) -> bool {
                        // SAFETY: the process lends both for this call.
                        unsafe { $crate::run(operation, sink, $run) }
                    }
                    pyopt_plugin_pass
                },
            }),*];
            static AT: &[Placed] = &[$(Placed {
                place: Text::new($place),
                passes: Text::new($passes),
            }),*];
            static DEVICES: &[Device] = &[$($(Device {
                name: Text::new($device),
                code: Text::new($code),
                passes: Text::new(""),
                lacks: Text::new($lacks),
                accepts: {
                    unsafe extern "C" fn pyopt_plugin_accepts(
                        operation: $crate::mlir_sys::MlirOperation,
                        sink: *const $crate::abi::Sink,
                    ) -> bool {
                        // SAFETY: the process lends both for this call.
                        unsafe { $crate::run(operation, sink, $accepts) }
                    }
                    pyopt_plugin_accepts
                },
                driver: {
                    unsafe extern "C" fn pyopt_plugin_driver() -> *const $crate::abi::Driver {
                        $crate::abi::Driver::of(&$driver)
                    }
                    pyopt_plugin_driver
                },
            }),*)?];
            static TABLE: Table = Table {
                version: VERSION,
                mlir: $crate::identity,
                name: Text::new($name),
                code: Text::new(env!("CARGO_PKG_VERSION")),
                irdl: Text::new($irdl),
                passes: List::new(PASSES),
                at: List::new(AT),
                modules: List::new(&[$($(Text::new($module)),*)?]),
                devices: List::new(DEVICES),
            };
            &raw const TABLE
        }
    };
}

/// The address by which one MLIR is told from another.
///
/// # Safety
///
/// None is needed: it is the type of a function of C's.
#[doc(hidden)]
pub unsafe extern "C" fn identity() -> *const c_void {
    // SAFETY: the function takes nothing.
    unsafe { mlirIntegerTypeGetTypeID() }.ptr
}

/// Runs a pass, or asks whether a loop is taken: an error or a panic goes to the sink.
///
/// # Safety
///
/// The operation and the sink are valid for this call.
#[doc(hidden)]
pub unsafe fn run(
    operation: MlirOperation,
    sink: *const Sink,
    pass: fn(OperationRef) -> Result<(), String>,
) -> bool {
    // SAFETY: the caller lends the operation.
    let operation = unsafe { OperationRef::from_raw(operation) };
    let result = catch_unwind(AssertUnwindSafe(|| pass(operation)));
    let reason = match result {
        Ok(Ok(())) => return true,
        Ok(Err(reason)) => reason,
        Err(panic) => driver::table::panic_text(&*panic),
    };
    // SAFETY: the sink is valid, and takes the text before it returns.
    unsafe { Sink::say(sink, &reason) };
    false
}
