//! Passes on parallel loops.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod array_analysis;
mod assignment;
pub mod collapse_nests;
mod conversion;
pub mod detect_races;
pub mod diagnostics;
pub mod expand_broadcast;
pub mod from_comprehension;
pub mod from_inplace_binop;
pub mod from_numpy;
pub mod from_prange;
pub mod from_reduction;
pub mod from_setitem;
pub mod fuse;
pub mod hoist;
pub mod inline_producers;
pub mod insert_fences;
pub mod materialize;
pub mod schedule;
pub mod to_gpu;
pub mod to_scf;
pub mod to_threads;
pub mod version_overlaps;
