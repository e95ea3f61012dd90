// Loops with combiners are merged as others are, if what combines only computes.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse))' | FileCheck %s --check-prefix=FUSE
// RUN: %pyopt %s --canonicalize | FileCheck %s --check-prefix=DEAD

!v = !typed.array<1, f64, C>

// A combiner that only computes is merged as operators are, with what computes its values.
// FUSE-LABEL: func.func @merged(
// FUSE: parfor.loop(%{{.*}}) inits(%{{.*}}, %{{.*}} : f64, f64) reductions [@larger.reduction, add] pattern prange fused [array_expr, prange] {
// FUSE-NEXT: ^bb0(%[[I:.*]]: index):
// FUSE-NEXT:   %[[X:.*]] = typed.load %{{.*}}[%[[I]]]
// FUSE-NEXT:   %[[Y:.*]] = typed.binary mul %[[X]], %[[X]]
// FUSE-NEXT:   parfor.yield %[[Y]], %[[Y]]
// FUSE-NOT: parfor.loop
// FUSE: return
func.func @merged(%a: !v, %x: f64) -> (f64, f64) {
  %n = typed.dim %a[0] : !v -> index
  %squares = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %e = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %e, %e : f64
    parfor.yield %y : f64
  } : !v
  %0 = parfor.loop(%n) inits(%x : f64) reductions [@larger.reduction] pattern prange {
  ^bb0(%i: index):
    %e = typed.load %squares[%i] : !v, index -> f64
    parfor.yield %e : f64
  } : f64
  %1 = parfor.loop(%n) inits(%x : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    %e = typed.load %squares[%i] : !v, index -> f64
    parfor.yield %e : f64
  } : f64
  return %0, %1 : f64, f64
}

// What may raise must have done so before others write.
// FUSE-LABEL: func.func @raises(
// FUSE: parfor.loop{{.*}}reductions [@checked.reduction] pattern prange {
// FUSE: parfor.loop{{.*}}reductions [@larger.reduction] pattern prange fused [prange] {
// DEAD-LABEL: func.func @raises(
// DEAD: parfor.loop{{.*}}@checked.reduction
// DEAD-NOT: @larger.reduction
// DEAD: return
func.func @raises(%a: !v, %n: index, %x: f64) {
  %0 = parfor.loop(%n) inits(%x : f64) reductions [@larger.reduction] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  %1 = parfor.loop(%n) inits(%x : f64) reductions [@checked.reduction] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.store %x, %a[%i] : f64, !v, index
  }
  return
}

func.func private @lowest() -> f64 {
  %0 = typed.constant 0xFFF0000000000000 : f64
  return %0 : f64
}
func.func private @larger(%a: f64, %b: f64) -> f64 {
  %0 = typed.binary max %a, %b : f64
  return %0 : f64
}
func.func private @checked(%a: f64, %b: f64) -> f64 {
  %0 = typed.compare lt %a, %b : f64
  typed.raise_if %0, "ValueError"("descending")
  return %b : f64
}
parfor.combiner @larger.reduction identity(@lowest) combine(@larger) pure
parfor.combiner @checked.reduction identity(@lowest) combine(@checked)
