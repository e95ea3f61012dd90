// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-detect-races))' --verify-diagnostics -o /dev/null

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

func.func @certain(%a: !v, %b: !v, %h: !v, %m: !m, %n: index, %k: si64, %x: f64) {
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    %before = typed.binary sub %i, %one : si64
    %y = typed.load %a[%before] : !v, si64 -> f64
    // expected-warning@+1 {{an iteration of the prange writes an element that another one reads}}
    typed.store %y, %a[%i] : f64, !v, si64
    // expected-warning@+1 {{every iteration of the prange writes here}}
    typed.store %y, %h[%k] : f64, !v, si64
    // Two stores get into each other's way; one is enough to say so at both.
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.store %x, %b[%i] : f64, !v, si64
    %next = typed.binary add %i, %two : si64
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.store %x, %b[%next] : f64, !v, si64
    // All iterations walk through the same elements.
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %j = %c0 to %n step %c1 {
      // expected-warning@+1 {{every iteration of the prange writes here}}
      typed.store %x, %h[%j] : f64, !v, index
    }
    // Down the diagonal.
    %z = typed.load %m[%before, %before] : !m, si64, si64 -> f64
    // expected-warning@+1 {{writes an element that another one reads}}
    typed.store %z, %m[%i, %i] : f64, !m, si64, si64
  }
  return
}

func.func @apart(%a: !v, %b: !v, %m: !m, %p: !typed.array<1, si64, C>, %n: index, %x: f64) {
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    %next = typed.binary add %i, %one : si64
    // The own element, and those of other arrays.
    %y = typed.load %a[%i] : !v, si64 -> f64
    %z = typed.load %b[%next] : !v, si64 -> f64
    typed.store %y, %a[%i] : f64, !v, si64
    // Every second one.
    %even = typed.binary add %i, %i : si64
    %odd = typed.binary add %even, %one : si64
    %w = typed.load %m[%i, %odd] : !m, si64, si64 -> f64
    typed.store %w, %m[%i, %even] : f64, !m, si64, si64
    // An own row, walked through.
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %j = %c0 to %n step %c1 {
      typed.store %x, %m[%i, %j] : f64, !m, si64, index
    }
    // The places may all be different ones.
    %place = typed.load %p[%i] : !typed.array<1, si64, C>, si64 -> si64
    typed.store %x, %a[%place] : f64, !v, si64
    // What the iteration itself makes.
    %own = typed.empty(%n) : (index) -> !v
    typed.store %x, %own[%one] : f64, !v, si64
  }
  // Not a prange.
  parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%at: index):
    typed.store %x, %a[%one] : f64, !v, si64
  }
  return
}
