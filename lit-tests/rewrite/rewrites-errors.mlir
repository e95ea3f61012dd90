// RUN: %pyopt %s --py-static-raise --split-input-file --verify-diagnostics

py.func @text() attributes {arg_names = [], globals = "m"} {
  %0 = py.constant "too large"
  // expected-error @+2 {{exceptions must derive from BaseException}}
  // expected-note @+1 {{hint: raise an exception with the text: RuntimeError("too large")}}
  py.raise %0
}

// -----

py.func @number() attributes {arg_names = [], globals = "m"} {
  %0 = py.constant 3 : i64
  // expected-error @+2 {{exceptions must derive from BaseException}}
  // expected-note @+1 {{hint: raise an exception class or an instance of one}}
  py.raise %0
}
