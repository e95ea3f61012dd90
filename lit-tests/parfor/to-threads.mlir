// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-threads)' --split-input-file --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>

// CHECK-LABEL: func.func @axpy(
// CHECK-SAME: %[[A:.*]]: f64, %[[X:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[K:.*]] = typed.constant 2.000000e+00 : f64
// CHECK: %[[W:.*]] = arith.constant 4 : index
// CHECK: parfor.launch @axpy.parfor0(%[[N]]) args(%[[X]], %[[A]] : !typed.array<1, f64, C>, f64) reductions [] work(%[[W]])
// CHECK: return

// CHECK-LABEL: func.func private @axpy.parfor0(
// CHECK-SAME: %[[L:.*]]: index, %[[U:.*]]: index, %[[X:.*]]: !typed.array<1, f64, C>, %[[A:.*]]: f64)
// CHECK-SAME: attributes {pyopt.function = "axpy", pyopt.origins = array<i64: -2, -2, -1, -1>, pyopt.parfor}
// CHECK: %[[K:.*]] = typed.constant 2.000000e+00 : f64
// CHECK: %[[FROM:.*]] = arith.maxsi %[[L]], %{{.*}} : index
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[U]]
// CHECK-NEXT: typed.load %[[X]][%[[I]]]
// CHECK-NEXT: typed.binary mul %{{.*}}, %[[A]]
// CHECK-NEXT: typed.binary add %{{.*}}, %[[K]]
func.func @axpy(%a: f64, %x: !v, %n: index) attributes {pyopt.function = "axpy"} {
  %k = typed.constant 2.0 : f64
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.binary mul %0, %a : f64
    %2 = typed.binary add %1, %k : f64
    typed.store %2, %x[%i] : f64, !v, index
  }
  return
}

// Each part starts with its own value; a loop inside is serial; so is one that says so.

// CHECK-LABEL: func.func @sum2d(
// CHECK: %[[R:.*]] = parfor.launch @sum2d.parfor0(%{{.*}}, %{{.*}}) args(%{{.*}}) inits(%{{.*}} : f64) reductions [add] work(%{{.*}}) : f64
// CHECK: parfor.loop serial
// CHECK-NOT: parfor.launch
// CHECK: return %[[R]]

// CHECK-LABEL: func.func private @sum2d.parfor0(
// CHECK-SAME: %[[L0:.*]]: index, %[[L1:.*]]: index, %[[U0:.*]]: index, %[[U1:.*]]: index, %[[A:.*]]: !typed.array<2, f64, C>, %[[S:.*]]: f64) -> f64
// CHECK: %[[FROM0:.*]] = arith.maxsi %[[L0]], %{{.*}} : index
// CHECK: %[[FROM1:.*]] = arith.maxsi %[[L1]], %{{.*}} : index
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %[[FROM0]] to %[[U0]] {{.*}} iter_args(%[[S0:.*]] = %[[S]])
// CHECK:   scf.for %{{.*}} = %[[FROM1]] to %[[U1]] {{.*}} iter_args(%{{.*}} = %[[S0]])
// CHECK:     parfor.loop(
// CHECK: return %[[R]] : f64
func.func @sum2d(%a: !typed.array<2, f64, C>, %n: index, %m: index, %zero: f64) -> f64 {
  %0 = parfor.loop(%n, %m) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
    parfor.loop(%i) reductions [] pattern prange {
    ^bb0(%k: index):
    }
    parfor.yield %x : f64
  } : f64
  parfor.loop serial(%n) reductions [] pattern copy {
  ^bb0(%i: index):
  }
  return %0 : f64
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

// -----

// What an iteration does is told before the launch where its loops have extents that are known by then.

!m = !typed.array<2, f64, C>

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, C>, %[[N:.*]]: index)
// CHECK: %[[M:.*]] = typed.dim %[[A]][1] : !typed.array<2, f64, C> -> index
// CHECK: %[[DISTANCE:.*]] = arith.subi %[[M]], %{{.*}} : index
// CHECK: %[[TRIPS:.*]] = arith.divsi %[[DISTANCE]], %{{.*}} : index
// CHECK: %[[EXTENT:.*]] = arith.select %{{.*}}, %[[TRIPS]], %{{.*}} : index
// CHECK: %[[SIMPLE:.*]] = arith.constant 2 : index
// CHECK: %[[INNER:.*]] = arith.constant 12 : index
// CHECK: %[[ALL:.*]] = arith.muli %[[INNER]], %[[EXTENT]] : index
// CHECK: %[[WORK:.*]] = arith.addi %[[SIMPLE]], %[[ALL]] : index
// CHECK: parfor.launch @rows.parfor0(%[[N]]) args(%{{.*}}) reductions [] work(%[[WORK]])
func.func @rows(%a: !m, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = typed.dim %a[1] : !m -> index
    scf.for %j = %c0 to %m step %c1 {
      %0 = typed.load %a[%i, %j] : !m, index, index -> f64
      %1 = typed.unary sqrt %0 : f64
      typed.store %1, %a[%i, %j] : f64, !m, index, index
    }
    %last = typed.load %a[%i, %c0] : !m, index, index -> f64
  }
  return
}

