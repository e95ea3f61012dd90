//! The pipelines that make kernels of loops.

use super::options::{CHIP, CHOSEN, DEVICE, FP64};
use crate::{
    devices::{self, LLVM, PTX, SPIRV},
    infra::{
        OptionSpec, PipelineSpec,
        ops::{builtin, func},
        pipeline::{When, chosen, derived, fixed, nest, option, part, pass, pipeline, test},
    },
};

/// From parallel loops to kernels in the device's code, launches of them, and fences.
pub static OFFLOAD: PipelineSpec = PipelineSpec {
    name: "offload-loops",
    summary: "make kernels of parallel loops",
    options: &[
        DEVICE,
        CHIP,
        FP64,
        CHOSEN,
        OptionSpec::int(
            "diagnostics",
            "from 1 on, remarks on loops that stay on the host",
            0,
        ),
    ],
    steps: &[
        nest(func::Func::NAME, &[pass("parfor-collapse-nests")]),
        pass("parfor-to-gpu")
            .with(&[
                option("device", "device"),
                option("fp64", "fp64"),
                option("chosen", "chosen"),
                derived("lacks", "device", devices::lacks),
                test("remarks", When::AtLeast("diagnostics", 1)),
            ])
            .when(When::Says("device", devices::is_outlined_here)),
        chosen("device", devices::outline),
        pass("parfor-insert-fences"),
        nest(
            builtin::Module::NAME,
            &[pipeline(&TYPED_TO_KERNELS)
                .with(&[option("device", "device"), option("chip", "chip")])],
        ),
    ],
};

/// Kernels as functions of typed operations to code for the device.
pub static TYPED_TO_KERNELS: PipelineSpec = PipelineSpec {
    name: "typed-to-kernels",
    summary: "lower kernels of typed operations to code of a device",
    options: &[DEVICE, CHIP],
    steps: &[
        part(&KERNELS_TO_LLVM).with(&[derived("code", "device", devices::code)]),
        part(&KERNELS_TO_CODE).with(&[derived("code", "device", devices::code)]),
        chosen("device", devices::passes),
    ],
};

/// The code that a device takes.
const CODE: OptionSpec = OptionSpec::text(
    "code",
    "the code: spirv, ptx, llvm or the device's own",
    SPIRV,
);

/// Kernels as functions of LLVM's dialect.
static KERNELS_TO_LLVM: PipelineSpec = PipelineSpec {
    name: "kernels-to-llvm",
    summary: "from typed operations to LLVM's dialect",
    options: &[CODE],
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
        pass("define-device-functions").with(&[test("library", When::Is("code", SPIRV))]),
        pass("arith-expand"),
        pass("expand-elementary").with(&[
            fixed("device", "true"),
            test("library", When::Is("code", SPIRV)),
        ]),
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
    ],
};

/// The codes that pyopt makes.
///
/// Debian's LLVM has no library of NVIDIA's and no assembler: PTX stays text, which the driver
/// compiles.
static KERNELS_TO_CODE: PipelineSpec = PipelineSpec {
    name: "kernels-to-code",
    summary: "from LLVM's dialect to SPIR-V, PTX or LLVM's IR",
    options: &[CODE, CHIP],
    steps: &[
        pass("split-aggregates"),
        pass("llvm-to-gpu")
            .with(&[option("code", "code")])
            .when(When::Is("code", SPIRV)),
        pass("llvm-to-gpu")
            .with(&[option("code", "code")])
            .when(When::Is("code", PTX)),
        pass("kernels-to-host").when(When::Is("code", LLVM)),
        pass("xevm-attach-target")
            .with(&[
                fixed("triple", "spirv64v1.2-unknown-unknown"),
                fixed("chip", "pvc"),
                fixed("O", "3"),
            ])
            .when(When::Is("code", SPIRV)),
        pass("nvvm-attach-target")
            .with(&[option("chip", "chip"), fixed("O", "3")])
            .when(When::Is("code", PTX)),
        pass("reconcile-unrealized-casts"),
        pass("gpu-module-to-binary")
            .with(&[fixed("format", "bin")])
            .when(When::Is("code", SPIRV)),
        pass("gpu-module-to-binary")
            .with(&[fixed("format", "isa")])
            .when(When::Is("code", PTX)),
        pass("kernels-to-llvm-ir").when(When::Is("code", LLVM)),
    ],
};
