// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(test-print-liveness))' --verify-diagnostics

// A value is live where a path leads to a use of it: around the loop, but not behind its last use.
func.func @loop(%n: si64, %stop: i1) -> si64 {
  // expected-remark@+1 {{live into the block:}}
  %one = typed.constant 1 : si64 {tag = "one"}
  %two = typed.binary add %n, %one {tag = "two"} : si64
  cf.br ^header(%n : si64)
^header(%i: si64):
  // expected-remark@+1 {{live into the block: arg1, one, two}}
  cf.cond_br %stop, ^exit, ^body
^body:
  // expected-remark@+1 {{live into the block: arg1, one, two}}
  %next = typed.binary add %i, %one {tag = "next"} : si64
  cf.br ^header(%next : si64)
^exit:
  // expected-remark@+1 {{live into the block: two}}
  return %two : si64
}

// A use inside of an operation is one by the operation.
func.func @nested(%n: index, %x: f64, %a: !typed.array<1, f64, C>) {
  // expected-remark@+1 {{live into the block:}}
  cf.br ^next
^next:
  // expected-remark@+1 {{live into the block: arg0, arg1, arg2}}
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}
