// Arrays that prange loops reduce: chunks of iterations with arrays of their own.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange{chunks=false}))' 2>&1 | FileCheck %s --check-prefix=OFF

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// OFF: warning: the iterations of this prange run one after another: reductions of more than numbers
// OFF-NOT: parfor.loop

// acc += m[i]

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[M:[^:]*]]: !typed.array<2, f64, C>, %[[N:[^:]*]]: index)
// CHECK: %[[ACC:.*]] = typed.empty
// CHECK: %[[COUNT:.*]] = arith.select
// CHECK: %[[P:.*]] = parfor.chunks %[[COUNT]]
// CHECK: %[[SIZE:.*]] = typed.dim %[[ACC]][0]
// CHECK: %[[SLOTS:.*]] = typed.empty(%[[P]], %[[SIZE]]) {{.*}} -> !typed.array<2, f64, C>
// CHECK: parfor.loop(%[[P]]) reductions [] pattern prange {
// CHECK: ^bb0(%[[C:.*]]: index):
// CHECK:   %[[OWN:.*]] = typed.generate
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to
// CHECK:     %[[SUM:.*]] = typed.array_expr(%[[OWN]], %{{.*}})
// CHECK:     typed.assign %[[SUM]], %[[OWN]]
// CHECK:   typed.raise_if %{{.*}}, "ValueError"("an array that prange reduces changes its shape")
// CHECK:   parfor.loop serial
// CHECK:     typed.store %{{.*}}, %[[SLOTS]][%[[C]],
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern reduction
// CHECK:   typed.load %[[ACC]]
// CHECK:   scf.for %[[D:.*]] = {{.*}} to %[[P]]
// CHECK:     typed.load %[[SLOTS]][%[[D]],
// CHECK:     typed.binary add
// CHECK:   typed.store %{{.*}}, %[[ACC]]
// CHECK: return %[[ACC]]
func.func @in_place(%m: !m, %n: index) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = typed.empty(%n) zeroed : (index) -> !v
  scf.for %i = %c0 to %n step %c1 {
    %row = typed.view %m[%i] : !m, (index) -> !v
    %0 = typed.array_expr(%acc, %row) {
    ^bb0(%x: f64, %y: f64):
      %1 = typed.binary add %x, %y : f64
      typed.yield %1 : f64
    } : (!v, !v) -> !v
    typed.assign %0, %acc : !v, !v
  } {pyopt.prange}
  return %acc : !v
}

// acc = np.minimum(acc, m[i])

// CHECK-LABEL: func.func @minimum(
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern prange {
// CHECK:   typed.generate
// CHECK:     typed.constant 0x7FF0000000000000 : f64
// CHECK:   scf.for {{.*}} -> (!typed.array<1, f64, C>)
// CHECK: scf.if %{{.*}} -> (!typed.array<1, f64, C>) {
// CHECK:   parfor.loop(%{{.*}}) reductions [] pattern reduction
// CHECK:     typed.compare le
func.func @minimum(%m: !m, %n: index, %start: !v) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (!v) {
    %row = typed.view %m[%i] : !m, (index) -> !v
    %1 = typed.array_expr(%acc, %row) {
    ^bb0(%x: f64, %y: f64):
      %2 = typed.compare le %x, %y : f64
      %3 = typed.unary isnan %x : f64 -> i1
      %4 = typed.binary or %2, %3 : i1
      %5 = arith.select %4, %x, %y : f64
      typed.yield %5 : f64
    } : (!v, !v) -> !v
    scf.yield %1 : !v
  } {pyopt.prange}
  return %0 : !v
}

// The array may be what iterations read from.

// CHECK-LABEL: func.func @shared(
// CHECK-NOT: parfor.loop
func.func @shared(%m: !m, %n: index, %acc: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{may share memory with one that they use: make it in this function}}
  scf.for %i = %c0 to %n step %c1 {
    %row = typed.view %m[%i] : !m, (index) -> !v
    %0 = typed.array_expr(%acc, %row) {
    ^bb0(%x: f64, %y: f64):
      %1 = typed.binary add %x, %y : f64
      typed.yield %1 : f64
    } : (!v, !v) -> !v
    typed.assign %0, %acc : !v, !v
  } {pyopt.prange}
  return
}

// CHECK-LABEL: func.func @two_operators(
// CHECK-NOT: parfor.loop
func.func @two_operators(%n: index, %k: f64) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = typed.empty(%n) zeroed : (index) -> !v
  // expected-warning @+1 {{an array is reduced by two different operators}}
  scf.for %i = %c0 to %n step %c1 {
    %0 = typed.array_expr(%acc) {
    ^bb0(%x: f64):
      %1 = typed.binary add %x, %k : f64
      typed.yield %1 : f64
    } : (!v) -> !v
    typed.assign %0, %acc : !v, !v
    %2 = typed.array_expr(%acc) {
    ^bb0(%x: f64):
      %3 = typed.binary mul %x, %k : f64
      typed.yield %3 : f64
    } : (!v) -> !v
    typed.assign %2, %acc : !v, !v
  } {pyopt.prange}
  return %acc : !v
}

// Twice the array is not the array and something else.

// CHECK-LABEL: func.func @of_itself(
// CHECK-NOT: parfor.loop
func.func @of_itself(%n: index) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = typed.empty(%n) zeroed : (index) -> !v
  // expected-warning @+1 {{every iteration assigns to the same array}}
  scf.for %i = %c0 to %n step %c1 {
    %0 = typed.array_expr(%acc) {
    ^bb0(%x: f64):
      %1 = typed.binary add %x, %x : f64
      typed.yield %1 : f64
    } : (!v) -> !v
    typed.assign %0, %acc : !v, !v
  } {pyopt.prange}
  return %acc : !v
}
