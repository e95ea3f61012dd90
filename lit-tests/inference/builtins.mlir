// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics | FileCheck %s

// The host prints; separators and whether to flush come first.

// CHECK-LABEL: func.func @prints(
// CHECK-DAG:     %[[SEP:.*]] = typed.constant "-"
// CHECK-DAG:     %[[END:.*]] = typed.constant "\0A"
// CHECK-DAG:     %[[FLUSH:.*]] = typed.constant false
// CHECK:         typed.call @print.0(%[[SEP]], %[[END]], %[[FLUSH]], %arg0) : (!typed.str, !typed.str, i1, si64) -> tuple<>
// CHECK:       func.func private @print.0(!typed.str, !typed.str, i1, si64) -> tuple<> attributes {pyopt.object = #py.named<"pyopt.printing.print_values">}
py.specialize @m.prints(si64) as @prints
py.func @m.prints(%n) attributes {arg_names = ["n"], globals = "m"} {
  %print = py.global @m.print
  %sep = py.constant "-"
  %none = py.call %print(%n, %sep) keywords ["sep"]
  py.return %none
}

// -----

// What is known of the class of an argument is known at compile time.

// CHECK-LABEL: func.func @asks(
// CHECK:         %[[YES:.*]] = typed.constant true
// CHECK:         return %[[YES]]
py.specialize @m.asks(!typed.literal<{mro = ["builtins.dict", "builtins.object"], slot = 0 : i64}>) as @asks
py.func @m.asks(%x) attributes {arg_names = ["x"], globals = "m"} {
  %isinstance = py.global @m.isinstance
  %dict = py.global @m.dict
  %found = py.call %isinstance(%x, %dict)
  py.return %found
}

// -----

py.specialize @m.walks(!typed.literal<{mro = ["builtins.set", "builtins.object"], slot = 0 : i64}>) as @walks
py.func @m.walks(%x) attributes {arg_names = ["x"], globals = "m"} {
  // expected-error @+2 {{iteration over set is not supported}}
  // expected-note @+1 {{iterate over a range, an array, a tuple or a text}}
  %it = py.get_iter %x
  py.return %it
}

// -----

py.specialize @m.returns(!typed.literal<{mro = ["builtins.set", "builtins.object"], slot = 0 : i64}>) as @returns
py.func @m.returns(%x) attributes {arg_names = ["x"], globals = "m"} {
  // expected-error @+2 {{an object of type set can't be returned}}
  // expected-note @+1 {{the caller has it already; return what is made of it}}
  py.return %x
}

// -----

py.specialize @m.misses(!typed.array<1, f64, C>) as @misses
py.func @m.misses(%x) attributes {arg_names = ["x"], globals = "m"} {
  %getattr = py.global @m.getattr
  %name = py.constant "nothing"
  // expected-error @+1 {{unknown attribute 'nothing' of type array(float64, 1d, C)}}
  %found = py.call %getattr(%x, %name)
  py.return %found
}
