// RUN: %pyopt %s --py-resolve-callees | FileCheck %s

py.binding @m.helpers = #py.module<"helpers">
py.binding @m.np = #py.module<"numpy">
py.binding @helpers.norm = #py.function<@helpers.norm.code>
py.func @helpers.norm.code(%x) attributes {arg_names = ["x"], globals = "helpers"} {
  py.return %x
}

// CHECK-LABEL: py.func @caller
// CHECK: %[[NORM:.*]] = py.global @helpers.norm
// CHECK: py.call %[[NORM]](
// CHECK: %[[SQRT:.*]] = py.getattr %{{.*}} "sqrt"
// CHECK: py.call %[[SQRT]](
// CHECK: %[[METHOD:.*]] = py.getattr %{{.*}} "norm"
// CHECK: py.call %[[METHOD]](
py.func @caller(%a) attributes {arg_names = ["a"], globals = "m"} {
  %helpers = py.global @m.helpers
  %norm = py.getattr %helpers "norm"
  %0 = py.call %norm(%a)
  %np = py.global @m.np
  %sqrt = py.getattr %np "sqrt"
  %1 = py.call %sqrt(%0)
  %method = py.getattr %a "norm"
  %2 = py.call %method(%1)
  py.return %2
}
