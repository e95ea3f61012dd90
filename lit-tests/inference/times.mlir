// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics | FileCheck %s

// A point and a distance meet in the finer unit, and NaT stays NaT.

// CHECK-LABEL: func.func @add(
// CHECK-SAME:    !typed.datetime64<D>, %{{.*}}: !typed.timedelta64<h>) -> !typed.datetime64<h>
// CHECK-DAG:     %[[POINT:.*]] = typed.ticks %{{.*}} : !typed.datetime64<D> to si64
// CHECK-DAG:     %[[HOURS:.*]] = typed.constant 24 : si64
// CHECK:         typed.binary mul %[[POINT]], %[[HOURS]] : si64
// CHECK:         typed.binary add
// CHECK:         arith.select
// CHECK:         typed.ticks %{{.*}} : si64 to !typed.datetime64<h>
py.specialize @m.add(!typed.datetime64<D>, !typed.timedelta64<h>) as @add
py.func @m.add(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %b
  py.return %0
}

// -----

// Paths that give different units give the finer one.

// CHECK-LABEL: func.func @either(
// CHECK-SAME:    -> !typed.timedelta64<ms>
py.specialize @m.either(i1, !typed.timedelta64<s>, !typed.timedelta64<ms>) as @either
py.func @m.either(%c, %a, %b) attributes {arg_names = ["c", "a", "b"], globals = "m"} {
  %0 = py.truth %c
  cf.cond_br %0, ^yes, ^no
^yes:
  py.return %a
^no:
  py.return %b
}

// -----

// CHECK-LABEL: func.func @constant(
// CHECK:         typed.constant 18262 : si64
// CHECK:         typed.ticks %{{.*}} : si64 to !typed.datetime64<D>
py.binding @"m.day" = #py.ticks<18262, !typed.datetime64<D>>
py.specialize @m.constant() as @constant
py.func @m.constant() attributes {arg_names = [], globals = "m"} {
  %0 = py.global @"m.day"
  py.return %0
}

// -----

py.specialize @m.months(!typed.timedelta64<M>, !typed.timedelta64<D>) as @months
py.func @m.months(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  // expected-error @+1 {{timedelta64[M] can't be converted to timedelta64[D]: months differ in length}}
  %0 = py.binary add %a, %b
  py.return %0
}

// -----

py.specialize @m.points(!typed.datetime64<D>, !typed.datetime64<D>) as @points
py.func @m.points(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  // expected-error @+1 {{no implementation of + for (datetime64[D], datetime64[D])}}
  %0 = py.binary add %a, %b
  py.return %0
}
