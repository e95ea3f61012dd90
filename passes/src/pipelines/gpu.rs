//! The pipelines that make kernels of loops.

use super::options::{CHIP, DEVICE, FP64};
use crate::infra::{
    OptionSpec, PipelineSpec,
    ops::{builtin, func},
    pipeline::{When, fixed, nest, option, pass, pipeline, test},
};

/// The functions that have no version without libm.
const LACKING: &str = "acosh,asinh,atanh,erfc,gamma,hypot,lgamma,nextafter";

/// From parallel loops to kernels in the device's code, launches of them, and fences.
pub static OFFLOAD: PipelineSpec = PipelineSpec {
    name: "offload-loops",
    summary: "make kernels of parallel loops",
    options: &[
        DEVICE,
        CHIP,
        FP64,
        OptionSpec::int(
            "diagnostics",
            "from 1 on, remarks on loops that stay on the host",
            0,
        ),
    ],
    steps: &[
        nest(func::Func::NAME, &[pass("parfor-collapse-nests")]),
        pass("parfor-to-gpu").with(&[
            option("fp64", "fp64"),
            fixed("lacks", LACKING).when(When::Is("device", "cuda")),
            test("remarks", When::AtLeast("diagnostics", 1)),
        ]),
        pass("parfor-insert-fences"),
        nest(
            builtin::Module::NAME,
            &[pipeline(&TYPED_TO_KERNELS)
                .with(&[option("device", "device"), option("chip", "chip")])],
        ),
    ],
};

/// Kernels as functions of typed operations to a binary for the device.
///
/// Debian's LLVM has no library of NVIDIA's and no assembler: PTX stays text, which the driver
/// compiles.
pub static TYPED_TO_KERNELS: PipelineSpec = PipelineSpec {
    name: "typed-to-kernels",
    summary: "lower kernels of typed operations to SPIR-V or PTX",
    options: &[DEVICE, CHIP],
    steps: &[
        nest(
            func::Func::NAME,
            &[pass("parfor-to-scf"), pass("typed-fold-views")],
        ),
        pass("typed-canonicalize"),
        pass("cse"),
        pass("typed-to-memref"),
        pass("verify-module"),
        pass("canonicalize"),
        pass("cse"),
        pass("arith-expand"),
        pass("expand-elementary")
            .with(&[fixed("device", "true")])
            .when(When::Is("device", "cuda")),
        pass("lower-strided-access"),
        pass("cse"),
        pass("lower-structured-control-flow"),
        pass("lower-traps"),
        pass("expand-strided-metadata"),
        pass("lower-affine"),
        pass("finalize-memref-to-llvm"),
        pass("convert-complex-to-llvm"),
        pass("convert-math-to-llvm"),
        pass("convert-arith-to-llvm"),
        pass("convert-index-to-llvm"),
        pass("convert-func-to-llvm"),
        pass("convert-cf-to-llvm"),
        pass("convert-ub-to-llvm"),
        pass("canonicalize"),
        pass("cse"),
        pass("llvm-to-gpu").with(&[option("device", "device")]),
        pass("xevm-attach-target")
            .with(&[
                fixed("triple", "spirv64v1.2-unknown-unknown"),
                fixed("chip", "pvc"),
                fixed("O", "3"),
            ])
            .when(When::Is("device", "opencl")),
        pass("nvvm-attach-target")
            .with(&[option("chip", "chip"), fixed("O", "3")])
            .when(When::Is("device", "cuda")),
        pass("reconcile-unrealized-casts"),
        pass("gpu-module-to-binary")
            .with(&[fixed("format", "bin")])
            .when(When::Is("device", "opencl")),
        pass("gpu-module-to-binary")
            .with(&[fixed("format", "isa")])
            .when(When::Is("device", "cuda")),
    ],
};
