// RUN: %pyopt %s --pass-pipeline='builtin.module(py-unroll-tuples,py.func(py-promote-cells),canonicalize)' --split-input-file | FileCheck %s

// Constants of several types.

// CHECK-LABEL: py.func @constants
// CHECK-SAME: (%[[G:.*]])
// CHECK-DAG: py.constant 1 : i64
// CHECK-DAG: py.constant "two"
// CHECK-COUNT-2: py.call %[[G]](%{{.*}})
// CHECK-NOT: py.for_iter
// CHECK: py.return
py.func @constants(%g) attributes {arg_names = ["g"], globals = "m"} {
  %items = py.constant [1 : i64, "two"]
  %iterator = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %0 = py.call %g(%item)
  cf.br ^head
^exit:
  py.return %g
}

// -----

// The types of arguments, of a tuple that enumerate counts.

// CHECK-LABEL: py.func @argument
// CHECK-SAME: (%[[T:.*]], %[[K:.*]])
// CHECK: %[[X:.*]] = py.getitem %[[T]][
// CHECK: %[[A:.*]] = py.build_tuple(%{{.*}}, %[[X]])
// CHECK: %[[Y:.*]] = py.getitem %[[T]][
// CHECK: %[[B:.*]] = py.build_tuple(%{{.*}}, %[[Y]])
// CHECK: py.call %[[K]](%[[A]])
// CHECK: py.call %[[K]](%[[B]])
// CHECK-NOT: py.for_iter
// CHECK: py.return
py.func @argument(%t, %k) attributes {arg_names = ["t", "k"], globals = "m", requested_types = [tuple<si64, f64>, si64]} {
  %f = py.global @m.enumerate
  %counted = py.call %f(%t)
  %iterator = py.get_iter %counted
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %0 = py.call %k(%item)
  cf.br ^head
^exit:
  py.return %k
}

// -----

// Near misses: one type, and types that nobody knows.

// CHECK-LABEL: py.func @one_type
// CHECK: py.for_iter
// CHECK: py.for_iter
// CHECK: py.return
py.func @one_type(%t, %a, %b) attributes {arg_names = ["t", "a", "b"], globals = "m", requested_types = [tuple<si64, si64>, si64]} {
  %first = py.get_iter %t
  cf.br ^head
^head:
  py.for_iter %first, ^body, ^next
^body(%item: !py.object):
  %0 = py.call %a(%item)
  cf.br ^head
^next:
  %items = py.build_tuple(%a, %b)
  %second = py.get_iter %items
  cf.br ^again
^again:
  py.for_iter %second, ^turn, ^exit
^turn(%other: !py.object):
  %1 = py.call %b(%other)
  cf.br ^again
^exit:
  py.return %a
}
