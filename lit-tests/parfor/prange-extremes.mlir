// Extremes that prange loops find by comparing.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>

// if a[i] > m: m = a[i]: the second load is the first one.

// CHECK-LABEL: func.func @largest(
// CHECK: %[[LOW:.*]] = typed.constant 0xFFF0000000000000 : f64
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}} : f64) reductions [max] pattern prange
// CHECK: %[[X:.*]] = typed.load
// CHECK: typed.compare gt %[[X]], %[[LOW]]
// CHECK-NOT: typed.load
// CHECK: scf.yield %[[X]]
func.func @largest(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.compare gt %x, %m : f64
    %2 = scf.if %1 -> (f64) {
      %3 = typed.load %a[%i] : !v, index -> f64
      scf.yield %3 : f64
    } else {
      scf.yield %m : f64
    }
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// Other conditions may be needed as well.

// CHECK-LABEL: func.func @under_conditions(
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}} : f64) reductions [min] pattern prange
func.func @under_conditions(%a: !v, %n: index, %s: f64, %c: i1, %d: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.compare gt %m, %x : f64
    %2 = arith.select %c, %1, %false : i1
    %3 = arith.select %d, %x, %m : f64
    %4 = arith.select %2, %3, %m : f64
    scf.yield %4 : f64
  } {pyopt.prange}
  return %0 : f64
}

// Of equal integers the last is as good as the first.

// CHECK-LABEL: func.func @at_least(
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}} : si64) reductions [max] pattern prange
func.func @at_least(%a: !typed.array<1, si64, C>, %n: index, %s: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (si64) {
    %x = typed.load %a[%i] : !typed.array<1, si64, C>, index -> si64
    %1 = typed.compare ge %x, %m : si64
    %2 = arith.select %1, %x, %m : si64
    scf.yield %2 : si64
  } {pyopt.prange}
  return %0 : si64
}

// Zeros are equal and have signs.

// CHECK-LABEL: func.func @at_least_float(
// CHECK-NOT: parfor.loop
func.func @at_least_float(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is compared by >= or <=: write > or <}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.compare ge %x, %m : f64
    %2 = arith.select %1, %x, %m : f64
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// What is kept isn't what was compared.

// CHECK-LABEL: func.func @other_value(
// CHECK-NOT: parfor.loop
func.func @other_value(%a: !v, %n: index, %s: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.compare gt %x, %m : f64
    %2 = arith.select %1, %y, %m : f64
    scf.yield %2 : f64
  } {pyopt.prange}
  return %0 : f64
}

// An element that was written in between is another one.

// CHECK-LABEL: func.func @stored_between(
// CHECK-NOT: parfor.loop
func.func @stored_between(%a: !v, %n: index, %s: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %1 = typed.compare gt %x, %m : f64
    typed.store %y, %a[%i] : f64, !v, index
    %2 = typed.load %a[%i] : !v, index -> f64
    %3 = arith.select %1, %2, %m : f64
    scf.yield %3 : f64
  } {pyopt.prange}
  return %0 : f64
}

// Both ways.

// CHECK-LABEL: func.func @both_ways(
// CHECK-NOT: parfor.loop
func.func @both_ways(%a: !v, %n: index, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %s) -> (f64) {
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.load %a[%n] : !v, index -> f64
    %1 = typed.compare gt %x, %m : f64
    %2 = arith.select %1, %x, %m : f64
    %3 = typed.compare lt %y, %2 : f64
    %4 = arith.select %3, %y, %2 : f64
    scf.yield %4 : f64
  } {pyopt.prange}
  return %0 : f64
}