// An extent that only the iteration knows, a loop that runs as long as it takes and a call could be
// any amount of work.

// CHECK-LABEL: func.func @unknown(
// CHECK: parfor.launch @unknown.parfor0({{.*}} reductions []{{$}}
// CHECK: parfor.launch @unknown.parfor1({{.*}} reductions []{{$}}
func.func @unknown(%a: !typed.array<1, si64, C>, %n: index, %go: i1) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %a[%i] : !typed.array<1, si64, C>, index -> si64
    %m = typed.cast %0 : si64 to index
    scf.for %j = %i to %m step %m {
      typed.store %0, %a[%j] : si64, !typed.array<1, si64, C>, index
    }
  }
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.while : () -> () {
      scf.condition(%go)
    } do {
      scf.yield
    }
  }
  return
}

// -----

// What can be computed of what the body gets is computed there: the size and its half, and whether that is zero.
// The bounds of a part are in the loop's.

!v = !typed.array<1, f64, C>

// CHECK-LABEL: func.func @derived(
// CHECK: parfor.launch @derived.parfor0(%{{.*}}) args(%{{.*}} : !typed.array<1, f64, C>)
// CHECK-LABEL: func.func private @derived.parfor0(
// CHECK-SAME: %[[L:.*]]: index, %[[U:.*]]: index, %[[X:.*]]: !typed.array<1, f64, C>)
// CHECK: %[[N:.*]] = typed.dim %[[X]][0] : !typed.array<1, f64, C> -> si64
// CHECK: %[[HALF:.*]] = typed.binary floordiv %[[N]], %{{.*}} : si64
// CHECK: %[[NONE:.*]] = typed.compare eq %[[HALF]], %{{.*}} : si64
// CHECK: %[[FROM:.*]] = arith.maxsi %[[L]], %{{.*}} : index
// CHECK: %[[SIZE:.*]] = typed.dim %[[X]][0] : !typed.array<1, f64, C> -> index
// CHECK: %[[TO:.*]] = arith.minsi %[[U]], %[[SIZE]] : index
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]]
// CHECK: typed.raise_if %[[NONE]]
// CHECK: typed.binary mod %{{.*}}, %[[HALF]]
func.func @derived(%x: !v) {
  %zero = typed.constant 0 : si64
  %two = typed.constant 2 : si64
  %size = typed.dim %x[0] : !v -> index
  %n = typed.dim %x[0] : !v -> si64
  %half = typed.binary floordiv %n, %two : si64
  %none = typed.compare eq %half, %zero : si64
  parfor.loop(%size) reductions [] pattern prange {
  ^bb0(%i: index):
    %j = typed.cast %i : index to si64
    typed.raise_if %none, "ZeroDivisionError"("integer modulo by zero")
    %r = typed.binary mod %j, %half : si64
    %0 = typed.load %x[%r] wraparound : !v, si64 -> f64
    typed.store %0, %x[%i] : f64, !v, index
  }
  return
}

// What can't is passed, and its interval is written down: the size of an array that the body doesn't get. An element
// is loaded once, and floats are passed.

// CHECK-LABEL: func.func @passed(
// CHECK: parfor.launch @passed.parfor0(%{{.*}}) args(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : si64, f64, si64, !typed.array<1, si64, C>)
// CHECK-LABEL: func.func private @passed.parfor0(
// CHECK-SAME: %[[M:[a-z0-9]*]]: si64, %[[F:[a-z0-9]*]]: f64, %[[E:[a-z0-9]*]]: si64, %{{.*}}: !typed.array<1, si64, C>)
// CHECK: %[[NATURAL:.*]] = typed.binary max %[[M]], %{{.*}} : si64
// CHECK-NOT: typed.binary max %[[E]]
// CHECK: typed.binary mod %{{.*}}, %[[NATURAL]]
func.func @passed(%x: !v, %y: !typed.array<1, si64, C>, %f: f64, %c0: index, %count: index) {
  %m = typed.dim %x[0] : !v -> si64
  %square = typed.binary mul %f, %f : f64
  %e = typed.load %y[%c0] : !typed.array<1, si64, C>, index -> si64
  parfor.loop(%count) reductions [] pattern prange {
  ^bb0(%i: index):
    %j = typed.cast %i : index to si64
    %r = typed.binary mod %j, %m : si64
    %g = typed.cast %square : f64 to si64
    %s = typed.binary add %r, %g : si64
    %t = typed.binary add %s, %e : si64
    typed.store %t, %y[%i] : si64, !typed.array<1, si64, C>, index
  }
  return
}
