# What becomes of `a0 * a1 + a2`, stage by stage, and of slices that go over one space.

# RUN: %py-translate %s -s 'expression(!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=typed-array-expr -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPR
# RUN: %py-translate %s -s 'expression(!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP
# RUN: %py-translate %s -s 'expression(!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-to-threads -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS
# RUN: %py-translate %s -s 'smoothed(!typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-array-analysis -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: %py-translate %s -s 'smoothed(!typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --pass-pipeline='builtin.module(py-parallel-pipeline)' --mlir-print-ir-after=parfor-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=SLICES


# One expression,
# EXPR-LABEL: func.func @expression
# EXPR: typed.array_expr(%{{.*}}, %{{.*}}, %{{.*}}) {
# EXPR: typed.binary mul
# EXPR-NEXT: typed.binary add
# EXPR-NEXT: typed.yield
# EXPR-NOT: typed.array_expr

# one loop,
# LOOP-LABEL: func.func @expression
# LOOP: parfor.loop(%{{.*}}) reductions [] pattern array_expr {
# LOOP-COUNT-3: typed.load
# LOOP: typed.binary add
# LOOP-NEXT: parfor.yield
# LOOP-NOT: parfor.loop

# and one function that threads run parts of.
# THREADS: func.func private @{{"?}}expression.1.parfor0
# THREADS-NOT: func.func private @{{"?}}expression.1.parfor1
def expression(a0, a1, a2):
    return a0 * a1 + a2


# `a[0:n-2]`, `a[2:n]` and `b[1:n-1]` have one size once those of `a` and `b` are equal,
# SIZES-LABEL: func.func @smoothed
# SIZES: typed.raise_if
# SIZES: %[[N:.*]] = typed.dim %{{.*}}[0] : !typed.array<1, f64, C> -> index
# SIZES: typed.with_shape %{{.*}}[%[[N]]]
# SIZES: typed.with_shape %{{.*}}[%[[N]]]


# so nothing is broadcast and all is one loop; overlapping arrays are copied before it.
# SLICES-LABEL: func.func @smoothed
# SLICES-NOT: typed.broadcast
# SLICES: pattern copy
# SLICES: pattern copy
# SLICES: parfor.loop(%{{.*}}) inits(%{{.*}} : f64) reductions [add] pattern setitem fused [array_expr, array_expr, setitem, reduction "sum"]
# SLICES-NOT: parfor.loop
def smoothed(a, b):
    n = a.shape[0]
    assert b.shape[0] == n
    b[1 : n - 1] = a[0 : n - 2] + a[2:n]
    b[1 : n - 1] = b[1 : n - 1] * 2.0
    return b[1:-1].sum()
