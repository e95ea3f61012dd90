// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange{prange=0}))' | FileCheck %s --check-prefix=OFF
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange{prange=0 reduction=0}))' | FileCheck %s --check-prefix=SERIAL

!v = !typed.array<1, f64, C>

// OFF-LABEL: func.func @stores(
// OFF-NOT: pyopt.prange
// OFF-NOT: parfor.loop

// CHECK-LABEL: func.func @stores(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[K:.*]]: f64)
// CHECK: parfor.loop(%[[N]]) reductions [] pattern prange {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   typed.store %[[K]], %[[A]][%[[I]]]
// CHECK: return %[[K]]
func.func @stores(%a: !v, %n: index, %k: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // A value that the loop hands through is that value.
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%same = %k) -> (f64) {
    typed.store %same, %a[%i] : f64, !v, index
    scf.yield %same : f64
  } {pyopt.prange}
  return %0 : f64
}

// acc = acc + x - y

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %{{.*}}, %[[S:[^:]*]]: f64)
// CHECK: %[[Z:.*]] = typed.constant -0.000000e+00 : f64
// CHECK: %[[R:.*]] = parfor.loop(%{{.*}}) inits(%[[S]] : f64) reductions [add] pattern prange {
// CHECK:   %[[P:.*]] = typed.binary add %[[Z]], %[[X:.*]] : f64
// CHECK:   %[[Q:.*]] = typed.binary sub %[[P]], %{{.*}} : f64
// CHECK:   parfor.yield %[[Q]] : f64
// CHECK: return %[[R]]
func.func @sum(%a: !v, %n: index, %y: f64, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.binary add %acc, %x : f64
    %2 = typed.binary sub %1, %y : f64
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// Through branches and inner loops; two at a time.

// CHECK-LABEL: func.func @nested(
// CHECK: %[[ZERO:.*]] = typed.constant 0 : si64
// CHECK: %[[LOW:.*]] = typed.constant 0xFFF0000000000000 : f64
// CHECK: %[[R:.*]]:2 = parfor.loop(%{{.*}}) inits({{.*}}) reductions [add, max] pattern prange {
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[LOW]])
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @nested(%a: !v, %n: index, %one: si64, %s: si64, %m: f64) -> (si64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%count = %s, %top = %m) -> (si64, f64) {
    %1:2 = scf.for %j = %c0 to %i step %c1 iter_args(%inner = %count, %best = %top) -> (si64, f64) {
      %x = typed.load %a[%j] : !v, index -> f64
      %nan = typed.unary isnan %x : f64 -> i1
      %2 = scf.if %nan -> (si64) {
        %3 = typed.binary add %one, %inner : si64
        scf.yield %3 : si64
      } else {
        scf.yield %inner : si64
      }
      %4 = typed.binary max %best, %x : f64
      scf.yield %2, %4 : si64, f64
    }
    scf.yield %1#0, %1#1 : si64, f64
  } {pyopt.prange}
  return %0#0, %0#1 : si64, f64
}

// A variable that every iteration sets anew, and that nobody asks for afterwards. The inner prange
// is a range.

// CHECK-LABEL: func.func @private(
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern prange
// CHECK: scf.for
// CHECK: } {pyopt.serial_prange}
// CHECK-NOT: pyopt.prange
func.func @private(%a: !v, %n: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %s) -> (f64) {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%x1 = %x0) -> (f64) {
      %x = typed.load %a[%j] : !v, index -> f64
      typed.store %x, %a[%i] : f64, !v, index
      scf.yield %x : f64
    } {pyopt.prange}
    scf.yield %1 : f64
  } {pyopt.prange}
  return
}

// Paths that meet in several ways; where one brings nothing the value isn't used.

// CHECK-LABEL: func.func @meeting(
// CHECK: parfor.loop({{.*}}) reductions [add] pattern prange
func.func @meeting(%n: index, %s: f64, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nothing = ub.poison : f64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %first:2 = scf.if %c -> (f64, index) {
      %1 = typed.binary add %acc, %s : f64
      scf.yield %1, %c1 : f64, index
    } else {
      scf.yield %nothing, %c0 : f64, index
    }
    %second = scf.index_switch %first#1 -> f64
    case 0 {
      %1 = typed.binary sub %acc, %s : f64
      scf.yield %1 : f64
    }
    default {
      scf.yield %first#0 : f64
    }
    scf.yield %second : f64
  } {pyopt.prange}
  return %0 : f64
}

// One of the paths starts over.

// CHECK-LABEL: func.func @meeting_others(
// CHECK-NOT: parfor.loop
func.func @meeting_others(%n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is replaced in an iteration that another one sees}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %1 = scf.index_switch %i -> f64
    case 0 {
      scf.yield %s : f64
    }
    default {
      scf.yield %acc : f64
    }
    scf.yield %1 : f64
  } {pyopt.prange}
  return %0 : f64
}

// CHECK-LABEL: func.func @recurrence(
// CHECK-NOT: parfor.loop
// CHECK: scf.for
// CHECK-NOT: pyopt.prange
func.func @recurrence(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{the iterations of this prange run one after another: a value of type f64 is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %1 = typed.binary add %acc, %s : f64
    typed.store %1, %a[%i] : f64, !v, index
    scf.yield %1 : f64
  } {pyopt.prange}
  return %0 : f64
}

// CHECK-LABEL: func.func @last_value(
// CHECK-NOT: parfor.loop
func.func @last_value(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is that of the last iteration after the loop}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    typed.store %s, %a[%i] : f64, !v, index
    scf.yield %x : f64
  } {pyopt.prange}
  return %0 : f64
}

// CHECK-LABEL: func.func @mixed(
// CHECK-NOT: parfor.loop
func.func @mixed(%n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is reduced by two different operators}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %1 = typed.binary add %acc, %s : f64
    %2 = typed.binary mul %1, %s : f64
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// Sometimes it starts over: the order of the iterations matters.

// CHECK-LABEL: func.func @restart(
// CHECK-NOT: parfor.loop
func.func @restart(%n: index, %s: f64, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is replaced in an iteration that another one sees}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f64) {
    %1 = typed.binary add %acc, %s : f64
    %2 = arith.select %c, %s, %1 : f64
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// CHECK-LABEL: func.func @same_array(
// CHECK-NOT: parfor.loop
func.func @same_array(%a: !v, %n: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{every iteration assigns to the same array}}
  scf.for %i = %c0 to %n step %c1 {
    typed.assign %s, %a : f64, !v
  } {pyopt.prange}
  return
}

// Loops of the library belong to the option that they name; nobody is warned of those that stay serial.

// CHECK-LABEL: func.func @library(
// CHECK: parfor.loop(%{{.*}}) reductions [] pattern reduction {
// CHECK: scf.for
// CHECK: return
// OFF-LABEL: func.func @library(
// OFF: parfor.loop(%{{.*}}) reductions [] pattern reduction {
// SERIAL-LABEL: func.func @library(
// SERIAL-NOT: parfor.loop
// SERIAL: return
func.func @library(%a: !v, %n: index, %k: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    typed.store %k, %a[%i] : f64, !v, index
  } {pyopt.prange = #parfor<pattern_kind reduction>}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %k) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary sub %x, %before : f64
    scf.yield %y : f64
  } {pyopt.prange = #parfor<pattern_kind numpy>}
  typed.store %last, %a[%c0] : f64, !v, index
  return
}
