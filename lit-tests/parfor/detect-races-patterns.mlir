// Elements that iterations come to in more than one way: rows, views, remainders, inner loops.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-detect-races))' --verify-diagnostics -o /dev/null

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>
!k = !typed.array<1, si64, C>

func.func @repeated(%a: !v, %b: !v, %c: !v, %d: !v, %m: !m, %n: index, %x: f64) {
  %one = typed.constant 1 : si64
  %four = typed.constant 4 : si64
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    %rest = typed.binary mod %i, %four : si64
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.store %x, %a[%rest] : f64, !v, si64
    %part = typed.binary floordiv %i, %four : si64
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.store %x, %b[%part] : f64, !v, si64
    // Four to a row: an element for each.
    typed.store %x, %m[%part, %rest] : f64, !m, si64, si64
    %bound = typed.binary min %i, %four : si64
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.store %x, %c[%bound] : f64, !v, si64
    // Three neighbours.
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %j = %c0 to %c3 step %c1 {
      %inner = typed.cast %j : index to si64
      %place = typed.binary add %i, %inner : si64
      // expected-warning@+1 {{writes an element that another one writes}}
      typed.store %x, %d[%place] : f64, !v, si64
    }
  }
  return
}

func.func @own_groups(%a: !v, %b: !v, %n: index, %w: index, %x: f64) {
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %four = typed.constant 4 : si64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    // Pairs.
    %even = typed.binary mul %i, %two : si64
    %odd = typed.binary add %even, %one : si64
    %y = typed.load %a[%odd] : !v, si64 -> f64
    typed.store %y, %a[%even] : f64, !v, si64
    // Four each.
    %first = typed.binary mul %i, %four : si64
    scf.for %j = %c0 to %c4 step %c1 {
      %inner = typed.cast %j : index to si64
      %place = typed.binary add %first, %inner : si64
      typed.store %x, %b[%place] : f64, !v, si64
    }
  }
  // No more iterations than remainders.
  parfor.loop(%c4) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    %next = typed.binary add %i, %one : si64
    %rest = typed.binary mod %next, %four : si64
    typed.store %x, %b[%rest] : f64, !v, si64
    // Columns of four.
    scf.for %j = %c0 to %w step %c1 {
      %inner = typed.cast %j : index to si64
      %down = typed.binary mul %inner, %four : si64
      %place = typed.binary add %i, %down : si64
      typed.store %x, %a[%place] : f64, !v, si64
    }
  }
  return
}

func.func @looked_up(%counts: !v, %m: !m, %k: !k, %n: index, %x: f64) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %place = typed.load %k[%i] : !k, index -> si64
    %old = typed.load %counts[%place] : !v, si64 -> f64
    %new = typed.binary add %old, %x : f64
    // expected-warning@+1 {{update elements at places that are looked up}}
    typed.store %new, %counts[%place] : f64, !v, si64
    // An own row.
    %own = typed.load %m[%i, %place] : !m, index, si64 -> f64
    typed.store %own, %m[%i, %place] : f64, !m, index, si64
  }
  return
}

func.func @views(%a: !v, %b: !v, %c: !v, %m: !m, %w: !m, %n: index, %x: f64) {
  %none = typed.singleton : !typed.none
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %three = typed.constant 3 : si64
  %zero = typed.constant 0 : si64
  %tail = typed.slice %one, %none, %none : !typed.slice<si64, !typed.none, !typed.none>
  %rest = typed.view %a[%tail] : !v, (!typed.slice<si64, !typed.none, !typed.none>) -> !v
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%at: index):
    %i = typed.cast %at : index to si64
    %next = typed.binary add %i, %one : si64
    %y = typed.load %a[%i] : !v, si64 -> f64
    // expected-warning@+1 {{writes an element that another one reads}}
    typed.store %y, %rest[%i] : f64, !v, si64
    // Rows: the own one, and the one below.
    %row = typed.view %m[%i] : !m, (si64) -> !v
    %below = typed.view %m[%next] : !m, (si64) -> !v
    // expected-warning@+1 {{writes an element that another one reads}}
    typed.assign %below, %row : !v, !v
    // Three from the own place on.
    %end = typed.binary add %i, %three : si64
    %window = typed.slice %i, %end, %none : !typed.slice<si64, si64, !typed.none>
    %three_of = typed.view %b[%window] : !v, (!typed.slice<si64, si64, !typed.none>) -> !v
    // expected-warning@+1 {{writes an element that another one writes}}
    typed.assign %x, %three_of : f64, !v
    // Two from every second place on.
    %twice = typed.binary mul %i, %two : si64
    %last = typed.binary add %twice, %two : si64
    %pair = typed.slice %twice, %last, %none : !typed.slice<si64, si64, !typed.none>
    %two_of = typed.view %c[%pair] : !v, (!typed.slice<si64, si64, !typed.none>) -> !v
    typed.assign %x, %two_of : f64, !v
    // The first element is written by one iteration and read by all.
    %own = typed.view %w[%i] : !m, (si64) -> !v
    %first = typed.load %w[%zero, %zero] : !m, si64, si64 -> f64
    // expected-warning@+1 {{writes an element that another one reads}}
    typed.assign %first, %own : f64, !v
  }
  return
}
