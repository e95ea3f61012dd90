// What may raise in a try becomes branches.
// RUN: %pyopt %s --typed-expand-try --split-input-file | FileCheck %s
// RUN: %pyopt %s --typed-expand-try --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @check
func.func @check(%zero: i1, %x: si64) -> si64 {
  // CHECK: %[[A:.*]] = typed.binary add
  %0 = typed.binary add %x, %x : si64
  // CHECK-NEXT: cf.cond_br %arg0, ^[[THROWN:bb[0-9]+]], ^[[REST:bb[0-9]+]]
  typed.raise_if %zero, "ZeroDivisionError"("division by zero") loc("f.py":3:1)
  // CHECK: ^[[REST]]:
  // CHECK-NEXT: typed.binary mul %[[A]]
  // CHECK-NEXT: cf.br ^[[NEXT:bb[0-9]+]]
  %1 = typed.binary mul %0, %x : si64
  typed.try_br ^next(%1 : si64) unwind ^handler
// CHECK: ^[[NEXT]](%{{.*}}: si64):
^next(%y: si64):
  return %y : si64
// CHECK: ^[[HANDLER:bb[0-9]+]](%{{.*}}: !typed.exception):
^handler(%e: !typed.exception):
  return %x : si64
// CHECK: ^[[THROWN]]:
// CHECK-NEXT: %[[E:.*]] = typed.exception "ZeroDivisionError"("division by zero") : !typed.exception
// LOC: typed.exception "ZeroDivisionError"{{.*}} loc(#[[AT:loc[0-9]*]])
// LOC: #[[AT]] = loc("f.py":3:1)
// CHECK-NEXT: cf.br ^[[HANDLER]](%[[E]] : !typed.exception)
}

// -----

func.func private @g(si64) -> f64

// CHECK-LABEL: func.func @call
func.func @call(%x: si64) -> f64 {
  // CHECK: %[[S:.*]], %[[C:.*]] = typed.try_call @g(%arg0) : (si64) -> (i32, f64)
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[RAISED:.*]] = arith.cmpi ne, %[[S]], %[[ZERO]]
  // CHECK: cf.cond_br %[[RAISED]], ^[[THROWN:bb[0-9]+]], ^[[REST:bb[0-9]+]]
  // CHECK: ^[[REST]]:
  // CHECK-NEXT: cf.br ^{{.*}}(%[[C]] : f64)
  %0 = typed.call @g(%x) : (si64) -> f64
  typed.try_br ^next(%0 : f64) unwind ^handler
^next(%y: f64):
  return %y : f64
^handler(%e: !typed.exception):
  typed.raise_value %e : !typed.exception
// CHECK: ^[[THROWN]]:
// CHECK-NEXT: %[[E:.*]] = typed.catch %[[S]] : !typed.exception
// CHECK-NEXT: cf.br ^{{.*}}(%[[E]] : !typed.exception)
}

// -----

// Nothing raises: there is no way to the handler.
// CHECK-LABEL: func.func @nothing
func.func @nothing(%x: !typed.array<1, f64, C>, %i: index) -> f64 {
  // CHECK-NEXT: typed.load
  // CHECK-NEXT: cf.br ^bb1
  %0 = typed.load %x[%i] : !typed.array<1, f64, C>, index -> f64
  typed.try_br ^next unwind ^handler
^next:
  return %0 : f64
^handler(%e: !typed.exception):
  typed.raise_value %e : !typed.exception
}

// -----

// Allocation and broadcasting raise only later: the operations go to a function, with what stands
// between them. Constants are copied; an iterator stays where its loop is.
// CHECK-LABEL: func.func @arrays
func.func @arrays(%n: index, %x: si64) -> si64 {
  // CHECK-NEXT: %[[K:.*]] = typed.constant 2 : si64
  %k = typed.constant 2 : si64
  // CHECK-NEXT: %{{.*}}, %[[C:.*]]:2 = typed.try_call @arrays.try.1(%arg0, %arg1) : (index, si64) -> (i32, si64, !typed.array<1, f64, C>)
  %0 = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  %1 = typed.binary add %x, %k : si64
  %2 = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  // CHECK: typed.iter %[[C]]#1
  %it = typed.iter %2 : !typed.array<1, f64, C>
  // CHECK: typed.try_call @arrays.try.2
  %3 = typed.empty(%n) : (index) -> !typed.array<1, f64, C>
  // CHECK: typed.binary mul %[[C]]#0, %[[K]]
  %4 = typed.binary mul %1, %k : si64
  typed.try_br ^header unwind ^handler
^header:
  typed.for_iter %it : !typed.iter<!typed.array<1, f64, C>>, ^body, ^exit
^body(%item: f64):
  cf.br ^header
^exit:
  return %4 : si64
^handler(%e: !typed.exception):
  typed.raise_value %e : !typed.exception
}
// CHECK-LABEL: func.func private @arrays.try.1(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: si64) -> (si64, !typed.array<1, f64, C>)
// CHECK-NEXT: %[[TWO:.*]] = typed.constant 2 : si64
// CHECK-NEXT: typed.empty(%[[N]])
// CHECK-NEXT: %[[SUM:.*]] = typed.binary add %[[X]], %[[TWO]]
// CHECK-NEXT: %[[ARRAY:.*]] = typed.empty(%[[N]])
// CHECK-NEXT: return %[[SUM]], %[[ARRAY]]
// CHECK-LABEL: func.func private @arrays.try.2(
