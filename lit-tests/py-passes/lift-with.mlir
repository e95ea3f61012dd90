// RUN: %pyopt %s --py-lift-with --split-input-file --verify-diagnostics | FileCheck %s

py.binding @m.objmode = #py.named<"pyopt.objmode">

// with objmode(y="int64"):
//     y = a if f(a) else raising()
// return y

// CHECK-LABEL: py.func @block.objmode.0
// CHECK-SAME: (%[[F:.*]], %[[A:.*]]) attributes {arg_names = ["v0", "v1"], globals = "m", py.objmode = {y = "int64"}}
// CHECK: py.call %[[F]](%[[A]])
// CHECK-NOT: unwind
// CHECK: cf.cond_br
// CHECK: py.raise %{{[a-z0-9]+$}}
// CHECK: %[[Y:.*]] = py.unary neg %[[A]]
// CHECK: py.return %[[Y]]

// CHECK-LABEL: py.func @block(
// CHECK-SAME: %[[A:[a-z0-9]+]], %[[F:[a-z0-9]+]])
// CHECK: %[[LIFTED:.*]] = py.global @block.objmode.0
// CHECK: %[[R:.*]] = py.call %[[LIFTED]](%[[F]], %[[A]])
// CHECK-NOT: py.enter_context
// CHECK-NOT: py.with_except_start
// CHECK: py.return %[[R]]
py.func @block(%a, %f) attributes {arg_names = ["a", "f"], globals = "m"} {
  %objmode = py.global @m.objmode
  %type = py.constant "int64"
  %manager = py.call %objmode(%type) keywords ["y"]
  %exit, %value = py.enter_context %manager
  cf.br ^body
^body:
  %0 = py.call %f(%a)
  %1 = py.truth %0
  py.try_br ^decide unwind ^handler
^decide:
  cf.cond_br %1, ^use, ^fail
^fail:
  py.raise %0 unwind ^handler
^use:
  %y = py.unary neg %a
  py.try_br ^leave unwind ^handler
^leave:
  %none = py.constant #py.none
  %2 = py.call %exit(%none, %none, %none)
  py.return %y
^handler(%error: !py.object):
  %previous = py.push_exc_info %error
  cf.br ^exits
^exits:
  %3 = py.with_except_start %exit(%error)
  %4 = py.truth %3
  cf.cond_br %4, ^swallow, ^again
^again:
  py.reraise %error
^swallow:
  py.pop_except %previous
  py.return %a
}

// Other context managers stay.

// CHECK-LABEL: py.func @other
// CHECK: py.enter_context
py.func @other(%manager) attributes {arg_names = ["manager"], globals = "m"} {
  %exit, %value = py.enter_context %manager
  py.return %value
}

// -----

py.binding @m.objmode = #py.named<"pyopt.objmode">

py.func @leaves(%a) attributes {arg_names = ["a"], globals = "m"} {
  %objmode = py.global @m.objmode
  %manager = py.call %objmode()
  %none = py.constant #py.none
  // expected-error @+2 {{a with objmode block can't be left by return, break or continue}}
  // expected-note @+1 {{hint: set a variable in the block and decide behind it}}
  %exit, %value = py.enter_context %manager
  %0 = py.truth %a
  cf.cond_br %0, ^left, ^right
^left:
  %1 = py.call %exit(%none, %none, %none)
  py.return %a
^right:
  %2 = py.call %exit(%none, %none, %none)
  py.return %none
}

// -----

py.binding @m.objmode = #py.named<"pyopt.objmode">

py.func @untyped(%a) attributes {arg_names = ["a"], globals = "m"} {
  %objmode = py.global @m.objmode
  %manager = py.call %objmode()
  // expected-error @+2 {{hands out one variable that objmode gives the type of; here 1 of 0 are used behind it}}
  // expected-note @+1 {{hint: hand out one tuple}}
  %exit, %value = py.enter_context %manager
  %0 = py.unary neg %a
  %none = py.constant #py.none
  %1 = py.call %exit(%none, %none, %none)
  py.return %0
}

// -----

py.binding @m.objmode = #py.named<"pyopt.objmode">

py.func @type(%a) attributes {arg_names = ["a"], globals = "m"} {
  %objmode = py.global @m.objmode
  // expected-error @+2 {{objmode takes types as constant strings}}
  // expected-note @+1 {{hint: write objmode(x="int64")}}
  %manager = py.call %objmode(%a) keywords ["x"]
  %exit, %value = py.enter_context %manager
  %none = py.constant #py.none
  %1 = py.call %exit(%none, %none, %none)
  py.return %a
}
