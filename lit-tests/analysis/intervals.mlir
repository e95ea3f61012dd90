// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-intervals)' --verify-diagnostics

// An induction variable is between the bounds of its loop.
func.func @counted(%n: index, %a: !typed.array<1, f64, C>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  scf.for %i = %zero to %ten step %one {
    // expected-remark@+1 {{'sum' is in [1, 10], as an index in [1, 10]}}
    %sum = arith.addi %i, %one {tag = "sum"} : index
    scf.yield
  }
  return
}

// Nothing is known of an argument but its type.
func.func @argument(%i: si64, %u: ui8) -> si64 {
  // expected-remark@+1 {{'same' is in [-9223372036854775808, 9223372036854775807]}}
  %a = typed.binary add %i, %i {tag = "same"} : si64
  // expected-remark@+1 {{'wide' is in [0, 255], as an index in [0, 255]}}
  %b = typed.cast %u {tag = "wide"} : ui8 to si64
  %c = typed.binary add %a, %b : si64
  return %c : si64
}

// A sum of 8 bits may wrap around: it has the interval of its type.
func.func @wraps(%u: ui8) -> ui8 {
  // expected-remark@+1 {{'doubled' is in [0, 255]}}
  %a = typed.binary add %u, %u {tag = "doubled"} : ui8
  return %a : ui8
}

// `k - i - 1` is not negative in `for i in range(k)`: as an index, where it is used in bounds.
func.func @reversed(%k: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %k step %one {
    %a = arith.subi %k, %i : index
    // expected-remark@+1 {{as an index in [0, }}
    %b = arith.subi %a, %one {tag = "from the end"} : index
    scf.yield
  }
  return
}

// What two loops with a known number of iterations add to a variable is known, in them and behind them; not what a
// loop adds that runs as often as it is told.
func.func @repeated(%u: ui8, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %start = typed.constant 7 : si64
  %wide = typed.cast %u : ui8 to si64
  %sum = scf.for %i = %zero to %three step %one iter_args(%s = %start) -> (si64) {
    %inner = scf.for %j = %zero to %three step %one iter_args(%t = %s) -> (si64) {
      // expected-remark@+1 {{'inside' is in [-3053, 7], as an index in [-3053, 7]}}
      %a = typed.cast %t {tag = "inside"} : si64 to si64
      %b = typed.binary sub %t, %wide : si64
      scf.yield %b : si64
    }
    scf.yield %inner : si64
  }
  // expected-remark@+1 {{'behind' is in [-2288, 7], as an index in [-2288, 7]}}
  %behind = typed.cast %sum {tag = "behind"} : si64 to si64
  %any = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (si64) {
    %b = typed.binary sub %s, %wide : si64
    scf.yield %b : si64
  }
  // expected-remark@+1 {{'unknown' is in [-9223372036854775808, 9223372036854775807]}}
  %unknown = typed.cast %any {tag = "unknown"} : si64 to si64
  return
}

// One part of a loop begins anywhere that isn't negative, and ends before the loop does.
func.func @part(%lower: index, %upper: index, %a: !typed.array<1, f64, C>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %from = arith.maxsi %lower, %zero : index
  %to = arith.minsi %upper, %n : index
  scf.for %i = %from to %to step %one {
    // expected-remark@+1 {{as an index in [1, }}
    %next = arith.addi %i, %one {tag = "next"} : index
    %b = arith.subi %n, %i : index
    // expected-remark@+1 {{as an index in [0, }}
    %c = arith.subi %b, %one {tag = "from the end"} : index
    scf.yield
  }
  return
}
