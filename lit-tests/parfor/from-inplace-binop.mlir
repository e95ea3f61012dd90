// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy,parfor-from-inplace-binop))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy,parfor-from-inplace-binop{threads=0}))' | FileCheck %s --check-prefix=OFF

!v = !typed.array<1, f64, C>

// a += b has no temporary: what is read at an index is read before that is written.

// OFF-LABEL: func.func @update(
// OFF: parfor.loop serial(%{{.*}}) reductions [] pattern setitem fused [array_expr]

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK: %[[A2:.*]] = typed.broadcast %[[B]]
// CHECK: typed.overlaps %[[A2]], %[[A]]
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern setitem fused [array_expr] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   typed.load %{{.*}}[%[[I]]]
// CHECK-NEXT:   %[[Z:.*]] = typed.binary add %[[X]], %
// CHECK-NEXT:   typed.store %[[Z]], %[[A]][%[[I]]]
func.func @update(%a: !v, %b: !v) {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  typed.assign %0, %a {pyopt.inplace} : !v, !v
  return
}

// Another assignment is left alone.

// CHECK-LABEL: func.func @setitem(
// CHECK: typed.assign
func.func @setitem(%a: !v, %s: f64) {
  typed.assign %s, %a : f64, !v
  return
}
