// A function is what its typed signature is lowered to, or the pass says that it isn't.

// RUN: %pyopt %s --split-input-file --verify-diagnostics --typed-to-abi -o /dev/null

// expected-error @+1 {{the function is (i64, i64) -> i64, which isn't what its 'pyopt.signature' (f64) -> f64 becomes}}
func.func @f(%a: i64, %b: i64) -> i64 attributes {pyopt.entry, pyopt.signature = (f64) -> f64} {
  return %a : i64
}

// -----

// expected-error @+1 {{isn't what its 'pyopt.signature' (si64) -> f64 becomes}}
func.func @result(%a: i64) -> i64 attributes {pyopt.entry, pyopt.signature = (si64) -> f64} {
  return %a : i64
}

// -----

func.func @none(%a: i64) attributes {pyopt.entry, pyopt.signature = (si64) -> !typed.none} {
  return
}

// -----

func.func @same(%a: i64, %b: f64) -> i64 attributes {pyopt.entry, pyopt.signature = (si64, f64) -> si64} {
  return %a : i64
}
