// A reproducer holds the pipeline with our options, and runs again.

// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops{name=func.return report}))' --mlir-generate-reproducer=%t.mlir -o /dev/null
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: %extended-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not %extended-opt %s --example-count-ops=limit=0 --mlir-pass-pipeline-crash-reproducer=%t.crash.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: FileCheck %s --check-prefix=SAVED --input-file=%t.crash.mlir

// CHECK: func.func @f
// CHECK: pipeline: "builtin.module(func.func(example-count-ops{{.*}}name=func.return report=true
// AGAIN: remark: 1 operations
// CRASH: error: 3 operations are more than 0
// SAVED: pipeline: "builtin.module(example-count-ops{limit=0

func.func @f() { return }
