// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(test-print-effects))' --verify-diagnostics

!v = !typed.array<1, f64, C>

// A loop has the effects of what is inside of it.
func.func @copies(%a: !v, %b: !v, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-remark@+1 {{'loop' reads arg0, writes arg1}}
  scf.for %i = %zero to %n step %one {
    %x = typed.load %a[%i] : !v, index -> f64
    typed.store %x, %b[%i] : f64, !v, index
    scf.yield
  } {tag = "loop"}
  return
}

// A new array raises if its size is negative. Memory that is allocated here is not that of an argument, nor of another allocation.
func.func @fresh(%a: !v, %n: index) -> !v {
  %none = typed.singleton : !typed.none
  %s = typed.slice %none, %none, %none : !typed.slice<!typed.none, !typed.none, !typed.none>
  // expected-remark@+1 {{'whole' has no effect}}
  %w = typed.view %a[%s] {tag = "whole"} : !v, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
  // expected-remark@+2 {{'one' raises}}
  // expected-remark@+1 {{'one' doesn't alias 'whole'}}
  %b = typed.empty(%n) {tag = "one"} : (index) -> !v
  // expected-remark@+3 {{'two' raises}}
  // expected-remark@+2 {{'two' doesn't alias 'whole'}}
  // expected-remark@+1 {{'two' doesn't alias 'one'}}
  %c = typed.empty(%n) {tag = "two"} : (index) -> !v
  // expected-remark@+4 {{'part' has no effect}}
  // expected-remark@+3 {{'part' doesn't alias 'whole'}}
  // expected-remark@+2 {{'part' may alias 'one'}}
  // expected-remark@+1 {{'part' doesn't alias 'two'}}
  %p = typed.view %b[%s] {tag = "part"} : !v, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
  return %c : !v
}

// Checks raise; one of shapes may be reordered with others of shapes.
func.func @raises(%a: !v, %b: !v, %n: index, %m: index, %wrong: i1) -> index {
  // expected-remark@+1 {{'check' raises}}
  typed.raise_if %wrong, "ValueError"("no") {tag = "check"}
  // expected-remark@+1 {{'copy' reads arg0, raises errors of shapes}}
  %c = typed.broadcast %a to(%n) {tag = "copy"} : !v -> !v
  return %m : index
}

func.func private @unknown(!v)

// A call may do anything.
func.func @calls(%a: !v) {
  // expected-remark@+1 {{'call' has unknown effects, raises}}
  typed.call @unknown(%a) {tag = "call"} : (!v) -> ()
  return
}
