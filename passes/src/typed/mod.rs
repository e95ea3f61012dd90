//! Passes on the `typed` dialect: Python after inference.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod alias_scopes;
pub mod array_expr;
mod branch;
pub mod canonicalize;
pub mod check_recursion;
mod check_slice;
mod copies;
mod counting;
mod element_access;
pub mod expand_generators;
pub mod expand_try;
pub mod fold_raise;
pub mod fold_views;
pub mod hoist_allocations;
pub mod hoist_checks;
pub mod infer_types;
pub mod inline_calls;
pub mod insert_ownership;
pub mod interchange_loops;
pub(crate) mod interval;
pub mod lift_control_flow;
pub(crate) mod linear;
mod loops;
mod outline;
pub(crate) mod ownership;
mod permutable;
mod prange_in_try;
pub mod promote_accumulators;
pub mod prune_ownership;
pub mod range_to_for;
pub mod remove_wraparound;
pub mod rewrite;
pub mod set_fastmath;
pub mod stack_generators;
pub mod strip_reductions;
pub mod tile_loops;
pub mod unroll_and_jam;
pub mod version_wraparound;
