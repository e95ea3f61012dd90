// RUN: %pyopt %s --pass-pipeline='builtin.module(expand-elementary{device=true})' | FileCheck %s

// One division, and no sums in two parts.
// CHECK-LABEL: func.func @logarithm(
// CHECK: call @pyopt.log(
// CHECK-LABEL: func.func private @pyopt.log(
// CHECK: arith.addi
// CHECK: %[[BITS:.*]] = arith.subi
// CHECK: arith.subi %{{.*}}, %[[BITS]]
// CHECK: %[[M:.*]] = arith.bitcast
// CHECK: %[[F:.*]] = arith.subf %[[M]],
// CHECK: %[[D:.*]] = arith.addf %[[F]],
// CHECK: %[[S:.*]] = arith.divf %[[F]], %[[D]] : f64
// CHECK: arith.mulf %[[S]], %[[S]] : f64
// CHECK-NOT: arith.divf
func.func @logarithm(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}
