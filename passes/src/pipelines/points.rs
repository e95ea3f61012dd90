//! The places in pipelines that have names.

use crate::infra::pipeline::Point;

/// All points, in the order in which a program comes past them.
pub static POINTS: &[&Point] = &[
    &BEFORE_INFERENCE,
    &AFTER_INFERENCE,
    &BEFORE_LOOPS,
    &BEFORE_FUSION,
    &AFTER_FUSION,
    &BEFORE_LOWERING,
    &BEFORE_OWNERSHIP,
    &BEFORE_LLVM,
];

/// Where rewrites of the `py` dialect have run.
pub static BEFORE_INFERENCE: Point = Point {
    name: "before-inference",
    description: "The module holds `py.func` functions in SSA form whose values have no types yet. \
                  Closures, literals and generators are resolved as far as they are without types.",
};

/// Where every value has a type.
pub static AFTER_INFERENCE: Point = Point {
    name: "after-inference",
    description: "The module holds `func.func` functions of `typed` operations, with branches. \
                  Callees are in it, and nothing is inlined.",
};

/// Where control flow is structured, and operations on arrays are whole.
pub static BEFORE_LOOPS: Point = Point {
    name: "before-loops",
    description: "In each `func.func`, control flow is `scf`, and small functions are inlined. \
                  Operations on whole arrays are `typed` operations; no loop of theirs exists yet.",
};

/// Where loops over arrays exist, each for itself.
pub static BEFORE_FUSION: Point = Point {
    name: "before-fusion",
    description: "In each `func.func`, operations on whole arrays, `prange` loops and stencils are \
                  `parfor.loop` operations that yield values. Nothing is allocated for temporaries.",
};

/// Where loops over arrays are merged.
pub static AFTER_FUSION: Point = Point {
    name: "after-fusion",
    description: "In each `func.func`, producers have become part of the loops that use them; \
                  broadcasts and results of loops are not memory yet.",
};

/// The last place before memory.
pub static BEFORE_LOWERING: Point = Point {
    name: "before-lowering",
    description: "The module holds structured functions: `scf` around `typed` operations, arrays as \
                  values. Everything behind makes memory of them, and then LLVM's dialect.",
};

/// Behind the transformations of loops.
pub static BEFORE_OWNERSHIP: Point = Point {
    name: "before-ownership",
    description: "In each `func.func`, loops are `scf` loops in their last form, still around `typed` \
                  operations. What is allocated isn't released yet.",
};

/// Behind the calling convention.
pub static BEFORE_LLVM: Point = Point {
    name: "before-llvm",
    description: "The module holds upstream's dialects alone: `memref`, `arith`, `math`, `cf`, and \
                  `llvm` where these have nothing. Functions return status codes, and entry points \
                  for the host are there.",
};
