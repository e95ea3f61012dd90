// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-inline-producers))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-inline-producers{remarks=1}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// The elements of a matrix are computed where its rows are summed, and so are those that they are made of.

// REMARK: remark: fused with the loop of array_expr
// REMARK: remark: fused with the loop of array_expr

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, C>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-NOT: array_expr
// CHECK: parfor.loop(%[[N]])
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: parfor.loop(%[[M]]) {{.*}} pattern reduction "sum"
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: %[[X:.*]] = typed.load %[[A]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[Y:.*]] = typed.unary exp %[[X]]
// CHECK-NEXT: %[[Z:.*]] = typed.unary sqrt %[[Y]]
// CHECK-NEXT: parfor.yield %[[Z]]
func.func @rows(%a: !m, %n: index, %m: index) -> !v {
  %zero = typed.constant 0.0 : f64
  %e = parfor.loop(%n, %m) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    %y = typed.unary exp %x : f64
    parfor.yield %y : f64
  } : !m
  %t = parfor.loop(%n, %m) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %e[%i, %j] : !m, index, index -> f64
    %y = typed.unary sqrt %x : f64
    parfor.yield %y : f64
  } : !m
  %s = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    %w = typed.cast %i : index to si64
    %row = typed.view %t[%w] : !m, (si64) -> !v
    %d = typed.dim %row[0] : !v -> index
    %sum = parfor.loop(%d) inits(%zero : f64) reductions [add] pattern reduction "sum" {
    ^bb0(%j: index):
      %x = typed.load %row[%j] : !v, index -> f64
      parfor.yield %x : f64
    } : f64
    parfor.yield %sum : f64
  } : !v
  return %s : !v
}

// What is read twice, at another index, or changed between is kept.

// CHECK-LABEL: func.func @twice(
// CHECK: pattern array_expr
// CHECK: pattern fill
func.func @twice(%a: !m, %n: index, %m: index) -> (!v, !m) {
  %zero = typed.constant 0.0 : f64
  %t = parfor.loop(%n, %m) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    parfor.yield %x : f64
  } : !m
  %s = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    %sum = parfor.loop(%m) inits(%zero : f64) reductions [add] pattern reduction "sum" {
    ^bb0(%j: index):
      %x = typed.load %t[%i, %j] : !m, index, index -> f64
      parfor.yield %x : f64
    } : f64
    parfor.yield %sum : f64
  } : !v
  return %s, %t : !v, !m
}

// CHECK-LABEL: func.func @columns(
// CHECK: pattern array_expr
// CHECK: pattern fill
func.func @columns(%a: !m, %n: index) -> !v {
  %zero = typed.constant 0.0 : f64
  %t = parfor.loop(%n, %n) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    parfor.yield %x : f64
  } : !m
  %s = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    %sum = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
    ^bb0(%j: index):
      %x = typed.load %t[%j, %i] : !m, index, index -> f64
      parfor.yield %x : f64
    } : f64
    parfor.yield %sum : f64
  } : !v
  return %s : !v
}

// CHECK-LABEL: func.func @changed(
// CHECK: pattern array_expr
// CHECK: typed.store
// CHECK: pattern fill
func.func @changed(%a: !m, %n: index, %m: index, %at: index, %new: f64) -> !v {
  %zero = typed.constant 0.0 : f64
  %t = parfor.loop(%n, %m) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    parfor.yield %x : f64
  } : !m
  typed.store %new, %a[%at, %at] : f64, !m, index, index
  %s = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    %sum = parfor.loop(%m) inits(%zero : f64) reductions [add] pattern reduction "sum" {
    ^bb0(%j: index):
      %x = typed.load %t[%i, %j] : !m, index, index -> f64
      parfor.yield %x : f64
    } : f64
    parfor.yield %sum : f64
  } : !v
  return %s : !v
}

// An error is raised once, and before what comes behind it.

// CHECK-LABEL: func.func @raises(
// CHECK: pattern array_expr
// CHECK: typed.raise_if
// CHECK: pattern fill
func.func @raises(%a: !m, %n: index, %m: index, %bad: i1) -> !v {
  %zero = typed.constant 0.0 : f64
  %t = parfor.loop(%n, %m) reductions [] pattern array_expr {
  ^bb0(%i: index, %j: index):
    typed.raise_if %bad, "ValueError"
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    parfor.yield %x : f64
  } : !m
  %s = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    %sum = parfor.loop(%m) inits(%zero : f64) reductions [add] pattern reduction "sum" {
    ^bb0(%j: index):
      %x = typed.load %t[%i, %j] : !m, index, index -> f64
      parfor.yield %x : f64
    } : f64
    parfor.yield %sum : f64
  } : !v
  return %s : !v
}
