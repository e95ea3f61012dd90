//! Passes on parallel loops.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.
