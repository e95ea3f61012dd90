// RUN: %pyopt %s --pass-pipeline='builtin.module(py-literal-unroll,py.func(py-promote-cells),canonicalize)' --split-input-file --verify-diagnostics | FileCheck %s

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

// CHECK-LABEL: py.func @sum
// CHECK-SAME: (%[[A:.*]], %[[B:.*]])
// CHECK: %[[ZERO:.*]] = py.constant 0 : i64
// CHECK-NEXT: %[[X:.*]] = py.binary add %[[ZERO]], %[[A]]
// CHECK-NEXT: %[[Y:.*]] = py.binary add %[[X]], %[[B]]
// CHECK-NEXT: py.return %[[Y]]
py.func @sum(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %f = py.global @m.literal_unroll
  %items = py.build_tuple(%a, %b)
  %unrolled = py.call %f(%items)
  %zero = py.constant 0 : i64
  %iterator = py.get_iter %unrolled
  cf.br ^head(%zero : !py.object)
^head(%total: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %0 = py.binary add %total, %item
  cf.br ^head(%0 : !py.object)
^exit:
  py.return %total
}

// -----

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

// A break: behind the loop is whichever turn it was.

// CHECK-LABEL: py.func @find
// CHECK-SAME: (%[[T:.*]], %[[K:.*]])
// CHECK: %[[X:.*]] = py.getitem %[[T]][
// CHECK: %[[Y:.*]] = py.getitem %[[T]][
// CHECK: py.compare eq %[[X]], %[[K]]
// CHECK: cf.cond_br %{{.*}}, ^[[FOUND:.*]](%[[X]] : !py.object), ^[[NEXT:.*]](%[[Y]] : !py.object)
// CHECK: ^[[FOUND]](%[[R:.*]]: !py.object):
// CHECK-NEXT: py.return %[[R]]
// CHECK: ^[[NEXT]](%[[I:.*]]: !py.object):
// CHECK-NEXT: py.compare eq %[[I]], %[[K]]
// CHECK: cf.cond_br %{{.*}}, ^[[FOUND]](%[[I]] : !py.object), ^
py.func @find(%t, %k) attributes {arg_names = ["t", "k"], globals = "m", requested_types = [tuple<si64, f64>, si64]} {
  %f = py.global @m.literal_unroll
  %unrolled = py.call %f(%t)
  %iterator = py.get_iter %unrolled
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %0 = py.compare eq %item, %k
  %1 = py.truth %0
  cf.cond_br %1, ^found, ^head
^found:
  py.return %item
^exit:
  %2 = py.constant -1 : i64
  py.return %2
}

// -----

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

// A list of constants, and nothing at all.

// CHECK-LABEL: py.func @constants
// CHECK-DAG: py.constant 1 : i64
// CHECK-DAG: py.constant "two"
// CHECK-COUNT-2: py.call %{{.*}}(%{{.*}})
// CHECK-NOT: py.for_iter
// CHECK: py.return
py.func @constants(%g) attributes {arg_names = ["g"], globals = "m"} {
  %f = py.global @m.literal_unroll
  %list = py.build_list()
  %items = py.constant [1 : i64, "two"]
  py.extend list_extend %list, %items
  %unrolled = py.call %f(%list)
  %iterator = py.get_iter %unrolled
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %0 = py.call %g(%item)
  cf.br ^head
^exit:
  py.return %g
}

// What changes a list may change it before the loop or in it.

// CHECK-LABEL: py.func @changed
// CHECK: py.for_iter
py.func @changed(%g) attributes {arg_names = ["g"], globals = "m"} {
  %f = py.global @m.literal_unroll
  %list = py.build_list()
  %items = py.constant [1 : i64, "two"]
  py.extend list_extend %list, %items
  %0 = py.call %g(%list)
  %unrolled = py.call %f(%list)
  %iterator = py.get_iter %unrolled
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %1 = py.call %g(%item)
  cf.br ^head
^exit:
  py.return %g
}

// CHECK-LABEL: py.func @nothing
// CHECK-SAME: (%[[G:.*]])
// CHECK-NOT: py.call %[[G]]
// CHECK: py.return
py.func @nothing(%g) attributes {arg_names = ["g"], globals = "m"} {
  %f = py.global @m.literal_unroll
  %items = py.build_tuple()
  %unrolled = py.call %f(%items)
  %iterator = py.get_iter %unrolled
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

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

// The numbers of the items.

// CHECK-LABEL: py.func @numbers
// CHECK-SAME: (%[[T:.*]])
// CHECK-DAG: %[[ZERO:.*]] = py.constant 0 : i64
// CHECK-DAG: %[[ONE:.*]] = py.constant 1 : i64
// CHECK: py.getitem %[[T]][%[[ZERO]]]
// CHECK: py.getitem %[[T]][%[[ONE]]]
// CHECK-NOT: py.for_iter
py.func @numbers(%t) attributes {arg_names = ["t"], globals = "m", requested_types = [tuple<si64, f64>]} {
  %f = py.global @m.literal_unroll
  %len = py.global @m.len
  %range = py.global @m.range
  %unrolled = py.call %f(%t)
  %count = py.call %len(%unrolled)
  %numbers = py.call %range(%count)
  %zero = py.constant 0 : i64
  %iterator = py.get_iter %numbers
  cf.br ^head(%zero : !py.object)
^head(%total: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%i: !py.object):
  %0 = py.getitem %t[%i]
  %1 = py.binary add %total, %0
  cf.br ^head(%1 : !py.object)
^exit:
  py.return %total
}

// -----

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

// What inference may know to be a tuple is left to it.

// CHECK-LABEL: py.func @unknown
// CHECK: py.for_iter
py.func @unknown(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.literal_unroll
  %unrolled = py.call %f(%a)
  %iterator = py.get_iter %unrolled
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  cf.br ^head
^exit:
  py.return %a
}

// -----

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">

py.func @returned(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.literal_unroll
  // expected-error @+2 {{the result of literal_unroll is used for something else than one for loop}}
  // expected-note @+1 {{hint: write it in the head of the loop}}
  %0 = py.call %f(%a)
  py.return %0
}
