//! Every stage of the compiler, each a registered MLIR pass.
//!
//! There is a folder per stage and a file per pass. To add a pass, write `src/<stage>/<name>.rs`
//! with a `pub static PASS: PassSpec`, and add `pub mod <name>;` to `src/<stage>/mod.rs`: the
//! build script makes the [`PASSES`] table from those lines.

mod analysis;
pub mod compile;
mod inference;
pub mod infra;
mod library;
pub mod loops;
pub mod lowering;
pub mod object;
pub mod parfor;
pub mod pipelines;
pub mod py;
pub mod rewrite;
pub mod stencil;
pub mod tool;
pub mod typed;
mod types;

pub use inference::{linking, overloads};
pub use py::function::{COMPILES, PROTOTYPES};
pub use types::{conversion, number::Number};

use infra::{PassSpec, register_pass, register_pipeline};
use melior::{Context, dialect::DialectRegistry};
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
        pipelines::PIPELINES
            .iter()
            .copied()
            .for_each(register_pipeline);
    });
}

/// Makes a context in which every dialect is registered but none is loaded, without threads.
///
/// This takes less than a millisecond; loading every dialect would take twenty. Parsing loads what
/// a module uses, a pipeline what its passes make.
pub fn create_context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    Context::new_with_registry(&registry, false)
}

/// Registers every dialect there is: upstream's with their extensions, and ours.
pub fn register_all_dialects(registry: &DialectRegistry) {
    melior::utility::register_all_dialects(registry);
    pyopt_dialects::register(registry);
    typed::canonicalize::register(registry);
}
