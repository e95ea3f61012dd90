// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-version-overlaps{remarks=1}))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// Both may be one loop if no array that is written overlaps another one.

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:[^:]*]]: !typed.array<1, f64, C>, %[[X:[^:]*]]: !typed.array<1, f64, C>, %[[Y:[^:]*]]: !typed
// CHECK-DAG: %[[XA:.*]] = typed.overlaps %[[X]], %[[A]]
// CHECK-DAG: %[[XY:.*]] = typed.overlaps %[[X]], %[[Y]]
// CHECK-DAG: %[[YA:.*]] = typed.overlaps %[[Y]], %[[A]]
// CHECK: scf.if
// CHECK-NEXT: %[[X1:.*]] = typed.apart %[[X]] from %[[A]], %[[Y]]
// CHECK-NEXT: %[[Y1:.*]] = typed.apart %[[Y]] from %[[A]]
// CHECK: typed.assign %{{.*}}, %[[X1]]
// CHECK: typed.assign %[[X1]], %[[Y1]]
// CHECK: } else {
// CHECK: typed.assign %{{.*}}, %[[X]]
// CHECK: typed.assign %[[X]], %[[Y]]
// CHECK: }
// CHECK-NEXT: return
func.func @two(%a: !v, %x: !v, %y: !v) {
  %0 = typed.array_expr(%a) {
  ^bb0(%e: f64):
    %s = typed.binary add %e, %e : f64
    typed.yield %s : f64
  } : (!v) -> !v
  typed.assign %0, %x : !v, !v
  // expected-remark @+1 {{there is a version for arrays of one shape that share no memory}}
  typed.assign %x, %y : !v, !v
  return
}

// Fresh arrays are compared with none, and what is used behind the group comes from either version.

// CHECK-LABEL: func.func @fresh(
// CHECK: %[[T:.*]] = scf.if %{{.*}} -> (!typed.array<1, f64, C>)
// CHECK: typed.apart %{{.*}} from %arg0 :
// CHECK: return %[[T]]
func.func @fresh(%a: !v, %x: !v) -> !v {
  %0 = typed.array_expr(%a) {
  ^bb0(%e: f64):
    %s = typed.binary add %e, %e : f64
    typed.yield %s : f64
  } : (!v) -> !v
  // expected-remark @+1 {{there is a version}}
  typed.assign %0, %x : !v, !v
  return %0 : !v
}

// Views of arguments are made before.

// CHECK-LABEL: func.func @parts(
// CHECK: %[[V:.*]] = typed.view %arg1
// CHECK: %[[W:.*]] = typed.view %arg2
// CHECK: typed.overlaps %[[V]], %[[W]]
// CHECK: scf.if
func.func @parts(%a: f64, %x: !v, %y: !v, %s: !typed.slice<si64, si64, !typed.none>) {
  %0 = typed.view %x[%s] : !v, (!typed.slice<si64, si64, !typed.none>) -> !typed.array<1, f64, A>
  typed.assign %a, %0 : f64, !typed.array<1, f64, A>
  %1 = typed.view %y[%s] : !v, (!typed.slice<si64, si64, !typed.none>) -> !typed.array<1, f64, A>
  // expected-remark @+1 {{there is a version}}
  typed.assign %a, %1 : f64, !typed.array<1, f64, A>
  return
}

// CHECK-LABEL: func.func @loops(
// CHECK: typed.overlaps %arg1, %arg0
// CHECK: scf.if
// CHECK: %[[X:.*]] = typed.apart %arg1 from %arg0, %arg2
// CHECK: parfor.loop
// CHECK: typed.store %{{.*}}, %[[X]][
func.func @loops(%a: !v, %x: !v, %y: !v, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %a[%i] : !v, index -> f64
    typed.store %0, %x[%i] : f64, !v, index
  }
  // expected-remark @+1 {{there is a version}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    typed.store %0, %y[%i] : f64, !v, index
  }
  return
}

// One statement has nothing to be merged with.

// CHECK-LABEL: func.func @alone(
// CHECK-NOT: scf.if
func.func @alone(%a: !v, %x: !v) {
  typed.assign %a, %x : !v, !v
  return
}

// These are merged anyway: they touch one array at the same indices.

// CHECK-LABEL: func.func @same_array(
// CHECK-NOT: scf.if
func.func @same_array(%c: f64, %x: !v) -> f64 {
  typed.assign %c, %x : f64, !v
  %0 = typed.reduce sum %x : !v -> f64
  return %0 : f64
}

// The second one needs other elements of the array than the first one writes.

// CHECK-LABEL: func.func @other_part(
// CHECK-NOT: scf.if
func.func @other_part(%a: f64, %x: !v, %s: !typed.slice<si64, si64, !typed.none>, %t: !typed.slice<si64, si64, !typed.none>, %y: !v) {
  %0 = typed.view %x[%s] : !v, (!typed.slice<si64, si64, !typed.none>) -> !typed.array<1, f64, A>
  typed.assign %a, %0 : f64, !typed.array<1, f64, A>
  %1 = typed.view %x[%t] : !v, (!typed.slice<si64, si64, !typed.none>) -> !typed.array<1, f64, A>
  %2 = typed.view %y[%s] : !v, (!typed.slice<si64, si64, !typed.none>) -> !typed.array<1, f64, A>
  typed.assign %1, %2 : !typed.array<1, f64, A>, !typed.array<1, f64, A>
  return
}

// Spaces of different ranks.

// CHECK-LABEL: func.func @ranks(
// CHECK-NOT: scf.if
func.func @ranks(%a: f64, %x: !v, %y: !m) {
  typed.assign %a, %x : f64, !v
  typed.assign %a, %y : f64, !m
  return
}

// An effect between them.

// CHECK-LABEL: func.func @effect(
// CHECK-NOT: scf.if
func.func @effect(%a: !v, %x: !v, %y: !v, %wrong: i1) {
  typed.assign %a, %x : !v, !v
  typed.raise_if %wrong, "ValueError"("no")
  typed.assign %a, %y : !v, !v
  return
}
