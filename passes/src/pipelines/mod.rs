//! The named pipelines: what a decorator's options lead to.
//!
//! Each is a table ([`PipelineSpec`]); `pyopt --print-pipeline=NAME` shows it. [`POINTS`] are the
//! places in them that have a name.

mod gpu;
mod options;
mod parts;
mod points;
mod processor;
mod python;

pub use self::{
    gpu::TYPED_TO_KERNELS,
    parts::UNTYPED_STAGES,
    points::{
        AFTER_FUSION, AFTER_INFERENCE, BEFORE_FUSION, BEFORE_INFERENCE, BEFORE_LLVM, BEFORE_LOOPS,
        BEFORE_LOWERING, BEFORE_OWNERSHIP, POINTS,
    },
    processor::{DESCRIBE_LINES, FINALIZE_TO_LLVM, TYPED_TO_LLVM},
    python::{GPU, LIBRARY, NOPYTHON, OBJECT, PARALLEL},
};

use crate::infra::{Options, PipelineSpec, registered_pipelines};

/// All named pipelines.
pub static PIPELINES: &[&PipelineSpec] = &[
    &NOPYTHON,
    &LIBRARY,
    &PARALLEL,
    &OBJECT,
    &GPU,
    &TYPED_TO_LLVM,
    &FINALIZE_TO_LLVM,
    &DESCRIBE_LINES,
    &TYPED_TO_KERNELS,
];

/// Finds a pipeline by its name: one of ours or of an extension. The message for an unknown one lists
/// those there are.
pub fn find(name: &str) -> Result<&'static PipelineSpec, String> {
    let mut all = PIPELINES.to_vec();
    // Once passes are registered ours are among them.
    let is_ours = |one: &PipelineSpec| PIPELINES.iter().any(|ours| ours.name == one.name);
    all.extend(
        registered_pipelines()
            .into_iter()
            .filter(|one| !is_ours(one)),
    );
    let found = all.iter().find(|pipeline| pipeline.name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|pipeline| pipeline.name).collect();
        format!(
            "there is no pipeline '{name}'; there are {}",
            names.join(", ")
        )
    })
}

/// Lists the passes that a pipeline runs for options written as `opt=value opt=value`: in order,
/// each with the anchors around it.
///
/// ```
/// let passes = pyopt_passes::pipelines::passes("describe-lines", "").unwrap();
/// assert_eq!(passes[1], "name-subprograms");
/// ```
pub fn passes(name: &str, options: &str) -> Result<Vec<String>, String> {
    let spec = find(name)?;
    let options = Options::parse(spec.options, options)?;
    Ok(spec.passes(&options))
}
