// RUN: %pyopt %s --pass-pipeline='builtin.module(py-to-object-mode)' --split-input-file --verify-diagnostics

py.func generator @no_offset(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a"
  // expected-error@+1 {{'py.yield' has no attribute 'offset'; lift with 'py-translate-bytecode{frame=true}'}}
  %1 = py.yield %0
  py.return %1
}
