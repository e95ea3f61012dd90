// Values that follow from the position: induction variables, and those of the last iteration.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!k = !typed.array<1, si64, C>

// j += step, read in between

// CHECK-LABEL: func.func @induction(
// CHECK-SAME: %{{.*}}, %[[N:[^:]*]]: index, %[[STEP:[^:]*]]: si64, %[[S:[^:]*]]: si64)
// CHECK: parfor.loop(%[[N]]) reductions [] pattern prange
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK:   %[[COUNT:.*]] = typed.cast %[[I]] : index to si64
// CHECK:   %[[DISTANCE:.*]] = typed.binary mul %[[COUNT]], %[[STEP]]
// CHECK:   %[[J:.*]] = typed.binary sub %[[S]], %[[DISTANCE]]
// CHECK:   typed.store %[[J]]
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]]
// CHECK: %[[TRIPS:.*]] = arith.select %[[ANY]], %[[N]]
// CHECK: %[[ALL:.*]] = typed.cast %[[TRIPS]]
// CHECK: %[[WAY:.*]] = typed.binary mul %[[ALL]], %[[STEP]]
// CHECK: %[[END:.*]] = typed.binary sub %[[S]], %[[WAY]]
// CHECK: return %[[END]]
func.func @induction(%a: !k, %n: index, %step: si64, %s: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %s) -> (si64) {
    typed.store %j, %a[%i] : si64, !k, index
    %1 = typed.binary sub %j, %step : si64
    scf.yield %1 : si64
  } {pyopt.prange}
  return %0 : si64
}

// Floats are rounded in every step.

// CHECK-LABEL: func.func @rounded(
// CHECK-NOT: parfor.loop
func.func @rounded(%a: !v, %n: index, %step: f64, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
    typed.store %t, %a[%i] : f64, !v, index
    %1 = typed.binary add %t, %step : f64
    scf.yield %1 : f64
  } {pyopt.prange}
  return %0 : f64
}

// CHECK-LABEL: func.func @growing_step(
// CHECK-NOT: parfor.loop
func.func @growing_step(%a: !k, %n: index, %s: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type si64 is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %s) -> (si64) {
    typed.store %j, %a[%i] : si64, !k, index
    %1 = typed.cast %i : index to si64
    %2 = typed.binary add %j, %1 : si64
    scf.yield %2 : si64
  } {pyopt.prange}
  return %0 : si64
}

// The value after the loop is computed again.

// CHECK-LABEL: func.func @last(
// CHECK-SAME: %[[A:[^:]*]]: !typed.array<1, f64, C>, %[[N:[^:]*]]: index, %[[S:[^:]*]]: f64)
// CHECK: parfor.loop(%[[N]]) reductions [] pattern prange
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]]
// CHECK: %[[X:.*]] = scf.if %[[ANY]] -> (f64) {
// CHECK:   %[[I:.*]] = arith.subi %[[N]]
// CHECK:   %[[Y:.*]] = typed.load %[[A]][%[[I]]]
// CHECK:   scf.yield %[[Y]]
// CHECK: } else {
// CHECK:   scf.yield %[[S]]
// CHECK: return %[[X]]
func.func @last(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    scf.yield %x : f64
  } {pyopt.prange}
  return %0 : f64
}

// Not if the loop has written over what it was computed from.

// CHECK-LABEL: func.func @overwritten(
// CHECK-NOT: parfor.loop
func.func @overwritten(%a: !v, %n: index, %s: f64) -> f64 {
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

// An array that is made in the iteration would be made without what was stored to it.

// CHECK-LABEL: func.func @filled(
// CHECK-NOT: parfor.loop
func.func @filled(%a: !v, %n: index, %s: f64) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is that of the last iteration after the loop}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a) -> (!v) {
    %x = typed.generate(%c1 : index) {
    ^bb0(%j: index):
      typed.yield %s : f64
    } : !v
    typed.store %s, %x[%c0] : f64, !v, index
    scf.yield %x : !v
  } {pyopt.prange}
  return %0 : !v
}
