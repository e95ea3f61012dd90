// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-threads,func.func(typed-unroll-and-jam,typed-tile-loops,typed-interchange-loops),canonicalize,cse)' | FileCheck %s

// Nests in bodies that became functions are transformed as they are elsewhere: the body knows which of
// its arguments are allocations of the function around it.

!m = !typed.array<2, f64, C>

// Sixteen sums at once.

// CHECK-LABEL: func.func private @product.parfor0(
// CHECK-SAME: pyopt.origins = array<i64: -2, -2, -1, -1, -1, 0>
// CHECK: scf.for {{.*}} step %c16
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
func.func @product(%a: !m, %b: !m, %n: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0.0 : f64
  %out = typed.empty(%n, %n) : (index, index) -> !m
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
        %x = typed.load %a[%i, %k] : !m, index, index -> f64
        %y = typed.load %b[%k, %j] : !m, index, index -> f64
        %p = typed.binary mul %x, %y : f64
        %u = typed.binary add %t, %p : f64
        scf.yield %u : f64
      }
      typed.store %s, %out[%i, %j] : f64, !m, index, index
    }
  }
  return %out : !m
}

// The result may be an argument, which is tested.

// CHECK-LABEL: func.func private @maybe_in_place.parfor0(
// CHECK-SAME: pyopt.origins = array<i64: -2, -2, -1, -1, -1, -2>
// CHECK: %[[OVERLAP:.*]] = typed.overlaps
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %c0, %{{.*}} : index
// CHECK: scf.for {{.*}} to %[[END]] step %c16
func.func @maybe_in_place(%a: !m, %b: !m, %n: index, %c: i1) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0.0 : f64
  %new = typed.empty(%n, %n) : (index, index) -> !m
  %out = arith.select %c, %a, %new : !m
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
        %x = typed.load %a[%i, %k] : !m, index, index -> f64
        %y = typed.load %b[%k, %j] : !m, index, index -> f64
        %p = typed.binary mul %x, %y : f64
        %u = typed.binary add %t, %p : f64
        scf.yield %u : f64
      }
      typed.store %s, %out[%i, %j] : f64, !m, index, index
    }
  }
  return %out : !m
}

// Two-dimensional bodies are tiled, and take the other order.

// CHECK-LABEL: func.func private @transposed.parfor0(
// CHECK: scf.for {{.*}} step %c8
// CHECK:   scf.for {{.*}} step %c8
// CHECK:     arith.minsi
func.func @transposed(%a: !m, %n: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %n) : (index, index) -> !m
  parfor.loop(%n, %n) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%j, %i] : !m, index, index -> f64
    typed.store %x, %out[%i, %j] : f64, !m, index, index
  }
  return %out : !m
}

// CHECK-LABEL: func.func private @columns.parfor0(
// CHECK-SAME: %[[L:[a-z0-9]+]]: index, %[[U:[a-z0-9]+]]: index
// CHECK: %[[FROM:.*]] = arith.maxsi %[[L]], %c0
// CHECK: %[[TO:.*]] = arith.minsi %[[U]], %{{.*}}
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK:   scf.for %[[J:.*]] = %[[FROM]] to %[[TO]]
// CHECK:     typed.load %{{.*}}[%[[I]], %[[J]]]
func.func @columns(%a: !m, %n: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %n) : (index, index) -> !m
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    scf.for %i = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !m, index, index -> f64
      typed.store %x, %out[%i, %j] : f64, !m, index, index
    }
  }
  return %out : !m
}
