// One failure per verifier rule of the py dialect.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'py.code' op has bytecode of an odd length: 1}}
py.code @f {argcount = 0 : i64, bytecode = "a", consts = [], exceptiontable = "", filename = "f.py",
  firstlineno = 1 : i64, flags = 3 : i64, globals = "m", kwonlyargcount = 0 : i64, linetable = "",
  localspluskinds = "", localsplusnames = [], names = [], posonlyargcount = 0 : i64, qualname = "f",
  stacksize = 1 : i64, version = "3.11"}

// -----

// expected-error @+1 {{'py.code' op has 1 local names but 0 kinds}}
py.code @f {argcount = 0 : i64, bytecode = "", consts = [], exceptiontable = "", filename = "f.py",
  firstlineno = 1 : i64, flags = 3 : i64, globals = "m", kwonlyargcount = 0 : i64, linetable = "",
  localspluskinds = "", localsplusnames = ["x"], names = [], posonlyargcount = 0 : i64, qualname = "f",
  stacksize = 1 : i64, version = "3.11"}

// -----

// expected-error @+1 {{'py.code' op has 2 parameters but only 1 local names}}
py.code @f {argcount = 2 : i64, bytecode = "", consts = [], exceptiontable = "", filename = "f.py",
  firstlineno = 1 : i64, flags = 3 : i64, globals = "m", kwonlyargcount = 0 : i64, linetable = "",
  localspluskinds = " ", localsplusnames = ["x"], names = [], posonlyargcount = 0 : i64, qualname = "f",
  stacksize = 1 : i64, version = "3.11"}

// -----

// expected-error @+1 {{'py.code' op constant 0 is not a Python constant: 1 : i32}}
py.code @f {argcount = 0 : i64, bytecode = "", consts = [1 : i32], exceptiontable = "", filename = "f.py",
  firstlineno = 1 : i64, flags = 3 : i64, globals = "m", kwonlyargcount = 0 : i64, linetable = "",
  localspluskinds = "", localsplusnames = [], names = [], posonlyargcount = 0 : i64, qualname = "f",
  stacksize = 1 : i64, version = "3.11"}

// -----

// expected-error @+1 {{'py.binding' op value is neither a constant nor a named object: 3 : i8}}
py.binding @m.x = 3 : i8

// -----

// expected-error @+1 {{'py.binding' op value is neither a constant nor a named object: [1, {a = 1 : i64}]}}
py.binding @m.x = [1, {a = 1 : i64}]

// -----

// expected-error @+1 {{'py.binding' op value is neither a constant nor a named object: affine_map<() -> ()>}}
py.binding @m.x = affine_map<() -> ()>

// -----

// expected-error @+1 {{'py.specialize' op callee @g is not a symbol of this module}}
py.specialize @g(si64) as @g.1

// -----

py.binding @m.x = 1 : i64
// expected-error @+1 {{'py.specialize' op callee @m.x is neither a py.code nor a py.func}}
py.specialize @m.x(si64) as @x.1

// -----

// expected-error @+1 {{expected decimal digits, got '12x'}}
py.binding @m.x = #py.int<"12x">

// -----

// expected-error @+1 {{'py.func' op needs a body}}
"py.func"() <{sym_name = "f", function_type = () -> !py.object, arg_names = [], globals = "m"}> ({}) : () -> ()

// -----

// expected-error @+1 {{'py.func' op has 1 parameters but 0 names}}
py.func @f(%a) attributes {arg_names = [], globals = "m"} { py.return %a }

// -----

// expected-error @+1 {{'py.func' op has more keyword-only and starred parameters than parameters}}
py.func @f(%a) attributes {arg_names = ["a"], globals = "m", kwonlyargcount = 1 : i64, varargs} { py.return %a }

// -----

// expected-error @+1 {{'py.func' op must have one !py.object result}}
"py.func"() <{sym_name = "f", function_type = (!py.object) -> (), arg_names = ["a"], globals = "m"}> ({
^bb0(%a: !py.object):
  py.return %a
}) : () -> ()

// -----

// expected-error @+1 {{'py.func' op parameter type must be !py.object, got 'i64'}}
"py.func"() <{sym_name = "f", function_type = (i64) -> !py.object, arg_names = ["a"], globals = "m"}> ({
^bb0(%a: i64):
  %0 = py.constant 1 : i64
  py.return %0
}) : () -> ()

// -----

py.func @f() attributes {arg_names = [], globals = "m"} {
  // expected-error @+1 {{'py.constant' op value is not a Python constant: 1 : i32}}
  %0 = py.constant 1 : i32
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.call' op has 2 keywords but only 1 arguments}}
  %0 = py.call %a(%a) keywords ["x", "y"]
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.make_function' op has unknown flags 32}}
  %0 = py.make_function @g flags 32(%a)
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.make_function' op flags ask for 2 parts, got 1}}
  %0 = py.make_function @g flags 3(%a)
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.build_map' op needs a value for every key}}
  %0 = py.build_map(%a)
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.unpack_ex' op starred position 2 is not one of the 2 results}}
  %0:2 = py.unpack_ex %a before 2 : !py.object, !py.object
  py.return %0#0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.format' op unknown conversion 'x'}}
  %0 = py.format %a "x"
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.raise' op has a cause but no exception}}
  "py.raise"(%a) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (!py.object) -> ()
}

// -----

// expected-error @+1 {{expected a start, a stop and a step, got 2 parts}}
py.binding @m.s = #py.slice<[1 : i64, 2 : i64]>

// -----

// expected-error @+1 {{expected the names of the class and its bases, got [3]}}
py.binding @m.x = #py.exception_class<[3]>
