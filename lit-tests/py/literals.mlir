// RUN: %pyopt %s --py-literals --split-input-file --verify-diagnostics | FileCheck %s

py.binding @m.literally = #py.named<"pyopt.literally">
py.binding @m.N = 4 : i64

// CHECK-LABEL: py.func @known
// CHECK-DAG: %[[FOUR:.*]] = py.constant 4 : i64
// CHECK-DAG: %[[FIVE:.*]] = py.constant 5 : i64
// CHECK: py.build_tuple(%[[FOUR]], %[[FIVE]])
py.func @known(%a) attributes {arg_names = ["a"], globals = "m", requested_types = [!typed.literal<5 : i64>]} {
  %literally = py.global @m.literally
  %n = py.global @m.N
  %0 = py.call %literally(%n)
  %1 = py.call %literally(%a)
  %2 = py.build_tuple(%0, %1)
  py.return %2
}

// CHECK-LABEL: py.func @other
// CHECK: py.call
py.func @other(%a) attributes {arg_names = ["a"], globals = "m"} {
  %literally = py.global @m.own
  %0 = py.call %literally(%a)
  py.return %0
}

// -----

py.binding @m.pyopt = #py.module<"pyopt">

py.func @unknown(%a) attributes {arg_names = ["a"], globals = "m"} {
  %pyopt = py.global @m.pyopt
  %literally = py.getattr %pyopt "literally"
  %b = py.unary neg %a
  // expected-error @+2 {{literally() needs a value that is known when the function is compiled}}
  // expected-note @+1 {{hint: make it a global constant, or a closure variable of the function}}
  %0 = py.call %literally(%b)
  py.return %0
}

// -----

// A parameter is noted, on its function and on callers that pass on theirs.

py.binding @m.literally = #py.named<"pyopt.literally">
py.binding @m.inner = #py.function<@inner>

// CHECK-LABEL: py.func @inner(
// CHECK-SAME: %[[A:.*]], %[[I:.*]])
// CHECK-SAME: pyopt.literal_parameters = array<i64: 1>
// CHECK-NEXT: py.getitem %[[A]][%[[I]]]
py.func @inner(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %literally = py.global @m.literally
  %0 = py.call %literally(%i)
  %1 = py.getitem %a[%0]
  py.return %1
}

// CHECK-LABEL: py.func @outer(
// CHECK-SAME: pyopt.literal_parameters = array<i64: 0>
py.func @outer(%n, %a) attributes {arg_names = ["n", "a"], globals = "m"} {
  %inner = py.global @m.inner
  %0 = py.call %inner(%a, %n)
  py.return %0
}

// CHECK-LABEL: py.func @constant(
// CHECK-NOT: pyopt.literal_parameters
py.func @constant(%a) attributes {arg_names = ["a"], globals = "m"} {
  %inner = py.global @m.inner
  %one = py.constant 1 : i64
  %0 = py.call %inner(%a, %one)
  py.return %0
}

// CHECK-LABEL: py.func @by_keyword(
// CHECK-SAME: pyopt.literal_parameters = array<i64: 1>
py.func @by_keyword(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  %inner = py.global @m.inner
  %0 = py.call %inner(%n, %a) keywords ["i", "a"]
  py.return %0
}

// CHECK-LABEL: py.func @other_keyword(
// CHECK-NOT: pyopt.literal_parameters
py.func @other_keyword(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  %inner = py.global @m.inner
  %0 = py.call %inner(%a, %n) keywords ["unknown"]
  py.return %0
}

// -----

py.binding @m.literally = #py.named<"pyopt.literally">

py.func @count(%a) attributes {arg_names = ["a"], globals = "m"} {
  %literally = py.global @m.literally
  // expected-error @+1 {{literally() takes one argument}}
  %0 = py.call %literally(%a, %a)
  py.return %0
}
