// Comparisons of floats with 0.0 that their signs decide: every float may be NaN.
// RUN: %pyopt %s --canonicalize --split-input-file | FileCheck %s

// A square is at least 0, and with 1 added more than that.
// CHECK-LABEL: func.func @square
func.func @square(%x: f64) -> (i1, i1, i1, i1, i1) {
  %zero = typed.constant 0.0 : f64
  %one = typed.constant 1.0 : f64
  %square = typed.binary mul %x, %x : f64
  %more = typed.binary add %one, %square : f64
  // CHECK-DAG: %[[F:.*]] = typed.constant false
  // CHECK-DAG: %[[T:.*]] = typed.constant true
  %0 = typed.compare lt %square, %zero : f64
  %1 = typed.compare eq %more, %zero : f64
  %2 = typed.compare ge %zero, %more : f64
  %3 = typed.compare ne %zero, %more : f64
  %4 = typed.compare gt %zero, %square : f64
  // CHECK: return %[[F]], %[[F]], %[[F]], %[[T]], %[[F]]
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// -----

// What NaN decides stays, and what may be 0 does.
// CHECK-LABEL: func.func @not_known
func.func @not_known(%x: f64, %y: f64) -> (i1, i1, i1, i1, i1) {
  %zero = typed.constant 0.0 : f64
  %one = typed.constant 1.0 : f64
  %square = typed.binary mul %x, %x : f64
  %product = typed.binary mul %x, %y : f64
  %more = typed.binary add %one, %square : f64
  // CHECK: typed.compare gt
  %0 = typed.compare gt %more, %zero : f64
  // CHECK: typed.compare ge
  %1 = typed.compare ge %square, %zero : f64
  // CHECK: typed.compare eq
  %2 = typed.compare eq %square, %zero : f64
  // CHECK: typed.compare lt
  %3 = typed.compare lt %product, %zero : f64
  // CHECK: typed.compare eq {{.*}}, %{{.*}} : f64
  %4 = typed.compare eq %more, %one : f64
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @functions
func.func @functions(%x: f64, %n: ui32, %c: i1) -> (i1, i1, i1, i1, i1) {
  %zero = typed.constant 0.0 : f64
  %two = typed.constant 2.0 : f64
  %abs = typed.unary abs %x : f64
  %exp = typed.unary exp %x : f64
  %count = typed.cast %n : ui32 to f64
  // CHECK-DAG: %[[F:.*]] = typed.constant false
  %0 = typed.compare lt %abs, %zero : f64
  %root = typed.unary sqrt %x : f64
  %1 = typed.compare lt %root, %zero : f64
  %cosh = typed.unary cosh %x : f64
  %largest = typed.binary max %cosh, %x : f64
  %2 = typed.compare le %largest, %zero : f64
  %sum = typed.binary add %exp, %count : f64
  %quotient = typed.binary truediv %sum, %two : f64
  %3 = typed.compare lt %quotient, %zero : f64
  %some = arith.select %c, %abs, %count : f64
  %least = typed.binary min %some, %two : f64
  %4 = typed.compare lt %least, %zero : f64
  // CHECK: return %[[F]], %[[F]], %[[F]], %[[F]], %[[F]]
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// -----

// 5 / -0.0 is minus infinity; the second operand of max may be NaN; a narrow float may be 0.
// CHECK-LABEL: func.func @near_misses
func.func @near_misses(%x: f64, %y: f64) -> (i1, i1, i1, i1) {
  %zero = typed.constant 0.0 : f64
  %small = typed.constant 0.0 : f16
  %two = typed.constant 2.0 : f64
  %less = typed.constant -2.0 : f64
  %abs = typed.unary abs %x : f64
  %quotient = typed.binary truediv %two, %abs : f64
  // CHECK: typed.compare lt
  %0 = typed.compare lt %quotient, %zero : f64
  %largest = typed.binary max %y, %abs : f64
  // CHECK: typed.compare lt
  %1 = typed.compare lt %largest, %zero : f64
  %more = typed.binary add %abs, %two : f64
  %narrow = typed.cast %more : f64 to f16
  // CHECK: typed.compare eq
  %2 = typed.compare eq %narrow, %small : f16
  %shifted = typed.binary add %abs, %less : f64
  // CHECK: typed.compare lt
  %3 = typed.compare lt %shifted, %zero : f64
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
