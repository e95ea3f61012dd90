// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-collapse-nests))' | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>
!c = !typed.array<3, f64, C>
!s = !typed.array<2, f64, A>
!d = !typed.array<1, si64, C>

// What stands before the inner loop is done for each iteration of the nest.
// CHECK-LABEL: func.func @prange(
// CHECK-SAME: %[[X:[^:]*]]: !typed.array<1, f64, C>, %[[OUT:[^:]*]]: !typed.array<2, f64, C>, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index)
// CHECK: parfor.loop(%[[N]], %[[M]]) reductions [] pattern prange {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT: %[[VALUE:.*]] = typed.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[DOUBLE:.*]] = typed.binary add %[[VALUE]], %[[VALUE]]
// CHECK-NEXT: typed.store %[[DOUBLE]], %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: }
// CHECK-NOT: scf.for
// CHECK: return
func.func @prange(%x: !v, %out: !m, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = typed.empty(%n, %m) : (index, index) -> !m
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.binary add %0, %0 : f64
    scf.for %j = %c0 to %m step %c1 {
      typed.store %1, %made[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  return
}

// Nests of three loops, the innermost one of an array expression.
// CHECK-LABEL: func.func @three(
// CHECK: parfor.loop(%{{.*}}, %{{.*}}, %{{.*}}) reductions [] pattern prange {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index):
// CHECK-NEXT: typed.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]]
func.func @three(%out: !c, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      parfor.loop serial(%n) reductions [] pattern setitem {
      ^bb0(%k: index):
        typed.store %x, %out[%i, %j, %k] : f64, !c, index, index, index
      }
    } {pyopt.serial_prange}
  }
  return
}

// A plain loop whose iterations are independent; arguments may overlap.
// CHECK-LABEL: func.func @range(
// CHECK: %[[OVERLAP:.*]] = typed.overlaps %{{.*}}, %{{.*}}
// CHECK: scf.if %[[OVERLAP]] {
// CHECK-NEXT: parfor.loop(%[[N:.*]]) reductions
// CHECK: scf.for
// CHECK: } else {
// CHECK-NEXT: parfor.loop(%[[N]], %[[M:.*]]) reductions
// CHECK-NOT: scf.for
// CHECK: return
func.func @range(%x: !m, %out: !m, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      %0 = typed.load %x[%j, %i] : !m, index, index -> f64
      %1 = typed.load %out[%i, %j] : !m, index, index -> f64
      %2 = typed.binary add %0, %1 : f64
      typed.store %2, %out[%i, %j] : f64, !m, index, index
    }
  }
  return
}

// A prange in a prange that sums into the same number; each iteration contributes its term.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %{{[^:]*}}: !typed.array<2, f64, C>, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[INIT:[^:]*]]: f64)
// CHECK: %[[SUM:.*]] = parfor.loop(%{{.*}}, %{{.*}}) inits(%[[INIT]] : f64) reductions [add] pattern prange {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT: %[[VALUE:.*]] = typed.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: parfor.yield %[[VALUE]] : f64
// CHECK-NEXT: } {pyopt.reassoc = array<i64: 1>} : f64
// CHECK-NEXT: return %[[SUM]]
func.func @sum(%x: !m, %n: index, %m: index, %init: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = typed.constant -0.0 : f64
  %0 = parfor.loop(%n) inits(%init : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %1 = scf.for %j = %c0 to %m step %c1 iter_args(%before = %none) -> (f64) {
      %2 = typed.load %x[%i, %j] : !m, index, index -> f64
      %3 = typed.binary add %before, %2 : f64
      scf.yield %3 : f64
    } {pyopt.serial_prange}
    parfor.yield %1 : f64
  } {pyopt.reassoc = array<i64: 1>} : f64
  return %0 : f64
}

