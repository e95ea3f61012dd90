//! The pipelines that start from Python and end at the processor.

use super::{
    gpu::OFFLOAD,
    options::{
        BOUNDSCHECK, CHIP, CHOSEN, DEBUG, DEVICE, ERROR_MODEL, FASTMATH, FP64, LINK_LIBRARY,
        OF_DEVICE, REMARKS, SAY, joined,
    },
    parts::{ARRAYS_TO_LOOPS, INFERRED_STAGES, LLVM_STAGES, TYPED_STAGES},
    points::{AFTER_FUSION, BEFORE_FUSION, BEFORE_LOOPS},
};
use crate::infra::{
    OptionSpec, PipelineSpec,
    ops::func,
    pipeline::{When, choice, fixed, nest, option, part, pass, point, test},
};

/// `@njit`: a module of `py.code`, bindings and requests to LLVM's dialect, on one thread.
pub static NOPYTHON: PipelineSpec = PipelineSpec {
    name: "py-nopython-pipeline",
    summary: "compile Python functions for the calling thread",
    options: &[
        ERROR_MODEL,
        BOUNDSCHECK,
        FASTMATH,
        DEBUG,
        LINK_LIBRARY,
        REMARKS,
    ],
    steps: &[
        part(&TYPED_STAGES).with(&[fixed("products", "all")]),
        part(&ON_ONE_THREAD),
    ],
};

/// A function of the overload library, which is lifted already and is written without what the
/// untyped stage is for.
pub static LIBRARY: PipelineSpec = PipelineSpec {
    name: "py-library-pipeline",
    summary: "compile a lifted function of the overload library for the calling thread",
    options: &[ERROR_MODEL, BOUNDSCHECK, FASTMATH],
    steps: &[
        part(&INFERRED_STAGES).with(&[fixed("products", "all")]),
        part(&ON_ONE_THREAD),
    ],
};

/// From typed operations to LLVM's dialect, with loops on the calling thread.
static ON_ONE_THREAD: PipelineSpec = PipelineSpec {
    name: "on-one-thread",
    summary: "from typed operations to llvm, with loops on the calling thread",
    options: &[FASTMATH, DEBUG, REMARKS],
    steps: &[
        nest(
            func::Func::NAME,
            &[
                point(&BEFORE_LOOPS),
                pass("stencil-infer-neighborhood"),
                pass("stencil-to-parfor"),
                pass("typed-array-expr"),
                pass("parfor-version-overlaps").with(&[SAY]),
                pass("parfor-array-analysis"),
                part(&ARRAYS_TO_LOOPS),
                pass("typed-report-loops").when(When::On("remarks")),
                point(&BEFORE_FUSION),
                pass("parfor-inline-producers").with(&[SAY]),
                pass("parfor-fuse").with(&[SAY]),
                point(&AFTER_FUSION),
                pass("parfor-expand-broadcast"),
                pass("parfor-materialize"),
                pass("parfor-to-scf"),
            ],
        ),
        pass("typed-canonicalize"),
        pass("cse"),
        pass("verify-module"),
        part(&LLVM_STAGES),
    ],
};

/// Remarks of loops that were changed.
const CHANGES: When = When::AtLeast("diagnostics", 3);

/// `@njit(parallel=True)`: the same, with loops on threads. Each option switches off the
/// transformation of its name, as in Numba's `parallel={…}`.
pub static PARALLEL: PipelineSpec = PipelineSpec {
    name: "py-parallel-pipeline",
    summary: "compile Python functions for threads",
    options: PARALLEL_OPTIONS,
    steps: &[part(&FOR_THREADS)],
};

/// The options of pipelines with parallel loops.
const PARALLEL_OPTIONS: &[OptionSpec] = &[
    ERROR_MODEL,
    BOUNDSCHECK,
    FASTMATH,
    DEBUG,
    OptionSpec::bool("comprehension", "list comprehensions on threads", true),
    OptionSpec::bool("prange", "prange loops on threads", true),
    OptionSpec::bool("numpy", "array expressions and fills on threads", true),
    OptionSpec::bool("reduction", "reductions of arrays on threads", true),
    OptionSpec::bool("setitem", "assignments of slices on threads", true),
    OptionSpec::bool("inplace_binop", "in-place operators on threads", true),
    OptionSpec::bool("stencil", "stencils on threads", true),
    OptionSpec::bool("fusion", "merge loops", true),
    OptionSpec::int(
        "diagnostics",
        "remarks on what becomes of parallel loops, from 1 to 4; 0: none",
        0,
    ),
    REMARKS,
];

