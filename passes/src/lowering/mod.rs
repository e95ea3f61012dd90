//! Passes that leave our dialects for upstream's and LLVM's.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.
