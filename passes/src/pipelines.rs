//! The named pipelines: what a decorator's options lead to.

use crate::infra::PipelineSpec;

/// All named pipelines.
pub static PIPELINES: &[&PipelineSpec] = &[&TYPED_TO_LLVM, &FINALIZE_TO_LLVM];

/// From structured functions of typed operations to LLVM's dialect: the end of every pipeline for
/// the processor.
pub static TYPED_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "typed-to-llvm",
    summary: "lower structured typed functions to llvm, with entry points for the host",
    options: &[],
    build: |_| {
        "func.func(typed-insert-ownership,typed-prune-ownership),typed-to-memref,canonicalize,cse,\
         lower-strided-access,cse,convert-scf-to-cf,typed-to-abi,finalize-to-llvm"
            .into()
    },
};

/// From upstream's dialects to LLVM's alone.
///
/// Memrefs go first: the dimension of a `memref.dim` must still be seen to be a constant.
pub static FINALIZE_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "finalize-to-llvm",
    summary: "convert arith, math, complex, memref, func, cf and ub to llvm",
    options: &[],
    build: |_| {
        "expand-strided-metadata,lower-affine,finalize-memref-to-llvm,convert-complex-to-llvm,\
         convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,\
         convert-func-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,canonicalize,\
         reconcile-unrealized-casts,require-llvm"
            .into()
    },
};
