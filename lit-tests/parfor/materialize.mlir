// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-materialize))' | FileCheck %s

!v = !typed.array<1, f64, C>

// CHECK-LABEL: func.func @fresh_and_sum(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[Z:.*]]: f64)
// CHECK: %[[E:.*]] = typed.empty(%[[N]]) : (index) -> !typed.array<1, f64, C>
// CHECK: %[[S:.*]] = parfor.loop(%[[N]]) inits(%[[Z]] : f64) reductions [add] pattern array_expr fused [reduction "sum"] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   typed.store %[[X]], %[[E]][%[[I]]]
// CHECK-NEXT:   parfor.yield %[[X]] : f64
// CHECK-NEXT: } {pyopt.reassoc = array<i64: 1>} : f64
// CHECK: return %[[E]], %[[S]]
func.func @fresh_and_sum(%a: !v, %n: index, %zero: f64) -> (!v, f64) {
  %0, %1 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern array_expr fused [reduction "sum"] {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x, %x : f64, f64
  } {pyopt.reassoc = array<i64: 1>} : !v, f64
  return %0, %1 : !v, f64
}

// CHECK-LABEL: func.func @unused(
// CHECK-NOT: typed.empty
// CHECK-NOT: typed.store
// CHECK: return
func.func @unused(%a: !v, %n: index) {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return
}
