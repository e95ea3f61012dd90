// What prange loops note with an extreme.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>

// if a[i] > m: m, k = a[i], i

// CHECK-LABEL: func.func @argmax(
// CHECK-SAME: %{{.*}}, %[[S:[^:]*]]: f64, %[[T:[^:]*]]: si64)
// CHECK: %[[P:.*]] = parfor.chunks
// CHECK: %[[BEST:.*]] = typed.empty(%[[P]]) {{.*}} -> !typed.array<1, f64, C>
// CHECK: %[[WHERE:.*]] = typed.empty(%[[P]])
// CHECK: parfor.loop(%[[P]]) reductions [] pattern prange {
// CHECK: ^bb0(%[[C:.*]]: index):
// CHECK:   %[[LOW:.*]] = typed.constant 0xFFF0000000000000 : f64
// CHECK:   %[[OWN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[LOW]], %{{.*}} = %[[T]])
// CHECK:   typed.store %[[OWN]]#0, %[[BEST]][%[[C]]]
// CHECK:   typed.store %[[OWN]]#1, %[[WHERE]][%[[C]]]
// CHECK: %[[R:.*]]:2 = scf.for %[[D:.*]] = {{.*}} iter_args(%[[M:.*]] = %[[S]], %[[K:.*]] = %[[T]])
// CHECK:   %[[X:.*]] = typed.load %[[BEST]][%[[D]]]
// CHECK:   %[[I:.*]] = typed.load %[[WHERE]][%[[D]]]
// CHECK:   %[[BETTER:.*]] = typed.compare gt %[[X]], %[[M]]
// CHECK:   arith.select %[[BETTER]], %[[X]], %[[M]]
// CHECK:   arith.select %[[BETTER]], %[[I]], %[[K]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @argmax(%a: !v, %n: index, %s: f64, %t: si64) -> (f64, si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s, %k = %t) -> (f64, si64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %j = typed.cast %i : index to si64
    %1 = typed.compare gt %x, %m : f64
    %2 = arith.select %1, %x, %m : f64
    %3 = arith.select %1, %j, %k : si64
    scf.yield %2, %3 : f64, si64
  } {pyopt.prange}
  return %0#0, %0#1 : f64, si64
}

// Noted only sometimes: what a chunk has noted may be older than its extreme.

// CHECK-LABEL: func.func @sometimes(
// CHECK-NOT: parfor.loop
func.func @sometimes(%a: !v, %n: index, %s: f64, %t: si64, %c: i1) -> (f64, si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is used for something else than one reduction}}
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s, %k = %t) -> (f64, si64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %j = typed.cast %i : index to si64
    %1 = typed.compare gt %x, %m : f64
    %2 = arith.select %1, %x, %m : f64
    %3 = arith.select %c, %j, %k : si64
    %4 = arith.select %1, %3, %k : si64
    scf.yield %2, %4 : f64, si64
  } {pyopt.prange}
  return %0#0, %0#1 : f64, si64
}

// The last of equal values.

// CHECK-LABEL: func.func @last_of_equal(
// CHECK-NOT: parfor.loop
func.func @last_of_equal(%a: !v, %n: index, %s: f64, %t: si64) -> (f64, si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{a value of type f64 is used for something else than one reduction}}
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s, %k = %t) -> (f64, si64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %j = typed.cast %i : index to si64
    %1 = typed.compare ge %x, %m : f64
    %2 = arith.select %1, %x, %m : f64
    %3 = arith.select %1, %j, %k : si64
    scf.yield %2, %3 : f64, si64
  } {pyopt.prange}
  return %0#0, %0#1 : f64, si64
}
