//! The tasks, one file each.

pub mod bench;
pub mod build;
pub mod cpython_tests;
pub mod demo;
pub mod docs;
pub mod extensions;
pub mod libraries;
pub mod numba_tests;
pub mod test;
pub mod wheel;
