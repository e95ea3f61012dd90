# Sizes that an assert compares aren't checked again: array analysis, and what comes before and after.

# RUN: %py-translate %s -s 'asserted(!typed.array<1, f64, C>, !typed.array<2, f64, C>, !typed.array<1, f64, C>, si64)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-fuse -o /dev/null 2>&1 | FileCheck %s
# RUN: %py-translate %s -s 'unasserted(!typed.array<1, f64, C>, !typed.array<2, f64, C>, !typed.array<1, f64, C>, si64)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECKED

import numpy as np


# The assert is the only check of sizes. What is computed of the first product is one loop with it.
# CHECK-LABEL: func.func @asserted
# CHECK: typed.raise_if %{{.*}}, "AssertionError"
# CHECK-NOT: typed.require_equal
# CHECK-NOT: typed.broadcast
# CHECK: scf.for
# CHECK: parfor.loop(%{{.*}}) reductions [] pattern array_expr fused [fill]
# CHECK: typed.call @native
# CHECK: parfor.loop(%{{.*}}) reductions [] pattern {{.*}} fused [array_expr]
# CHECK-NOT: parfor.loop
def asserted(Y, X, w, iterations):
    assert X.shape == (Y.shape[0], w.shape[0])
    for i in range(iterations):
        w -= np.dot(((1.0 / (1.0 + np.exp(-Y * np.dot(X, w))) - 1.0) * Y), X)
    return w


# Without it each product checks what it needs, and each sum of arrays may broadcast.
# CHECKED-LABEL: func.func @unasserted
# CHECKED: typed.require_equal
# CHECKED: typed.broadcast
# CHECKED: typed.require_equal
def unasserted(Y, X, w, iterations):
    for i in range(iterations):
        w -= np.dot(((1.0 / (1.0 + np.exp(-Y * np.dot(X, w))) - 1.0) * Y), X)
    return w
