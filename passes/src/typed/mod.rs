//! Passes on the `typed` dialect: Python after inference.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod array_expr;
