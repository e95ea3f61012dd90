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
