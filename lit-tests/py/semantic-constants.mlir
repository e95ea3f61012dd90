// RUN: %pyopt %s --py-semantic-constants | FileCheck %s

py.binding @m.np = #py.module<"numpy">

// CHECK-LABEL: py.func @known
// CHECK-DAG: %[[RANK:.*]] = py.constant 2 : i64
// CHECK-DAG: %[[LENGTH:.*]] = py.constant 3 : i64
// CHECK-DAG: %[[MADE:.*]] = py.constant 1 : i64
// CHECK: py.build_tuple(%[[RANK]], %[[LENGTH]], %[[MADE]])
py.func @known(%a, %t) attributes {arg_names = ["a", "t"], globals = "m", requested_types = [!typed.array<2, f64, C>, tuple<si64, si64, f64>]} {
  %rank = py.getattr %a "ndim"
  %len = py.global @m.len
  %length = py.call %len(%t)
  %made = py.build_tuple(%a)
  %one = py.call %len(%made)
  %0 = py.build_tuple(%rank, %length, %one)
  py.return %0
}

// Not these: the length of an array, other attributes, other functions, arguments of unknown types.

// CHECK-LABEL: py.func @unknown
// CHECK-NOT: py.constant
py.func @unknown(%a, %t) attributes {arg_names = ["a", "t"], globals = "m", requested_types = [!typed.array<2, f64, C>, tuple<si64, si64, f64>]} {
  %len = py.global @m.len
  %length = py.call %len(%a)
  %size = py.getattr %a "size"
  %np = py.global @m.np
  %other = py.getattr %np "len"
  %0 = py.call %other(%t)
  %1 = py.build_tuple(%length, %size, %0)
  py.return %1
}

// CHECK-LABEL: py.func @untyped
// CHECK: py.getattr %{{.*}} "ndim"
py.func @untyped(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.getattr %a "ndim"
  py.return %0
}
