//! Generators.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod expand_generators;
pub mod stack_generators;
