// RUN: %pyopt %s --typed-to-memref --canonicalize | FileCheck %s

// Strides may be negative: the first byte isn't that of the first element then.

// CHECK-LABEL: func.func @py.f(
// CHECK: llvm.ptrtoint
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[X:.*]] = arith.cmpi ult
// CHECK: %[[Y:.*]] = arith.cmpi ult
// CHECK: arith.andi %[[X]], %[[Y]]
func.func @f(%a: !typed.array<1, f64, A>, %b: !typed.array<1, i1, bytes>) -> i1 {
  %0 = typed.overlaps %a, %b : !typed.array<1, f64, A>, !typed.array<1, i1, bytes>
  return %0 : i1
}
