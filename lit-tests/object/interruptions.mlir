// RUN: %pyopt %s --pass-pipeline='builtin.module(py-to-object-mode)' | FileCheck %s

// Behind a call is the turn of signals: the result is held already, the operands no more.

// CHECK-LABEL: llvm.func @pyopt_object_entry_twice
// CHECK: %[[RESULT:.*]] = llvm.call @pyopt_object_call(
// CHECK: llvm.call @pyopt_object_binary_add(%[[RESULT]], %[[RESULT]])
// CHECK: llvm.call @pyopt_object_interrupt
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILED:bb[0-9]+]],
// CHECK: ^[[FAILED]]:
// CHECK-NEXT: llvm.call @pyopt_object_traceback
// CHECK-NEXT: llvm.call @pyopt.release(%[[RESULT]])
// CHECK: llvm.return
py.func @twice(%f) attributes {arg_names = ["f"], globals = "m"} {
  %0 = py.load_local 0 "f" {offset = 2 : i64}
  %1 = py.call %0() {offset = 4 : i64}
  %2 = py.binary add %1, %1 {offset = 6 : i64}
  py.return %2 {offset = 8 : i64}
}

// Behind a `yield` too.

// CHECK-LABEL: llvm.func @pyopt_object_entry_yields
// CHECK: llvm.call @pyopt_object_suspend
// CHECK: llvm.call @pyopt_object_interrupt
py.func generator @yields(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 6 : i64}
  %1 = py.yield %0 {offset = 8 : i64}
  py.return %1 {offset = 12 : i64}
}

// What delegates leaves that to what it delegates to.

// CHECK-LABEL: llvm.func @pyopt_object_entry_delegates
// CHECK-NOT: llvm.call @pyopt_object_interrupt
py.func generator @delegates(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 6 : i64}
  %1 = py.get_yield_from_iter %0 {offset = 8 : i64}
  %2 = py.constant #py.none {offset = 10 : i64}
  cf.br ^send(%2 : !py.object)
^send(%3: !py.object):
  %4, %done = py.send %1, %3 {offset = 12 : i64}
  cf.cond_br %done, ^done(%4 : !py.object), ^yield
^yield:
  %5 = py.yield %4 {offset = 14 : i64}
  cf.br ^send(%5 : !py.object)
^done(%6: !py.object):
  py.return %6 {offset = 24 : i64}
}
