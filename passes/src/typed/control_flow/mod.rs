//! From the control flow graph to structured control flow.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub(crate) mod branch;
mod counted_range;
pub(crate) mod counting;
pub mod divide_conditions;
pub mod fold_raise;
pub mod lift_control_flow;
pub mod merge_conditions;
pub mod range_to_for;
pub mod share_loads;
