// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-strip-reductions),typed-canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-strip-reductions{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: goes in strips where it is large

// Where there is enough to do the sums of a strip are in a buffer, and rows are gone along. What doesn't
// depend on the column is there once for each row. Elsewhere the nest is as it was.

// CHECK-LABEL: func.func @product(
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf64>
// CHECK: arith.cmpi sge, %arg2, %c64
// CHECK: %[[LARGE:.*]] = scf.if
// CHECK:   arith.cmpi sge, %arg2, %c192
// CHECK: scf.if %[[LARGE]] {
// CHECK:   scf.for %[[FIRST:.*]] = %c0 to %arg2 step %c1024 {
// CHECK:     %[[LENGTH:.*]] = arith.minsi %{{.*}}, %c1024
// CHECK:     scf.for %[[J:.*]] = %c0 to %[[LENGTH]]
// CHECK:       memref.store %{{.*}}, %[[SUMS]][%[[J]]]
// CHECK:     } {loop_annotation
// CHECK:     scf.for %[[K:.*]] = %c0 to %arg2
// CHECK:       %[[X:.*]] = typed.load %arg0[%arg3, %[[K]]]
// CHECK:       scf.for %[[J:.*]] = %c0 to %[[LENGTH]]
// CHECK:         %[[AT:.*]] = arith.addi %[[FIRST]], %[[J]]
// CHECK:         %[[OLD:.*]] = memref.load %[[SUMS]][%[[J]]]
// CHECK:         %[[Y:.*]] = typed.load %arg1[%[[K]], %[[AT]]]
// CHECK:         %[[P:.*]] = typed.binary mul %[[X]], %[[Y]]
// CHECK:         %[[NEW:.*]] = typed.binary add %[[OLD]], %[[P]]
// CHECK:         memref.store %[[NEW]], %[[SUMS]][%[[J]]]
// CHECK:       } {loop_annotation
// CHECK:     scf.for
// CHECK:       %[[SUM:.*]] = memref.load %[[SUMS]]
// CHECK:       typed.store %[[SUM]]
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     scf.for {{.*}} -> (f64)
// CHECK:     typed.store
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

// Where results may be what is loaded from that is tested.

// CHECK-LABEL: func.func @overlap(
// CHECK: memref.alloca
// CHECK: %[[WIDE:.*]] = arith.cmpi sge
// CHECK: %[[OVERLAP:.*]] = typed.overlaps %arg1, %arg0
// CHECK: %[[APART:.*]] = arith.xori %[[OVERLAP]]
// CHECK: arith.andi %[[WIDE]], %[[APART]]
// CHECK: typed.store
// CHECK: typed.store
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

// What stands before the inner loop stores; rows are gone along already; there is a loop in the inner one.

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: memref.alloca
// CHECK-COUNT-7: scf.for
// CHECK-NOT: scf.for
func.func @near_misses(%b: !typed.array<2, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    typed.store %zero, %own[%j] : f64, !typed.array<1, f64, C>, index
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %own[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %r = scf.for %l = %c0 to %n step %c1 iter_args(%v = %t) -> (f64) {
        %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
        %u = typed.binary add %v, %y : f64
        scf.yield %u : f64
      }
      scf.yield %r : f64
    }
    typed.store %s, %own[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %own[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %own : !typed.array<1, f64, C>
}
