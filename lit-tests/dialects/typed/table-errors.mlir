// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @push(%d: !typed.dict<si64, f64>, %k: si64) {
  // expected-error @+1 {{an entry of '!typed.dict<si64, f64>' has other types}}
  typed.table_push %k to %d : si64 to !typed.dict<si64, f64>
  return
}

// -----

func.func @view(%d: !typed.dict<si64, f64>) {
  // expected-error @+1 {{a view of '!typed.dict<si64, f64>' can't be '!typed.dict_view<!typed.dict<si64, si64>, "keys">'}}
  %0 = typed.dict_view %d : !typed.dict<si64, f64> -> !typed.dict_view<!typed.dict<si64, si64>, "keys">
  return
}

// -----

func.func @viewed(%v: !typed.dict_view<!typed.dict<si64, f64>, "keys">) {
  // expected-error @+1 {{the dict of '!typed.dict_view<!typed.dict<si64, f64>, "keys">' isn't '!typed.dict<si64, si64>'}}
  %0 = typed.viewed_dict %v : !typed.dict_view<!typed.dict<si64, f64>, "keys"> -> !typed.dict<si64, si64>
  return
}
