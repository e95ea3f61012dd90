// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-narrow-integers))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-narrow-integers{remarks=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: integers have 16 bits here, of which more fit a vector
// REMARK: remark: integers have 32 bits here, of which more fit a vector

!image = !typed.array<1, ui8, C>

// Sums of bytes, carried through a loop that runs three times, need 16 bits.

// CHECK-LABEL: func.func @carried(
// CHECK: %[[ZERO:.*]] = typed.cast %{{.*}} : si64 to si16
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[ZERO]]) -> (si16)
// CHECK:   %[[X:.*]] = typed.cast %{{.*}} : ui8 to si16
// CHECK:   %[[TWO:.*]] = typed.cast %{{.*}} : si64 to si16
// CHECK:   %[[P:.*]] = typed.binary mul %[[X]], %[[TWO]] : si16
// CHECK:   %[[U:.*]] = typed.binary sub %[[T]], %[[P]] : si16
// CHECK:   scf.yield %[[U]] : si16
// CHECK: %[[ABS:.*]] = typed.unary abs %[[SUM]] : si16
// CHECK: %[[LEAST:.*]] = typed.binary min %[[ABS]], %{{.*}} : si16
// CHECK: typed.cast %[[LEAST]] : si16 to ui8
func.func @carried(%a: !image, %b: !image, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = typed.constant 0 : si64
  %two = typed.constant 2 : si64
  %most = typed.constant 255 : si64
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (si64) {
      %k = arith.addi %i, %j : index
      %e = typed.load %a[%k] : !image, index -> ui8
      %x = typed.cast %e : ui8 to si64
      %p = typed.binary mul %x, %two : si64
      %u = typed.binary sub %t, %p : si64
      scf.yield %u : si64
    }
    %abs = typed.unary abs %sum : si64
    %least = typed.binary min %abs, %most : si64
    %r = typed.cast %least : si64 to ui8
    typed.store %r, %b[%i] : ui8, !image, index
  }
  return
}

// Products of them need 32; what becomes of them in 64 bits is extended once.

// CHECK-LABEL: func.func @product(
// CHECK: %[[P:.*]] = typed.binary mul %{{.*}}, %{{.*}} : si32
// CHECK: %[[WIDE:.*]] = typed.cast %[[P]] : si32 to si64
// CHECK: typed.binary add %{{.*}}, %[[WIDE]] : si64
func.func @product(%a: !image, %b: !image, %n: index) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (si64) {
    %e = typed.load %a[%i] : !image, index -> ui8
    %x = typed.cast %e : ui8 to si64
    %f = typed.load %b[%i] : !image, index -> ui8
    %y = typed.cast %f : ui8 to si64
    %p = typed.binary mul %x, %y : si64
    %u = typed.binary add %t, %p : si64
    scf.yield %u : si64
  }
  return %sum : si64
}

// Not where more is converted than computed, where a factor may be anything, outside of loops, for a shift by more than
// the width, and for a comparison with what doesn't fit.

// CHECK-LABEL: func.func @refused(
// CHECK-NOT: si16
// CHECK-NOT: si32
// CHECK: return
func.func @refused(%a: !image, %c: !typed.array<1, si64, C>, %n: index, %any: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %far = typed.constant 40 : si64
  %e0 = typed.load %a[%c0] : !image, index -> ui8
  %x0 = typed.cast %e0 : ui8 to si64
  %y0 = typed.binary mul %x0, %x0 : si64
  %z0 = typed.cast %y0 : si64 to ui8
  typed.store %z0, %a[%c0] : ui8, !image, index
  scf.for %i = %c0 to %n step %c1 {
    %e = typed.load %a[%i] : !image, index -> ui8
    %x = typed.cast %e : ui8 to si64
    %y = typed.binary add %x, %one : si64
    typed.store %y, %c[%i] : si64, !typed.array<1, si64, C>, index
    %e1 = typed.load %a[%i] : !image, index -> ui8
    %x1 = typed.cast %e1 : ui8 to si64
    %y1 = typed.binary mul %x1, %any : si64
    typed.store %y1, %c[%i] : si64, !typed.array<1, si64, C>, index
    %e2 = typed.load %a[%i] : !image, index -> ui8
    %x2 = typed.cast %e2 : ui8 to si64
    %y2 = typed.binary rshift %x2, %far : si64
    typed.store %y2, %c[%i] : si64, !typed.array<1, si64, C>, index
  }
  return
}
