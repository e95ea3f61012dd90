// Tuples that prange loops carry: element by element.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!t = tuple<f64, si64>

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[S:[^:]*]]: tuple<f64, si64>)
// CHECK: %[[S0:.*]] = typed.tuple_get %[[S]][0]
// CHECK: %[[S1:.*]] = typed.tuple_get %[[S]][1]
// CHECK: %[[R:.*]]:2 = parfor.loop(%{{.*}}) inits(%[[S0]], %[[S1]] : f64, si64) reductions [max, add] pattern prange
// CHECK-NOT: typed.tuple
// CHECK: parfor.yield %{{.*}}, %{{.*}} : f64, si64
// CHECK: %[[T:.*]] = typed.tuple(%[[R]]#0, %[[R]]#1)
// CHECK: return %[[T]]
func.func @two(%a: !v, %n: index, %one: si64, %c: i1, %s: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!t) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.tuple_get %t[0] : !t -> f64
    %2 = typed.binary max %1, %x : f64
    %3 = scf.if %c -> (!t) {
      %4 = typed.tuple_get %t[1] : !t -> si64
      %5 = typed.binary add %4, %one : si64
      %6 = typed.tuple(%2, %5) : !t
      scf.yield %6 : !t
    } else {
      scf.yield %t : !t
    }
    scf.yield %3 : !t
  } {pyopt.prange}
  return %0 : !t
}

// Tuples of tuples, through inner loops.

// CHECK-LABEL: func.func @nested(
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}}, %{{.*}} : f64, si64) reductions [add, add] pattern prange
// CHECK: scf.for {{.*}} -> (f64, si64)
func.func @nested(%n: index, %one: si64, %x: f64, %s: tuple<tuple<f64>, si64>) -> tuple<tuple<f64>, si64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tuple<tuple<f64>, si64>) {
    %1 = scf.for %j = %c0 to %i step %c1 iter_args(%u = %t) -> (tuple<tuple<f64>, si64>) {
      %2 = typed.tuple_get %u[0] : tuple<tuple<f64>, si64> -> tuple<f64>
      %3 = typed.tuple_get %2[0] : tuple<f64> -> f64
      %4 = typed.binary add %3, %x : f64
      %5 = typed.tuple_get %u[1] : tuple<tuple<f64>, si64> -> si64
      %6 = typed.binary add %5, %one : si64
      %7 = typed.tuple(%4) : tuple<f64>
      %8 = typed.tuple(%7, %6) : tuple<tuple<f64>, si64>
      scf.yield %8 : tuple<tuple<f64>, si64>
    }
    scf.yield %1 : tuple<tuple<f64>, si64>
  } {pyopt.prange}
  return %0 : tuple<tuple<f64>, si64>
}

// CHECK-LABEL: func.func @swapped(
// CHECK-NOT: parfor.loop
func.func @swapped(%n: index, %x: f64, %s: tuple<f64, f64>) -> tuple<f64, f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is moved to another variable}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tuple<f64, f64>) {
    %1 = typed.tuple_get %t[0] : tuple<f64, f64> -> f64
    %2 = typed.tuple_get %t[1] : tuple<f64, f64> -> f64
    %3 = typed.tuple(%2, %1) : tuple<f64, f64>
    scf.yield %3 : tuple<f64, f64>
  } {pyopt.prange}
  return %0 : tuple<f64, f64>
}
