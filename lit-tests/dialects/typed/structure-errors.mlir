// RUN: %pyopt %s --split-input-file --verify-diagnostics

!s = !typed.list<tuple<si64, f64>>
func.func @beyond(%s: !s) -> f64 {
  // expected-error@+1 {{position 2 is not in '!typed.list<tuple<si64, f64>>'}}
  %x = typed.field_get %s[2] : !s -> f64
  return %x : f64
}

// -----

!s = !typed.list<tuple<si64, f64>>
func.func @of_another_type(%s: !s, %x: f64) {
  // expected-error@+1 {{the field is 'si64', not 'f64'}}
  typed.field_set %x, %s[0] : f64, !s
  return
}

// -----

!l = !typed.list<f64>
func.func @no_structure(%l: !l) -> f64 {
  // expected-error@+1 {{position 0 is not in '!typed.list<f64>'}}
  %x = typed.field_get %l[0] : !l -> f64
  return %x : f64
}
