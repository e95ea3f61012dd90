// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.binding @m.range = #py.named<"builtins.range">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.ValueError
  %1 = py.global @m.range
  %2 = py.call %1(%a)
  // expected-error @+2 {{an exception can't hold range_int64}}
  // expected-note @+1 {{give it numbers, texts, None, arrays, or tuples and lists of these}}
  %3 = py.call %0(%2)
  py.raise %3
}

// -----

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.ValueError
  %1 = py.call %0(%a)
  // expected-error @+2 {{int64 can't be the cause of an exception}}
  // expected-note @+1 {{write an exception or None behind 'from'}}
  py.raise %1 from %a
}

// -----

py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(si64, i1) as @f.1
py.func @f(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.global @m.ValueError
  %1 = py.call %0(%a)
  %2 = py.call %0(%b)
  %3 = py.truth %b
  cf.cond_br %3, ^next(%1 : !py.object), ^next(%2 : !py.object)
^next(%4: !py.object):
  // expected-error @+2 {{exception can't be given a cause here}}
  // expected-note @+1 {{make the exception in the statement: 'raise ValueError(…) from error'}}
  py.raise %4 from %0
}

// -----

py.binding @m.Full = #py.exception_class<["m.Full@0", "Exception", "BaseException"]>
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.Full
  %1 = py.call %0(%a)
  // expected-error @+2 {{the attribute 'args' of an exception isn't known in compiled code}}
  // expected-note @+1 {{let the exception leave the function, or keep what it is made of in variables}}
  %2 = py.getattr %1 "args"
  py.return %2
}

// -----

py.binding @m.Full = #py.exception_class<["m.Full@0", "Exception", "BaseException"]>
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.Full
  %1 = py.call %0(%a)
  // expected-error @+2 {{an exception can't be returned to Python}}
  // expected-note @+1 {{raise it, or return its text}}
  py.return %1
}

// -----

py.binding @m.Full = #py.exception_class<["m.Full@0", "Exception", "BaseException"]>
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.Full
  // expected-error @+2 {{Full() got a keyword argument 'name'}}
  // expected-note @+1 {{exceptions of compiled code take their arguments by position}}
  %1 = py.call %0(%a) keywords ["name"]
  py.raise %1
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
