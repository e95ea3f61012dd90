//! Rewrites: local improvements of blocks, in a registry that programs can add to.
//!
//! A rewrite looks at one block at a time: it says what in the block matches, and then changes it.
//! Those of the point before inference are run by `py-rewrite`, those of the point after inference
//! by `typed-rewrite`; each can be run alone, as the pass of its name.
//!
//! Each public module holds one: its `REWRITE`, and its `PASS`, both of which `build.rs` lists.

pub mod after_inference;
pub mod before_inference;
pub mod constant_binop;
mod registry;
pub mod static_getitem;
pub mod static_raise;
pub mod static_setitem;

pub use registry::{
    Point, Rewrite, RewriteContext, RewriteSpec, any_added, changes_library, register_rewrite,
};
pub(crate) use registry::{STATISTICS, own_rewrites, run_point};
