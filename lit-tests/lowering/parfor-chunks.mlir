// The number of chunks is asked of the scheduler; without an estimate iterations may take any time.

// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-to-memref)' | FileCheck %s

// CHECK-LABEL: func.func @py.chunks(
// CHECK-SAME: %[[N:.*]]: index, %[[W:.*]]: index)
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[ANY:.*]] = arith.constant 0 : i64
// CHECK: call @pyopt_chunks(%[[COUNT]], %[[ANY]]) : (i64, i64) -> i64
// CHECK: %[[WORK:.*]] = arith.index_cast %[[W]] : index to i64
// CHECK: call @pyopt_chunks(%{{.*}}, %[[WORK]]) : (i64, i64) -> i64
func.func @chunks(%n: index, %w: index) -> (index, index) {
  %0 = parfor.chunks %n
  %1 = parfor.chunks %n work(%w)
  return %0, %1 : index, index
}
