//! The named pipelines: what a decorator's options lead to.

use crate::infra::PipelineSpec;

/// All named pipelines.
pub static PIPELINES: &[&PipelineSpec] = &[];
