// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(stencil-to-parfor))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(stencil-to-parfor{stencil=0}))' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SERIAL

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// The border around the inside, and the inside without a test.

// CHECK-LABEL: func.func @three_points(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0]
// CHECK: %[[Z:.*]] = typed.constant 0.000000e+00 : f64
// CHECK: %[[OUT:.*]] = typed.empty(%[[N]])
// CHECK: %[[L:.*]] = arith.minsi %{{.*}}, %[[N]] : index
// CHECK: %[[E:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK: %[[U:.*]] = arith.maxsi %[[E]], %[[L]] : index
// CHECK: %[[IN:.*]] = arith.subi %[[N]], %c2
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[IN]], %c0
// CHECK: typed.fill_border %[[Z]], %[[OUT]] around(%[[L]]) to(%[[U]]) : f64, !typed.array<1, f64, C>
// CHECK: parfor.loop(%[[COUNT]]) reductions [] pattern stencil {
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK-NEXT:   %[[I:.*]] = arith.addi %[[K]], %c1{{.*}} : index
// CHECK-NOT:    scf.if
// CHECK:        %[[LEFT:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[LEFT]]] :
// CHECK:        %[[Y:.*]] = typed.load %[[A]][%[[I]]] :
// CHECK:        %[[RIGHT:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT:   typed.load %[[A]][%[[RIGHT]]] :
// CHECK:        typed.store %{{.*}}, %[[OUT]][%[[I]]]
// CHECK: return %[[OUT]]
// SERIAL-LABEL: func.func @three_points(
// SERIAL: parfor.loop serial({{.*}}) reductions [] pattern stencil {
func.func @three_points(%a: !v) -> !v {
  %0 = stencil.apply(%a) neighborhood [-1, 1] {
  ^bb0(%x: !v):
    %m = typed.constant -1 : si64
    %z = typed.constant 0 : si64
    %p = typed.constant 1 : si64
    %l = stencil.access %x[%m] : !v, si64 -> f64
    %c = stencil.access %x[%z] : !v, si64 -> f64
    %h = stencil.access %x[%p] : !v, si64 -> f64
    %s = typed.binary add %l, %c : f64
    %t = typed.binary add %s, %h : f64
    stencil.return %t : f64
  } : (!v) -> !v
  return %0 : !v
}

// A second array must be as large; a third one is indexed absolutely, with wrap-around.

// CHECK-LABEL: func.func @operands(
// CHECK-SAME: %[[A:[^:]*]]: !typed.array<2, f64, C>, %[[B:[^:]*]]: !typed.array<2, f64, F>, %[[W:[^:]*]]: !typed.array<1, f64, A>, %[[S:[^:]*]]: f64)
// CHECK-COUNT-2: typed.raise_if %{{.*}}, "ValueError"("an array that a stencil indexes relatively is smaller than the first one")
// CHECK: %[[C:.*]] = typed.constant 7 : si64
// CHECK: typed.cast %[[C]] : si64 to f64
// CHECK: typed.fill_border %{{.*}}, %{{.*}} around(%{{.*}}, %{{.*}}) to(%{{.*}}, %{{.*}}) : f64, !typed.array<2, f64, C>
// CHECK: pattern stencil {
// CHECK: typed.load %[[A]][%{{.*}}, %{{.*}}] : !typed.array<2, f64, C>, index, index -> f64
// CHECK: typed.load %[[B]][%{{.*}}, %{{.*}}] : !typed.array<2, f64, F>, index, index -> f64
// CHECK: typed.load %[[W]][%{{.*}}] wraparound : !typed.array<1, f64, A>, si64 -> f64
func.func @operands(%a: !m, %b: !typed.array<2, f64, F>, %w: !typed.array<1, f64, A>, %s: f64) -> !m {
  %0 = stencil.apply(%a, %b, %w, %s) neighborhood [0, 0, -1, 1] cval 7 : i64 {
  ^bb0(%x: !m, %y: !typed.array<2, f64, F>, %z: !typed.array<1, f64, A>, %f: f64):
    %c0 = typed.constant 0 : si64
    %c1 = typed.constant 1 : si64
    %1 = stencil.access %x[%c0, %c1] : !m, si64, si64 -> f64
    %2 = stencil.access %y[%c0, %c0] : !typed.array<2, f64, F>, si64, si64 -> f64
    %3 = stencil.access %z[%c1] : !typed.array<1, f64, A>, si64 -> f64
    %4 = typed.binary mul %1, %2 : f64
    %5 = typed.binary mul %4, %3 : f64
    %6 = typed.binary mul %5, %f : f64
    stencil.return %6 : f64
  } {standard_indexing = array<i64: 2>} : (!m, !typed.array<2, f64, F>, !typed.array<1, f64, A>, f64) -> !m
  return %0 : !m
}

