//! What several pipelines have in common. These have no names on the command line.

use super::{
    options::{BOUNDSCHECK, DEBUG, ERROR_MODEL, FASTMATH, REMARKS, SAY},
    points::{AFTER_INFERENCE, BEFORE_INFERENCE, BEFORE_LOWERING},
    processor::{DESCRIBE_LINES, TYPED_TO_LLVM},
};
use crate::infra::{
    OptionSpec, PipelineSpec,
    ops::{func, py},
    pipeline::{When, fixed, nest, option, part, pass, pipeline, point},
};

/// From lifted functions to what inference gets: Numba's untyped stage.
static UNTYPED_STAGE: PipelineSpec = PipelineSpec {
    name: "untyped-stage",
    summary: "from lifted functions to what inference gets",
    options: &[],
    steps: &[
        pass("py-resolve-names"),
        pass("py-expand-chunksize"),
        pass("py-expand-device-contexts"),
        pass("py-inline-contexts"),
        pass("py-expand-with"),
        pass("py-fixup-args"),
        pass("py-semantic-constants"),
        pass("py-prune-branches"),
        pass("py-keep-results"),
        pass("py-resolve-callees"),
        pass("py-inline-closures"),
        pass("py-inline"),
        pass("py-inline-delegates"),
        pass("py-literals"),
        pass("py-literal-unroll"),
        pass("py-unroll-tuples"),
        pass("py-sink-iterables"),
        pass("py-convert-assignments"),
        pass("py-convert-closures"),
        nest(
            py::Func::NAME,
            &[pass("py-expand-yield-from"), pass("py-promote-cells")],
        ),
        pass("py-rewrite"),
    ],
};

/// From bytecode to what inference gets: for a program, and for the body of an overload.
pub static UNTYPED_STAGES: PipelineSpec = PipelineSpec {
    name: "untyped-stages",
    summary: "from bytecode to what inference gets",
    options: &[DEBUG],
    steps: &[
        pass("py-lift-with"),
        pass("py-translate-bytecode").with(&[fixed("variables", "true").when(When::On("debug"))]),
        part(&UNTYPED_STAGE),
    ],
};

/// Which products of arrays the runtime computes.
const PRODUCTS: OptionSpec = OptionSpec::text(
    "products",
    "which products of arrays the runtime computes",
    "loops",
);

/// Whether array operations are for threads.
const THREADS: OptionSpec = OptionSpec::bool("threads", "array operations are for threads", false);

/// What inference is told of the functions that the host keeps; empty: nothing.
const LINK_LIBRARY: OptionSpec = OptionSpec::text(
    "link-library",
    "whether the host keeps functions of the library; empty: as the pass has it",
    "",
);

/// Whether prange loops are for threads.
const PARALLEL: OptionSpec = OptionSpec::bool("parallel", "prange loops are for threads", false);

/// From bytecode to structured functions of typed operations.
pub static TYPED_STAGES: PipelineSpec = PipelineSpec {
    name: "typed-stages",
    summary: "from bytecode to structured functions of typed operations",
    options: &[
        ERROR_MODEL,
        BOUNDSCHECK,
        DEBUG,
        PRODUCTS,
        THREADS,
        LINK_LIBRARY,
        PARALLEL,
    ],
    steps: &[part(&UNTYPED_STAGES), part(&INFERRED_STAGES)],
};

/// From lifted functions to structured functions of typed operations.
pub static INFERRED_STAGES: PipelineSpec = PipelineSpec {
    name: "inferred-stages",
    summary: "from lifted functions to structured functions of typed operations",
    options: &[
        ERROR_MODEL,
        BOUNDSCHECK,
        PRODUCTS,
        THREADS,
        LINK_LIBRARY,
        PARALLEL,
    ],
    steps: &[
        point(&BEFORE_INFERENCE),
        pass("infer-types").with(&[
            option("error-model", "error-model"),
            option("boundscheck", "boundscheck"),
            option("products", "products"),
            option("link-library", "link-library").when(When::On("link-library")),
            fixed("threads", "true").when(When::On("threads")),
        ]),
        pass("verify-module"),
        point(&AFTER_INFERENCE),
        pass("typed-expand-try").with(&[option("parallel", "parallel")]),
        pass("typed-rewrite"),
        pass("typed-canonicalize"),
        pass("cse"),
        nest(
            func::Func::NAME,
            &[
                pass("typed-fold-raise"),
                pass("typed-range-to-for").with(&[option("parallel", "parallel")]),
            ],
        ),
        pass("typed-expand-generators"),
        nest(
            func::Func::NAME,
            &[
                pass("typed-share-loads"),
                pass("typed-merge-conditions"),
                pass("typed-divide-conditions"),
                pass("typed-lift-control-flow"),
            ],
        ),
        pass("typed-inline-calls"),
        pass("typed-sink-generators"),
        pass("symbol-dce"),
        pass("typed-share-lookups"),
        pass("typed-compose-texts"),
        nest(func::Func::NAME, &[pass("typed-remove-wraparound")]),
        pass("typed-canonicalize"),
        pass("cse"),
    ],
};

/// What makes loops of operations on whole arrays, where all of them are to be alike.
pub static ARRAYS_TO_LOOPS: PipelineSpec = PipelineSpec {
    name: "arrays-to-loops",
    summary: "make loops of operations on whole arrays",
    options: &[],
    steps: &[
        pass("parfor-from-numpy"),
        pass("parfor-from-reduction"),
        pass("parfor-from-setitem"),
        pass("parfor-from-inplace-binop"),
    ],
};

/// From structured functions to LLVM's dialect, with the flags that were asked for.
pub static LLVM_STAGES: PipelineSpec = PipelineSpec {
    name: "llvm-stages",
    summary: "from structured functions to llvm, with flags and descriptions",
    options: &[FASTMATH, DEBUG, REMARKS],
    steps: &[
        point(&BEFORE_LOWERING),
        pipeline(&TYPED_TO_LLVM).with(&[fixed("debug", "true").when(When::On("debug")), SAY]),
        pass("set-fastmath").with(&[option("flags", "fastmath")]),
        pipeline(&DESCRIBE_LINES).when(When::On("debug")),
        pass("describe-variables").when(When::On("debug")),
    ],
};
