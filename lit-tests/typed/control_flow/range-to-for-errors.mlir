// Loops that can't be counted.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for))' --split-input-file --verify-diagnostics

// Two loops share the iterator.
func.func @twice(%r: !typed.range<si64>) {
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  // expected-error @+1 {{an iterator can be used by one for loop only, right where it is made}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^h2
^body(%i: si64):
  cf.br ^h
^h2:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body2, ^exit
^body2(%j: si64):
  cf.br ^h2
^exit:
  return
}

// -----

// The loop goes on with the iterator of the last time.
func.func @again(%r: !typed.range<si64>, %c: i1) {
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  // expected-error @+1 {{an iterator can be used by one for loop only, right where it is made}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^next
^body(%i: si64):
  cf.br ^h
^next:
  cf.cond_br %c, ^h, ^exit
^exit:
  return
}

// -----

func.func @passed(%it: !typed.iter<!typed.range<si64>>) {
  cf.br ^h
^h:
  // expected-error @+1 {{an iterator can be used by one for loop only, right where it is made}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^h2, ^exit
^h2(%i: si64):
  cf.br ^h
^exit:
  return
}

// -----

func.func @mixed(%t: tuple<si64, f64>) {
  %it = typed.iter %t : tuple<si64, f64>
  cf.br ^h
^h:
  // expected-error @+1 {{can't iterate over a value of type 'tuple<si64, f64>'}}
  typed.for_iter %it : !typed.iter<tuple<si64, f64>>, ^body, ^exit
^body(%i: si64):
  cf.br ^h
^exit:
  return
}

// -----

// An iterator that was taken over is used once more.
func.func @taken_over(%a: !typed.array<1, f64, C>, %n: si64) {
  %ia = typed.iter %a : !typed.array<1, f64, C>
  %it = typed.enumerate %ia from %n : si64, !typed.iter<!typed.array<1, f64, C>>
  cf.br ^h
^h:
  // expected-error @+1 {{an iterator can be used by one for loop only, right where it is made}}
  typed.for_iter %it : !typed.iter<!typed.enumerate<!typed.array<1, f64, C>>>, ^h2, ^exit
^h2(%item: tuple<si64, f64>):
  typed.for_iter %ia : !typed.iter<!typed.array<1, f64, C>>, ^body, ^exit
^body(%x: f64):
  cf.br ^h
^exit:
  return
}

// -----

// The zip is made for each run of the loop, but what it zips isn't.
func.func @taken_over_before(%a: !typed.array<1, f64, C>, %c: i1) {
  %ia = typed.iter %a : !typed.array<1, f64, C>
  cf.br ^again
^again:
  %it = typed.zip %ia : (!typed.iter<!typed.array<1, f64, C>>) -> !typed.iter<!typed.zip<tuple<!typed.array<1, f64, C>>>>
  cf.br ^h
^h:
  // expected-error @+1 {{an iterator can be used by one for loop only, right where it is made}}
  typed.for_iter %it : !typed.iter<!typed.zip<tuple<!typed.array<1, f64, C>>>>, ^body, ^next
^body(%item: tuple<f64>):
  cf.br ^h
^next:
  cf.cond_br %c, ^again, ^exit
^exit:
  return
}
