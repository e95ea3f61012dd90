// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @sizes(%a: !typed.array<1, f64, C>, %n: si64) {
  // expected-error @+1 {{array of rank 2 got 1 sizes and 1 strides}}
  %0 = typed.strided %a sizes(%n) strides(%n) : !typed.array<1, f64, C>, (si64), (si64) -> !typed.array<2, f64, A>
  return
}

// -----

func.func @contiguous(%a: !typed.array<1, f64, C>, %n: si64) {
  // expected-error @+1 {{a view with any strides is not '!typed.array<1, f64, C>'}}
  %0 = typed.strided %a sizes(%n) strides(%n) : !typed.array<1, f64, C>, (si64), (si64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @bytes(%a: !typed.array<1, f64, bytes>, %n: si64) {
  // expected-error @+1 {{can't be '!typed.array<1, f64, A>'}}
  %0 = typed.strided %a sizes(%n) strides(%n) : !typed.array<1, f64, bytes>, (si64), (si64) -> !typed.array<1, f64, A>
  return
}

// -----

func.func @writable(%a: !typed.array<1, f64, C, readonly>, %n: si64) {
  // expected-error @+1 {{can't be those of '!typed.array<1, f64, A>'}}
  %0 = typed.strided %a sizes(%n) strides(%n) : !typed.array<1, f64, C, readonly>, (si64), (si64) -> !typed.array<1, f64, A>
  return
}