/// What else decides where loops run.
const FOR_DEVICE: &[OptionSpec] = &[
    OptionSpec::bool("kernels", "loops that can are kernels of a device", false),
    DEVICE,
    CHIP,
    FP64,
    CHOSEN,
];

/// From bytecode to LLVM's dialect, with parallel loops on threads and, where there is one, a device.
static FOR_THREADS: PipelineSpec = PipelineSpec {
    name: "for-threads",
    summary: "from bytecode to llvm, with loops on threads or a device",
    options: &joined::<{ PARALLEL_OPTIONS.len() + FOR_DEVICE.len() }>(PARALLEL_OPTIONS, FOR_DEVICE),
    steps: &[
        part(&TYPED_STAGES).with(&[
            choice("products", When::On("numpy"), "threads", "matrices"),
            fixed("threads", "true"),
            option("parallel", "prange"),
        ]),
        nest(
            func::Func::NAME,
            &[
                point(&BEFORE_LOOPS),
                pass("parfor-from-prange").with(&[
                    option("prange", "prange"),
                    option("numpy", "numpy"),
                    option("reduction", "reduction"),
                ]),
            ],
        ),
        pass("typed-inline-calls").with(&[fixed("combiners", "true")]),
        nest(
            func::Func::NAME,
            &[
                pass("parfor-detect-races"),
                pass("parfor-from-comprehension").when(When::On("comprehension")),
                pass("stencil-infer-neighborhood"),
                pass("stencil-to-parfor").with(&[option("stencil", "stencil")]),
                pass("typed-array-expr"),
                pass("parfor-version-overlaps")
                    .with(&[fixed("remarks", "true").when(When::AtLeast("diagnostics", 2))])
                    .when(When::On("fusion")),
                pass("parfor-array-analysis"),
                pass("parfor-from-numpy").with(&[option("threads", "numpy")]),
                pass("parfor-from-reduction").with(&[option("threads", "reduction")]),
                pass("parfor-from-setitem").with(&[option("threads", "setitem")]),
                pass("parfor-from-inplace-binop").with(&[option("threads", "inplace_binop")]),
                pass("parfor-diagnostics")
                    .with(&[fixed("level", "4"), fixed("before-fusion", "true")])
                    .when(When::On("diagnostics")),
                pass("typed-report-loops").when(When::On("remarks")),
                point(&BEFORE_FUSION),
                pass("parfor-inline-producers")
                    .with(&[fixed("remarks", "true").when(When::AtLeast("diagnostics", 2))])
                    .when(When::On("fusion")),
                pass("parfor-fuse")
                    .with(&[fixed("remarks", "true").when(When::AtLeast("diagnostics", 2))])
                    .when(When::On("fusion")),
                point(&AFTER_FUSION),
                pass("parfor-hoist").with(&[test("remarks", CHANGES)]),
                pass("parfor-diagnostics")
                    .with(&[option("level", "diagnostics")])
                    .when(When::On("diagnostics")),
                pass("parfor-expand-broadcast"),
                pass("parfor-materialize"),
            ],
        ),
        pass("typed-canonicalize"),
        pass("cse"),
        part(&OFFLOAD).when(When::On("kernels")),
        pass("parfor-schedule").with(&[test("remarks", CHANGES)]),
        pass("parfor-to-threads"),
        nest(func::Func::NAME, &[pass("parfor-to-scf")]),
        pass("typed-canonicalize"),
        pass("cse"),
        pass("verify-module"),
        pass("typed-hoist-allocations").with(&[test("remarks", CHANGES)]),
        part(&LLVM_STAGES),
    ],
};

/// `@njit(parallel=True)` in a device context: loops that can run on the device are kernels, the others
/// are for threads.
pub static GPU: PipelineSpec = PipelineSpec {
    name: "py-gpu-pipeline",
    summary: "compile Python functions for a device, with threads for what can't run there",
    options: &joined::<{ PARALLEL_OPTIONS.len() + OF_DEVICE.len() }>(PARALLEL_OPTIONS, OF_DEVICE),
    steps: &[part(&FOR_THREADS).with(&[fixed("kernels", "true")])],
};

/// `@jit(forceobj=True)`: a module of `py.code` to LLVM's dialect, on Python objects.
pub static OBJECT: PipelineSpec = PipelineSpec {
    name: "py-object-pipeline",
    summary: "compile Python functions to calls of CPython's C API",
    options: &[],
    steps: &[
        pass("py-translate-bytecode").with(&[fixed("frame", "true")]),
        pass("py-to-object-mode"),
        pass("require-llvm"),
    ],
};
