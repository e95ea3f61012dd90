// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy,parfor-from-setitem))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-setitem{threads=0}))' | FileCheck %s --check-prefix=OFF

!v = !typed.array<1, f64, C>

// Off: a loop all the same, but on the calling thread.

// OFF-LABEL: func.func @fill(
// OFF: parfor.loop serial

// CHECK-LABEL: func.func @fill(
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern setitem {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.cast %{{.*}} : si64 to f64
// CHECK-NEXT:   typed.store %[[X]], %{{.*}}[%[[I]]]
func.func @fill(%a: !v, %s: si64) {
  typed.assign %s, %a : si64, !v
  return
}

// Both may share memory: then the source is copied first. An array assigned to itself needs no test.

// CHECK-LABEL: func.func @assign(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, A>)
// CHECK: %[[B2:.*]] = typed.broadcast %[[B]]
// CHECK: %[[O:.*]] = typed.overlaps %[[B2]], %[[A]]
// CHECK: %[[S:.*]] = scf.if %[[O]]
// CHECK: %[[COPY:.*]] = parfor.loop serial(%{{.*}}) reductions [] pattern copy
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   typed.load %[[B2]]
// CHECK: %[[V:.*]] = typed.view %[[COPY]][]
// CHECK: scf.yield %[[V]]
// CHECK: scf.yield %[[B2]]
// CHECK: pattern setitem
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   typed.load %[[S]]
// CHECK-NOT: typed.overlaps
// CHECK: pattern setitem
// CHECK: return
func.func @assign(%a: !v, %b: !typed.array<1, f64, A>) {
  typed.assign %b, %a : !typed.array<1, f64, A>, !v
  typed.assign %a, %a : !v, !v
  return
}

// a += b has no temporary: what is read at an index is read before that is written.

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK: %[[A2:.*]] = typed.broadcast %[[B]]
// CHECK: typed.overlaps %[[A2]], %[[A]]
// CHECK: %[[S:.*]] = scf.if
// CHECK-NOT: typed.overlaps
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern setitem fused [array_expr] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   %[[Y:.*]] = typed.load %[[S]][%[[I]]]
// CHECK-NEXT:   %[[Z:.*]] = typed.binary add %[[X]], %[[Y]]
// CHECK-NEXT:   typed.store %[[Z]], %[[A]][%[[I]]]
// CHECK: return
func.func @update(%a: !v, %b: !v) {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  typed.assign %0, %a : !v, !v
  return
}

// The array is used besides.

// CHECK-LABEL: func.func @not_direct(
// CHECK: %[[R:.*]] = parfor.loop(%{{.*}}) reductions [] pattern array_expr
// CHECK: pattern setitem {
// CHECK: return %[[R]]
func.func @not_direct(%a: !v, %s: f64) -> !v {
  %0 = typed.array_expr(%a, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, f64) -> !v
  typed.assign %0, %a : !v, !v
  return %0 : !v
}

// An in-place operator's is left to the pass of that name.

// CHECK-LABEL: func.func @in_place(
// CHECK: typed.assign %{{.*}} {pyopt.inplace}
func.func @in_place(%a: !v, %s: f64) {
  typed.assign %s, %a {pyopt.inplace} : f64, !v
  return
}
