// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-carry-quotients))' | FileCheck %s

// np.ndindex of three axes: no division is left. Of the quotient by the last axis only that by the middle one is
// used, so it isn't carried.
// CHECK-LABEL: func.func @three_axes(
// CHECK: %[[N:.*]] = typed.dim %{{.*}}[2]
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[K:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}, %[[I:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// CHECK: typed.load %{{.*}}[%[[I]], %[[J]], %[[K]]]
// CHECK: %[[MORE:.*]] = arith.addi %[[K]]
// CHECK: %[[ENDS:.*]] = arith.cmpi uge, %[[MORE]], %[[N]]
// CHECK: scf.if %[[ENDS]] -> (index, index, index) {
// CHECK: arith.addi %[[J]]
// CHECK: scf.if
// CHECK: arith.addi %[[I]]
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %[[I]]
// CHECK: } else {
// CHECK: scf.yield %[[MORE]], %[[J]], %[[I]]
func.func @three_axes(%a: !typed.array<3, f64, C>, %total: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = typed.dim %a[1] : !typed.array<3, f64, C> -> index
  %n = typed.dim %a[2] : !typed.array<3, f64, C> -> index
  %zero = typed.constant 0.0 : f64
  %sum = scf.for %p = %c0 to %total step %c1 iter_args(%s = %zero) -> (f64) {
    %k = arith.remui %p, %n : index
    %rest = arith.divui %p, %n : index
    %j = arith.remui %rest, %m : index
    %i = arith.divui %rest, %m : index
    %x = typed.load %a[%i, %j, %k] : !typed.array<3, f64, C>, index, index, index -> f64
    %t = typed.binary add %s, %x : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// Python's operators on a position plus an offset: the first quotient and remainder are divided for, but not by
// zero, which gives zero in all iterations.
// CHECK-LABEL: func.func @offset(
// CHECK-DAG: %[[WIDTH:.*]] = typed.dim
// CHECK-DAG: %[[NONE:.*]] = arith.cmpi eq
// CHECK-DAG: %[[GROWTH:.*]] = arith.select %[[NONE]]
// CHECK-DAG: arith.divui
// CHECK-DAG: arith.remui
// CHECK: scf.for
// CHECK-NOT: typed.binary floordiv
// CHECK-NOT: typed.binary mod
// CHECK: typed.cast %{{.*}} {pyopt.minimum = 0 : i64} : index to si64
// CHECK: typed.cast %{{.*}} {pyopt.minimum = 0 : i64} : index to si64
// CHECK: arith.addi %{{.*}}, %[[GROWTH]]
func.func @offset(%a: !typed.array<2, f64, C>, %total: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = typed.constant 5 : si64
  %width = typed.dim %a[1] : !typed.array<2, f64, C> -> si64
  %x = typed.constant 1.0 : f64
  scf.for %p = %c0 to %total step %c1 {
    %position = typed.cast %p {pyopt.minimum = 0 : i64} : index to si64
    %place = typed.binary add %position, %five {pyopt.ascending} : si64
    %i = typed.binary floordiv %place, %width : si64
    %j = typed.binary mod %place, %width : si64
    typed.store %x, %a[%i, %j] : f64, !typed.array<2, f64, C>, si64, si64
  }
  return
}

// Left alone: a constant, which has a better form; a divisor that may be negative, or is of the loop; a dividend
// that may be negative, or doesn't count; a division that not each iteration does; another step.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-6: typed.binary mod
// CHECK: scf.for
// CHECK: typed.binary mod
func.func @others(%a: !typed.array<1, si64, C>, %unknown: si64, %condition: i1, %total: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ten = typed.constant 10 : si64
  %size = typed.dim %a[0] : !typed.array<1, si64, C> -> si64
  scf.for %p = %c0 to %total step %c1 {
    %i = typed.cast %p {pyopt.minimum = 0 : i64} : index to si64
    %constant = typed.binary mod %i, %ten : si64
    %negative = typed.binary mod %i, %unknown : si64
    %own = typed.binary mod %size, %i : si64
    %before = typed.binary sub %i, %ten : si64
    %below = typed.binary mod %before, %size : si64
    %item = typed.load %a[%p] : !typed.array<1, si64, C>, index -> si64
    %any = typed.binary mod %item, %size : si64
    typed.store %any, %a[%below] : si64, !typed.array<1, si64, C>, si64
    typed.store %own, %a[%negative] : si64, !typed.array<1, si64, C>, si64
    scf.if %condition {
      %seldom = typed.binary mod %i, %size : si64
      typed.store %constant, %a[%seldom] : si64, !typed.array<1, si64, C>, si64
    }
  }
  scf.for %p = %c0 to %total step %c2 {
    %i = typed.cast %p {pyopt.minimum = 0 : i64} : index to si64
    %even = typed.binary mod %i, %size : si64
    typed.store %even, %a[%even] : si64, !typed.array<1, si64, C>, si64
  }
  return
}
