//! Carrying panics past C++.
//!
//! MLIR calls back into Rust, which must not unwind through it. A panic is caught in the callback,
//! the callback reports failure, and the panic goes on in the Rust frame that called MLIR.

use std::{
    any::Any,
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

thread_local! {
    static CAUGHT: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Runs a callback; when it panics, keeps that for [`resume`] and returns `otherwise`.
pub(super) fn guard<T>(otherwise: T, callback: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(callback)).unwrap_or_else(|panic| {
        CAUGHT.set(Some(panic));
        otherwise
    })
}

/// Goes on with the panic of a callback, if there was one.
pub(super) fn resume() {
    if let Some(panic) = CAUGHT.take() {
        resume_unwind(panic);
    }
}
