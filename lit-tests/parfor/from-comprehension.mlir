// Comprehensions whose list becomes an array.

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
// CHECK: %[[R:.*]] = parfor.loop(%[[COUNT]]) reductions [] pattern "comprehension" {
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
    typed.list_push %y, %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) : (!l) -> !v
  return %0 : !v
}

// CHECK-LABEL: func.func @two_dimensions(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-NOT: typed.list
// CHECK: parfor.loop(%{{.*}}, %{{.*}}) reductions [] pattern "comprehension" {
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
      typed.list_push %z, %row : !i
    }
    %short = typed.list_reserve %l, %one : !typed.list<!i>
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %row, %l : !typed.list<!i>
  }
  %0 = typed.call @"pyopt.library.array_of_list(!typed.list<!i>)"(%l) : (!typed.list<!i>) -> !m
  return %0 : !m
}

// Rows of several lengths.

// CHECK-LABEL: func.func @triangle(
// CHECK-NOT: parfor.loop
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
      typed.list_push %one, %row : !i
    }
    %short = typed.list_reserve %l, %one : !typed.list<!i>
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %row, %l : !typed.list<!i>
  }
  %0 = typed.call @"pyopt.library.array_of_list(!typed.list<!i>)"(%l) : (!typed.list<!i>) -> !m
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
    typed.list_push %y, %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) : (!l) -> !v
  return %0 : !v
}

// Somebody else sees the list; or it isn't filled in every iteration.

// CHECK-LABEL: func.func @kept(
// CHECK-NOT: parfor.loop
func.func @kept(%a: !v, %n: index) -> (!v, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !l
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.load %a[%i] : !v, index -> f64
    %short = typed.list_reserve %l, %one : !l
    typed.raise_if %short, "MemoryError"("unable to make room in a list")
    typed.list_push %x, %l : !l
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) : (!l) -> !v
  %1 = typed.list_len %l : !l -> index
  return %0, %1 : !v, index
}

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
      typed.list_push %x, %l : !l
    }
  }
  %0 = typed.call @"pyopt.library.array_of_list(!l)"(%l) : (!l) -> !v
  return %0 : !v
}
