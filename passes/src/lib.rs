//! Every stage of the compiler, each a registered MLIR pass.
//!
//! There is a folder per stage and a file per pass. To add a pass, write `src/<stage>/<name>.rs`
//! with a `pub static PASS: PassSpec`, and add `pub mod <name>;` to `src/<stage>/mod.rs`: the
//! build script makes the [`PASSES`] table from those lines.

pub mod analysis;
pub mod compile;
pub mod devices;
pub mod extension;
pub mod fields;
mod inference;
pub mod infra;
pub mod loops;
pub mod lowering;
pub mod object;
pub mod parfor;
pub mod pipelines;
pub mod prelude;
pub mod py;
mod registration;
pub mod rewrite;
pub mod stencil;
pub mod tool;
pub mod typed;
mod types;

/// The crate of MLIR's objects, in the version that this one's functions take.
pub use melior;

pub use extension::{create_context, register_all_dialects};
pub use inference::{linking, overloads};
pub use py::function::{COMPILES, PROTOTYPES};
pub use registration::{PASSES, register_passes};
pub use types::{conversion, number::Number};
