// What the verifiers of unwinding, generators and scopes refuse.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-note @+1 {{defined here}}
  %0 = py.call %a()
  // expected-error @+1 {{'py.try_br' op unwind operand 0 is defined in the block that may raise before it is there}}
  py.try_br ^next unwind ^handler(%0)
^next:
  py.return %a
^handler(%exception: !py.object, %x: !py.object):
  py.return %x
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{branch has 1 operands for successor #1, but target block has 0}}
  py.try_br ^next unwind ^handler
^next:
  py.return %a
^handler:
  py.return %a
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{branch has 1 operands for successor #0, but target block has 2}}
  py.reraise %a unwind ^handler
^handler(%exception: !py.object, %x: !py.object):
  py.return %x
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.reraise' op has unwind operands but no handler}}
  "py.reraise"(%a, %a) : (!py.object, !py.object) -> ()
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.yield' op is in 'f', a plain function; a generator or coroutine is needed}}
  %0 = py.yield %a
  py.return %0
}

// -----

py.func coroutine @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.get_awaitable' op expected "__aenter__" or "__aexit__", got "__enter__"}}
  %0 = py.get_awaitable %a of "__enter__"
  py.return %0
}

// -----

py.func @f() attributes {arg_names = [], globals = "m"} {
  // expected-error @+1 {{'py.namespace' op is in 'f', which has no namespace}}
  %0 = py.namespace
  py.return %0
}

// -----

py.func @f() attributes {arg_names = [], freevars = ["x"], globals = "m"} {
  // expected-error @+1 {{'py.free_cell' op index 1 is not that of one of the function's 1 free variables}}
  %0 = py.free_cell 1 @f.y
  py.return %0
}

// -----

py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+1 {{'py.extend' op only dict_merge has a callee}}
  py.extend list_append %a, %a for %a
  py.return %a
}
