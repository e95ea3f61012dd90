// What MLIR offers for every pass works for ours: IR printing, timing, statistics, threads.

// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops))' --mlir-print-ir-after=example-count-ops -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops))' --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops{name=func.return}))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops{name=func.return}))' --mlir-pass-statistics --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// PRINT-COUNT-3: IR Dump After example-count-ops (example-count-ops)
// TIMING: Execution time report
// TIMING: example-count-ops
// STATISTICS: Pass statistics report
// STATISTICS: example-count-ops
// STATISTICS-NEXT: (S) {{ *}}3 counted - operations counted

func.func @f() { return }
func.func @g() { return }
func.func @h() { return }
