//! From typed operations to LLVM's dialect: the end of every pipeline for the processor.

use super::options::DEBUG;
use crate::infra::{
    PipelineSpec,
    ops::func,
    pipeline::{When, fixed, nest, pass, pipeline},
};

/// From structured functions of typed operations to LLVM's dialect.
pub static TYPED_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "typed-to-llvm",
    summary: "lower structured typed functions to llvm, with entry points for the host",
    options: &[DEBUG],
    steps: &[
        pass("typed-check-recursion"),
        pass("typed-hoist-allocations"),
        nest(
            func::Func::NAME,
            &[
                pass("typed-merge-reservations"),
                pass("typed-merge-pushes"),
                pass("typed-fold-views"),
                pass("typed-promote-accumulators"),
                pass("typed-strip-reductions"),
                pass("typed-unroll-and-jam"),
                pass("typed-tile-loops"),
                pass("typed-interchange-loops"),
                pass("typed-hoist-checks"),
                pass("typed-version-wraparound"),
                pass("typed-alias-scopes"),
                pass("typed-insert-ownership"),
                pass("typed-prune-ownership"),
            ],
        ),
        pass("typed-stack-generators"),
        pass("typed-to-memref"),
        pass("verify-module"),
        pass("store-variables").when(When::On("debug")),
        pass("canonicalize"),
        pass("cse"),
        pass("expand-elementary"),
        pass("lower-strided-access"),
        pass("cse"),
        pass("lower-structured-control-flow"),
        pass("typed-to-abi"),
        pipeline(&FINALIZE_TO_LLVM),
    ],
};

/// From upstream's dialects to LLVM's alone.
///
/// Memrefs go first: the dimension of a `memref.dim` must still be seen to be a constant.
pub static FINALIZE_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "finalize-to-llvm",
    summary: "convert arith, math, complex, memref, func, cf and ub to llvm",
    options: &[],
    steps: &[
        pass("expand-strided-metadata"),
        pass("lower-affine"),
        pass("finalize-memref-to-llvm"),
        pass("convert-complex-to-llvm"),
        pass("convert-math-to-llvm"),
        pass("convert-math-to-libm"),
        pass("convert-arith-to-llvm"),
        pass("convert-index-to-llvm"),
        pass("convert-func-to-llvm"),
        pass("convert-cf-to-llvm"),
        pass("convert-ub-to-llvm"),
        pass("canonicalize"),
        pass("reconcile-unrealized-casts"),
        pass("verify-module"),
        pass("require-llvm"),
    ],
};

/// Lines without variables: code stays as fast as it is without.
pub static DESCRIBE_LINES: PipelineSpec = PipelineSpec {
    name: "describe-lines",
    summary: "describe functions and lines to debuggers and profilers",
    options: &[],
    steps: &[
        pass("ensure-debug-info-scope-on-llvm-func").with(&[fixed("emission-kind", "Full")]),
        pass("name-subprograms"),
    ],
};
