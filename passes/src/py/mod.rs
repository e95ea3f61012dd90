//! Passes on the `py` dialect: Python before its types are known.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub(crate) mod blocks;
pub(crate) mod edges;
pub mod live_variables;
pub mod print_cfg;
pub mod translate_bytecode;
