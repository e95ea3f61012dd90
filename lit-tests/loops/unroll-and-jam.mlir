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

// An argument may share memory with what is loaded: then no group is done.

// CHECK-LABEL: func.func @overlap(
// CHECK: %[[OVERLAP:.*]] = typed.overlaps %arg1, %arg0
// CHECK: %[[MIDDLE:.*]] = arith.select %[[OVERLAP]], %c0, %{{.*}} : index
// CHECK: scf.for %{{.*}} = %c0 to %[[MIDDLE]] step %c16
// CHECK:   typed.load %arg0{{.*}} {alias_scopes = [#alias_scope], noalias_scopes = [#alias_scope1]}
// CHECK:   typed.store {{.*}}, %arg1{{.*}} {alias_scopes = [#alias_scope1], noalias_scopes = [#alias_scope]}
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
// CHECK-NOT: alias_scopes
// CHECK: return
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

// Rows are walked along already, but each sum waits for itself: eight don't.

// REMARK: remark: does 8 iterations at once, so that their sums don't wait for each other

// CHECK-LABEL: func.func @rows(
// CHECK: scf.for {{.*}} step %c8
// CHECK:   %[[SUMS:.*]]:8 = scf.for %[[K:.*]] = {{.*}} iter_args(
// CHECK:     %[[X:.*]] = typed.load %arg1[%[[K]]]
// CHECK-NOT: typed.load %arg1
// CHECK:     scf.yield
// CHECK:   typed.store %[[SUMS]]#0,
// CHECK:   typed.store %[[SUMS]]#7,
func.func @rows(%a: !typed.array<2, f64, C>, %x: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %z = typed.load %x[%k] : !typed.array<1, f64, C>, index -> f64
      %p = typed.binary mul %y, %z : f64
      %u = typed.binary add %t, %p : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// What the inner loop adds to is an element of its own for each outer position; it is stored to before the
// loop, too.

// CHECK-LABEL: func.func @own_elements(
// CHECK: scf.for {{.*}} step %c8
// CHECK-COUNT-8: typed.store %arg2,
// CHECK: scf.for
// CHECK-COUNT-8: typed.store
func.func @own_elements(%a: !typed.array<2, f64, C>, %n: index, %first: f64) -> !typed.array<1, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    typed.store %first, %out[%j] : f64, !typed.array<1, f64, C>, index
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %out[%j] : !typed.array<1, f64, C>, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %out[%j] : f64, !typed.array<1, f64, C>, index
    }
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// All outer iterations add to one row. For each element that is done in their order, one after the other.

// REMARK: remark: does 4 iterations at once, so that a row that all add to is loaded and stored once

// CHECK-LABEL: func.func @one_row(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   scf.for %[[K:.*]] =
// CHECK:     typed.load %[[OUT:[0-9]+]][%[[K]]]
// CHECK:     typed.store %{{.*}}, %[[OUT]][%[[K]]]
// CHECK:     typed.load %[[OUT]][%[[K]]]
// CHECK:     typed.store %{{.*}}, %[[OUT]][%[[K]]]
// CHECK:     typed.load %[[OUT]][%[[K]]]
// CHECK:     typed.store %{{.*}}, %[[OUT]][%[[K]]]
// CHECK:     typed.load %[[OUT]][%[[K]]]
// CHECK:     typed.store %{{.*}}, %[[OUT]][%[[K]]]
func.func @one_row(%a: !typed.array<2, si64, C>, %n: index) -> !typed.array<1, si64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, si64, C>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %out[%k] : !typed.array<1, si64, C>, index -> si64
      %y = typed.load %a[%j, %k] : !typed.array<2, si64, C>, index, index -> si64
      %u = typed.binary add %t, %y : si64
      typed.store %u, %out[%k] : si64, !typed.array<1, si64, C>, index
    }
  }
  return %out : !typed.array<1, si64, C>
}

// -----

// Two loops over a window: sixteen pixels at once, in each of them. What the outer loop carries is needed
// behind them alone, and goes from one pixel to the next.

