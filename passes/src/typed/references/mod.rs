//! Reference counts of what owns memory.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

pub mod insert_ownership;
pub mod lend_items;
pub mod prune_ownership;
