// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-split-borders))' --split-input-file | FileCheck %s

// Neighbours within the borders: the interior reads elements beside one another.

// CHECK-LABEL: func.func @clamped(
// CHECK:         %[[FIRST:.*]] = arith.maxsi %c0, %{{.*}} : index
// CHECK:         %[[BORDER:.*]] = arith.select %{{.*}}, %[[FIRST]], %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[BORDER]] step %c1 {
// CHECK:           typed.binary max
// CHECK:           typed.binary min
// CHECK:         {loop_annotation = #{{.*}}}
// CHECK:         scf.for
// CHECK-NOT:       typed.binary max
// CHECK-NOT:       typed.binary min
// CHECK:           typed.load
// CHECK:         scf.for
// CHECK:           typed.binary max
// CHECK:           typed.binary min
func.func @clamped(%a: !typed.array<1, f64, C>, %out: !typed.array<1, f64, C>, %r: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %end = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %last = typed.binary sub %n, %one : si64
  scf.for %i = %c0 to %end step %c1 {
    %p = typed.cast %i : index to si64
    %q = typed.binary sub %p, %r : si64
    %low = typed.binary max %q, %zero : si64
    %s = typed.binary add %p, %r : si64
    %high = typed.binary min %last, %s : si64
    %x = typed.load %a[%low] : !typed.array<1, f64, C>, si64 -> f64
    %y = typed.load %a[%high] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %z = typed.binary add %x, %y : f64
    typed.store %z, %out[%p] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// -----

// Choices between a neighbour and a border, and what is done inside of the borders alone; carried values go through
// all three loops.

// CHECK-LABEL: func.func @chosen(
// CHECK:         %[[A:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK:           scf.if
// CHECK:           scf.if
// CHECK:         %[[B:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (f64)
// CHECK-NOT:       scf.if
// CHECK:           typed.load
// CHECK:           typed.load
// CHECK:         %[[C:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[B]]) -> (f64)
// CHECK:         return %[[C]]
func.func @chosen(%a: !typed.array<1, f64, C>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %end = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %last = typed.binary sub %n, %one : si64
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%total = %start) -> (f64) {
    %p = typed.cast %i : index to si64
    %inner = typed.compare gt %p, %zero : si64
    %low = scf.if %inner -> (si64) {
      %q = typed.binary sub %p, %one : si64
      scf.yield %q : si64
    } else {
      scf.yield %zero : si64
    }
    %x = typed.load %a[%low] : !typed.array<1, f64, C>, si64 -> f64
    %t = typed.binary add %total, %x : f64
    %at_end = typed.compare ge %p, %last : si64
    %u = scf.if %at_end -> (f64) {
      scf.yield %t : f64
    } else {
      %q = typed.binary add %p, %one : si64
      %y = typed.load %a[%q] : !typed.array<1, f64, C>, si64 -> f64
      %v = typed.binary add %t, %y : f64
      scf.yield %v : f64
    }
    scf.yield %u : f64
  }
  return %sum : f64
}

// -----

// One clamp of another: between both borders.

// CHECK-LABEL: func.func @twice(
// CHECK:         scf.for
// CHECK:           typed.binary max
// CHECK:         scf.for
// CHECK-NOT:       typed.binary {{max|min}}
// CHECK:         scf.for
func.func @twice(%a: !typed.array<1, f64, C>, %out: !typed.array<1, f64, C>, %r: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %end = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %last = typed.binary sub %n, %one : si64
  scf.for %i = %c0 to %end step %c1 {
    %p = typed.cast %i : index to si64
    %q = typed.binary add %p, %r : si64
    %low = typed.binary max %q, %zero : si64
    %at = typed.binary min %low, %last : si64
    %x = typed.load %a[%at] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %out[%p] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// -----

// What isn't about borders stays one loop: a number that is no index, a position with a coefficient, a bound that
// the loop computes, a branch in the middle, a window of a few.

// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.for
func.func @others(%a: !typed.array<1, f64, C>, %b: !typed.array<1, si64, C>, %r: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %two = typed.constant 2 : si64
  %end = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%total = %zero) -> (si64) {
    %p = typed.cast %i : index to si64
    %most = typed.binary max %p, %r : si64
    %k = typed.load %b[%p] : !typed.array<1, si64, C>, si64 -> si64
    %t = typed.binary add %total, %most : si64
    %u = typed.binary add %t, %k : si64
    scf.yield %u : si64
  }
  scf.for %i = %c0 to %end step %c1 {
    %p = typed.cast %i : index to si64
    %q = typed.binary mul %p, %two : si64
    %low = typed.binary min %q, %r : si64
    %k = typed.load %b[%low] wraparound : !typed.array<1, si64, C>, si64 -> si64
    %m = typed.binary min %k, %p : si64
    %x = typed.load %a[%m] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %front = typed.compare lt %p, %r : si64
    scf.if %front {
      typed.store %x, %a[%p] : f64, !typed.array<1, f64, C>, si64
    }
  }
  %width = typed.binary mul %r, %two : si64
  %window = typed.cast %width : si64 to index
  scf.for %i = %c0 to %window step %c1 {
    %p = typed.cast %i : index to si64
    %q = typed.binary sub %p, %r : si64
    %low = typed.binary max %q, %zero : si64
    %x = typed.load %a[%low] : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%p] : f64, !typed.array<1, f64, C>, si64
  }
  return %sum : si64
}
