// RUN: %pyopt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(poly-lower))' | FileCheck %s
// RUN: %pyopt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func @line
// CHECK: %[[SLOPE:.*]] = arith.constant 2.0
// CHECK: %[[OFFSET:.*]] = arith.constant 3.0
// CHECK: %[[PRODUCT:.*]] = typed.binary mul %[[SLOPE]], %arg0 : f64
// CHECK: typed.binary add %[[PRODUCT]], %[[OFFSET]] : f64
// CHECK-NOT: poly
// CHECK: return
func.func @line(%x: f64) -> f64 {
  %p = poly.constant [2.0, 3.0] : !poly.polynomial<1>
  %0 = poly.eval %p at %x : !poly.polynomial<1>
  return %0 : f64
}

// -----

func.func @unknown(%p: !poly.polynomial<1>, %x: f64) -> f64 {
  // expected-error@+1 {{the polynomial isn't a constant}}
  %0 = poly.eval %p at %x : !poly.polynomial<1>
  return %0 : f64
}

// -----

// FOLD-LABEL: func @folded
// FOLD-DAG: poly.constant [-2.0{{.*}}, -3.0
// FOLD: return
func.func @folded() -> !poly.polynomial<1> {
  %p = poly.constant [2.0, 3.0] : !poly.polynomial<1>
  %0 = poly.neg %p : !poly.polynomial<1>
  return %0 : !poly.polynomial<1>
}

// -----

// FOLD-LABEL: func @twice
// FOLD-NEXT: return %arg0
func.func @twice(%p: !poly.polynomial<1>) -> !poly.polynomial<1> {
  %0 = poly.neg %p : !poly.polynomial<1>
  %1 = poly.neg %0 : !poly.polynomial<1>
  return %1 : !poly.polynomial<1>
}
