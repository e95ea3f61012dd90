//! Exceptions that functions catch.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod expand_try;
pub(crate) mod outline;
pub(crate) mod prange_in_try;
