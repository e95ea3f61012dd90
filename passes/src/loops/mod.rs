//! Passes on loops of `scf`, after parallel loops became ones: order, tiles, strips, checks.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod alias_scopes;
pub(crate) mod carried;
pub mod carry_quotients;
pub mod carry_recurrences;
pub(crate) mod check_slice;
pub mod fold_views;
pub mod hoist_allocations;
pub mod hoist_checks;
pub mod hoist_reservations;
pub mod interchange_loops;
pub(crate) mod jammable;
mod jammed_copies;
pub mod narrow_integers;
pub(crate) mod permutable;
pub mod promote_accumulators;
pub mod reduce_remainders;
pub mod report_loops;
pub mod shorten_recurrences;
pub mod split_borders;
pub mod strip_reductions;
pub mod tile_loops;
pub mod unroll_and_jam;
pub mod version_wraparound;
