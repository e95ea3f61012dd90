// RUN: %pyopt %s --pass-pipeline='builtin.module(py.func(py-expand-yield-from))' | FileCheck %s

// CHECK-LABEL: py.func generator @g(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK: %[[ITER:.*]] = py.get_iter %[[A]]
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](
// CHECK: ^[[HEAD]](
// CHECK: %[[NONE:.*]] = py.constant #py.none
// CHECK: py.for_iter %[[ITER]], ^[[ITEM:bb[0-9]+]], ^[[EXIT:bb[0-9]+]](%[[NONE]])
// CHECK: py.yield %[[X:[a-z0-9]+]]
// CHECK: ^[[EXIT]](
// CHECK: ^[[ITEM]](%[[X]]: !py.object):
// CHECK-NOT: py.send
py.func generator @g(%a) attributes {arg_names = ["a"], globals = "m"} {
  %delegate = py.get_yield_from_iter %a
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

// What the other generator returns is used: a loop doesn't know it.
// CHECK-LABEL: py.func generator @used(
// CHECK: py.send
py.func generator @used(%a) attributes {arg_names = ["a"], globals = "m"} {
  %delegate = py.get_yield_from_iter %a
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
