// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-work)' --verify-diagnostics

func.func private @unknown(f64) -> f64

func.func @leaf(%x: f64) -> f64 {
  %a = typed.binary mul %x, %x : f64
  return %a : f64
}

func.func @costs(%x: f64, %y: f64) -> f64 {
  // expected-remark@+1 {{'sum' costs 1}}
  %a = typed.binary add %x, %y {tag = "sum"} : f64
  // expected-remark@+1 {{'quotient' costs 10}}
  %b = typed.binary truediv %a, %y {tag = "quotient"} : f64
  // expected-remark@+1 {{'exponential' costs 40}}
  %c = typed.unary exp %b {tag = "exponential"} : f64
  // expected-remark@+1 {{'call' costs 11}}
  %d = typed.call @leaf(%c) {tag = "call"} : (f64) -> f64
  // A function that isn't here.
  // expected-remark@+1 {{'other' may take any time}}
  %e = typed.call @unknown(%d) {tag = "other"} : (f64) -> f64
  return %e : f64
}
