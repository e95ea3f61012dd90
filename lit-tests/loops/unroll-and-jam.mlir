// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-unroll-and-jam))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-unroll-and-jam{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: does 16 iterations at once, so that the loop in it vectorises

// Sixteen sums at once; what doesn't depend on the outer position is there once. The rest is the loop
// as it was, from where the groups end.

// CHECK-LABEL: func.func @product(
// CHECK: %[[REST:.*]] = arith.remui
// CHECK: %[[MIDDLE:.*]] = arith.addi
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[MIDDLE]] step %c16
// CHECK:   %[[J15:.*]] = arith.addi %[[J]], %c15
// CHECK:   %[[SUMS:.*]]:16 = scf.for %[[K:.*]] = {{.*}} iter_args(
// CHECK:     %[[A:.*]] = typed.load %arg0[%arg3, %[[K]]]
// CHECK-NOT: typed.load %arg0
// CHECK:     %[[B:.*]] = typed.load %arg1[%[[K]], %[[J15]]]
// CHECK:     typed.binary mul %[[A]], %[[B]] : f64
// CHECK:     scf.yield
// CHECK:   typed.store %[[SUMS]]#0,
// CHECK:   typed.store %[[SUMS]]#15, %{{.*}}[%arg3, %[[J15]]]
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
// CHECK:   scf.for {{.*}} -> (f64) {
// CHECK:   typed.store
func.func @product(%a: !typed.array<2, f64, C>, %b: !typed.array<2, f64, C>, %n: index, %i: index) -> !typed.array<2, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %n) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %x = typed.load %a[%i, %k] : !typed.array<2, f64, C>, index, index -> f64
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %p = typed.binary mul %x, %y : f64
      %u = typed.binary add %t, %p : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
  }
  return %out : !typed.array<2, f64, C>
}

// -----

// An argument may share memory with what is loaded.

// CHECK-LABEL: func.func @overlap(
// CHECK-NOT: step %c16
func.func @overlap(%b: !typed.array<2, f64, C>, %out: !typed.array<1, f64, C>, %n: index) {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return
}

// -----

// The inner loop is as long as the outer position; the sum before is needed; rows are walked along
// already; something may be raised.

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: arith.remui
func.func @near_misses(%b: !typed.array<2, f64, C>, %n: index, %bad: i1) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %j step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %before = typed.load %out[%c0] : !typed.array<1, f64, C>, index -> f64
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %before) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.raise_if %bad, "ValueError"("stop")
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}
