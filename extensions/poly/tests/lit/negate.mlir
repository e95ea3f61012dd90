// RUN: %pyopt %s --pass-pipeline='builtin.module(poly-negate)' | FileCheck %s

// CHECK-LABEL: func @negated
// CHECK: %[[NEG:.*]] = poly.neg %arg0
// CHECK-NEXT: %[[VALUE:.*]] = poly.eval %[[NEG]] at %arg1
// CHECK-NEXT: return %[[VALUE]]
func.func @negated(%p: !poly.polynomial<1>, %x: f64) -> f64 {
  %0 = poly.eval %p at %x : !poly.polynomial<1>
  %1 = typed.unary neg %0 : f64
  return %1 : f64
}

// The argument isn't the value.
// CHECK-LABEL: func @other
// CHECK: typed.unary neg
// CHECK: poly.eval %arg0 at
func.func @other(%p: !poly.polynomial<1>, %x: f64) -> f64 {
  %0 = typed.unary neg %x : f64
  %1 = poly.eval %p at %0 : !poly.polynomial<1>
  return %1 : f64
}
