// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-unsigned-divisions))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-unsigned-divisions{remarks=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-3: remark: neither side is negative: an unsigned division

// Of what loops carry, and of sizes.

// CHECK-LABEL: func.func @natural(
// CHECK: %[[SUM:.*]] = typed.binary add
// CHECK: %[[X:.*]] = typed.cast %[[SUM]] : si64 to ui64
// CHECK: %[[Y:.*]] = typed.cast %{{.*}} : si64 to ui64
// CHECK: %[[R:.*]] = typed.binary mod %[[X]], %[[Y]] : ui64
// CHECK: %[[NEXT:.*]] = typed.cast %[[R]] : ui64 to si64
// CHECK: scf.yield %{{.*}}, %[[NEXT]] : si64, si64
// CHECK: typed.binary floordiv %{{.*}}, %{{.*}} : ui64
// CHECK: typed.binary floordiv %{{.*}}, %{{.*}} : ui16
func.func @natural(%n: index, %a: !typed.array<2, f64, C>, %byte: ui8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %ten = typed.constant 10 : si64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %one) -> (si64, si64) {
    %sum = typed.binary add %x, %y : si64
    %next = typed.binary mod %sum, %ten : si64
    scf.yield %y, %next : si64, si64
  }
  %h = typed.dim %a[0] : !typed.array<2, f64, C> -> si64
  %w = typed.dim %a[1] : !typed.array<2, f64, C> -> si64
  %q = typed.binary floordiv %h, %w : si64
  %wide = typed.cast %byte : ui8 to si16
  %three = typed.constant 3 : si16
  %third = typed.binary floordiv %wide, %three : si16
  return
}

// Numbers of any sign, a negative divisor, a power of 2, floats, and a sum that only grows: LLVM may compute what that
// ends with in no time.

// CHECK-LABEL: func.func @other(
// CHECK-NOT: ui64
func.func @other(%n: si64, %a: !typed.array<1, f64, C>, %x: f64, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %three = typed.constant 3 : si64
  %minus = typed.constant -3 : si64
  %eight = typed.constant 8 : si64
  %p = typed.binary mod %n, %three : si64
  %w = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %q = typed.binary floordiv %w, %minus : si64
  %r = typed.binary floordiv %w, %n : si64
  %s = typed.binary floordiv %w, %eight : si64
  %f = typed.binary floordiv %x, %x : f64
  %sums = scf.for %i = %c0 to %count step %c1 iter_args(%sum = %one) -> (si64) {
    %third = typed.binary floordiv %sum, %three : si64
    %more = typed.binary add %sum, %one : si64
    scf.yield %more : si64
  }
  return
}
