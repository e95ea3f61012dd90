// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @shared(
// CHECK: scf.for
func.func @shared(%d: !typed.dict<si64, f64>, %n: index, %k: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations use the same dict or set}}
  scf.for %i = %c0 to %n step %c1 {
    typed.table_remove %d[%k] : !typed.dict<si64, f64>
  } {pyopt.prange}
  return
}

// Each iteration has its own.
// CHECK-LABEL: func.func @own(
// CHECK: parfor.loop
func.func @own(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d = typed.table_new : !typed.dict<si64, f64>
    typed.table_clear %d : !typed.dict<si64, f64>
  } {pyopt.prange}
  return
}
