//! Every stage of the compiler, each a registered MLIR pass.
//!
//! There is a folder per stage and a file per pass. To add a pass, write `src/<stage>/<name>.rs`
//! with a `pub static PASS: PassSpec`, and add `pub mod <name>;` to `src/<stage>/mod.rs`: the
//! build script makes the [`PASSES`] table from those lines.

pub mod infra;
pub mod lowering;
pub mod parfor;
pub mod pipelines;
pub mod py;
pub mod stencil;
pub mod tool;
pub mod typed;

use infra::{PassSpec, register_pass, register_pipeline};
use melior::dialect::DialectRegistry;
use std::sync::Once;

/// All passes of this crate.
pub static PASSES: &[&PassSpec] = include!(concat!(env!("OUT_DIR"), "/pass_table.rs"));

/// Registers all passes and pipelines of this crate with MLIR. Doing it again does nothing.
pub fn register_passes() {
    static ONCE: Once = Once::new();

    ONCE.call_once(|| {
        PASSES.iter().copied().for_each(register_pass);
        pipelines::PIPELINES
            .iter()
            .copied()
            .for_each(register_pipeline);
    });
}

/// Registers every dialect there is: upstream's with their extensions, and ours.
pub fn register_all_dialects(registry: &DialectRegistry) {
    melior::utility::register_all_dialects(registry);
    pyopt_dialects::register(registry);
}
