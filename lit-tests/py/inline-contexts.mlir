// A generator that is a context manager takes the place of the `with`.
// RUN: %pyopt %s --split-input-file --verify-diagnostics --py-inline-contexts | FileCheck %s

py.binding @m.manager = #py.function<@manager>
py.binding @m.plain = #py.function<@plain>
py.binding @m.log = #py.named<"builtins.print">

py.func generator @manager(%a) attributes {arg_names = ["a"], globals = "m", options = {context_manager = true}} {
  %log = py.global @m.log
  %entered = py.call %log(%a)
  cf.br ^try
^try:
  %sent = py.yield %a
  py.try_br ^finally unwind ^failed
^finally:
  %left = py.call %log(%sent)
  %none = py.constant #py.none
  py.return %none
^failed(%error: !py.object):
  %also = py.call %log(%error)
  py.reraise %error
}

// CHECK-LABEL: py.func generator @plain
// What is not marked is a generator, whose methods are called.
py.func generator @plain(%a) attributes {arg_names = ["a"], globals = "m"} {
  %sent = py.yield %a
  %none = py.constant #py.none
  py.return %none
}

// The block goes on to what is behind the yield, and then returns; its exceptions go to the handler of the
// yield, which raises them again. The code before the yield is there once.
// CHECK-LABEL: py.func @used(
// CHECK: cf.br ^[[BEGIN:bb[0-9]+]]{{$}}
// CHECK: ^[[BODY:bb[0-9]+]]:
// CHECK: %[[SUM:.*]] = py.binary add %arg0, %arg0
// CHECK: py.try_br ^[[LEFT:bb[0-9]+]] unwind ^[[RAISED:bb[0-9]+]]
// CHECK: ^[[LEFT]]:
// CHECK: cf.br ^[[BEHIND:bb[0-9]+]]{{$}}
// CHECK: ^[[REST:bb[0-9]+]]:
// CHECK-NEXT: py.return %[[SUM]]
// CHECK: ^[[RAISED]](%[[ERROR:.*]]: !py.object):
// CHECK: cf.br ^[[CAUGHT:bb[0-9]+]](%[[ERROR]] : !py.object)
// CHECK: ^[[BEGIN]]:
// CHECK: %[[LOG:.*]] = py.global @m.log
// CHECK: py.call %[[LOG]](%arg0)
// CHECK: ^[[CAUGHT]](%[[RAISED_AGAIN:.*]]: !py.object):
// CHECK: py.call %[[LOG]](%[[RAISED_AGAIN]])
// CHECK: py.reraise %[[RAISED_AGAIN]]
// CHECK: ^[[BEHIND]]:
// CHECK: %[[NONE:.*]] = py.constant #py.none
// CHECK: py.call %[[LOG]](%[[NONE]])
// CHECK: cf.br ^[[REST]]
// CHECK-NOT: py.yield
py.func @used(%x) attributes {arg_names = ["x"], globals = "m"} {
  %function = py.global @m.manager
  %manager = py.call %function(%x)
  %exit, %value = py.enter_context %manager
  cf.br ^body
^body:
  %sum = py.binary add %value, %x
  py.try_br ^leave unwind ^failed
^leave:
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %sum
^failed(%error: !py.object):
  %before = py.push_exc_info %error
  %swallowed = py.with_except_start %exit(%error)
  %is = py.truth %swallowed
  cf.cond_br %is, ^swallowed, ^raised
^raised:
  py.reraise %error
^swallowed:
  py.pop_except %before
  py.return %x
}

// CHECK-LABEL: py.func @of_generator
// CHECK: py.enter_context
py.func @of_generator(%x) attributes {arg_names = ["x"], globals = "m"} {
  %function = py.global @m.plain
  %manager = py.call %function(%x)
  %exit, %value = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %value
}

