// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-hoist))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-hoist{remarks=1}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!v = !typed.array<1, f64, C>

// What needs nothing of an iteration goes before the loop, from branches and inner loops too, and
// what depends only on that follows.

// REMARK: hoist.mlir:27:10: remark: hoisted exp out of the loop of prange at {{.*}}hoist.mlir:25
// REMARK: remark: hoisted mul out of the loop of prange

// CHECK-LABEL: func.func @invariant(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[X:.*]]: f64, %[[N:.*]]: index)
// CHECK: %[[E:.*]] = typed.unary exp %[[X]] : f64
// CHECK: %[[M:.*]] = typed.binary mul %[[E]], %[[X]] : f64
// CHECK: parfor.loop
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: %[[C:.*]] = typed.constant
// CHECK: scf.for
// CHECK-NEXT: typed.load
// CHECK-NEXT: typed.binary mul %{{.*}}, %[[M]]
func.func @invariant(%a: !v, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %e = typed.unary exp %x : f64
    %c = typed.constant 2.0 : f64
    scf.for %j = %c0 to %n step %c1 {
      %m = typed.binary mul %e, %x : f64
      %l = typed.load %a[%j] : !v, index -> f64
      %y = typed.binary mul %l, %m : f64
      %z = typed.binary mul %y, %c : f64
      typed.store %z, %a[%i] : f64, !v, index
    }
    parfor.yield
  }
  return
}

// A load may see what another iteration stores; a check has to stay where it is; what comes from the
// index differs.

// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: parfor.loop
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   typed.load
// CHECK-NEXT:   typed.raise_if
// CHECK-NEXT:   typed.cast %[[I]]
func.func @stays(%a: !v, %k: index, %bad: i1, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %l = typed.load %a[%k] : !v, index -> f64
    typed.raise_if %bad, "ValueError"("bad")
    %x = typed.cast %i : index to f64
    %y = typed.binary add %x, %l : f64
    typed.store %y, %a[%i] : f64, !v, index
    parfor.yield
  }
  return
}
