//! The passes and pipelines that are pyopt's own, as MLIR knows them.

use crate::{
    inference::functions,
    infra::{PassSpec, register_pass, register_pipeline},
    pipelines::PIPELINES,
};
use pyopt_library as library;
use std::sync::Once;

/// All passes of this crate.
pub static PASSES: &[&PassSpec] = include!(concat!(env!("OUT_DIR"), "/pass_table.rs"));

/// Registers upstream's passes and all passes and pipelines of this crate with MLIR. Doing it again
/// does nothing.
pub fn register_passes() {
    static ONCE: Once = Once::new();

    ONCE.call_once(|| {
        melior::utility::register_all_passes();
        PASSES.iter().copied().for_each(register_pass);
        PIPELINES.iter().copied().for_each(register_pipeline);
        // The host calls this where no process can fork: a child would wait for a table that a thread of its
        // parent was making.
        library::load();
        functions::load();
    });
}
