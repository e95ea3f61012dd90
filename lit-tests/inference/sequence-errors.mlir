// Lists don't change.
// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.spreads(!typed.array<1, f64, C>) as @spreads
py.func @m.spreads(%a) attributes {arg_names = ["a"], globals = "m"} {
  %list = py.build_list()
  py.extend list_extend %list, %a
  // expected-error @+2 {{no implementation of tuple for (list(float64))}}
  // expected-note @+1 {{a tuple is made of a tuple or of what has items of one type}}
  %tuple = py.list_to_tuple %list
  py.return %tuple
}