// The manager is used elsewhere.
// CHECK-LABEL: py.func @kept
// CHECK: py.enter_context
py.func @kept(%x) attributes {arg_names = ["x"], globals = "m"} {
  %function = py.global @m.manager
  %manager = py.call %function(%x)
  %exit, %value = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %manager
}

// -----

py.binding @m.twice = #py.function<@twice>

py.func generator @twice(%a) attributes {arg_names = ["a"], globals = "m", options = {context_manager = true}} {
  %first = py.yield %a
  %second = py.yield %a
  py.return %second
}

py.func @used(%x) attributes {arg_names = ["x"], globals = "m"} {
  %function = py.global @m.twice
  %manager = py.call %function(%x)
  // expected-error @+1 {{a context manager in compiled code has one 'yield'}}
  %exit, %value = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %value
}

// -----

py.binding @m.loop = #py.function<@loop>

py.func generator @loop(%a) attributes {arg_names = ["a"], globals = "m", options = {context_manager = true}} {
  cf.br ^again
^again:
  %first = py.yield %a
  cf.br ^again
}

py.func @used(%x) attributes {arg_names = ["x"], globals = "m"} {
  %function = py.global @m.loop
  %manager = py.call %function(%x)
  // expected-error @+1 {{a context manager in compiled code has its 'yield' outside of loops}}
  %exit, %value = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %value
}

// -----

// An inner function that becomes a context manager where it is made: its free variables are the cells of the
// function around it.

py.binding @d.decorate = #py.function<@contextlib.contextmanager>
py.func @contextlib.contextmanager(%f) attributes {arg_names = ["f"], globals = "c"} {
  py.return %f
}

py.func generator @inner(%a) attributes {arg_names = ["a"], freevars = ["n"], globals = "m"} {
  %cell = py.free_cell 0 @inner.n
  py.store_cell %cell = %a
  %sent = py.yield %a
  %none = py.constant #py.none
  py.return %none
}

// CHECK-LABEL: py.func @around(
// CHECK:         %[[CELL:.*]] = py.make_cell
// CHECK-NOT:     py.make_function
// CHECK:         py.store_cell %[[CELL]] =
// CHECK-NOT:     py.enter_context
// CHECK:         py.return
py.func @around(%a) attributes {arg_names = ["a"], globals = "d"} {
  %cell = py.make_cell(%a)
  %cells = py.build_tuple(%cell)
  %made = py.make_function @inner flags 8(%cells)
  %decorate = py.global @d.decorate
  %callee = py.call %decorate(%made)
  %manager = py.call %callee(%a)
  %exit, %entered = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %entered
}

// -----

// What a function imports is known by the module and the name.

py.binding @"<import>.home" = #py.module<"home">
py.binding @"<import>.home.manager" = #py.function<@manager>

py.func generator @manager(%a) attributes {arg_names = ["a"], globals = "m", options = {context_manager = true}} {
  %sent = py.yield %a
  %none = py.constant #py.none
  py.return %none
}

// CHECK-LABEL: py.func @imported(
// CHECK-NOT: py.enter_context
// CHECK: py.return
py.func @imported(%a) attributes {arg_names = ["a"], globals = "m"} {
  %level = py.constant 0
  %names = py.constant ["manager"]
  %module = py.import "home" level %level from %names
  %callee = py.import_from %module "manager"
  %manager = py.call %callee(%a)
  %exit, %entered = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %entered
}

// CHECK-LABEL: py.func @relative(
// CHECK: py.enter_context
// A relative import is of another module.
py.func @relative(%a) attributes {arg_names = ["a"], globals = "m"} {
  %level = py.constant 1
  %names = py.constant ["manager"]
  %module = py.import "home" level %level from %names
  %callee = py.import_from %module "manager"
  %manager = py.call %callee(%a)
  %exit, %entered = py.enter_context %manager
  %none = py.constant #py.none
  %left = py.call %exit(%none, %none, %none)
  py.return %entered
}
