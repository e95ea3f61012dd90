// Comprehensions whose list becomes an array, or is one of numbers.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-comprehension))' | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, si64, C>
!l = !typed.list<f64>
!i = !typed.list<si64>

func.func private @"pyopt.library.array_of_list(!l)"(!l) -> !v
func.func private @"pyopt.library.array_of_list(!typed.list<!i>)"(!typed.list<!i>) -> !m
func.func private @something(f64) -> f64

// CHECK-LABEL: func.func @of_elements(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK-NOT: typed.list
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[N]]
// CHECK: %[[COUNT:.*]] = arith.select %[[POSITIVE]], %[[N]]
// CHECK: %[[R:.*]] = parfor.loop(%[[COUNT]]) reductions [] pattern comprehension {
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK:   %[[Y:.*]] = typed.binary mul %[[X]], %[[X]]
// CHECK:   parfor.yield %[[Y]] : f64
// CHECK-NOT: typed.call
// CHECK: return %[[R]]
func.func @of_elements(%a: !v, %n: index) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %x, %x : f64
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %y to %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!l) -> !v
  return %0 : !v
}

// CHECK-LABEL: func.func @two_dimensions(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-NOT: typed.list
// CHECK: parfor.loop(%{{.*}}, %{{.*}}) reductions [] pattern comprehension {
// CHECK: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK:   %[[X:.*]] = typed.cast %[[I]]
// CHECK:   %[[Y:.*]] = typed.cast %[[J]]
// CHECK:   %[[Z:.*]] = typed.binary mul %[[X]], %[[Y]]
// CHECK:   parfor.yield %[[Z]] : si64
func.func @two_dimensions(%n: index, %m: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !typed.list<!i>
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.cast %i : index to si64
    %row = typed.list_new : !i
    scf.for %j = %c0 to %m step %c1 {
      %y = typed.cast %j : index to si64
      %z = typed.binary mul %x, %y : si64
      %short = typed.list_reserve %row, %one : !i
      typed.raise_if %short, "MemoryError"("unable to make room in a list")
      typed.list_push %z to %row : !i
    }
    %short = typed.list_reserve %l, %one : !typed.list<!i>
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %row to %l : !typed.list<!i>
  }
  %0 = typed.call @"pyopt.library.array_of_list(!typed.list<!i>)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!typed.list<!i>) -> !m
  return %0 : !m
}

// Rows of several lengths: each one by itself.

// CHECK-LABEL: func.func @triangle(
// CHECK: %[[L:.*]] = typed.list_new : !typed.list<!typed.list<si64>>
// CHECK: scf.for %[[I:.*]] = %{{.*}} {
// CHECK:   %[[ROW:.*]] = typed.list_new : !typed.list<si64>
// CHECK:   parfor.loop(%{{.*}}) reductions [] pattern comprehension {
// CHECK:     typed.list_set %{{.*}}, %[[ROW]]
// CHECK:   typed.list_push %[[ROW]] to %[[L]]
func.func @triangle(%n: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !typed.list<!i>
  scf.for %i = %c0 to %n step %c1 {
    %row = typed.list_new : !i
    scf.for %j = %c0 to %i step %c1 {
      %short = typed.list_reserve %row, %one : !i
      typed.raise_if %short, "MemoryError"("unable to make room in a list")
      typed.list_push %one to %row : !i
    }
    %short = typed.list_reserve %l, %one : !typed.list<!i>
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %row to %l : !typed.list<!i>
  }
  %0 = typed.call @"pyopt.library.array_of_list(!typed.list<!i>)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!typed.list<!i>) -> !m
  return %0 : !m
}

// A call may do anything, in order.

// CHECK-LABEL: func.func @calls(
// CHECK-NOT: parfor.loop
func.func @calls(%a: !v, %n: index) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.call @something(%x) : (f64) -> f64
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %y to %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!l) -> !v
  return %0 : !v
}

// Somebody else sees the list too: it stays one, with its length from the start.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[L:.*]] = typed.list_new
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[N]]
// CHECK: %[[COUNT:.*]] = arith.select %[[POSITIVE]], %[[N]]
// CHECK: %[[ITEMS:.*]] = typed.cast %[[COUNT]] : index to si64
// CHECK: %[[SHORT:.*]] = typed.list_reserve %[[L]], %[[ITEMS]]
// CHECK: typed.raise_if %[[SHORT]], "MemoryError"
// CHECK: typed.list_grow %[[L]], %[[ITEMS]]
// CHECK: parfor.loop(%[[COUNT]]) reductions [] pattern comprehension {
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK:   typed.list_set %[[X]], %[[L]][%[[I]] : index]
// CHECK-NOT: typed.list_push
// CHECK: typed.call @"pyopt.library.array_of_list(!l)"(%[[L]])
func.func @kept(%a: !v, %n: index) -> (!v, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !v, index -> f64
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %x to %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!l) -> !v
  %1 = typed.list_len %l : !l -> index
  return %0, %1 : !v, index
}

// It isn't filled in every iteration.

// CHECK-LABEL: func.func @sometimes(
// CHECK-NOT: parfor.loop
func.func @sometimes(%a: !v, %n: index, %c: i1) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !v, index -> f64
    scf.if %c {
      %short = typed.list_reserve %l, %one : !l
      typed.raise_if %short, "MemoryError"("unable to make room in a list")
      typed.list_push %x to %l : !l
    }
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) {pyopt.role = #parfor<library_role list_conversion>} : (!l) -> !v
  return %0 : !v
}

// Iterations see the list while it grows.

// CHECK-LABEL: func.func @last_one(
// CHECK-NOT: parfor.loop
func.func @last_one(%n: index) -> !l {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %length = typed.list_len %l : !l -> index
    %x = typed.cast %length : index to f64
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %x to %l : !l
  }
  return %l : !l
}

// There is something in it, and seen, before the loop.

// CHECK-LABEL: func.func @not_empty(
// CHECK-NOT: parfor.loop
func.func @not_empty(%n: index) -> (!l, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %x = typed.constant 1.0 : f64
  %l = typed.list_new : !l
  %length = typed.list_len %l : !l -> index
  scf.for %i = %c0 to %n step %c1 {
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %x to %l : !l
  }
  return %l, %length : !l, index
}
