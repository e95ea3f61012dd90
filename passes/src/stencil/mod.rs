//! Passes on stencils.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod infer_neighborhood;
mod kernel;
pub mod to_parfor;
