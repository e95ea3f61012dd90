// Calls that are steps of reductions stay until loops were made of them.
// RUN: %pyopt %s --typed-inline-calls | FileCheck %s
// RUN: %pyopt %s --typed-inline-calls='combiners=true' | FileCheck %s --check-prefix=LATER

func.func private @zero() -> f64
func.func private @larger(%a: f64, %b: f64) -> f64 {
  %0 = typed.binary max %a, %b : f64
  return %0 : f64
}
func.func private @checked(%a: f64, %b: f64) -> f64 {
  %0 = typed.compare lt %a, %b : f64
  typed.raise_if %0, "ValueError"("descending")
  return %b : f64
}
// CHECK: parfor.combiner @larger.reduction identity(@zero) combine(@larger) pure
// CHECK: parfor.combiner @checked.reduction identity(@zero) combine(@checked){{$}}
parfor.combiner @larger.reduction identity(@zero) combine(@larger)
parfor.combiner @checked.reduction identity(@zero) combine(@checked)

func.func private @step(%acc: f64, %x: f64) -> f64 {
  %0 = typed.unary neg %x : f64
  %1 = typed.call @larger(%acc, %0) {pyopt.combiner = @larger.reduction} : (f64, f64) -> f64
  return %1 : f64
}

// What is around a step is put in the place of its call, with the step.

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64)
// CHECK: %[[M:.*]] = typed.binary max %[[X]], %[[Y]]
// CHECK: %[[N:.*]] = typed.unary neg %[[Y]]
// CHECK: %[[L:.*]] = typed.call @larger(%[[M]], %[[N]]) {pyopt.combiner = @larger.reduction}
// CHECK: %[[C:.*]] = typed.call @checked(%[[L]], %[[Y]]) {pyopt.combiner = @checked.reduction}
// CHECK: return %[[C]]
// LATER-LABEL: func.func @calls(
// LATER: typed.call @larger(
// LATER: typed.call @step(
// LATER: typed.call @checked(
// LATER-LABEL: func.func @steps(
// LATER-NOT: typed.call
// LATER: typed.binary max
// LATER: return
func.func @calls(%x: f64, %y: f64) -> f64 {
  %0 = typed.call @larger(%x, %y) : (f64, f64) -> f64
  %1 = typed.call @step(%0, %y) : (f64, f64) -> f64
  %2 = typed.call @checked(%1, %y) {pyopt.combiner = @checked.reduction} : (f64, f64) -> f64
  return %2 : f64
}

func.func @steps(%x: f64, %y: f64) -> f64 {
  %0 = typed.call @larger(%x, %y) {pyopt.combiner = @larger.reduction} : (f64, f64) -> f64
  return %0 : f64
}
