// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics | FileCheck %s

// A loop over a tuple whose types only inference knows becomes its turns.

// CHECK-LABEL: func.func @over_result(
// CHECK:         %[[T:.*]] = typed.call @"m.pair(si64)"
// CHECK-DAG:     %[[A:.*]] = typed.tuple_get %[[T]][0] : tuple<si64, f64> -> si64
// CHECK-DAG:     %[[B:.*]] = typed.tuple_get %[[T]][1] : tuple<si64, f64> -> f64
// CHECK-NOT:     typed.for_iter
// CHECK:         return %{{.*}} : f64
py.specialize @m.over_result(si64) as @over_result
py.func @m.pair(%x) attributes {arg_names = ["x"], globals = "m"} {
  %half = py.constant 5.000000e-01 : f64
  %y = py.binary mul %x, %half
  %pair = py.build_tuple(%x, %y)
  py.return %pair
}
py.func @m.over_result(%x) attributes {arg_names = ["x"], globals = "m"} {
  %pair = py.global @m.pair
  %items = py.call %pair(%x)
  %zero = py.constant 0.000000e+00 : f64
  %iterator = py.get_iter %items
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

// literal_unroll of a parameter: each specialisation has its own turns.

// CHECK-LABEL: func.func @calls(
// CHECK:         typed.call @"m.all(tuple<si64, si64>)"
// CHECK:         typed.call @"m.all(tuple<f64>)"
// CHECK:       func.func private @"m.all(tuple<si64, si64>)"
// CHECK-COUNT-2: typed.tuple_get
// CHECK-NOT:     typed.tuple_get
// CHECK:       func.func private @"m.all(tuple<f64>)"
// CHECK-COUNT-1: typed.tuple_get
// CHECK-NOT:     typed.tuple_get
py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">
py.specialize @m.calls(si64, f64) as @calls
py.func @m.all(%items) attributes {arg_names = ["items"], globals = "m"} {
  %f = py.global @m.literal_unroll
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
py.func @m.calls(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %all = py.global @m.all
  %two = py.build_tuple(%x, %x)
  %one = py.build_tuple(%y)
  %a = py.call %all(%two)
  %b = py.call %all(%one)
  %sum = py.binary add %a, %b
  py.return %sum
}

// -----

// An array has no number of items in its type.

py.binding @m.literal_unroll = #py.named<"pyopt.literal_unroll">
py.specialize @m.refused(!typed.array<1, f64, C>) as @refused
py.func @m.refused(%items) attributes {arg_names = ["items"], globals = "m"} {
  %f = py.global @m.literal_unroll
  // expected-error @+2 {{literal_unroll takes a tuple, or a list of constants, not array(float64, 1d, C)}}
  // expected-note @+1 {{hint: how many items there are is known by the type of a tuple alone}}
  %unrolled = py.call %f(%items)
  %iterator = py.get_iter %unrolled
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  cf.br ^head
^exit:
  py.return %items
}
