// Reductions that the program declares become combiners where loops are for threads.
// RUN: %pyopt %s --infer-types='threads=true' --split-input-file | FileCheck %s
// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s --check-prefix=SERIAL

// SERIAL-NOT: pyopt.combiner
// SERIAL-NOT: parfor.combiner

// The function for two values of the type that is reduced, whatever the call itself takes.

// CHECK-LABEL: func.func @f(
// CHECK: typed.call @"m.sum(f64, si64)"(%{{.*}}) {pyopt.combiner = @"m.sum(f64, f64).reduction"} : (f64, si64) -> f64
// CHECK: func.func private @"m.sum(f64, f64)"
// CHECK: func.func private @"m.sum(f64, f64).reduction.identity"() -> f64
// CHECK-NEXT: %[[Z:.*]] = typed.constant 0
// CHECK-NEXT: %[[C:.*]] = typed.cast %[[Z]] : si64 to f64
// CHECK-NEXT: return %[[C]]
// CHECK: parfor.combiner "private" @"m.sum(f64, f64).reduction" identity(@"m.sum(f64, f64).reduction.identity") combine(@"m.sum(f64, f64)")
py.specialize @m.f(f64, si64) as @f
py.binding @"m.sum.<identity>" = 0 : i64
py.func @m.sum(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %b
  py.return %0
}
py.func @m.f(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %f = py.global @"m.sum"
  %0 = py.call %f(%x, %y)
  py.return %0
}

// -----

// CHECK-LABEL: func.func @f(
// CHECK: typed.call @"m.sum(si64, si64)"(%{{.*}}) {pyopt.no_combiner = "the identity of sum(), of type float64, is no int64"}
// CHECK-NOT: parfor.combiner
py.specialize @m.f(si64) as @f
py.binding @"m.sum.<identity>" = 0.5 : f64
py.func @m.sum(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %b
  py.return %0
}
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.sum"
  %0 = py.call %f(%x, %x)
  py.return %0
}

// -----

// CHECK-LABEL: func.func @f(
// CHECK: {pyopt.no_combiner = "is_less() gives bool for (int64, int64), the type of neither argument"}
py.specialize @m.f(si64) as @f
py.binding @"m.is_less.<identity>" = false
py.func @m.is_less(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.compare lt %a, %b
  py.return %0
}
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.is_less"
  %0 = py.call %f(%x, %x)
  py.return %0
}
