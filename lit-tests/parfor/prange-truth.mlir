// Truth values that prange loops collect: `and` and `or`, however that is written.

// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>

// ok = ok and a[i] > x

// CHECK-LABEL: func.func @and_condition(
// CHECK: %[[TRUE:.*]] = typed.constant true
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}} : i1) reductions [and] pattern prange
// CHECK: scf.if %[[TRUE]] -> (i1)
func.func @and_condition(%a: !v, %n: index, %x: f64, %s: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%ok = %s) -> (i1) {
    %1 = scf.if %ok -> (i1) {
      %2 = typed.load %a[%i] : !v, index -> f64
      %3 = typed.compare gt %2, %x : f64
      scf.yield %3 : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %1 : i1
  } {pyopt.prange}
  return %0 : i1
}

// if a[i] > x: found = True, in an inner loop

// CHECK-LABEL: func.func @set_in_inner_loop(
// CHECK: %[[FALSE:.*]] = typed.constant false
// CHECK: parfor.loop(%{{.*}}) inits(%{{.*}} : i1) reductions [or] pattern prange
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FALSE]])
func.func @set_in_inner_loop(%a: !v, %n: index, %x: f64, %s: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = typed.constant true
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%found = %s) -> (i1) {
    %1 = scf.for %j = %c0 to %i step %c1 iter_args(%inner = %found) -> (i1) {
      %2 = typed.load %a[%j] : !v, index -> f64
      %3 = typed.compare gt %2, %x : f64
      %4 = arith.select %3, %true, %inner : i1
      scf.yield %4 : i1
    }
    scf.yield %1 : i1
  } {pyopt.prange}
  return %0 : i1
}

// Whether the rest of an iteration happens depends on the iterations before.

// CHECK-LABEL: func.func @guards_an_error(
// CHECK-NOT: parfor.loop
func.func @guards_an_error(%n: index, %c: i1, %s: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  // expected-warning @+1 {{a value of type i1 decides what else an iteration does}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%ok = %s) -> (i1) {
    %1 = scf.if %ok -> (i1) {
      typed.raise_if %c, "ZeroDivisionError"("division by zero")
      scf.yield %c : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %1 : i1
  } {pyopt.prange}
  return %0 : i1
}

// CHECK-LABEL: func.func @counts_until_found(
// CHECK-NOT: parfor.loop
func.func @counts_until_found(%a: !v, %n: index, %x: f64, %s: i1, %k: si64) -> (i1, si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  // expected-warning @+1 {{a value of type i1 is used for something else than one reduction}}
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%found = %s, %count = %k) -> (i1, si64) {
    %1 = typed.load %a[%i] : !v, index -> f64
    %2 = typed.compare gt %1, %x : f64
    %3 = typed.binary or %found, %2 : i1
    %4 = typed.binary add %count, %one : si64
    %5 = arith.select %3, %count, %4 : si64
    scf.yield %3, %5 : i1, si64
  } {pyopt.prange}
  return %0#0, %0#1 : i1, si64
}

// CHECK-LABEL: func.func @alternates(
// CHECK-NOT: parfor.loop
func.func @alternates(%n: index, %c: i1, %s: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  // expected-warning @+1 {{a value of type i1 is used for something else than one reduction}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%odd = %s) -> (i1) {
    %1 = arith.select %odd, %c, %true : i1
    scf.yield %1 : i1
  } {pyopt.prange}
  return %0 : i1
}
