//! From typed operations to LLVM's dialect: the end of every pipeline for the processor.

use super::{
    options::{DEBUG, REMARKS, SAY},
    points::{BEFORE_LLVM, BEFORE_OWNERSHIP},
};
use crate::infra::{
    PipelineSpec,
    ops::func,
    pipeline::{When, fixed, nest, pass, pipeline, point},
};

/// From structured functions of typed operations to LLVM's dialect.
pub static TYPED_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "typed-to-llvm",
    summary: "lower structured typed functions to llvm, with entry points for the host",
    options: &[DEBUG, REMARKS],
    steps: &[
        pass("typed-check-recursion"),
        nest(func::Func::NAME, &[pass("typed-fold-views")]),
        pass("typed-hoist-allocations").with(&[SAY]),
        nest(
            func::Func::NAME,
            &[
                pass("typed-merge-reservations"),
                pass("typed-merge-pushes"),
                pass("typed-promote-accumulators").with(&[SAY]),
                pass("typed-strip-reductions").with(&[SAY]),
                pass("typed-unroll-and-jam").with(&[SAY]),
                pass("typed-tile-loops").with(&[SAY]),
                pass("typed-interchange-loops").with(&[SAY]),
                // Loops that changed places add to rows.
                pass("typed-unroll-and-jam").with(&[SAY]),
                pass("typed-split-borders").with(&[SAY]),
                pass("typed-hoist-checks").with(&[SAY]),
                pass("typed-version-wraparound").with(&[SAY]),
                pass("typed-reduce-remainders").with(&[SAY]),
                pass("typed-carry-quotients").with(&[SAY]),
                pass("typed-narrow-integers").with(&[SAY]),
                pass("typed-unsigned-divisions").with(&[SAY]),
                pass("typed-carry-recurrences").with(&[SAY]),
                pass("typed-shorten-recurrences").with(&[SAY]),
                pass("typed-alias-scopes"),
                pass("typed-report-loops")
                    .with(&[fixed("obstacles", "true")])
                    .when(When::On("remarks")),
                pass("typed-hoist-reservations"),
                point(&BEFORE_OWNERSHIP),
                pass("typed-insert-ownership"),
                pass("typed-prune-ownership"),
            ],
        ),
        pass("typed-lend-items"),
        pass("typed-stack-generators"),
        pass("typed-to-memref"),
        pass("verify-module"),
        pass("store-variables").when(When::On("debug")),
        pass("canonicalize"),
        pass("cse"),
        pass("hoist-headers"),
        pass("expand-elementary"),
        pass("lower-strided-access"),
        pass("cse"),
        pass("lower-structured-control-flow"),
        pass("typed-to-abi"),
        point(&BEFORE_LLVM),
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
        pass("run-for-dialect").with(&[
            fixed("dialect", "complex"),
            fixed("pipeline", "convert-complex-to-llvm"),
        ]),
        pass("run-for-dialect").with(&[
            fixed("dialect", "math"),
            fixed("pipeline", "convert-math-to-llvm,convert-math-to-libm"),
        ]),
        pass("convert-arith-to-llvm"),
        pass("run-for-dialect").with(&[
            fixed("dialect", "index"),
            fixed("pipeline", "convert-index-to-llvm"),
        ]),
        pass("convert-func-to-llvm"),
        pass("convert-cf-to-llvm"),
        pass("run-for-dialect").with(&[
            fixed("dialect", "ub"),
            fixed("pipeline", "convert-ub-to-llvm"),
        ]),
        pass("canonicalize"),
        pass("reconcile-unrealized-casts"),
        pass("split-aggregates"),
        pass("tag-accesses"),
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
