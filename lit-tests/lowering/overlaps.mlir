// RUN: %pyopt %s --typed-to-memref --canonicalize | FileCheck %s

// Strides may be negative: the first byte isn't that of the first element then.

// CHECK-LABEL: func.func @py.f(
// CHECK: llvm.ptrtoint
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[END:.*]] = arith.select
// CHECK: %[[X:.*]] = arith.maxui
// CHECK: %[[Y:.*]] = arith.minui
// CHECK: arith.cmpi ult, %[[X]], %[[Y]]
func.func @f(%a: !typed.array<1, f64, A>, %b: !typed.array<1, i1, bytes>) -> i1 {
  %0 = typed.overlaps %a, %b : !typed.array<1, f64, A>, !typed.array<1, i1, bytes>
  return %0 : i1
}

// Elements of a contiguous array lie between its first one and as many bytes behind.

// CHECK-LABEL: func.func @py.contiguous(
// CHECK-NOT: arith.minsi
// CHECK: arith.muli
// CHECK: arith.maxui
// CHECK: arith.minui
// CHECK: arith.cmpi ult
func.func @contiguous(%a: !typed.array<2, f64, C>, %b: !typed.array<2, f64, F>) -> i1 {
  %0 = typed.overlaps %a, %b : !typed.array<2, f64, C>, !typed.array<2, f64, F>
  return %0 : i1
}
