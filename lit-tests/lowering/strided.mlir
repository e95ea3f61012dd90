// RUN: %pyopt %s --typed-to-memref | FileCheck %s

// A view under other sizes and strides takes the memory and the owner as they are.

// CHECK-LABEL: @py.rows(
// CHECK-NOT:     call
// CHECK:         return
func.func @rows(%a: !typed.array<1, f64, C>, %n: si64, %m: si64) -> !typed.array<2, f64, A, readonly> {
  %0 = typed.strided %a sizes(%n, %m) strides(%m, %n)
    : !typed.array<1, f64, C>, (si64, si64), (si64, si64) -> !typed.array<2, f64, A, readonly>
  return %0 : !typed.array<2, f64, A, readonly>
}