// Without neighbors there is no border.

// CHECK-LABEL: func.func @alone(
// CHECK-NOT: typed.fill_border
// CHECK: return
func.func @alone(%a: !v) -> !v {
  %0 = stencil.apply(%a) neighborhood [0, 0] {
  ^bb0(%x: !v):
    %z = typed.constant 0 : si64
    %1 = stencil.access %x[%z] : !v, si64 -> f64
    stencil.return %1 : f64
  } : (!v) -> !v
  return %0 : !v
}

// An offset the neighborhood doesn't promise may leave the array at its start.

// CHECK-LABEL: func.func @beyond(
// CHECK: typed.load %{{.*}}[%{{.*}}] wraparound
func.func @beyond(%a: !v, %d: si64) -> !v {
  %0 = stencil.apply(%a) neighborhood [-1, 1] {
  ^bb0(%x: !v):
    %1 = stencil.access %x[%d] : !v, si64 -> f64
    stencil.return %1 : f64
  } : (!v) -> !v
  return %0 : !v
}

// -----

func.func @not_inferred(%a: !typed.array<1, f64, C>, %s: f64) -> !typed.array<1, f64, C> {
  // expected-error @+1 {{'stencil.apply' op has no neighborhood: run stencil-infer-neighborhood first}}
  %0 = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    stencil.return %s : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}

// -----

func.func @ranks(%a: !typed.array<1, f64, C>, %b: !typed.array<2, f64, C>, %s: f64) -> !typed.array<1, f64, C> {
  // expected-error @+1 {{arrays that the kernel indexes relatively must have the same number of dimensions}}
  %0 = stencil.apply(%a, %b) neighborhood [0, 1] {
  ^bb0(%x: !typed.array<1, f64, C>, %y: !typed.array<2, f64, C>):
    stencil.return %s : f64
  } : (!typed.array<1, f64, C>, !typed.array<2, f64, C>) -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}

// -----

!v = !typed.array<1, f64, C>
!w = !typed.array<1, f64, A>

// The position is the index of the element, which lies where a window of the array begins.

// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>)
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern stencil {
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK-NEXT:   %[[I:.*]] = arith.addi %[[K]], %c1{{.*}} : index
// CHECK:        %[[P:.*]] = typed.cast %[[I]] : index to si64
// CHECK:        %[[START:.*]] = typed.binary add %[[P]], %{{.*}} : si64
// CHECK:        %[[S:.*]] = typed.slice %[[START]]
// CHECK:        typed.view %[[A]][%[[S]]]
// CHECK-NOT: stencil.position
func.func @window(%a: !v) -> !v {
  %0 = stencil.apply(%a) neighborhood [-1, 1] {
  ^bb0(%x: !v):
    %p = stencil.position 0 : si64
    %m = typed.constant -1 : si64
    %t = typed.constant 2 : si64
    %one = typed.constant 1 : si64
    %start = typed.binary add %p, %m : si64
    %stop = typed.binary add %p, %t : si64
    %slice = typed.slice %start, %stop, %one : !typed.slice<si64, si64, si64>
    %window = typed.view %x[%slice] : !v, (!typed.slice<si64, si64, si64>) -> !w
    %sum = typed.reduce sum %window : !w -> f64
    stencil.return %sum : f64
  } : (!v) -> !v
  return %0 : !v
}
