//! The pipelines that make kernels of loops.

use super::{
    options::{BOUNDSCHECK, CHIP, ERROR_MODEL, LIBDEVICE},
    parts::{ARRAYS_TO_LOOPS, TYPED_STAGES},
    points::{AFTER_FUSION, BEFORE_FUSION, BEFORE_LOWERING},
};
use crate::infra::{
    PipelineSpec,
    ops::{func, gpu},
    pipeline::{When, fixed, nest, option, part, pass, pipeline, point, test},
};

/// `@njit` with loops as kernels of a device of NVIDIA's. The host's side stays a program of
/// upstream's dialects that launches them.
pub static GPU: PipelineSpec = PipelineSpec {
    name: "py-gpu-pipeline",
    summary: "compile Python functions with their loops as PTX kernels",
    options: &[ERROR_MODEL, BOUNDSCHECK, CHIP, LIBDEVICE],
    steps: &[
        part(&TYPED_STAGES).with(&[fixed("products", "loops"), fixed("parallel", "true")]),
        nest(
            func::Func::NAME,
            &[
                pass("parfor-from-prange").with(&[
                    fixed("numpy", "false"),
                    fixed("reduction", "false"),
                    fixed("chunks", "false"),
                ]),
                pass("stencil-infer-neighborhood"),
                pass("stencil-to-parfor"),
                pass("typed-array-expr"),
                part(&ARRAYS_TO_LOOPS),
                point(&BEFORE_FUSION),
                pass("parfor-fuse"),
                point(&AFTER_FUSION),
                pass("parfor-expand-broadcast"),
                pass("parfor-materialize"),
            ],
        ),
        pass("typed-canonicalize"),
        pass("cse"),
        nest(
            func::Func::NAME,
            &[
                pass("parfor-to-gpu").with(&[test("libdevice", When::On("libdevice"))]),
                pass("parfor-to-scf"),
            ],
        ),
        pass("typed-canonicalize"),
        pass("cse"),
        point(&BEFORE_LOWERING),
        nest(
            func::Func::NAME,
            &[
                pass("typed-insert-ownership"),
                pass("typed-prune-ownership"),
            ],
        ),
        pass("typed-to-memref"),
        pipeline(&GPU_TO_PTX).with(&[option("chip", "chip"), option("libdevice", "libdevice")]),
    ],
};

/// From `scf.parallel` on memrefs to launches of kernels in PTX text.
///
/// Tiling makes the blocks of threads; what it leaves has to be canonical before it is mapped.
pub static GPU_TO_PTX: PipelineSpec = PipelineSpec {
    name: "gpu-to-ptx",
    summary: "outline scf.parallel as kernels and compile these to PTX text",
    options: &[CHIP, LIBDEVICE],
    steps: &[
        nest(
            func::Func::NAME,
            &[
                pass("scf-parallel-loop-tiling").with(&[fixed("parallel-loop-tile-sizes", "256")]),
                pass("canonicalize"),
                pass("gpu-map-parallel-loops").with(&[fixed("mapping-policy", "innermost-first")]),
            ],
        ),
        pass("convert-parallel-loops-to-gpu"),
        pass("canonicalize"),
        pass("cse"),
        nest(
            func::Func::NAME,
            &[pass("gpu-launch-sink-index-computations")],
        ),
        pass("gpu-kernel-outlining"),
        pass("parfor-name-kernels"),
        pass("lower-affine"),
        pass("canonicalize"),
        pass("cse"),
        pass("nvvm-attach-target").with(&[
            option("chip", "chip"),
            fixed("O", "3"),
            option("l", "libdevice").when(When::On("libdevice")),
        ]),
        nest(
            gpu::GPUModule::NAME,
            &[
                pass("convert-scf-to-cf"),
                pass("convert-gpu-to-nvvm").with(&[fixed("index-bitwidth", "64")]),
                pass("reconcile-unrealized-casts"),
            ],
        ),
        pass("gpu-module-to-binary").with(&[fixed("format", "isa")]),
    ],
};
