// Lists don't change.
// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.spreads(!typed.array<1, f64, C>) as @spreads
py.func @m.spreads(%a) attributes {arg_names = ["a"], globals = "m"} {
  %list = py.build_list()
  py.extend list_extend %list, %a
  // expected-error @+2 {{the items of array(float64, 1d, C) can't be put into a list or tuple}}
  // expected-note @+1 {{the number of items must be known: unpack a tuple}}
  %tuple = py.list_to_tuple %list
  py.return %tuple
}
