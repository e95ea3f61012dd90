//! What every pass is built on.
//!
//! A pass is a [`PassSpec`]: a table and a function. The C++ glue registers it with MLIR, so it
//! takes part in `--help`, textual pipelines, IR printing, timing and reproducers.

mod builder;
mod context;
mod conversion;
pub(crate) mod copies;
mod diagnostics;
pub(crate) mod disjoint;
mod dynamic;
pub(crate) mod emit;
mod ffi;
mod ir;
pub(crate) mod loop_annotations;
pub(crate) mod messages;
mod options;
pub mod pipeline;
mod prepared;
mod register;
mod runner;
mod spec;

#[cfg(test)]
mod test_support;

pub use self::{
    builder::{Builder, CmpFloat, CmpInt},
    context::PassContext,
    conversion::{Conversion, Converted, PatternRewriter, TypeConverter, single},
    diagnostics::{Collector, Diagnostic, Report, Severity, SourcePosition},
    dynamic::{DynamicPass, register_dynamic_pass, verify},
    ir::{
        Access, AttributeExt, BlockExt, Dimension, Dominance, Effect, Identity, InterfaceModel,
        Key, OperationAttributes, OperationExt, OperationInterfaces, Raises, RegionExt, Use,
        ValueExt, array_elements, erase_unused, parse_operation, struct_fields, types_of,
        view_root,
    },
    options::{OptionDefault, OptionSpec, Options, REMARKS},
    pipeline::PipelineSpec,
    prepared::Prepared,
    register::{is_registered, register_pass, register_pipeline, registered_pipelines},
    runner::{PipelineError, expand_pipeline, pipeline_prefix, run_pipeline},
    spec::{PassFailure, PassFunction, PassResult, PassSpec, StatisticSpec},
};
/// Views of operations, generated from the `.td` files.
pub use pyopt_dialects::{
    ops,
    view::{OpBuilder, OpView},
};

pub(crate) use self::{
    dynamic::without_version,
    ffi::{ToolHooks, owned_str, pyoptLspServerMain, pyoptOptMain, pyoptReduceMain, raw_str},
    ir::{dictionary_entry, internal_linkage, is_subprogram},
    register::{pass_spec, registered_passes, statistics},
    runner::run_unverified,
};
