// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-hoist-allocations)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-hoist-allocations{remarks=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!v = !typed.array<1, f64, C>

// A loop without iterations allocates nothing; zeros are stored each time.

// REMARK-COUNT-3: remark: the array is made once, before the loop, and not in each iteration

// CHECK-LABEL: func.func @zeros(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK: %[[D:.*]] = typed.dim %[[A]][0]
// CHECK: %[[S:.*]] = arith.select %[[RUNS]], %[[D]], %{{.*}} : index
// CHECK: %[[T:.*]] = typed.empty(%[[S]]) : (index)
// CHECK: scf.for
// CHECK-NOT: typed.empty
// CHECK:   %[[ZERO:.*]] = typed.constant 0.0
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[S]]
// CHECK:     typed.store %[[ZERO]], %[[T]][%[[I]]]
// CHECK:   typed.load %[[T]]
func.func @zeros(%a: !v, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d = typed.dim %a[0] : !v -> index
    %t = typed.empty(%d) zeroed : (index) -> !v
    %x = typed.load %t[%c0] : !v, index -> f64
    typed.store %x, %a[%i] : f64, !v, index
  }
  return
}

// Out of both loops.

// CHECK-LABEL: func.func @nested(
// CHECK: typed.empty
// CHECK: scf.for
// CHECK-NOT: typed.empty
// CHECK: return
func.func @nested(%a: !v, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %d = typed.dim %a[0] : !v -> index
      %t = typed.empty(%d) : (index) -> !v
      %x = typed.load %t[%c0] : !v, index -> f64
      typed.store %x, %a[%i] : f64, !v, index
    }
  }
  return
}

// Carried to the next iteration; returned by a call's callee, for all we know; of another size each
// time; in a branch; of a size that may be negative, which is an error of a certain iteration.

// CHECK-LABEL: func.func @stays(
// CHECK-NOT: typed.empty
// CHECK: scf.for
// CHECK-COUNT-5: typed.empty
func.func @stays(%a: !v, %n: index, %any: si64, %c: i1) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = typed.dim %a[0] : !v -> index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%before = %a) -> (!v) {
    %carried = typed.empty(%d) : (index) -> !v
    %passed = typed.empty(%d) : (index) -> !v
    func.call @other(%passed) : (!v) -> ()
    %varies = typed.empty(%i) : (index) -> !v
    %x = typed.load %varies[%c0] : !v, index -> f64
    scf.if %c {
      %seldom = typed.empty(%d) : (index) -> !v
      typed.store %x, %seldom[%c0] : f64, !v, index
    }
    %negative = typed.empty(%any) : (si64) -> !v
    typed.store %x, %negative[%c0] : f64, !v, index
    scf.yield %carried : !v
  }
  return %r : !v
}
func.func private @other(!v)

// Passed to a function of the library that returns a number, which can't keep the array; not to one that
// returns an array.

// CHECK-LABEL: func.func @linked(
// CHECK: typed.empty
// CHECK: scf.for
// CHECK-NEXT: typed.call @linked.number
// CHECK: typed.empty
// CHECK: typed.call @linked.array
// CHECK: return
func.func @linked(%a: !v, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = typed.dim %a[0] : !v -> index
  %zero = typed.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %read = typed.empty(%d) : (index) -> !v
    %x = typed.call @linked.number(%read) : (!v) -> f64
    %kept = typed.empty(%d) : (index) -> !v
    %same = typed.call @linked.array(%kept) : (!v) -> !v
    %y = typed.load %same[%c0] : !v, index -> f64
    %t = typed.binary add %x, %y : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func private @linked.number(!v) -> f64 attributes {pyopt.linked = "pyopt.library.median.7"}
func.func private @linked.array(!v) -> !v attributes {pyopt.linked = "pyopt.library.sort.7"}

// The size that two sizes of arrays broadcast to is one of them, and so not negative; that of other numbers
// may be, which is an error of a certain iteration.

// CHECK-LABEL: func.func @broadcast(
// CHECK: typed.broadcast_size
// CHECK: typed.empty
// CHECK: scf.for
// CHECK: typed.broadcast_size
// CHECK: typed.empty
// CHECK: return
func.func @broadcast(%a: !v, %b: !v, %n: index, %any: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = typed.dim %a[0] : !v -> index
  %zero = typed.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %e = typed.dim %b[0] : !v -> index
    %k = typed.broadcast_size %d, %e
    %once = typed.empty(%k) : (index) -> !v
    %x = typed.load %once[%c0] : !v, index -> f64
    %l = typed.broadcast_size %d, %any
    %each = typed.empty(%l) : (index) -> !v
    %y = typed.load %each[%c0] : !v, index -> f64
    %t = typed.binary add %x, %y : f64
    scf.yield %t : f64
  }
  return %r : f64
}
