// RUN: %pyopt %s --py-inline --split-input-file --verify-diagnostics | FileCheck %s

// Positional, keyword, default and star arguments; control flow of its own.

py.binding @m.add = #py.function<@add>
py.func @add(%x, %y, %rest) attributes {arg_names = ["x", "y", "rest"], defaults = [1 : i64], globals = "m", options = {inline = "always"}, varargs} {
  %0 = py.truth %rest
  cf.cond_br %0, ^more, ^two
^more:
  py.return %rest
^two:
  %1 = py.binary add %x, %y
  py.return %1
}

// CHECK-LABEL: py.func @caller
// CHECK-SAME: (%[[A:.*]])
// CHECK: %[[ONE:.*]] = py.constant 1 : i64
// CHECK: %[[NONE:.*]] = py.build_tuple()
// CHECK: cf.br ^[[BODY:.*]]
// CHECK: ^[[REST:.*]](%[[R:.*]]: !py.object):
// CHECK-NOT: py.call
// CHECK: py.build_tuple(%[[A]], %[[A]])
// CHECK-NOT: py.call
// CHECK: ^[[BODY]]:
// CHECK-NEXT: py.truth %[[NONE]]
// CHECK: py.binary add %[[A]], %[[ONE]]
// CHECK-NEXT: cf.br ^[[REST]](
py.func @caller(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.add
  %0 = py.call %f(%a)
  %1 = py.call %f(%0, %a, %a, %a)
  %2 = py.call %f(%a, %1) keywords ["y"]
  py.return %2
}

// Free variables that are only read are what they are bound to; others keep the function.

py.binding @m.scaled = #py.function<@scaled>
py.binding @scaled.factor = 3 : i64
py.func @scaled(%x) attributes {arg_names = ["x"], freevars = ["factor"], globals = "m", options = {inline = "always"}} {
  %cell = py.free_cell 0 @scaled.factor
  %0 = py.load_cell %cell "factor" free
  %1 = py.binary mul %x, %0
  py.return %1
}
py.binding @m.counts = #py.function<@counts>
py.func @counts(%x) attributes {arg_names = ["x"], freevars = ["n"], globals = "m", options = {inline = "always"}} {
  %cell = py.free_cell 0 @counts.n
  py.store_cell %cell = %x
  py.return %x
}

// CHECK-LABEL: py.func @reads
// CHECK: %[[FACTOR:.*]] = py.global @scaled.factor
// CHECK: py.binary mul %{{.*}}, %[[FACTOR]]
// CHECK-LABEL: py.func @writes
// CHECK: py.call
py.func @reads(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.scaled
  %0 = py.call %f(%a)
  py.return %0
}
py.func @writes(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.counts
  %0 = py.call %f(%a)
  py.return %0
}

// In a protected range what is inlined raises to the handler.

// CHECK-LABEL: py.func @caught
// CHECK-NOT: py.call
// CHECK: ^[[REST:[a-z0-9]+]](%{{.*}}: !py.object):
// CHECK-NEXT: py.try_br
// CHECK: ^[[HANDLER:[a-z0-9]+]](%{{.*}}: !py.object):
// CHECK: py.binary add
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER]]
py.func @caught(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.add
  cf.br ^protected
^protected:
  %0 = py.call %f(%a)
  py.try_br ^next unwind ^handler
^next:
  py.return %0
^handler(%error: !py.object):
  py.return %error
}

// Left to inference: a call that doesn't fit, functions without the option, and the function
// itself.

// CHECK-LABEL: py.func @left
// CHECK-COUNT-2: py.call
py.func @left(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.add
  %g = py.global @plain
  %0 = py.call %f(%a) keywords ["z"]
  %1 = py.call %g(%0)
  py.return %1
}

py.func @plain(%x) attributes {arg_names = ["x"], globals = "m"} {
  py.return %x
}

// CHECK-LABEL: py.func @recursive
// CHECK: py.call
py.func @recursive(%x) attributes {arg_names = ["x"], globals = "m", options = {inline = "always"}} {
  %f = py.global @recursive
  %0 = py.call %f(%x)
  py.return %0
}

// -----

py.func @even(%x) attributes {arg_names = ["x"], globals = "m", options = {inline = "always"}} {
  %f = py.global @odd
  %0 = py.call %f(%x)
  py.return %0
}

py.func @odd(%x) attributes {arg_names = ["x"], globals = "m", options = {inline = "always"}} {
  %f = py.global @third
  %0 = py.call %f(%x)
  py.return %0
}

py.func @third(%x) attributes {arg_names = ["x"], globals = "m", options = {inline = "always"}} {
  %f = py.global @odd
  // expected-error @+2 {{functions with inline="always" call each other without end}}
  // expected-note @+1 {{hint: leave out inline="always" on one of them}}
  %0 = py.call %f(%x)
  py.return %0
}
