// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(run-for-dialect{dialect=math pipeline=convert-math-to-llvm})' | FileCheck %s
// RUN: not %pyopt %s --split-input-file --pass-pipeline='builtin.module(run-for-dialect{dialect=math pipeline=no-such-pass})' 2>&1 | FileCheck %s --check-prefix=MALFORMED

// MALFORMED: error: malformed pipeline:

// CHECK-LABEL: func.func @there(
// CHECK: llvm.intr.sqrt
func.func @there(%x: f64) -> f64 {
  %0 = math.sqrt %x : f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @not_there(
// CHECK: arith.addf
func.func @not_there(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  return %0 : f64
}
