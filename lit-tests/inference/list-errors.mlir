// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.mixes(si64, !typed.str) as @mixes
py.func @m.mixes(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %list = py.build_list(%n)
  %append = py.getattr %list "append"
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %none = py.call %append(%s)
  py.return %list
}

// -----

py.specialize @m.narrows(!typed.list<si64>, f64) as @narrows
py.func @m.narrows(%list, %x) attributes {arg_names = ["list", "x"], globals = "m"} {
  %append = py.getattr %list "append"
  // expected-error @+2 {{float64 can't be put into list(int64), which others see too}}
  // expected-note @+1 {{make the list with items of a type that holds both, or copy it}}
  %none = py.call %append(%x)
  py.return %list
}

// -----

py.binding @m.np = #py.module<"numpy">
py.specialize @m.modules(si64) as @modules
py.func @m.modules(%n) attributes {arg_names = ["n"], globals = "m"} {
  %list = py.build_list()
  %append = py.getattr %list "append"
  %np = py.global @m.np
  // expected-error @+1 {{can't be an item of a list}}
  %none = py.call %append(%np)
  py.return %list
}
