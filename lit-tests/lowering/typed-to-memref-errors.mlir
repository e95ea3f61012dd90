// RUN: %pyopt %s --split-input-file --verify-diagnostics --typed-to-memref

func.func @narrower(%a: !typed.array<1, f64, bytes>) -> !typed.array<1, f64, A> {
  %none = typed.singleton : !typed.none
  %s = typed.slice %none, %none, %none : !typed.slice<!typed.none, !typed.none, !typed.none>
  // expected-error @+2 {{failed to legalize operation 'typed.view'}}
  // expected-error @+1 {{a view of}}
  %v = typed.view %a[%s] : !typed.array<1, f64, bytes>, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !typed.array<1, f64, A>
  func.return %v : !typed.array<1, f64, A>
}

// -----

func.func @iterator(%r: !typed.range<si64>) {
  // expected-error @+1 {{failed to legalize operation 'typed.iter'}}
  %i = typed.iter %r : !typed.range<si64>
  func.return
}
