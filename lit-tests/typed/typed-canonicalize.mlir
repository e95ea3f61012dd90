// RUN: %pyopt %s --typed-canonicalize | FileCheck %s

// A choice between 1 and 0 stays a choice: arith.extui has no signed result.
// CHECK-LABEL: func.func @signed_choice
func.func @signed_choice(%c: i1) -> si64 {
  %one = typed.constant 1 : si64
  %zero = typed.constant 0 : si64
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : si64
  %0 = scf.if %c -> si64 {
    scf.yield %one : si64
  } else {
    scf.yield %zero : si64
  }
  return %0 : si64
}

// Everything else is canonicalised: constants fold, dead operations go.
// CHECK-LABEL: func.func @folds
func.func @folds(%x: si64) -> si64 {
  %true = arith.constant true
  %one = typed.constant 1 : si64
  // CHECK: %[[R:.*]] = typed.constant 2 : si64
  %two = typed.binary add %one, %one : si64
  // CHECK-NOT: typed.binary mul
  %dead = typed.binary mul %x, %x : si64
  // CHECK-NOT: scf.if
  %0 = scf.if %true -> si64 {
    scf.yield %two : si64
  } else {
    scf.yield %x : si64
  }
  // CHECK: return %[[R]]
  return %0 : si64
}

// Blocks that raise the same stay two: their lines are in tracebacks.
// CHECK-LABEL: func.func @two_lines
// CHECK: typed.raise "ValueError"
// CHECK: typed.raise "ValueError"
func.func @two_lines(%a: i1, %b: i1) {
  cf.cond_br %a, ^first, ^next
^first:
  typed.raise "ValueError"
^next:
  cf.cond_br %b, ^second, ^end
^second:
  typed.raise "ValueError"
^end:
  return
}
