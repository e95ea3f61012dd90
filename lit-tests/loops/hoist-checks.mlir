// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-hoist-checks),canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-hoist-checks{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: checks run ahead of it, for 256 iterations at a time

// Chunks whose checks pass are done without; the rest is the loop as it was, from the first chunk on
// whose checks don't. Positions stay below the size of what is loaded ahead, and arguments that overlap
// leave all to the loop.

// CHECK-LABEL: func.func @quotient(
// CHECK: %[[SIZE:.*]] = typed.dim %arg1[0]
// CHECK: %[[END:.*]] = arith.minsi %arg3, %[[SIZE]]
// CHECK: typed.overlaps %arg2, %arg0
// CHECK: typed.overlaps %arg2, %arg1
// CHECK: %[[LIMIT:.*]] = arith.select %{{.*}}, %[[END]], %c0
// CHECK: %[[DONE:.*]]:2 = scf.while (%[[FIRST:.*]] = %c0)
// CHECK:   arith.addi %[[FIRST]], %c256
// CHECK:   scf.if
// CHECK:     scf.for %[[I:.*]] = %[[FIRST]]
// CHECK-NOT:   typed.load %arg0
// CHECK:       typed.load %arg1[%[[I]]]
// CHECK:       typed.compare
// CHECK:       arith.ori
// CHECK:     } {loop_annotation
// CHECK:   scf.condition
// CHECK: } do {
// CHECK:   scf.for
// CHECK:     typed.load %arg0{{.*}} {alias_scopes = [#[[A:.*]]], noalias_scopes = [
// CHECK-NOT: typed.raise_if
// CHECK:     typed.store {{.*}}noalias_scopes = [#[[A]],
// CHECK: scf.for %{{.*}} = %[[DONE]]#1 to %arg3
// CHECK:   typed.raise_if
// CHECK:   typed.store
func.func @quotient(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %out: !typed.array<1, f64, C>, %n: index) {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %y = typed.load %b[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %q = typed.binary truediv %x, %y : f64
    typed.store %q, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}

// -----

// What is the same in all iterations is tested once; counts are carried on.

// CHECK-LABEL: func.func @invariant(
// CHECK: %[[BAD:.*]] = typed.compare eq %arg1
// CHECK: %[[DONE:.*]] = arith.maxsi
// CHECK: %[[COUNT:.*]] = scf.for {{.*}} iter_args(
// CHECK-NOT: typed.raise_if
// CHECK: scf.for %{{.*}} = %[[DONE]] to %arg2 step %c1 iter_args(%{{.*}} = %[[COUNT]])
// CHECK: typed.raise_if
func.func @invariant(%a: !typed.array<1, f64, C>, %y: f64, %n: index) -> index {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %q = typed.binary truediv %x, %y : f64
    %one = typed.cast %q : f64 to index
    %next = arith.addi %sum, %one : index
    scf.yield %next : index
  }
  return %count : index
}

// -----

// An element of its own in each iteration may be stored to after it was looked at. A fresh array
// overlaps with no argument. Indices that don't count along are compared with the size first, and what
// follows a check is not looked at where that fails.

// CHECK-LABEL: func.func @guarded(
// CHECK-NOT: typed.overlaps
// CHECK: scf.while
// CHECK:   scf.for
// CHECK:     %[[J:.*]] = typed.load %arg0
// CHECK:     %[[OUTSIDE:.*]] = arith.cmpi uge
// CHECK:     scf.if %[[OUTSIDE]] -> (i1) {
// CHECK:     } else {
// CHECK:       typed.load %arg1[%[[J]]]
// CHECK: } do {
func.func @guarded(%indices: !typed.array<1, ui64, C>, %b: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  scf.for %i = %c0 to %n step %c1 {
    %j = typed.load %indices[%i] : !typed.array<1, ui64, C>, index -> ui64
    %y = typed.load %b[%j] : !typed.array<1, f64, C>, ui64 -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %q = typed.binary truediv %zero, %y : f64
    typed.store %q, %out[%i] : f64, !typed.array<1, f64, C>, index
  }
  return %out : !typed.array<1, f64, C>
}

// -----

// A sum that may be done in any order is carried from chunk to chunk.

// CHECK-LABEL: func.func @any_order(
// CHECK: %[[DONE:.*]]:3 = scf.while (%{{.*}} = %c0, %[[SUM:.*]] = %{{.*}})
// CHECK: } do {
// CHECK:   scf.for {{.*}} iter_args
// CHECK-NOT: typed.raise_if
// CHECK:     typed.binary add {{.*}} {pyopt.reassoc}
// CHECK: scf.for %{{.*}} = %[[DONE]]#1 to %arg1 {{.*}} iter_args(%{{.*}} = %[[DONE]]#2)
// CHECK:   typed.raise_if
func.func @any_order(%a: !typed.array<1, f64, C>, %n: index) -> f64 {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %x, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %next = typed.binary add %sum, %x {pyopt.reassoc} : f64
    scf.yield %next : f64
  }
  return %total : f64
}

// -----

// A check may look at what an earlier iteration stored, at what is carried, or at what is expensive; a
// sum of floats and a division of integers stay scalar; a loop without checks is none of the pass's.

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: scf.while
func.func @near_misses(%a: !typed.array<1, f64, C>, %k: !typed.array<1, si64, C>, %n: index) {
  %zero = typed.constant 0.0 : f64
  %none = typed.constant 0 : si64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%c0] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %x, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  %count = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {
    %bad = arith.cmpi eq, %sum, %n : index
    typed.raise_if %bad, "ValueError"("stop")
    %next = arith.addi %sum, %i : index
    scf.yield %next : index
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %e = typed.unary exp %x : f64
    %bad = typed.compare eq %e, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
  }
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %x, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %next = typed.binary add %sum, %x : f64
    scf.yield %next : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %k[%i] : !typed.array<1, si64, C>, index -> si64
    %bad = typed.compare eq %x, %none : si64
    typed.raise_if %bad, "ZeroDivisionError"("integer division or modulo by zero")
    %q = typed.binary floordiv %x, %x : si64
    typed.store %q, %k[%i] : si64, !typed.array<1, si64, C>, index
  }
  scf.for %i = %c0 to %n step %c1 {
    typed.store %zero, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}

// -----

// Each iteration waits for the one before it, so that checks keep nothing from being vectorised.

// CHECK-LABEL: func.func @recurrence(
// CHECK-NOT: scf.while
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: typed.raise_if
func.func @recurrence(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %n: index) {
  %zero = typed.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    %y = typed.load %b[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %q = typed.binary truediv %x, %y : f64
    typed.store %q, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}
