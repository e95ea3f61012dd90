//! Generators.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod expand_generators;
mod lending;
mod maker;
pub mod sink_generators;
pub mod stack_generators;