// The largest of numbers that are sums, a sum that starts with one, one that is used in the loop, and one
// of a plain loop, whose order counts.
// CHECK-LABEL: func.func @near_sums(
// CHECK-NOT: parfor.loop(%{{.*}}, %{{.*}})
// CHECK: return
func.func @near_sums(%x: !m, %n: index, %m: index, %init: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = typed.constant 0.0 : f64
  %one = typed.constant 1.0 : f64
  %0 = parfor.loop(%n) inits(%init : f64) reductions [max] pattern prange {
  ^bb0(%i: index):
    %1 = scf.for %j = %c0 to %m step %c1 iter_args(%before = %none) -> (f64) {
      %2 = typed.load %x[%i, %j] : !m, index, index -> f64
      %3 = typed.binary add %before, %2 : f64
      scf.yield %3 : f64
    } {pyopt.serial_prange}
    parfor.yield %1 : f64
  } : f64
  %4 = parfor.loop(%n) inits(%init : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %5 = scf.for %j = %c0 to %m step %c1 iter_args(%before = %one) -> (f64) {
      %6 = typed.load %x[%i, %j] : !m, index, index -> f64
      %7 = typed.binary add %before, %6 : f64
      scf.yield %7 : f64
    } {pyopt.serial_prange}
    parfor.yield %5 : f64
  } : f64
  %8 = parfor.loop(%n) inits(%init : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %9 = scf.for %j = %c0 to %m step %c1 iter_args(%before = %none) -> (f64) {
      %10 = typed.binary mul %before, %init : f64
      %11 = typed.binary add %before, %10 : f64
      scf.yield %11 : f64
    } {pyopt.serial_prange}
    parfor.yield %9 : f64
  } : f64
  %12 = parfor.loop(%n) inits(%init : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %13 = scf.for %j = %c0 to %m step %c1 iter_args(%before = %none) -> (f64) {
      %14 = typed.load %x[%i, %j] : !m, index, index -> f64
      %15 = typed.binary add %before, %14 : f64
      scf.yield %15 : f64
    }
    parfor.yield %13 : f64
  } : f64
  return
}

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: parfor.loop(%{{.*}}, %{{.*}})
// CHECK: return
func.func @near_misses(%digits: !d, %x: !v, %out: !m, %other: !s, %n: index, %m: index, %value: f64, %bad: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // A sum in an element: iterations of the inner loop touch the same one.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      %0 = typed.load %x[%i] : !v, index -> f64
      %1 = typed.load %out[%i, %j] : !m, index, index -> f64
      %2 = typed.binary add %0, %1 : f64
      typed.store %2, %x[%i] : f64, !v, index
    } {pyopt.serial_prange}
  }
  // Counts in elements that are looked up.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      %0 = typed.load %digits[%j] : !d, index -> si64
      %1 = typed.load %out[%i, %0] : !m, index, si64 -> f64
      %2 = typed.binary add %1, %value : f64
      typed.store %2, %out[%i, %0] : f64, !m, index, si64
    } {pyopt.serial_prange}
  }
  // The neighbour's element is that of another iteration.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      %0 = arith.addi %j, %c1 : index
      %1 = typed.load %out[%i, %j] : !m, index, index -> f64
      typed.store %1, %out[%i, %0] : f64, !m, index, index
    }
  }
  // Elements of an array with any strides may be the same.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      typed.store %value, %other[%i, %j] : f64, !s, index, index
    }
  }
  // A triangle.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %i step %c1 {
      typed.store %value, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  // Something behind the inner loop.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      typed.store %value, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
    typed.store %value, %x[%i] : f64, !v, index
  }
  // An exception before the inner loop, which may have no iterations.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.raise_if %bad, "ValueError"("no")
    scf.for %j = %c0 to %m step %c1 {
      typed.store %value, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  // The inner loop writes what is read before it.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %out[%i, %c0] : !m, index, index -> f64
    scf.for %j = %c0 to %m step %c1 {
      typed.store %0, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  // Few iterations, and steps of two.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %c3 step %c1 {
      typed.store %value, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c2 {
      typed.store %value, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  // A costly function before the inner loop.
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.unary exp %0 : f64
    scf.for %j = %c0 to %m step %c1 {
      typed.store %1, %out[%i, %j] : f64, !m, index, index
    } {pyopt.serial_prange}
  }
  return
}
