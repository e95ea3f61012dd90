// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-affine)' --verify-diagnostics

// Common terms cancel, whatever order they come in.
func.func @cancels(%i: si64, %k: si64) -> si64 {
  %one = typed.constant 1 : si64
  %a = typed.binary sub %k, %i : si64
  %b = typed.binary sub %a, %one : si64
  %c = typed.binary add %i, %b : si64
  // expected-remark@+1 {{'rest' is 1 * arg1 + -1}}
  %d = typed.cast %c {tag = "rest"} : si64 to index
  return %c : si64
}

// Products by constants are distributed; others are terms by themselves.
func.func @products(%i: si64, %k: si64) -> si64 {
  %three = typed.constant 3 : si64
  %a = typed.binary add %i, %three : si64
  // expected-remark@+1 {{'scaled' is 3 * arg0 + 9}}
  %b = typed.binary mul %a, %three {tag = "scaled"} : si64
  // expected-remark@+1 {{'square' is 1 * square + 0}}
  %c = typed.binary mul %i, %k {tag = "square"} : si64
  %d = typed.binary add %b, %c : si64
  return %d : si64
}

// A narrower integer isn't the wider one that it was made from.
func.func @narrowed(%i: si64) -> si64 {
  %a = typed.cast %i : si64 to ui8
  // expected-remark@+1 {{'back' is 1 * back + 0}}
  %b = typed.cast %a {tag = "back"} : ui8 to si64
  return %b : si64
}

// The extent of an array is a term.
func.func @extents(%a: !typed.array<1, f64, C>) -> index {
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %one = arith.constant 1 : index
  // expected-remark@+1 {{'last' is 1 * size(arg0, 0) + -1}}
  %last = arith.subi %n, %one {tag = "last"} : index
  return %last : index
}
