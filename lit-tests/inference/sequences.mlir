// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// A class of named tuples is called; its fields are items.

// CHECK-LABEL: func.func @named(
// CHECK-SAME:    %[[X:.*]]: si64, %[[Y:.*]]: f64) -> f64
// CHECK:         %[[ITEMS:.*]] = typed.tuple(%[[X]], %[[Y]]) : tuple<si64, f64>
// CHECK:         %[[P:.*]] = typed.as_sequence %[[ITEMS]] : !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>
// CHECK:         %[[AGAIN:.*]] = typed.as_tuple %[[P]]
// CHECK:         typed.tuple_get %[[AGAIN]][1] : tuple<si64, f64> -> f64
py.binding @"m.Point" = #py.named_tuple<"Point", 0, ["x", "y"]>
py.specialize @m.named(si64, f64) as @named
py.func @m.named(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %class = py.global @"m.Point"
  %p = py.call %class(%x, %y)
  %field = py.getattr %p "y"
  py.return %field
}

// -----

// A list that constants extend is known where it is built; one that becomes a tuple, there.

// CHECK-LABEL: func.func @displays(
// CHECK-SAME:    %[[A:.*]]: tuple<si64, f64>)
// CHECK:         typed.as_sequence %{{.*}} : !typed.sequence<tuple<si64, si64, si64>, #py.named<"builtins.list">>
// CHECK:         %[[FIRST:.*]] = typed.tuple_get %[[A]][0] : tuple<si64, f64> -> si64
// CHECK:         %[[SECOND:.*]] = typed.tuple_get %[[A]][1] : tuple<si64, f64> -> f64
// CHECK:         typed.tuple(%[[FIRST]], %[[SECOND]], %{{.*}}) : tuple<si64, f64, si64>
py.specialize @m.displays(tuple<si64, f64>) as @displays
py.func @m.displays(%a) attributes {arg_names = ["a"], globals = "m"} {
  %list = py.build_list()
  %items = py.constant [1 : i64, 2 : i64, 3 : i64]
  py.extend list_extend %list, %items
  %parts = py.build_list()
  py.extend list_extend %parts, %a
  %one = py.constant 1 : i64
  py.extend list_append %parts, %one
  %tuple = py.list_to_tuple %parts
  %result = py.build_tuple(%list, %tuple)
  py.return %result
}
