// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-numpy))' --split-input-file --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// One operand gives the space; nothing to broadcast.

// CHECK-LABEL: func.func @one_operand(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[S:.*]]: f64)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0]
// CHECK: %[[R:.*]] = parfor.loop(%[[N]]) reductions [] pattern "array_expr" {
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
// CHECK: parfor.loop(%[[N]]) reductions [] pattern "fill" {
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

// CHECK-LABEL: func.func @sum(
// CHECK: %[[Z:.*]] = typed.constant 0 : si64
// CHECK: parfor.loop(%{{.*}}) inits(%[[Z]] : si64) reductions ["add"] pattern "reduction sum" {
// CHECK: %[[X:.*]] = typed.load
// CHECK: typed.cast %[[X]] : i1 to si64
func.func @sum(%a: !typed.array<1, i1, A>) -> si64 {
  %0 = typed.reduce sum %a : !typed.array<1, i1, A> -> si64
  return %0 : si64
}

// CHECK-LABEL: func.func @min_max(
// CHECK: typed.constant 0x7F800000 : f32
// CHECK: typed.raise_if %{{.*}}, "ValueError"("zero-size array to reduction operation minimum which has no identity")
// CHECK: reductions ["npmin"] pattern "reduction min"
// CHECK: typed.constant -128 : si8
// CHECK: typed.raise_if %{{.*}}, "ValueError"("zero-size array to reduction operation maximum which has no identity")
// CHECK: reductions ["max"] pattern "reduction max"
func.func @min_max(%a: !typed.array<1, f32, C>, %b: !typed.array<2, si8, F>) -> (f32, si8) {
  %0 = typed.reduce min %a : !typed.array<1, f32, C> -> f32
  %1 = typed.reduce max %b : !typed.array<2, si8, F> -> si8
  return %0, %1 : f32, si8
}

// CHECK-LABEL: func.func @others(
// CHECK: reductions ["or"] pattern "reduction any"
// CHECK: reductions ["and"] pattern "reduction all"
// CHECK: typed.constant (1.000000e+00 : f64, 0.000000e+00 : f64) : complex<f64>
// CHECK: reductions ["mul"] pattern "reduction prod"
func.func @others(%a: !typed.array<1, i1, C>, %b: !typed.array<1, complex<f64>, C>) -> (i1, i1, complex<f64>) {
  %0 = typed.reduce any %a : !typed.array<1, i1, C> -> i1
  %1 = typed.reduce all %a : !typed.array<1, i1, C> -> i1
  %2 = typed.reduce prod %b : !typed.array<1, complex<f64>, C> -> complex<f64>
  return %0, %1, %2 : i1, i1, complex<f64>
}

// CHECK-LABEL: func.func @fill(
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern "setitem" {
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
// CHECK: %[[COPY:.*]] = parfor.loop serial(%{{.*}}) reductions [] pattern "copy"
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   typed.load %[[B2]]
// CHECK: %[[V:.*]] = typed.view %[[COPY]][]
// CHECK: scf.yield %[[V]]
// CHECK: scf.yield %[[B2]]
// CHECK: pattern "setitem"
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   typed.load %[[S]]
// CHECK-NOT: typed.overlaps
// CHECK: pattern "setitem"
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
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern "setitem" fused ["array_expr"] {
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
// CHECK: %[[R:.*]] = parfor.loop(%{{.*}}) reductions [] pattern "array_expr"
// CHECK: pattern "setitem" {
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

// -----

func.func @complex_minimum(%a: !typed.array<1, complex<f64>, C>) -> complex<f64> {
  // expected-error @+1 {{the min of complex<f64> elements is not supported}}
  %0 = typed.reduce min %a : !typed.array<1, complex<f64>, C> -> complex<f64>
  return %0 : complex<f64>
}
