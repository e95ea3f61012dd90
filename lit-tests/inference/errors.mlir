// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %s = py.constant "abc"
  // expected-error @+2 {{no implementation of + for (int64, unicode_type)}}
  // expected-note @+1 {{hint: make a text of the number with str(…)}}
  %0 = py.binary add %x, %s
  py.return %0
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  // expected-error @+1 {{name 'foo' is not defined}}
  %0 = py.global @"m.foo"
  py.return %0
}

// -----

// An error in a callee is reported there, with the calls that lead to it.

py.specialize @m.f(f64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %g = py.global @"m.g"
  // expected-note @+1 {{in the call of g(float64)}}
  %0 = py.call %g(%x)
  py.return %0
}
py.func @m.g(%y) attributes {arg_names = ["y"], globals = "m"} {
  // expected-error @+1 {{unknown attribute 'foo' of type float64}}
  %0 = py.getattr %y "foo"
  py.return %0
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %g = py.global @"m.g"
  // expected-error @+1 {{g() missing 2 required positional arguments: 'a' and 'c'}}
  %0 = py.call %g(%x) keywords ["b"]
  py.return %0
}
py.func @m.g(%a, %b, %c) attributes {arg_names = ["a", "b", "c"], globals = "m"} {
  py.return %a
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.f"
  // expected-error @+2 {{the type of this value in f() can't be inferred}}
  // expected-note @+1 {{a recursive function needs a return that doesn't depend on its own result}}
  %0 = py.call %f(%x)
  py.return %0
}

// -----

// Values of two types are an error only where they are used.

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %text = py.constant "text"
  %t = py.truth %x
  cf.cond_br %t, ^b(%x : !py.object), ^b(%text : !py.object)
^b(%y: !py.object):
  // expected-error @+2 {{can't unify int64 and unicode_type: a variable has these types on different paths}}
  // expected-note @+1 {{give the variable one type on every path, or use two variables}}
  %0 = py.unary neg %y
  py.return %0
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %text = py.constant "text"
  %t = py.truth %x
  cf.cond_br %t, ^a, ^b
^a:
  // expected-error @+2 {{can't unify the return types of f(): int64 and unicode_type}}
  // expected-note @+1 {{return one type on every path}}
  py.return %x
^b:
  py.return %text
}

// -----

py.specialize @m.f(tuple<si64, f64>, si64) as @f
py.func @m.f(%t, %i) attributes {arg_names = ["t", "i"], globals = "m"} {
  // expected-error @+2 {{Tuple(int64, float64) is indexed by a value known at run time only, so the type of the item isn't known}}
  // expected-note @+1 {{use a constant index, or a tuple whose elements have one type}}
  %0 = py.getitem %t[%i]
  py.return %0
}

// -----

py.binding @"m.np" = #py.module<"numpy">
py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %np = py.global @"m.np"
  // expected-error @+2 {{'numpy.frobnicate' is not supported in compiled code}}
  // expected-note @+1 {{call it outside and pass its result, call it in a 'with objmode' block, or write it as a compiled function}}
  %f = py.getattr %np "frobnicate"
  %0 = py.call %f(%x)
  py.return %0
}

// -----

py.specialize @m.f(!typed.array<1, f64, C, readonly>) as @f
py.func @m.f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %i = py.constant 0 : i64
  // expected-error @+2 {{can't assign to readonly array(float64, 1d, C)}}
  // expected-note @+1 {{make a copy first}}
  py.setitem %a[%i] = %i
  py.return %i
}

// -----

// expected-error @+1 {{f() missing 1 required positional argument: 'y'}}
py.specialize @m.f(si64) as @f
py.func @m.f(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  py.return %x
}

// -----

