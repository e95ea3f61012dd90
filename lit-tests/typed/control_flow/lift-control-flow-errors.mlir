// What can't be structured is an error.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-lift-control-flow))' --split-input-file --verify-diagnostics

func.func @raise(%c: i1) {
  cf.cond_br %c, ^bad, ^good
^bad:
  // expected-error @+1 {{'typed.raise' can't be structured: run typed-fold-raise and typed-range-to-for first}}
  typed.raise "ValueError"
^good:
  return
}

// -----

func.func @for_iter(%r: !typed.range<si64>) {
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  // expected-error @+1 {{'typed.for_iter' can't be structured: run typed-fold-raise and typed-range-to-for first}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  cf.br ^h
^exit:
  return
}

// -----

// No terminator tells what comes behind the loop.
func.func @forever(%a: !typed.array<1, f64, C>) -> !typed.array<1, f64, C> {
  %r = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    // expected-error @+1 {{control flow can't be structured}}
    cf.br ^again
  ^again:
    cf.br ^again
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}
