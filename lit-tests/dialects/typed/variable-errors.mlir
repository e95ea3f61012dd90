// RUN: %pyopt %s --verify-diagnostics --split-input-file

func.func @from_one(%a: f64) {
  // expected-error @+1 {{attribute 'argument' failed to satisfy constraint}}
  typed.variable "a" argument 0 (%a) : f64
  return
}
