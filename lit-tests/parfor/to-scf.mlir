// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-to-scf))' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: #[[VECTORIZE:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[PLAIN:.*]] = #llvm.loop_annotation<vectorize = #[[VECTORIZE]], unroll = #[[UNROLL]]>

!v = !typed.array<1, f64, C>

// NumPy's sum may be reassociated, a user's may not.

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[Z:.*]]: f64)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[S:.*]] = %[[Z]]) -> (f64)
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   %[[T:.*]] = typed.binary add %[[S]], %[[X]] {pyopt.reassoc} : f64
// CHECK-NEXT:   scf.yield %[[T]]
// CHECK: scf.for
// CHECK: typed.binary add %{{.*}}, %{{[^ ]*}} : f64
func.func @sums(%a: !v, %n: index, %zero: f64) -> (f64, f64) {
  %0 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } {pyopt.reassoc = array<i64: 1>} : f64
  %1 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : f64
  return %0, %1 : f64, f64
}

// CHECK-LABEL: func.func @nest(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[S0:.*]] = %{{.*}})
// CHECK:   %[[R:.*]] = scf.for %[[J:.*]] = %{{.*}} to %[[M]] {{.*}} iter_args(%[[S1:.*]] = %[[S0]])
// CHECK:     typed.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:     arith.minimumf %[[S1]], %{{.*}} : f64
// CHECK:   scf.yield %[[R]]
func.func @nest(%n: index, %m: index, %a: !typed.array<2, f64, C>, %inf: f64) -> f64 {
  %0 = parfor.loop(%n, %m) inits(%inf : f64) reductions [npmin] pattern reduction "min" {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
    parfor.yield %x : f64
  } : f64
  return %0 : f64
}

// Columns first where arrays lie in columns.

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[M]]
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK:     typed.load %{{.*}}[%[[I]], %[[J]]]
func.func @columns(%n: index, %m: index, %a: !typed.array<2, f64, F>, %b: !typed.array<2, f64, F>) {
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !typed.array<2, f64, F>, index, index -> f64
    typed.store %x, %b[%i, %j] : f64, !typed.array<2, f64, F>, index, index
  }
  return
}

// A loop that is seldom worth anything is left alone by LLVM's vectoriser and unroller, the others not.

// CHECK-LABEL: func.func @rare(
// CHECK: scf.for
// CHECK:   typed.store
// CHECK: } {loop_annotation = #[[PLAIN]]}
// CHECK: scf.for
// CHECK:   typed.store
// CHECK-NEXT: }{{$}}
func.func @rare(%n: index, %x: f64, %b: !typed.array<1, f64, C>) {
  parfor.loop serial(%n) reductions [] pattern copy {
  ^bb0(%i: index):
    typed.store %x, %b[%i] : f64, !typed.array<1, f64, C>, index
  } {pyopt.rare}
  parfor.loop serial(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    typed.store %x, %b[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}

// -----

func.func @fresh(%n: index, %x: f64) -> !typed.array<1, f64, C> {
  // expected-error @+1 {{'parfor.loop' op still yields fresh arrays: run parfor-materialize first}}
  %0 = parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}
