// What a handler gets is defined before the block that may raise: no block is joined with the one before.

// RUN: %pyopt %s --pass-pipeline='builtin.module(py.func(typed-canonicalize))' | FileCheck %s

// CHECK-LABEL: py.func @caught(
// CHECK: %[[OLD:.*]] = py.constant 1 : i64
// CHECK-NEXT: cf.br ^[[RAISES:bb[0-9]+]]
// CHECK: ^[[RAISES]]:
// CHECK-NEXT: py.binary truediv
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^{{.*}}(%[[OLD]])
py.func @caught(%x, %y) attributes {arg_names = ["x", "y"], globals = "g"} {
  %old = py.constant 1 : i64
  cf.br ^raises
^raises:
  %quotient = py.binary truediv %x, %y
  py.try_br ^done unwind ^handler(%old)
^done:
  py.return %quotient
^handler(%exception: !py.object, %kept: !py.object):
  py.return %kept
}

// Where nothing is caught they are.
// CHECK-LABEL: py.func @plain(
// CHECK-NEXT: py.binary
// CHECK-NEXT: py.return
py.func @plain(%x, %y) attributes {arg_names = ["x", "y"], globals = "g"} {
  cf.br ^raises
^raises:
  %quotient = py.binary truediv %x, %y
  py.return %quotient
}
