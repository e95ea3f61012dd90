// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @another_argument(%n: si64) {
  // expected-error @+1 {{'typed.try_br' op needs a handler whose only argument is the exception}}
  typed.try_br ^next unwind ^handler
^next:
  return
^handler(%n1: si64):
  return
}

// -----

func.func @unknown(%n: si64) {
  // expected-error @+1 {{'typed.try_call' op @g is not a function of this module}}
  %s = typed.try_call @g(%n) : (si64) -> i32
  return
}

// -----

func.func private @g(si64) -> f64

func.func @results(%n: si64) {
  // expected-error @+1 {{'typed.try_call' op result types differ from those of @g}}
  %s = typed.try_call @g(%n) : (si64) -> i32
  return
}

// -----

func.func private @g(si64)

func.func @arguments(%n: f64) {
  // expected-error @+1 {{'typed.try_call' op argument types differ from those of @g}}
  %s = typed.try_call @g(%n) : (f64) -> i32
  return
}

// -----

func.func @no_class() {
  // expected-error @+1 {{'typed.raise' op attribute 'exception' failed to satisfy constraint: the name of a builtin class, or the names of another one and its bases}}
  typed.raise [3]
}
