// datetime64 and timedelta64: round trip, folding, and what they become.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s
// RUN: %pyopt %s --canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-to-memref,canonicalize)' | FileCheck %s --check-prefix=LOW

// CHECK: py.binding @day = #py.ticks<18262 : i64, !typed.datetime64<D>>
// CHECK: py.binding @days = #py.ticks<dense<[1, 2]> : tensor<2xsi64>, !typed.datetime64<D>>
py.binding @day = #py.ticks<18262, !typed.datetime64<D>>
py.binding @days = #py.ticks<dense<[1, 2]> : tensor<2xsi64>, !typed.datetime64<D>>

// CHECK-LABEL: func.func @twice
// CHECK-SAME: !typed.datetime64<as>) -> !typed.datetime64<as>
// CHECK: typed.ticks %{{.*}} : !typed.datetime64<as> to si64
// CHECK: typed.ticks %{{.*}} : si64 to !typed.datetime64<as>
// FOLDED-LABEL: func.func @twice
// FOLDED-SAME: %[[X:.*]]: !typed
// FOLDED-NEXT: return %[[X]]
// LOW-LABEL: func.func @py.twice(
// LOW-SAME: %[[X:.*]]: i64) -> i64
// LOW-NEXT: return %[[X]] : i64
func.func @twice(%x: !typed.datetime64<as>) -> !typed.datetime64<as> {
  %0 = typed.ticks %x : !typed.datetime64<as> to si64
  %1 = typed.ticks %0 : si64 to !typed.datetime64<as>
  return %1 : !typed.datetime64<as>
}

// The same number is another time in another unit.
// FOLDED-LABEL: func.func @units
// FOLDED: typed.ticks
// FOLDED: typed.ticks
func.func @units(%x: !typed.timedelta64<s>) -> !typed.timedelta64<generic> {
  %0 = typed.ticks %x : !typed.timedelta64<s> to si64
  %1 = typed.ticks %0 : si64 to !typed.timedelta64<generic>
  return %1 : !typed.timedelta64<generic>
}

// Elements are integers of 64 bits in memory.
// LOW-LABEL: func.func @py.element(
// LOW-SAME: memref<?xi64>
// LOW: memref.load %{{.*}} : memref<?xi64>
// CHECK-LABEL: func.func @element
func.func @element(%a: !typed.array<1, !typed.timedelta64<ns>, C>, %i: index) -> !typed.timedelta64<ns> {
  %0 = typed.load %a[%i] : !typed.array<1, !typed.timedelta64<ns>, C>, index -> !typed.timedelta64<ns>
  return %0 : !typed.timedelta64<ns>
}
