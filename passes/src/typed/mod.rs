//! Passes on the `typed` dialect: Python after inference.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod array_expr;
pub mod canonicalize;
pub mod check_recursion;
pub mod compose_texts;
pub mod control_flow;
pub mod exceptions;
pub mod generators;
pub mod infer_types;
pub mod inline_calls;
pub mod merge_pushes;
pub mod merge_reservations;
pub mod references;
pub mod remove_wraparound;
pub mod set_fastmath;
pub mod share_lookups;
pub mod unsigned_divisions;
