//! The named pipelines: what a decorator's options lead to.

use crate::infra::{OptionSpec, Options, PipelineSpec};

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

/// What division by zero does; an option of every pipeline that starts from Python.
const ERROR_MODEL: OptionSpec = OptionSpec::text(
    "error-model",
    "python: division by zero raises; numpy: it gives infinity, NaN or 0",
    "python",
);

/// Whether indices are checked; an option of every pipeline that starts from Python.
const BOUNDSCHECK: OptionSpec =
    OptionSpec::bool("boundscheck", "an index out of bounds raises", false);

/// LLVM's fast-math flags; an option of every pipeline that starts from Python.
const FASTMATH: OptionSpec = OptionSpec::texts(
    "fastmath",
    "flags of all float operations: afn, arcp, contract, fast, ninf, nnan, nsz, reassoc",
    &[],
);

/// Whether debuggers are told of functions, lines and variables.
const DEBUG: OptionSpec = OptionSpec::bool(
    "debug",
    "describe functions, lines and variables to debuggers",
    false,
);

/// Whether functions of the library are linked: where code is for one thread of this process.
const LINK_LIBRARY: &str = "link-library";

/// `@njit`: a module of `py.code`, bindings and requests to LLVM's dialect, on one thread.
pub static NOPYTHON: PipelineSpec = PipelineSpec {
    name: "py-nopython-pipeline",
    summary: "compile Python functions for the calling thread",
    options: &[
        ERROR_MODEL,
        BOUNDSCHECK,
        FASTMATH,
        DEBUG,
        OptionSpec::bool(
            LINK_LIBRARY,
            "large functions of the library are those that the host keeps compiled",
            false,
        ),
    ],
    build: |options| {
        let debug = options.bool("debug");
        let links = options.bool(LINK_LIBRARY);
        let typed = typed_stages(
            options,
            debug,
            &format!("products=all link-library={links}"),
            false,
        );
        on_one_thread(&typed, options, debug)
    },
};

/// A function of the overload library, which is lifted already and is written without what the
/// untyped stage is for.
pub static LIBRARY: PipelineSpec = PipelineSpec {
    name: "py-library-pipeline",
    summary: "compile a lifted function of the overload library for the calling thread",
    options: &[ERROR_MODEL, BOUNDSCHECK, FASTMATH],
    build: |options| {
        on_one_thread(
            &inferred_stages(options, "products=all", false),
            options,
            false,
        )
    },
};

/// From typed operations to LLVM's dialect, with loops on the calling thread.
fn on_one_thread(typed: &str, options: &Options, debug: bool) -> String {
    let llvm = llvm_stages(options, debug);
    format!(
        "{typed},func.func(stencil-infer-neighborhood,stencil-to-parfor,typed-array-expr,\
         parfor-array-analysis,{ARRAYS_TO_LOOPS},parfor-fuse,parfor-expand-broadcast,parfor-materialize,\
         parfor-to-scf),typed-canonicalize,cse,verify-module,{llvm}"
    )
}

/// What makes loops of operations on whole arrays, where all of them are to be alike.
const ARRAYS_TO_LOOPS: &str =
    "parfor-from-numpy,parfor-from-reduction,parfor-from-setitem,parfor-from-inplace-binop";

