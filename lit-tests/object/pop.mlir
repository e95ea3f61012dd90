// RUN: %pyopt %s --pass-pipeline='builtin.module(py-to-object-mode)' | FileCheck %s

// A loop's iterator lives until it is given up, not until its last use.

// CHECK-LABEL: llvm.func @pyopt_object_entry_first
// CHECK: %[[ITERATOR:.*]] = llvm.call @pyopt_object_get_iter
// CHECK: %[[CALLED:.*]] = llvm.call @pyopt_object_unary_neg
// CHECK-NOT: llvm.call @pyopt.release(%[[ITERATOR]])
// CHECK: llvm.call @pyopt.release(%[[ITERATOR]])
// CHECK: llvm.return %[[CALLED]]
py.func @first(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 2 : i64}
  %1 = py.get_iter %0 {offset = 4 : i64}
  py.for_iter %1, ^body, ^end {offset = 6 : i64}
^body(%item: !py.object):
  py.store_local 0 "a" = %item {offset = 8 : i64}
  %2 = py.load_local 0 "a" {offset = 10 : i64}
  %3 = py.unary neg %2 {offset = 12 : i64}
  py.pop %1 {offset = 14 : i64}
  py.return %3 {offset = 16 : i64}
^end:
  %4 = py.constant #py.none
  py.return %4 {offset = 18 : i64}
}
