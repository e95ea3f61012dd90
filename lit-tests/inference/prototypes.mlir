// RUN: %pyopt %s --infer-types | FileCheck %s

// Arguments are converted to the declared signature that fits best, the result to its result.

py.func @half(%x) attributes {arg_names = ["x"], globals = "m", options = {prototypes = [[[f64], f64], [[si32], si32]]}} {
  %two = py.constant 2 : i64
  %0 = py.binary truediv %x, %two
  py.return %0
}

// CHECK-LABEL: func.func @of_int(
// CHECK-SAME: %[[X:.*]]: si64
// CHECK: %[[F:.*]] = typed.cast %[[X]] : si64 to f64
// CHECK: typed.call @"half(f64)"(%[[F]]) : (f64) -> f64
py.func @of_int_(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @half
  %0 = py.call %f(%x)
  py.return %0
}
py.specialize @of_int_(si64) as @of_int

// CHECK-LABEL: func.func @of_short(
// CHECK-SAME: %[[X:.*]]: si16
// CHECK: %[[I:.*]] = typed.cast %[[X]] : si16 to si32
// CHECK: typed.call @"half(si32)"(%[[I]]) : (si32) -> si32
py.specialize @of_int_(si16) as @of_short

// CHECK-LABEL: func.func private @"half(si32)"(
// CHECK: typed.cast {{.*}} : f64 to si32