// CHECK-LABEL: func.func @window(
// CHECK: %[[GROUPS:.*]]:2 = scf.for %[[X:.*]] = {{.*}} step %c16 iter_args(%[[BEST:.*]] = %arg3, %[[AT:.*]] = %c0)
// CHECK:   %[[SUMS:.*]]:16 = scf.for %[[DY:.*]] = {{.*}} iter_args(
// CHECK:     %[[ROW:.*]]:16 = scf.for %[[DX:.*]] = {{.*}} iter_args(
// CHECK:       typed.load %arg1[%[[DY]], %[[DX]]]
// CHECK-NOT:   typed.load %arg1
// CHECK:     scf.yield %[[ROW]]#0, %[[ROW]]#1
// CHECK:   %[[LESS:.*]] = typed.compare lt %[[BEST]], %[[SUMS]]#0
// CHECK:   %[[FIRST:.*]] = arith.select %[[LESS]], %[[SUMS]]#0, %[[BEST]]
// CHECK:   typed.compare lt %[[FIRST]], %[[SUMS]]#1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[GROUPS]]#0, %{{.*}} = %[[GROUPS]]#1)
func.func @window(%a: !typed.array<2, f64, C>, %w: !typed.array<2, f64, C>, %n: index, %none: f64) -> (f64, index) {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %found:2 = scf.for %x = %c0 to %n step %c1 iter_args(%best = %none, %at = %c0) -> (f64, index) {
    %s = scf.for %dy = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (f64) {
      %row = scf.for %dx = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f64) {
        %j = typed.binary add %x, %dx : index
        %p = typed.load %a[%dy, %j] : !typed.array<2, f64, C>, index, index -> f64
        %q = typed.load %w[%dy, %dx] : !typed.array<2, f64, C>, index, index -> f64
        %r = typed.binary mul %p, %q : f64
        %v = typed.binary add %u, %r : f64
        scf.yield %v : f64
      }
      scf.yield %row : f64
    }
    %less = typed.compare lt %best, %s : f64
    %b = arith.select %less, %s, %best : f64
    %c = arith.select %less, %x, %at : index
    scf.yield %b, %c : f64, index
  }
  return %found#0, %found#1 : f64, index
}

// -----

// Two loops in one: what the first one adds up is needed in the second one.

// REMARK: remark: does 4 iterations at once, so that their sums don't wait for each other

// CHECK-LABEL: func.func @two_loops(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   %[[SUMS:.*]]:4 = scf.for
// CHECK:   scf.for %[[K:.*]] =
// CHECK-COUNT-4: typed.store %{{.*}}, %{{.*}}[%[[K]]]
// CHECK: scf.for
func.func @two_loops(%a: !typed.array<2, f64, C>, %x: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) zeroed : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %z = typed.load %x[%k] : !typed.array<1, f64, C>, index -> f64
      %p = typed.binary mul %y, %z : f64
      %u = typed.binary add %t, %p : f64
      scf.yield %u : f64
    }
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %out[%k] : !typed.array<1, f64, C>, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %p = typed.binary mul %y, %s : f64
      %u = typed.binary add %t, %p : f64
      typed.store %u, %out[%k] : f64, !typed.array<1, f64, C>, index
    }
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// What is checked is the same for all iterations: the first one raises, or none. A second check of the same
// never does.

// CHECK-LABEL: func.func @checked(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   scf.for
// CHECK:   typed.raise_if %arg2
// CHECK-NOT: typed.raise_if
// CHECK:   typed.store
// CHECK: scf.for
func.func @checked(%a: !typed.array<2, f64, C>, %n: index, %bad: i1) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.raise_if %bad, "ValueError"("stop")
    %square = typed.binary mul %s, %s : f64
    %t = scf.for %k = %c0 to %n step %c1 iter_args(%t = %square) -> (f64) {
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %t, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// Near misses of sums: the inner loop is as long as the outer position; the sum before is needed; an
// iteration may raise by what one loop adds up before another loop, or in a loop that stands behind a store; sums
// in any order are vectors as they are; ints don't wait.

// CHECK-LABEL: func.func @sums(
// CHECK-NOT: arith.remui
// CHECK: return
func.func @sums(%b: !typed.array<2, f64, C>, %n: index, %bad: i1, %i: !typed.array<2, si64, C>) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %none = typed.constant 0 : si64
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
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    %less = typed.compare lt %s, %zero : f64
    typed.raise_if %less, "ValueError"("stop")
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary mul %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %r, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    typed.store %zero, %out[%j] : f64, !typed.array<1, f64, C>, index
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.raise_if %bad, "ValueError"("stop")
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y {pyopt.reassoc} : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  %counts = typed.empty(%n) : (index) -> !typed.array<1, si64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %none) -> (si64) {
      %y = typed.load %i[%j, %k] : !typed.array<2, si64, C>, index, index -> si64
      %u = typed.binary add %t, %y : si64
      scf.yield %u : si64
    }
    typed.store %s, %counts[%j] : si64, !typed.array<1, si64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A check behind all loops is one of one iteration after the other, also if it is of what was added up.

