// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-schedule{remarks=true})' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-schedule,parfor-to-threads)' | FileCheck %s --check-prefix=LAUNCH

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// CHECK-LABEL: func.func @even(
// CHECK-COUNT-3: pyopt.schedule = #parfor<schedule static>
// CHECK-NOT: pyopt.schedule
// LAUNCH-LABEL: func.func @even(
// LAUNCH-COUNT-3: parfor.launch {{.*}} work(%{{.*}}) {pyopt.schedule = #parfor<schedule static>}
func.func @even(%a: !v, %m: !m, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = typed.dim %m[1] : !m -> index
  // expected-remark @+1 {{static schedule: all iterations do the same}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.if %c {
      %0 = typed.load %a[%i] : !v, index -> f64
      typed.store %0, %a[%i] : f64, !v, index
    }
  }
  // expected-remark @+1 {{static schedule: all iterations do the same}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %k step %c1 {
      // What a loop inside counts is the same in all iterations.
      scf.for %l = %c0 to %j step %c1 {
        %0 = typed.load %m[%i, %l] : !m, index, index -> f64
        typed.store %0, %m[%i, %j] : f64, !m, index, index
      }
    }
  }
  // expected-remark @+1 {{static schedule: all iterations do the same}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.call @simple(%a) : (!v) -> ()
    // A loop inside of another one isn't scheduled itself, nor is one that stays on its thread.
    parfor.loop(%k) reductions [] pattern prange {
    ^bb0(%j: index):
    }
  }
  parfor.loop serial(%n) reductions [] pattern copy {
  ^bb0(%i: index):
  }
  return
}

func.func private @simple(%a: !v) {
  %c0 = arith.constant 0 : index
  %0 = typed.load %a[%c0] : !v, index -> f64
  typed.store %0, %a[%c0] : f64, !v, index
  return
}

// The rows of a matrix are equally long, and so are parts of them whose ends the index doesn't move.

// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-2: pyopt.schedule = #parfor<schedule static>
// CHECK: pyopt.schedule = #parfor<schedule dynamic>
// LAUNCH-LABEL: func.func @rows(
func.func @rows(%m: !m, %n: index, %stop: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{static schedule: all iterations do the same}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %row = typed.view %m[%i] : !m, (index) -> !v
    %k = typed.dim %row[0] : !v -> index
    scf.for %j = %c0 to %k step %c1 {
      %0 = typed.load %row[%j] : !v, index -> f64
      typed.store %0, %row[%c0] : f64, !v, index
    }
  }
  // expected-remark @+1 {{static schedule: all iterations do the same}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %none = typed.singleton : !typed.none
    %slice = typed.slice %none, %stop, %none : !typed.slice<!typed.none, si64, !typed.none>
    %part = typed.view %m[%i, %slice] : !m, (index, !typed.slice<!typed.none, si64, !typed.none>) -> !v
    %k = typed.dim %part[0] : !v -> index
    scf.for %j = %c0 to %k step %c1 {
      %0 = typed.load %part[%j] : !v, index -> f64
      typed.store %0, %part[%c0] : f64, !v, index
    }
  }
  // expected-remark @+1 {{dynamic schedule: a loop inside runs as often as the index says}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %none = typed.singleton : !typed.none
    %to = typed.cast %i : index to si64
    %slice = typed.slice %none, %to, %none : !typed.slice<!typed.none, si64, !typed.none>
    %part = typed.view %m[%c0, %slice] : !m, (index, !typed.slice<!typed.none, si64, !typed.none>) -> !v
    %k = typed.dim %part[0] : !v -> index
    scf.for %j = %c0 to %k step %c1 {
      %0 = typed.load %part[%j] : !v, index -> f64
      typed.store %0, %part[%c0] : f64, !v, index
    }
  }
  return
}

// CHECK-LABEL: func.func @triangle(
// CHECK: pyopt.schedule = #parfor<schedule dynamic>
// LAUNCH-LABEL: func.func @triangle(
// LAUNCH-SAME: %{{.*}}: !typed.array<2, f64, C>, %[[N:.*]]: index)
// The work is that of the iteration in the middle.
// LAUNCH: %[[MIDDLE:.*]] = arith.divsi %[[N]], %{{.*}} : index
// LAUNCH: %[[DISTANCE:.*]] = arith.subi %[[MIDDLE]], %{{.*}} : index
// LAUNCH: arith.divsi %[[DISTANCE]]
// LAUNCH: parfor.launch {{.*}} work(%{{.*}}) {pyopt.schedule = #parfor<schedule dynamic>}
func.func @triangle(%m: !m, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{dynamic schedule: a loop inside runs as often as the index says}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %i step %c1 {
      %0 = typed.load %m[%i, %j] : !m, index, index -> f64
      typed.store %0, %m[%i, %c0] : f64, !m, index, index
    }
  }
  return
}

// CHECK-LABEL: func.func @unknown(
// CHECK-COUNT-4: pyopt.schedule = #parfor<schedule dynamic>
// LAUNCH-LABEL: func.func @unknown(
// LAUNCH: parfor.launch {{.*}} reductions [] {pyopt.schedule = #parfor<schedule dynamic>}
// LAUNCH: parfor.launch {{.*}} work(%{{.*}}) {pyopt.schedule = #parfor<schedule dynamic>}
// LAUNCH: parfor.launch {{.*}} reductions [] {pyopt.schedule = #parfor<schedule dynamic>}
// LAUNCH: parfor.launch {{.*}} reductions [] {pyopt.schedule = #parfor<schedule dynamic>}
func.func @unknown(%a: !v, %rows: !typed.array<1, si64, C>, %n: index, %go: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{dynamic schedule: a loop inside runs as often as an iteration finds out}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %rows[%i] : !typed.array<1, si64, C>, index -> si64
    %length = typed.cast %0 : si64 to index
    scf.for %j = %c0 to %length step %c1 {
      typed.store %0, %rows[%j] : si64, !typed.array<1, si64, C>, index
    }
  }
  // expected-remark @+1 {{dynamic schedule: a loop inside runs under a condition}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.if %go {
      scf.for %j = %c0 to %n step %c1 {
        %0 = typed.load %a[%j] : !v, index -> f64
        typed.store %0, %a[%i] : f64, !v, index
      }
    }
  }
  // expected-remark @+1 {{dynamic schedule: a loop inside runs for as long as it takes}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.while : () -> () {
      scf.condition(%go)
    } do {
      scf.yield
    }
  }
  // expected-remark @+1 {{dynamic schedule: an iteration calls a function}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.call @recursive(%a) : (!v) -> ()
  }
  return
}

func.func private @recursive(%a: !v) {
  typed.call @recursive(%a) : (!v) -> ()
  return
}
