//! The tasks, one file each.

pub mod bench;
pub mod build;
pub mod demo;
pub mod docs;
pub mod stdlib;
pub mod test;