/// `@njit(parallel=True)`: the same, with loops on threads. Each option switches off the
/// transformation of its name, as in Numba's `parallel={…}`.
pub static PARALLEL: PipelineSpec = PipelineSpec {
    name: "py-parallel-pipeline",
    summary: "compile Python functions for threads",
    options: &[
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
    ],
    build: |options| {
        let debug = options.bool("debug");
        let inference = match options.bool("numpy") {
            true => "products=threads threads=true",
            false => "products=matrices threads=true",
        };
        let typed = typed_stages(options, debug, inference, options.bool("prange"));
        let llvm = llvm_stages(options, debug);
        let on = |name| options.bool(name);
        let level = options.int("diagnostics");
        let fuse = match (on("fusion"), level > 1) {
            (true, true) => "parfor-fuse{remarks=true},",
            (true, false) => "parfor-fuse,",
            (false, _) => "",
        };
        let [before, after] = match level {
            0 => [String::new(), String::new()],
            level => [
                "parfor-diagnostics{level=4 before-fusion=true},".to_owned(),
                format!("parfor-diagnostics{{level={level}}},"),
            ],
        };
        let hoisting = level > 2;
        let comprehension = match on("comprehension") {
            true => "parfor-from-comprehension,",
            false => "",
        };
        format!(
            "{typed},func.func(parfor-from-prange{{prange={} numpy={} reduction={}}}),\
             typed-inline-calls{{combiners=true}},func.func(parfor-detect-races,{comprehension}stencil-infer-neighborhood,stencil-to-parfor{{stencil={}}},typed-array-expr,\
             parfor-array-analysis,parfor-from-numpy{{threads={}}},parfor-from-reduction{{threads={}}},\
             parfor-from-setitem{{threads={}}},parfor-from-inplace-binop{{threads={}}},{before}{fuse}\
             parfor-hoist{{remarks={hoisting}}},{after}parfor-expand-broadcast,parfor-materialize),\
             typed-canonicalize,cse,parfor-schedule{{remarks={hoisting}}},parfor-to-threads,\
             func.func(parfor-to-scf),typed-canonicalize,cse,verify-module,\
             typed-hoist-allocations{{remarks={hoisting}}},{llvm}",
            on("prange"),
            on("numpy"),
            on("reduction"),
            on("stencil"),
            on("numpy"),
            on("reduction"),
            on("setitem"),
            on("inplace_binop"),
        )
    },
};

/// `@jit(forceobj=True)`: a module of `py.code` to LLVM's dialect, on Python objects.
pub static OBJECT: PipelineSpec = PipelineSpec {
    name: "py-object-pipeline",
    summary: "compile Python functions to calls of CPython's C API",
    options: &[],
    build: |_| "py-translate-bytecode{frame=true},py-to-object-mode,require-llvm".into(),
};

/// `@njit` with loops as kernels of a device of NVIDIA's. The host's side stays a program of
/// upstream's dialects that launches them.
pub static GPU: PipelineSpec = PipelineSpec {
    name: "py-gpu-pipeline",
    summary: "compile Python functions with their loops as PTX kernels",
    options: &[ERROR_MODEL, BOUNDSCHECK, CHIP, LIBDEVICE],
    build: |options| {
        let typed = typed_stages(options, false, "products=loops", true);
        let libdevice = options.text("libdevice");
        format!(
            "{typed},func.func(parfor-from-prange{{numpy=false reduction=false chunks=false}},\
             stencil-infer-neighborhood,stencil-to-parfor,typed-array-expr,{ARRAYS_TO_LOOPS},\
             parfor-fuse,parfor-expand-broadcast,\
             parfor-materialize),typed-canonicalize,cse,\
             func.func(parfor-to-gpu{{libdevice={}}},parfor-to-scf),typed-canonicalize,cse,\
             func.func(typed-insert-ownership,typed-prune-ownership),typed-to-memref,\
             gpu-to-ptx{{chip={} libdevice={libdevice}}}",
            !libdevice.is_empty(),
            options.text("chip"),
        )
    },
};

/// The oldest device that kernels are for.
const CHIP: OptionSpec = OptionSpec::text(
    "chip",
    "the oldest device wanted; drivers compile for newer ones",
    "sm_70",
);

/// Where math functions of kernels come from.
const LIBDEVICE: OptionSpec = OptionSpec::text(
    "libdevice",
    "the file libdevice.*.bc of a CUDA toolkit; without it loops with functions such as sqrt stay \
     on the host",
    "",
);

