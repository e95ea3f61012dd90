// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-promote-accumulators))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-promote-accumulators{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: keeps the element that it adds to in a register

// The element is carried and stored once.

// CHECK-LABEL: func.func @sum(
// CHECK: %[[OUT:.*]] = typed.empty
// CHECK-NOT: typed.store
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[S:.*]] = %arg2) -> (f64) {
// CHECK:   %[[X:.*]] = typed.load %arg0[%[[K]]]
// CHECK-NOT: typed.load
// CHECK:   %[[T:.*]] = typed.binary add %[[S]], %[[X]] : f64
// CHECK-NOT: typed.store
// CHECK:   scf.yield %[[T]]
// CHECK: typed.store %[[SUM]], %[[OUT]][%arg1]
func.func @sum(%a: !typed.array<1, f64, C>, %i: index, %zero: f64) -> !typed.array<1, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  typed.store %zero, %out[%i] : f64, !typed.array<1, f64, C>, index
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %out[%i] : !typed.array<1, f64, C>, index -> f64
    %x = typed.load %a[%k] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %s, %x : f64
    typed.store %t, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// The element may be one that is added; it was not stored before, so that it need not exist; it is
// another one in each iteration; it is loaded in between.

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: iter_args
func.func @near_misses(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %i: index, %zero: f64) -> !typed.array<1, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  typed.store %zero, %b[%i] : f64, !typed.array<1, f64, C>, index
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %b[%i] : !typed.array<1, f64, C>, index -> f64
    %x = typed.load %a[%k] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %s, %x : f64
    typed.store %t, %b[%i] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %out[%i] : !typed.array<1, f64, C>, index -> f64
    %x = typed.load %a[%k] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %s, %x : f64
    typed.store %t, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  typed.store %zero, %out[%i] : f64, !typed.array<1, f64, C>, index
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %out[%k] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %s, %s : f64
    typed.store %t, %out[%k] : f64, !typed.array<1, f64, C>, index
  }
  typed.store %zero, %out[%i] : f64, !typed.array<1, f64, C>, index
  %now = typed.load %out[%i] : !typed.array<1, f64, C>, index -> f64
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %out[%i] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %s, %now : f64
    typed.store %t, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A loop in the one that is replaced goes with it.

// CHECK-LABEL: func.func @nested(
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[S:.*]] = %arg2) -> (f64) {
// CHECK:   %[[IN:.*]] = scf.for
// CHECK:   %[[T:.*]] = typed.binary add %[[S]], %[[IN]] : f64
// CHECK:   scf.yield %[[T]]
// CHECK: typed.store %[[SUM]]
// CHECK-NOT: scf.for
func.func @nested(%a: !typed.array<1, f64, C>, %i: index, %zero: f64) -> !typed.array<1, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  typed.store %zero, %out[%i] : f64, !typed.array<1, f64, C>, index
  scf.for %k = %c0 to %n step %c1 {
    %s = typed.load %out[%i] : !typed.array<1, f64, C>, index -> f64
    %x = scf.for %l = %c0 to %k step %c1 iter_args(%p = %zero) -> (f64) {
      %y = typed.load %a[%l] : !typed.array<1, f64, C>, index -> f64
      %q = typed.binary add %p, %y : f64
      scf.yield %q : f64
    }
    %t = typed.binary add %s, %x : f64
    typed.store %t, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}
