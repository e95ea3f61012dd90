//! What a build script needs for dialects: C++ classes by `mlir-tblgen`, compiled with what is written by
//! hand, and Rust views and builders of operations and types from the same `.td` files.
//!
//! The build script of an extension is one call, [`dialects`]:
//!
//! ```no_run
//! pyopt_build::dialects(&["poly"]);
//! ```
//!
//! The rest is what pyopt's own dialects are built with.

mod cpp;
mod dialects;
mod exports;
mod model;
mod rust;
mod settle;
mod tablegen;
pub mod tables;
mod targets;

pub use cpp::write as glue;
pub use dialects::{compiler, dialects};
pub use exports::{HOST, export_for_plugins, plugin};
pub use model::Dialect;
pub use rust::{write as views, write_any as union_of_all};
pub use tablegen::{Record, Records, Tablegen};
pub use targets::leave_out_targets;
