// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse,canonicalize,cse))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse{horizontal=0}))' | FileCheck %s --check-prefix=VERTICAL

!v = !typed.array<1, f64, C>

// The temporary is gone, and so is the loop that made it.

// CHECK-LABEL: func.func @chain_sum(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[Z:.*]]: f64)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0]
// CHECK: %[[S:.*]] = parfor.loop(%[[N]]) inits(%[[Z]] : f64) reductions [add] pattern reduction "sum" fused [array_expr, array_expr] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   %[[Y:.*]] = typed.binary mul %[[X]], %[[X]]
// CHECK-NEXT:   %[[T:.*]] = typed.unary sqrt %[[Y]]
// CHECK-NEXT:   parfor.yield %[[T]] : f64
// CHECK-NEXT: } {pyopt.reassoc = array<i64: 1>} : f64
// CHECK-NEXT: return %[[S]]
func.func @chain_sum(%a: !v, %zero: f64) -> f64 {
  %n = typed.dim %a[0] : !v -> index
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %x, %x : f64
    parfor.yield %y : f64
  } : !v
  %m = typed.dim %0[0] : !v -> index
  %1 = parfor.loop(%m) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    %y = typed.unary sqrt %x : f64
    parfor.yield %y : f64
  } : !v
  %2 = parfor.loop(%m) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %1[%i] : !v, index -> f64
    parfor.yield %x : f64
  } {pyopt.reassoc = array<i64: 1>} : f64
  return %2 : f64
}

// The array is needed besides, so it stays a result.

// CHECK-LABEL: func.func @kept(
// CHECK: %[[R:.*]]:2 = parfor.loop(%{{.*}}) inits(%{{.*}} : f64) reductions [add]
// CHECK: parfor.yield %[[X:.*]], %[[X]] : f64, f64
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @kept(%a: !v, %zero: f64) -> (!v, f64) {
  %n = typed.dim %a[0] : !v -> index
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %x, %x : f64
    parfor.yield %y : f64
  } : !v
  %1 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : f64
  return %0, %1 : !v, f64
}

// What stands between and has nothing to do with the first loop goes before it; what uses its
// result comes after both.

// CHECK-LABEL: func.func @reordered(
// CHECK: typed.raise_if
// CHECK: %[[R:.*]]:2 = parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: typed.load %[[R]]#0
func.func @reordered(%a: !v, %b: i1, %k: index) -> (f64, !v) {
  %n = typed.dim %a[0] : !v -> index
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  %e = typed.load %0[%k] : !v, index -> f64
  typed.raise_if %b, "ValueError"("no")
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    %y = typed.unary neg %x : f64
    parfor.yield %y : f64
  } : !v
  return %e, %1 : f64, !v
}

// Two loops that share nothing but the space.

// CHECK-LABEL: func.func @horizontal(
// CHECK: parfor.loop{{.*}} inits({{.*}}) reductions [add, mul] pattern reduction "sum" fused [reduction "prod"]
// CHECK: } {pyopt.reassoc = array<i64: 1, 0>}
// CHECK-NOT: parfor.loop
// VERTICAL-LABEL: func.func @horizontal(
// VERTICAL-COUNT-2: parfor.loop
func.func @horizontal(%a: !v, %b: !v, %n: index, %zero: f64, %one: f64) -> (f64, f64) {
  %0 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } {pyopt.reassoc = array<i64: 1>} : f64
  %1 = parfor.loop(%n) inits(%one : f64) reductions [mul] pattern reduction "prod" {
  ^bb0(%i: index):
    %x = typed.load %b[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : f64
  return %0, %1 : f64, f64
}

// Each iteration updates its own element of a contiguous array: no temporary.

// CHECK-LABEL: func.func @in_place(
// CHECK: parfor.loop{{.*}} pattern setitem fused [array_expr] {
// CHECK-NOT: parfor.loop
func.func @in_place(%a: !v, %s: f64) {
  %n = typed.dim %a[0] : !v -> index
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %x, %s : f64
    parfor.yield %y : f64
  } : !v
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    typed.store %x, %a[%i] : f64, !v, index
  }
  return
}
