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
    gpu::{GPU, GPU_TO_PTX},
    parts::UNTYPED_STAGES,
    points::POINTS,
    processor::{DESCRIBE_LINES, FINALIZE_TO_LLVM, TYPED_TO_LLVM},
    python::{LIBRARY, NOPYTHON, OBJECT, PARALLEL},
};

use crate::infra::{Options, PipelineSpec};

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
    &GPU_TO_PTX,
];

/// Finds a pipeline by its name. The message for an unknown one lists those there are.
pub fn find(name: &str) -> Result<&'static PipelineSpec, String> {
    find_in(PIPELINES, name)
}

/// Finds one of some pipelines by its name.
pub(crate) fn find_in(
    pipelines: &[&'static PipelineSpec],
    name: &str,
) -> Result<&'static PipelineSpec, String> {
    let mut all = pipelines.iter().copied();
    all.find(|pipeline| pipeline.name == name).ok_or_else(|| {
        let names: Vec<_> = pipelines.iter().map(|pipeline| pipeline.name).collect();
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