// CHECK-LABEL: func.func @checked_last(
// CHECK: scf.for {{.*}} step %c16
// CHECK:   scf.for
// CHECK-COUNT-16: typed.raise_if
// CHECK: scf.for
// CHECK:   typed.raise_if
func.func @checked_last(%b: !typed.array<2, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      scf.yield %u : f64
    }
    %less = typed.compare lt %s, %zero : f64
    typed.raise_if %less, "ValueError"("stop")
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A check in the loop doesn't raise there: if one has failed, the iterations of the group are done one by one.
// What is loaded behind it must be within the arrays for all positions.

// CHECK-LABEL: func.func @divided(
// CHECK: %[[SIZE:.*]] = typed.dim %arg0[0]
// CHECK: %[[BEYOND:.*]] = arith.cmpi sgt, %arg2, %[[SIZE]]
// CHECK: %[[MIDDLE:.*]] = arith.select %{{.*}}, %c0, %{{.*}} : index
// CHECK: scf.for %[[J:.*]] = %c0 to %[[MIDDLE]] step %c8
// CHECK:   %[[SUMS:.*]]:16 = scf.for {{.*}} -> (f64, f64, f64, f64, f64, f64, f64, f64, i1, i1, i1, i1, i1, i1, i1, i1)
// CHECK-NOT: typed.raise_if
// CHECK:     %[[FAILS:.*]] = typed.compare eq
// CHECK-NOT: typed.raise_if
// CHECK:     arith.ori %{{.*}}, %[[FAILS]]
// CHECK:   %[[FAILED:.*]] = arith.ori %{{.*}}, %[[SUMS]]#15
// CHECK:   scf.if %[[FAILED]] {
// CHECK:     %[[END:.*]] = arith.addi %[[J]], %c8
// CHECK:     scf.for %{{.*}} = %[[J]] to %[[END]] step %c1 {
// CHECK:       scf.for
// CHECK:         typed.raise_if
// CHECK-COUNT-8: typed.store
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
func.func @divided(%x: !typed.array<1, f64, C>, %y: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %m = typed.dim %y[0] : !typed.array<1, f64, C> -> index
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%t = %zero) -> (f64) {
      %p = typed.load %x[%j] : !typed.array<1, f64, C>, index -> f64
      %q = typed.load %y[%k] : !typed.array<1, f64, C>, index -> f64
      %fails = typed.compare eq %q, %zero : f64
      typed.raise_if %fails, "ZeroDivisionError"("float division by zero")
      %r = typed.binary truediv %p, %q : f64
      %u = typed.binary add %t, %r : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A short arm is done for all copies, and each selects; so is one that is nearly always taken.

// CHECK-LABEL: func.func @selected(
// CHECK: scf.for {{.*}} step %c8
// CHECK:   scf.for
// CHECK-COUNT-8: typed.compare ne
// CHECK-NOT: scf.if
// CHECK-COUNT-8: typed.unary sqrt
// CHECK-COUNT-8: arith.select
// CHECK-COUNT-8: typed.store
// CHECK: scf.for
// CHECK:   scf.if
func.func @selected(%x: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %other = typed.compare ne %j, %k : index
      %v = scf.if %other -> (f64) {
        %p = typed.load %x[%j] : !typed.array<1, f64, C>, index -> f64
        %q = typed.load %x[%k] : !typed.array<1, f64, C>, index -> f64
        %r = typed.binary mul %p, %q : f64
        %root = typed.unary sqrt %r : f64
        %u = typed.binary add %t, %root : f64
        scf.yield %u : f64
      } else {
        scf.yield %t : f64
      }
      scf.yield %v : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A long arm is done if one copy takes it. What it checks fails for copies that take it alone.

// CHECK-LABEL: func.func @seldom(
// CHECK: scf.for {{.*}} step %c4
// CHECK:   scf.for
// CHECK:     %[[TAKES:.*]] = typed.compare lt
// CHECK-COUNT-3: arith.ori
// CHECK:     %{{.*}}:8 = scf.if %{{.*}} -> (f64, f64, f64, f64, i1, i1, i1, i1) {
// CHECK:       %[[FAILS:.*]] = typed.compare eq
// CHECK:       arith.andi %[[FAILS]], %[[TAKES]]
// CHECK-COUNT-4: arith.select
// CHECK:       scf.yield
// CHECK:     } else {
// CHECK:       scf.yield
func.func @seldom(%x: !typed.array<1, f64, C>, %least: f64, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %p = typed.load %x[%j] : !typed.array<1, f64, C>, index -> f64
      %q = typed.load %x[%k] : !typed.array<1, f64, C>, index -> f64
      %r = typed.binary sub %p, %q : f64
      %less = typed.compare lt %r, %least : f64
      %v = scf.if %less -> (f64) {
        %fails = typed.compare eq %r, %zero : f64
        typed.raise_if %fails, "ZeroDivisionError"("float division by zero")
        %one = typed.binary truediv %p, %r : f64
        %u = typed.binary add %t, %one : f64
        scf.yield %u : f64
      } else {
        scf.yield %t : f64
      }
      scf.yield %v : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// Near misses of branches: an arm stores; an arm loads at an index that is computed, or that may count from the
// end; a check that may fail stands before a load at an index that is computed.

// CHECK-LABEL: func.func @branches(
// CHECK-NOT: arith.remui
// CHECK: return
func.func @branches(%x: !typed.array<1, f64, C>, %n: index, %at: !typed.array<1, si64, C>) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  %all = typed.empty(%n, %n) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %p = typed.load %x[%k] : !typed.array<1, f64, C>, index -> f64
      %less = typed.compare lt %p, %zero : f64
      scf.if %less {
        typed.store %p, %all[%j, %k] : f64, !typed.array<2, f64, C>, index, index
      }
      %u = typed.binary add %t, %p : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %i = typed.load %at[%k] : !typed.array<1, si64, C>, index -> si64
      %less = typed.compare lt %k, %j : index
      %v = scf.if %less -> (f64) {
        %p = typed.load %x[%i] : !typed.array<1, f64, C>, si64 -> f64
        %u = typed.binary add %t, %p : f64
        scf.yield %u : f64
      } else {
        scf.yield %t : f64
      }
      scf.yield %v : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %less = typed.compare lt %k, %j : index
      %v = scf.if %less -> (f64) {
        %p = typed.load %x[%k] {wraparound} : !typed.array<1, f64, C>, index -> f64
        %u = typed.binary add %t, %p : f64
        scf.yield %u : f64
      } else {
        scf.yield %t : f64
      }
      scf.yield %v : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %i = typed.load %at[%k] : !typed.array<1, si64, C>, index -> si64
      %q = typed.load %x[%j] : !typed.array<1, f64, C>, index -> f64
      %fails = typed.compare eq %q, %zero : f64
      typed.raise_if %fails, "ZeroDivisionError"("float division by zero")
      %p = typed.load %x[%i] : !typed.array<1, f64, C>, si64 -> f64
      %u = typed.binary add %t, %p : f64
      scf.yield %u : f64
    }
    typed.store %s, %out[%j] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// Near misses of rows: the row is read behind the inner loop; the elements of another row are loaded; an
// index may count from the end; two positions may be of one element; nothing is added.

// CHECK-LABEL: func.func @of_rows(
// CHECK-NOT: arith.remui
// CHECK: return
func.func @of_rows(%a: !typed.array<2, f64, C>, %n: index, %at: !typed.array<1, si64, C>, %any: !typed.array<1, f64, A>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  %last = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %out[%k] : !typed.array<1, f64, C>, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %out[%k] : f64, !typed.array<1, f64, C>, index
    }
    %x = typed.load %out[%c0] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %last[%j] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %a[%c0, %k] : !typed.array<2, f64, C>, index, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %a[%c0, %k] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %out[%k] {wraparound} : !typed.array<1, f64, C>, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %out[%k] {wraparound} : f64, !typed.array<1, f64, C>, index
    }
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %i = typed.load %at[%k] : !typed.array<1, si64, C>, index -> si64
      %t = typed.load %out[%i] : !typed.array<1, f64, C>, si64 -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %out[%i] : f64, !typed.array<1, f64, C>, si64
    }
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %t = typed.load %any[%k] : !typed.array<1, f64, A>, index -> f64
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      %u = typed.binary add %t, %y : f64
      typed.store %u, %any[%k] : f64, !typed.array<1, f64, A>, index
    }
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %y = typed.load %a[%j, %k] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %y, %out[%k] : f64, !typed.array<1, f64, C>, index
    }
  }
  return
}
