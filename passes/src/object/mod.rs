//! Object mode: functions of the `py` dialect as calls of CPython's C API.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

mod calls;
mod cells;
mod emit;
mod environment;
mod failure;
mod flow;
mod function;
mod liveness;
mod operators;
mod references;
mod rules;
mod suspension;
pub mod to_object_mode;
