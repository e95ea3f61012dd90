// RUN: %pyopt %s --py-inline-delegates --split-input-file | FileCheck %s

// What a generator returns is the value of the `yield from`: its body is there in the place of the call.

py.binding @m.sub = #py.function<@sub>
py.func generator @sub(%x) attributes {arg_names = ["x"], globals = "m"} {
  %0 = py.yield %x
  %1 = py.binary add %x, %x
  py.return %1
}

// CHECK-LABEL: py.func generator @used(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK: cf.br ^[[BODY:bb[0-9]+]]
// CHECK-NOT: py.send
// CHECK: py.return
// CHECK: ^[[BODY]]:
// CHECK-NEXT: py.yield %[[A]]
// CHECK-NEXT: py.binary add %[[A]], %[[A]]
// CHECK-NOT: py.send
py.func generator @used(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.sub
  %g = py.call %f(%a)
  %delegate = py.get_yield_from_iter %g
  %none = py.constant #py.none
  cf.br ^head(%none : !py.object)
^head(%sent: !py.object):
  %result, %done = py.send %delegate, %sent
  cf.cond_br %done, ^exit(%result : !py.object), ^step
^step:
  %next = py.yield %result
  cf.br ^head(%next : !py.object)
^exit(%returned: !py.object):
  py.return %returned
}

// A loop will do where the value isn't used.
// CHECK-LABEL: py.func generator @unused(
// CHECK: py.send
py.func generator @unused(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.sub
  %g = py.call %f(%a)
  %delegate = py.get_yield_from_iter %g
  %none = py.constant #py.none
  cf.br ^head(%none : !py.object)
^head(%sent: !py.object):
  %result, %done = py.send %delegate, %sent
  cf.cond_br %done, ^exit(%result : !py.object), ^step
^step:
  %next = py.yield %result
  cf.br ^head(%next : !py.object)
^exit(%returned: !py.object):
  %end = py.constant #py.none
  py.return %end
}

// -----

// A generator that delegates to itself has no end.

py.binding @m.own = #py.function<@own>

// CHECK-LABEL: py.func generator @own(
// CHECK: py.call
// CHECK: py.send
py.func generator @own(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.own
  %g = py.call %f(%a)
  %delegate = py.get_yield_from_iter %g
  %none = py.constant #py.none
  cf.br ^head(%none : !py.object)
^head(%sent: !py.object):
  %result, %done = py.send %delegate, %sent
  cf.cond_br %done, ^exit(%result : !py.object), ^step
^step:
  %next = py.yield %result
  cf.br ^head(%next : !py.object)
^exit(%returned: !py.object):
  py.return %returned
}
