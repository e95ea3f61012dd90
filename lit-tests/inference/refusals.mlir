// What nopython mode refuses by name, wherever a request reaches it.
// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{'except*' is not supported}}
  // expected-note @+1 {{catch exceptions of a class with 'except'}}
  %rest, %match = py.exc_group_match %a, %a
  py.return %rest
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{'with' is not supported}}
  // expected-note @+1 {{enter the context in the caller, in Python}}
  %exit, %value = py.enter_context %a
  py.return %value
}

// -----

py.specialize @f(f64) as @f.1
// expected-error @+2 {{coroutines are not supported}}
// expected-note @+1 {{write a generator}}
py.func coroutine @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func generator @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{'yield from' with a value is not supported}}
  // expected-note @+1 {{yield the items in a loop}}
  %0 = py.get_yield_from_iter %a
  py.return %a
}

// -----

// A function that is made is refused, too, wherever it would be called.
py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.make_function @"f.<locals>.g" flags 0()
  py.return %a
}
// expected-error @+2 {{coroutines are not supported}}
// expected-note @+1 {{write a generator}}
py.func coroutine @"f.<locals>.g"(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{a class defined in a compiled function is not supported}}
  // expected-note @+1 {{define it in the module}}
  %0 = py.load_build_class
  py.return %0
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], freevars = ["count"], globals = "m"} {
  %0 = py.free_cell 0 @f.count
  // expected-error @+2 {{assignment to 'count' of an enclosing function is not supported}}
  // expected-note @+1 {{return the new value and assign it in the enclosing function instead of using 'nonlocal'}}
  py.store_cell %0 = %a
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'del' of a global is not supported}}
  py.delete_global @m.x
  py.return %a
}

// -----

// A function that is referred to is refused where a call of it gets to what has no form.
py.specialize @f(f64) as @f.1
py.binding @m.g = #py.function<@g>
py.binding @m.other = #py.function<@other>
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %other = py.global @m.other
  %g = py.global @m.g
  // expected-note @+1 {{in the call of g(float64)}}
  %0 = py.call %g(%a)
  py.return %0
}
py.func @g(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{a class defined in a compiled function is not supported}}
  // expected-note @+1 {{hint: define it in the module}}
  %0 = py.load_build_class
  py.return %a
}
py.func coroutine @other(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// -----

// Nobody reaches this one.
py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}
py.func generator @g(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.yield %a
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{a type alias in a function is not supported}}
  // expected-note @+1 {{define it in the module}}
  %0 = py.intrinsic "typealias"(%a)
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{an inner function with type parameters is not supported}}
  // expected-note @+1 {{leave them out, or define it in the module}}
  %0 = py.intrinsic "set_function_type_params"(%a, %a)
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{a template string is not supported}}
  // expected-note @+1 {{write an f-string}}
  %0 = py.intrinsic "template"(%a, %a)
  py.return %a
}

// -----

py.specialize @f(f64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{a template string is not supported}}
  // expected-note @+1 {{write an f-string}}
  %0 = py.intrinsic "formatted_interpolation_repr"(%a, %a, %a)
  py.return %a
}