/// From `scf.parallel` on memrefs to launches of kernels in PTX text.
///
/// Tiling makes the blocks of threads; what it leaves has to be canonical before it is mapped.
pub static GPU_TO_PTX: PipelineSpec = PipelineSpec {
    name: "gpu-to-ptx",
    summary: "outline scf.parallel as kernels and compile these to PTX text",
    options: &[CHIP, LIBDEVICE],
    build: |options| {
        let libdevice = match options.text("libdevice") {
            "" => String::new(),
            file => format!(" l={file}"),
        };
        format!(
            "func.func(scf-parallel-loop-tiling{{parallel-loop-tile-sizes=256}},canonicalize,\
             gpu-map-parallel-loops{{mapping-policy=innermost-first}}),\
             convert-parallel-loops-to-gpu,canonicalize,cse,\
             func.func(gpu-launch-sink-index-computations),gpu-kernel-outlining,\
             parfor-name-kernels,lower-affine,canonicalize,cse,\
             nvvm-attach-target{{chip={} O=3{libdevice}}},\
             gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm{{index-bitwidth=64}},\
             reconcile-unrealized-casts),gpu-module-to-binary{{format=isa}}",
            options.text("chip"),
        )
    },
};
/// From lifted functions to what inference gets: Numba's untyped stage.
const UNTYPED: &str = "py-expand-chunksize,py-fixup-args,py-semantic-constants,py-prune-branches,\
                       py-resolve-callees,py-inline-closures,py-inline,py-literals,\
                       py-literal-unroll,py-sink-iterables,py-convert-closures,py.func(py-expand-yield-from,py-promote-cells),py-rewrite";

/// From bytecode to structured functions of typed operations.
fn typed_stages(options: &Options, debug: bool, inference: &str, parallel: bool) -> String {
    let variables = if debug { "{variables=true}" } else { "" };
    let inferred = inferred_stages(options, inference, parallel);
    format!("py-lift-with,py-translate-bytecode{variables},{UNTYPED},{inferred}")
}

/// From lifted functions to structured functions of typed operations; inference gets further options.
/// `parallel`: prange loops are for threads.
fn inferred_stages(options: &Options, inference: &str, parallel: bool) -> String {
    format!(
        "infer-types{{error-model={} boundscheck={} {inference}}},verify-module,\
         typed-expand-try{{parallel={parallel}}},typed-rewrite,\
         typed-canonicalize,cse,func.func(typed-fold-raise,typed-range-to-for{{parallel={parallel}}}),\
         typed-expand-generators,func.func(typed-lift-control-flow),typed-inline-calls,symbol-dce,\
         func.func(typed-remove-wraparound),typed-canonicalize,cse",
        options.text("error-model"),
        options.bool("boundscheck")
    )
}

/// From structured functions to LLVM's dialect, with the flags that were asked for.
fn llvm_stages(options: &Options, debug: bool) -> String {
    let (variables, described) = match debug {
        true => ("{debug=true}", DESCRIBED),
        false => ("", ""),
    };
    let flags = match options.texts("fastmath") {
        [] => String::new(),
        flags => format!(",set-fastmath{{flags={}}}", flags.join(",")),
    };
    format!("typed-to-llvm{variables}{flags}{described}")
}

/// What tells debuggers of functions, lines and variables.
const DESCRIBED: &str = ",describe-lines,describe-variables";

/// Lines without variables: code stays as fast as it is without.
pub static DESCRIBE_LINES: PipelineSpec = PipelineSpec {
    name: "describe-lines",
    summary: "describe functions and lines to debuggers and profilers",
    options: &[],
    build: |_| "ensure-debug-info-scope-on-llvm-func{emission-kind=Full},name-subprograms".into(),
};

/// From structured functions of typed operations to LLVM's dialect: the end of every pipeline for
/// the processor.
pub static TYPED_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "typed-to-llvm",
    summary: "lower structured typed functions to llvm, with entry points for the host",
    options: &[DEBUG],
    build: |options| {
        let variables = if options.bool("debug") {
            "store-variables,"
        } else {
            ""
        };
        format!(
            "typed-check-recursion,typed-hoist-allocations,func.func(typed-fold-views,typed-promote-accumulators,\
             typed-strip-reductions,typed-unroll-and-jam,typed-tile-loops,typed-interchange-loops,\
             typed-hoist-checks,typed-version-wraparound,typed-alias-scopes,\
             typed-insert-ownership,typed-prune-ownership),typed-stack-generators,\
             typed-to-memref,verify-module,{variables}canonicalize,cse,expand-elementary,\
             lower-strided-access,cse,lower-structured-control-flow,typed-to-abi,finalize-to-llvm"
        )
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
         reconcile-unrealized-casts,verify-module,require-llvm"
            .into()
    },
};
