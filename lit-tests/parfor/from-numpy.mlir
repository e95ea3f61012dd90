// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy{threads=0}))' | FileCheck %s --check-prefix=OFF

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// Off: a loop all the same, but on the calling thread.

// OFF-LABEL: func.func @one_operand(
// OFF: parfor.loop serial

// One operand gives the space; nothing to broadcast.

// CHECK-LABEL: func.func @one_operand(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[S:.*]]: f64)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0]
// CHECK: %[[R:.*]] = parfor.loop(%[[N]]) reductions [] pattern array_expr {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   %[[Y:.*]] = typed.binary mul %[[X]], %[[S]] : f64
// CHECK-NEXT:   parfor.yield %[[Y]] : f64
// CHECK: return %[[R]]
func.func @one_operand(%a: !v, %s: f64) -> !v {
  %0 = typed.array_expr(%a, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!v, f64) -> !v
  return %0 : !v
}

// A matrix and a row: rows follow the last index.

// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK-DAG: %[[B0:.*]] = typed.dim %[[B]][0]
// CHECK-DAG: %[[A0:.*]] = typed.dim %[[A]][0]
// CHECK-DAG: %[[A1:.*]] = typed.dim %[[A]][1]
// CHECK: %[[N:.*]] = typed.broadcast_size %[[A1]], %[[B0]]
// CHECK: %[[A2:.*]] = typed.broadcast %[[A]] to(%[[A0]], %[[N]])
// CHECK: %[[B2:.*]] = typed.broadcast %[[B]] to(%[[N]])
// CHECK: parfor.loop(%[[A0]], %[[N]])
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT:   typed.load %[[A2]][%[[I]], %[[J]]]
// CHECK-NEXT:   typed.load %[[B2]][%[[J]]]
func.func @row(%a: !m, %b: !v) -> !m {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!m, !v) -> !m
  return %0 : !m
}

// The result of a loop over broadcast sizes has these sizes itself.

// CHECK-LABEL: func.func @again(
// CHECK-COUNT-2: typed.broadcast %
// CHECK: %[[T:.*]] = parfor.loop
// CHECK-NOT: typed.broadcast
// CHECK: parfor.loop
func.func @again(%a: !v, %b: !v) -> (!v, !v) {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  %2 = typed.array_expr(%0, %0) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  return %0, %2 : !v, !v
}

// A negative size is an error even if the array is never made.

// CHECK-LABEL: func.func @arange(
// CHECK: %[[N:.*]] = typed.cast %{{.*}} : si64 to index
// CHECK: %[[BAD:.*]] = arith.cmpi slt, %[[N]], %{{.*}} : index
// CHECK: typed.raise_if %[[BAD]], "ValueError"("negative dimensions are not allowed")
// CHECK: parfor.loop(%[[N]]) reductions [] pattern fill {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   typed.cast %[[I]] : index to f64
func.func @arange(%n: si64) -> !v {
  %0 = typed.generate(%n : si64) {
  ^bb0(%i: index):
    %1 = typed.cast %i : index to f64
    typed.yield %1 : f64
  } : !v
  return %0 : !v
}

// CHECK-LABEL: func.func @scalars(
// CHECK-NOT: parfor.loop
// CHECK: %[[R:.*]] = typed.empty() : () -> !typed.array<0, f64, C>
// CHECK: typed.store %{{.*}}, %[[R]][]
func.func @scalars(%a: !typed.array<0, f64, C>) -> !typed.array<0, f64, C> {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary neg %x : f64
    typed.yield %1 : f64
  } : (!typed.array<0, f64, C>) -> !typed.array<0, f64, C>
  return %0 : !typed.array<0, f64, C>
}

// What is for nothing but an assignment is left to it, and says so.

// CHECK-LABEL: func.func @left(
// CHECK-NOT: parfor.loop
// CHECK: typed.array_expr
// CHECK: {pyopt.assigned}
func.func @left(%a: !v, %s: f64) {
  %0 = typed.array_expr(%a, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, f64) -> !v
  typed.assign %0, %a : !v, !v
  return
}

// A dimension that is known to be 1 needs no test and no copy: its element is read again and again.

// CHECK-LABEL: func.func @column(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<2, f64, C>)
// CHECK: %[[COLUMNS:.*]] = typed.dim %[[B]][1]
// CHECK: %[[C:.*]] = typed.view %[[A]]
// CHECK: %[[ROWS:.*]] = typed.broadcast_size
// CHECK-NOT: typed.broadcast_size
// CHECK: %[[C2:.*]] = typed.broadcast %[[C]] to(%[[ROWS]], %c1)
// CHECK: typed.broadcast %[[B]] to(%[[ROWS]], %[[COLUMNS]])
// CHECK: parfor.loop
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK: typed.load %[[C2]][%[[I]], %c0{{.*}}]
// CHECK: typed.load %{{.*}}[%[[I]], %[[J]]]
func.func @column(%a: !v, %b: !m) -> !m {
  %none = typed.singleton : !typed.none
  %all = typed.slice %none, %none, %none : !typed.slice<!typed.none, !typed.none, !typed.none>
  %c = typed.view %a[%all, %none] : !v, (!typed.slice<!typed.none, !typed.none, !typed.none>, !typed.none) -> !typed.array<2, f64, C>
  %0 = typed.array_expr(%c, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!m, !m) -> !m
  return %0 : !m
}
