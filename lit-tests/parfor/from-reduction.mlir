// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-reduction))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-reduction{threads=0}))' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=OFF

// Off: a loop all the same, but on the calling thread.

// OFF-LABEL: func.func @sum(
// OFF: parfor.loop serial

// CHECK-LABEL: func.func @sum(
// CHECK: %[[Z:.*]] = typed.constant 0 : si64
// CHECK: parfor.loop(%{{.*}}) inits(%[[Z]] : si64) reductions [add] pattern reduction "sum" {
// CHECK: %[[X:.*]] = typed.load
// CHECK: typed.cast %[[X]] : i1 to si64
func.func @sum(%a: !typed.array<1, i1, A>) -> si64 {
  %0 = typed.reduce sum %a : !typed.array<1, i1, A> -> si64
  return %0 : si64
}

// CHECK-LABEL: func.func @min_max(
// CHECK: typed.constant 0x7F800000 : f32
// CHECK: typed.raise_if %{{.*}}, "ValueError"("zero-size array to reduction operation minimum which has no identity")
// CHECK: reductions [npmin] pattern reduction "min"
// CHECK: typed.constant -128 : si8
// CHECK: typed.raise_if %{{.*}}, "ValueError"("zero-size array to reduction operation maximum which has no identity")
// CHECK: reductions [max] pattern reduction "max"
func.func @min_max(%a: !typed.array<1, f32, C>, %b: !typed.array<2, si8, F>) -> (f32, si8) {
  %0 = typed.reduce min %a : !typed.array<1, f32, C> -> f32
  %1 = typed.reduce max %b : !typed.array<2, si8, F> -> si8
  return %0, %1 : f32, si8
}

// CHECK-LABEL: func.func @others(
// CHECK: reductions [or] pattern reduction "any"
// CHECK: reductions [and] pattern reduction "all"
// CHECK: typed.constant (1.000000e+00 : f64, 0.000000e+00 : f64) : complex<f64>
// CHECK: reductions [mul] pattern reduction "prod"
func.func @others(%a: !typed.array<1, i1, C>, %b: !typed.array<1, complex<f64>, C>) -> (i1, i1, complex<f64>) {
  %0 = typed.reduce any %a : !typed.array<1, i1, C> -> i1
  %1 = typed.reduce all %a : !typed.array<1, i1, C> -> i1
  %2 = typed.reduce prod %b : !typed.array<1, complex<f64>, C> -> complex<f64>
  return %0, %1, %2 : i1, i1, complex<f64>
}

// -----

func.func @complex_minimum(%a: !typed.array<1, complex<f64>, C>) -> complex<f64> {
  // expected-error @+1 {{the min of complex<f64> elements is not supported}}
  %0 = typed.reduce min %a : !typed.array<1, complex<f64>, C> -> complex<f64>
  return %0 : complex<f64>
}
