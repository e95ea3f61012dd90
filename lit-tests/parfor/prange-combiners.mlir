// What prange loops combine by reductions of the program.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange{chunks=false}))' --split-input-file --verify-diagnostics=only-expected | FileCheck %s --check-prefix=WHOLE

!v = !typed.array<1, f64, C>
!t = tuple<f64, si64>

func.func private @lowest() -> f64
func.func private @larger(f64, f64) -> f64
func.func private @none() -> !t
func.func private @best(!t, !t) -> !t
parfor.combiner @larger.reduction identity(@lowest) combine(@larger)
parfor.combiner @best.reduction identity(@none) combine(@best)

// One call in every iteration: the loop makes it.

// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[S:.*]]: f64)
// CHECK: %[[R:.*]] = parfor.loop(%[[N]]) inits(%[[S]] : f64) reductions [@larger.reduction] pattern prange {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   %[[X:.*]] = typed.load %[[A]][%[[I]]]
// CHECK-NEXT:   parfor.yield %[[X]] : f64
// CHECK-NEXT: } : f64
// CHECK-NEXT: return %[[R]]
// WHOLE-LABEL: func.func @plain(
// WHOLE: parfor.loop
func.func @plain(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.call @larger(%t, %x) {pyopt.combiner = @larger.reduction} : (f64, f64) -> f64
    scf.yield %1 : f64
  } {pyopt.prange}
  return %0 : f64
}

// A tuple under a condition, with the other argument first: chunks, which begin with the identity
// but for the first one, and stay whole.

// CHECK-LABEL: func.func @tuples(
// CHECK-SAME: %[[S:[^:]*]]: tuple<f64, si64>
// CHECK: %[[CHUNKS:.*]] = parfor.chunks
// CHECK: %[[FLOATS:.*]] = typed.empty(%[[CHUNKS]]) : (index) -> !typed.array<1, f64, C>
// CHECK: %[[INTS:.*]] = typed.empty(%[[CHUNKS]]) : (index) -> !typed.array<1, si64, C>
// CHECK: parfor.loop(%[[CHUNKS]]) reductions [] pattern prange {
// CHECK-NEXT: ^bb0(%[[C:.*]]: index):
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[C]]
// CHECK:   %[[START:.*]] = scf.if %[[FIRST]] -> (tuple<f64, si64>) {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK:      %[[NONE:.*]] = typed.call @none()
// CHECK-NEXT: scf.yield %[[NONE]]
// CHECK:   %[[MADE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (tuple<f64, si64>)
// CHECK:     typed.call @best(%{{.*}}, %{{.*}}) {pyopt.combiner = @best.reduction}
// CHECK:   typed.tuple_get %[[MADE]][0]
// CHECK:   typed.tuple_get %[[MADE]][1]
// CHECK:   typed.store %{{.*}}, %[[FLOATS]][%[[C]]]
// CHECK:   typed.store %{{.*}}, %[[INTS]][%[[C]]]
// CHECK: } {pyopt.reduces = ["@best.reduction"]}
// CHECK: typed.load %[[FLOATS]]
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %{{.*}} to %[[CHUNKS]] step %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (tuple<f64, si64>)
// CHECK:   %[[FOUND:.*]] = typed.tuple(
// CHECK:   typed.call @best(%[[FOUND]], %[[BEFORE]])
// CHECK: return %[[ALL]]
// WHOLE-LABEL: func.func @tuples(
// WHOLE-NOT: parfor.loop
// WHOLE: return
func.func @tuples(%s: !t, %a: !v, %n: index, %c: i1) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!t) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = scf.if %c -> (!t) {
      %2 = typed.tuple(%x, %one) : !t
      %3 = typed.call @best(%2, %t) {pyopt.combiner = @best.reduction} : (!t, !t) -> !t
      scf.yield %3 : !t
    } else {
      scf.yield %t : !t
    }
    scf.yield %1 : !t
  } {pyopt.prange}
  return %0 : !t
}

// -----

func.func private @lowest() -> f64
func.func private @larger(f64, f64) -> f64
parfor.combiner @larger.reduction identity(@lowest) combine(@larger)

// A call of the function that isn't a step is one of any function; so is one of two steps with the
// carried value on either side.

// CHECK-LABEL: func.func @others(
// CHECK-NOT: parfor.loop
// CHECK: return
// WHOLE-LABEL: func.func @others(
func.func @others(%n: index, %s: f64, %c: i1) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
    %1 = typed.call @larger(%t, %s) : (f64, f64) -> f64
    scf.yield %1 : f64
  } {pyopt.prange}
  // expected-warning @+1 {{a value of type f64 is the first argument of its reduction in one place, the second in another}}
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
    %3 = typed.call @larger(%t, %s) {pyopt.combiner = @larger.reduction} : (f64, f64) -> f64
    %4 = typed.call @larger(%s, %3) {pyopt.combiner = @larger.reduction} : (f64, f64) -> f64
    scf.yield %4 : f64
  } {pyopt.prange}
  return %0, %2 : f64, f64
}

// -----

func.func private @odd(f64, f64) -> f64

func.func @refused(%n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
    // expected-error @+1 {{the identity of odd(), of type str, is no float64}}
    %1 = typed.call @odd(%t, %s) {pyopt.no_combiner = "the identity of odd(), of type str, is no float64"} : (f64, f64) -> f64
    scf.yield %1 : f64
  } {pyopt.prange}
  return %0 : f64
}
