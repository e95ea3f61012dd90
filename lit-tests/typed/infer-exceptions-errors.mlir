// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(!typed.array<1, f64, C>) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.ValueError
  // expected-error @+2 {{an exception can't hold array(float64, 1d, C)}}
  // expected-note @+1 {{give it numbers, constant texts, None, or tuples of these}}
  %1 = py.call %0(%a)
  py.raise %1
}

// -----

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.ValueError
  %1 = py.call %0(%a)
  // expected-error @+2 {{'raise … from' an exception is not supported}}
  // expected-note @+1 {{raise the exception without 'from'; compiled code doesn't keep what caused it}}
  py.raise %1 from %0
}

// -----

py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{can't raise int64}}
  // expected-note @+1 {{raise an exception class, or an instance of one}}
  py.raise %a
}

// -----

py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^body
^body:
  %0 = py.binary floordiv %a, %a
  py.try_br ^next unwind ^handler
^next:
  py.return %0
^handler(%exception: !py.object):
  // expected-error @+2 {{'except' can't catch int64}}
  // expected-note @+1 {{name an exception class, or a tuple of exception classes}}
  %takes = py.exc_match %exception, %a
  cf.br ^next
}

// -----

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.ValueError
  // expected-error @+2 {{ValueError() got a keyword argument 'name'}}
  // expected-note @+1 {{exceptions of compiled code take their arguments by position}}
  %1 = py.call %0(%a) keywords ["name"]
  py.raise %1
}
