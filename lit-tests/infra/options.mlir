// Options come from the command line, from a textual pipeline and from a named one.

// RUN: %extended-opt %s --example-count-ops='name=arith.addi report' 2>&1 | FileCheck %s --check-prefix=ADDS
// RUN: %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops{report=true}))' 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %extended-opt %s --pass-pipeline='builtin.module(example-simplify{name=arith.addi})' 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: %extended-opt %s --example-simplify=name=arith.addi 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: %extended-opt %s --example-simplify=name=arith.addi --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DUMP

// ADDS: remark: 3 operations
// ALL: remark: 5 operations
// SIMPLE: remark: 2 operations
// DUMP: builtin.module(
// DUMP: cse
// DUMP: example-count-ops{{.*}}name=arith.addi report=true

func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