// expected-error @+1 {{'f' is not a lifted function of this module}}
py.specialize @f(si64) as @f.1
py.code @f {argcount = 1 : i64, bytecode = "\97\00|\00S\00", consts = [#py.none], exceptiontable = "", filename = "m.py", firstlineno = 1 : i64, flags = 3 : i64, globals = "m", kwonlyargcount = 0 : i64, linetable = "\80\00\90\11\88(", localspluskinds = " ", localsplusnames = ["x"], names = [], posonlyargcount = 0 : i64, qualname = "f", stacksize = 1 : i64, version = "3.11"}

// -----

py.specialize @m.f(si64) -> !typed.none as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  // expected-error @+1 {{can't convert int64 to none}}
  py.return %x
}

// -----

// A recursion on ever new types stops somewhere.

py.specialize @m.grow(si64) as @f
py.func @m.grow(%t) attributes {arg_names = ["t"], globals = "m"} {
  %f = py.global @"m.grow"
  %one = py.constant 1 : i64
  %pair = py.build_tuple(%t, %one)
  // expected-error @+3 {{too many specialisations: grow() is called with ever new types}}
  // expected-note @+2 {{pass arguments of the same types on every level of the recursion}}
  // expected-note @+1 {{in the call of grow(}}
  %0 = py.call %f(%pair)
  py.return %0
}

// -----

// Nothing stands for a None beside what has a meaning at compile time only.

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %class = py.global @builtins.ValueError
  %t = py.truth %x
  cf.cond_br %t, ^b(%class : !py.object), ^b(%none : !py.object)
^b(%y: !py.object):
  // expected-error @+2 {{can't unify Function(ValueError) and none: a variable has these types on different paths}}
  // expected-note @+1 {{give the variable one type on every path, or use two variables}}
  %0 = py.is %y, %none
  py.return %0
}

// -----

// What depends on whether it is None can't be typed.

py.specialize @m.f(!typed.array<1, f64, C>, si64) as @f
py.func @m.f(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^b(%x : !py.object), ^b(%none : !py.object)
^b(%y: !py.object):
  // expected-error @+2 {{a slice is made of ints and None, not OptionalType(int64)}}
  // expected-note @+1 {{ask with 'is None' first, and write a slice for each case}}
  %0 = py.slice %y, %none, %none
  %1 = py.getitem %a[%0]
  py.return %1
}

// -----

py.specialize @m.f(!typed.array<1, f64, C>, si64) as @f
py.func @m.f(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^b(%a : !py.object), ^b(%none : !py.object)
^b(%y: !py.object):
  // expected-error @+2 {{no implementation of != for (OptionalType(array(float64, 1d, C)), none)}}
  // expected-note @+1 {{ask with 'is None' first}}
  %0 = py.compare ne %y, %none
  py.return %0
}

// -----

// A result type that was asked for is kept.

py.specialize @m.f(si64) -> si64 as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  // expected-error @+1 {{can't convert none to int64}}
  py.return %none
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.f"
  %none = py.build_tuple()
  %keywords = py.build_map(%x, %x)
  // expected-error @+2 {{the names of the arguments behind '**' aren't known}}
  // expected-note @+1 {{pass keywords by their names, or a dict of constant names as it is written: '**{"a": x}'}}
  %0 = py.call_ex %f(args %none, kwargs %keywords)
  py.return %0
}

// -----

py.specialize @m.f(si64) as @f
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @builtins.abs
  // expected-error @+2 {{the arguments behind '*' must be a tuple, not int64}}
  // expected-note @+1 {{the number of arguments must be known, or that of the function's parameters}}
  %0 = py.call_ex %f(args %x)
  py.return %0
}

// -----

// A bound method is its receiver alone: it doesn't leave the place where it is named.

py.specialize @m.f(!typed.array<1, f64, C>) as @f
py.func @m.f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %m = py.getattr %a "sum"
  // expected-error @+2 {{the method 'sum' of array(float64, 1d, C) can't be kept, passed or returned}}
  // expected-note @+1 {{hint: call it where it is named}}
  %0 = py.build_tuple(%m, %m)
  py.return %0
}

// -----

py.specialize @m.f(!typed.array<1, f64, C>) as @f
py.func @m.f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %m = py.getattr %a "sum"
  // expected-error @+2 {{the method 'sum' of array(float64, 1d, C) can't be kept, passed or returned}}
  // expected-note @+1 {{hint: call it where it is named}}
  py.return %m
}

// -----

py.specialize @m.f(!typed.array<1, f64, C>) as @f
py.func @m.f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %m = py.getattr %a "sum"
  // expected-error @+2 {{the method 'sum' of array(float64, 1d, C) can't be kept, passed or returned}}
  // expected-note @+1 {{hint: call it where it is named}}
  %0 = py.build_list(%m, %m)
  py.return %0
}
