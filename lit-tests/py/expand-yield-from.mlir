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

// In a protected range the branch is in a block of its own, and the loop has the handler.
// CHECK-LABEL: py.func generator @protected(
// CHECK: py.for_iter %{{.*}}, ^[[ITEM:bb[0-9]+]], ^[[EXIT:bb[0-9]+]](%{{.*}}) unwind ^[[HANDLER:bb[0-9]+]]
// CHECK: py.yield %[[X:[a-z0-9]+]]
// CHECK-NEXT: py.try_br
// CHECK: ^[[EXIT]](
// CHECK: ^[[HANDLER]](
// CHECK: ^[[ITEM]](%[[X]]: !py.object):
// CHECK-NOT: py.send
py.func generator @protected(%a) attributes {arg_names = ["a"], globals = "m"} {
  %delegate = py.get_yield_from_iter %a
  %none = py.constant #py.none
  py.try_br ^head(%none) unwind ^handler
^head(%sent: !py.object):
  %result, %done = py.send %delegate, %sent
  py.try_br ^test unwind ^handler
^test:
  cf.cond_br %done, ^exit(%result : !py.object), ^step
^step:
  %next = py.yield %result
  py.try_br ^head(%next) unwind ^handler
^exit(%returned: !py.object):
  %end = py.constant #py.none
  py.return %end
^handler(%error: !py.object):
  py.reraise %error
}
