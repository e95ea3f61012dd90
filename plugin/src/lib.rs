//! Extensions that are loaded into a Python process with `pyopt.load_extension`.
//!
//! Such a library has no MLIR of its own: it uses the one in `pyopt._core`, against which
//! `pyopt_build::plugin` links it. It has passes over MLIR's C API, which melior wraps, and dialects in IRDL.
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

use abi::{Sink, Text};
use melior::ir::OperationRef;
use mlir_sys::{MlirOperation, mlirIntegerTypeGetTypeID};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Defines what a library adds: its name, dialects in IRDL, passes (name, the operation that it runs on or
/// nothing for any, one line about it, function) and where they run (place, passes).
///
/// A pass that makes invalid operations, panics or returns an error fails the compilation, which says so.
#[macro_export]
macro_rules! plugin {
    (
        name: $name:expr,
        irdl: $irdl:expr,
        passes: [$(($pass:expr, $anchor:expr, $summary:expr, $run:path)),* $(,)?],
        at: [$(($place:expr, $passes:expr)),* $(,)?] $(,)?
    ) => {
        /// What this library adds, for the process that loads it.
        #[unsafe(no_mangle)]
        pub extern "C" fn pyopt_plugin() -> *const $crate::abi::Table {
            use $crate::abi::{List, Pass, Placed, Table, Text, VERSION};
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
            static TABLE: Table = Table {
                version: VERSION,
                mlir: $crate::identity,
                name: Text::new($name),
                code: Text::new(env!("CARGO_PKG_VERSION")),
                irdl: Text::new($irdl),
                passes: List::new(PASSES),
                at: List::new(AT),
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

/// Runs a pass: an error or a panic goes to the sink.
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
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            format!("panicked: {}", text.unwrap_or_default())
        }
    };
    // SAFETY: the sink is valid, and takes the text before it returns.
    unsafe { ((*sink).fail)((*sink).state, Text::borrowed(&reason)) };
    false
}
