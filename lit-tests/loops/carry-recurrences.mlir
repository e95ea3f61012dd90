// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-carry-recurrences))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-carry-recurrences{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: keeps the element that the next iteration needs in a register

// The loop counts down, and checks: what it stores is carried, beside what it carried before.

// CHECK-LABEL: func.func @backwards(
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0, %[[N:.*]] : index
// CHECK: %[[FIRST:.*]] = scf.if %[[RUNS]] -> (f64) {
// CHECK:   %[[T:.*]] = arith.muli %c0, %c-1
// CHECK:   %[[J:.*]] = arith.addi %[[N]], %[[T]]
// CHECK:   %[[LAST:.*]] = typed.load %arg0[%[[J]]]
// CHECK:   scf.yield %[[LAST]]
// CHECK: } else {
// CHECK:   ub.poison
// CHECK: }
// CHECK: %[[DONE:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[FIRST]], %[[COUNT:.*]] = %c0) -> (f64, index) {
// CHECK-NOT: typed.load %arg0
// CHECK:   %[[Y:.*]] = typed.load %arg1
// CHECK:   typed.raise_if
// CHECK:   %[[Q:.*]] = typed.binary truediv %[[X]], %[[Y]]
// CHECK:   typed.store %[[Q]], %arg0
// CHECK:   %[[NEXT:.*]] = arith.addi %[[COUNT]]
// CHECK:   scf.yield %[[Q]], %[[NEXT]]
// CHECK: return %[[DONE]]#1
func.func @backwards(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %n: index) -> index {
  %zero = typed.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.constant -1 : index
  %count = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {
    %t = arith.muli %k, %down : index
    %j = arith.addi %n, %t : index
    %i = arith.subi %j, %c1 : index
    %x = typed.load %a[%j] : !typed.array<1, f64, C>, index -> f64
    %y = typed.load %b[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %q = typed.binary truediv %x, %y : f64
    typed.store %q, %a[%i] : f64, !typed.array<1, f64, C>, index
    %next = arith.addi %sum, %c1 : index
    scf.yield %next : index
  }
  return %count : index
}

// -----

// A check comes before the load; another store comes behind; two iterations lie between; the array may be
// another one for each iteration's index; negative indices wrap around; what is loaded isn't of this loop.

// CHECK-LABEL: func.func @near_misses(
// CHECK-NOT: iter_args
func.func @near_misses(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %n: index, %k: index) {
  %zero = typed.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c1 to %n step %c1 {
    %y = typed.load %b[%i] : !typed.array<1, f64, C>, index -> f64
    %bad = typed.compare eq %y, %zero : f64
    typed.raise_if %bad, "ZeroDivisionError"("float division by zero")
    %before = arith.subi %i, %c1 : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
    typed.store %x, %b[%i] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %i = %c2 to %n step %c1 {
    %before = arith.subi %i, %c2 : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %k : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = typed.load %a[%before] {wraparound} : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}

// -----

// What computes the index can't be done ahead of the loop: it depends on a carried value.

// CHECK-LABEL: func.func @carried_index(
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c1) -> (index)
func.func @carried_index(%a: !typed.array<1, f64, C>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c1 to %n step %c1 iter_args(%at = %c1) -> (index) {
    %before = arith.subi %at, %c1 : index
    %x = typed.load %a[%before] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%at] : f64, !typed.array<1, f64, C>, index
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
  }
  return %last : index
}
