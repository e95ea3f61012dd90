// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// A member of an enumeration of ints, of which the field's name says so, is used as the int.

// CHECK-LABEL: func.func @ints(
// CHECK-SAME:    %[[X:.*]]: !typed.sequence<tuple<si64>, #py.named_tuple<"Code", 0, [".=value"]>>, %[[Y:.*]]: si64) -> si64
// CHECK:         %[[FIELDS:.*]] = typed.as_tuple %[[X]]
// CHECK:         %[[INT:.*]] = typed.tuple_get %[[FIELDS]][0] : tuple<si64> -> si64
// CHECK:         typed.binary add %[[INT]], %[[Y]]
py.specialize @m.ints(!typed.sequence<tuple<si64>, #py.named_tuple<"Code", 0, [".=value"]>>, si64) as @ints
py.func @m.ints(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %sum = py.binary add %x, %y
  py.return %sum
}

// -----

// Members of another enumeration are compared by their positions.

// CHECK-LABEL: func.func @members(
// CHECK:         %[[A:.*]] = typed.tuple_get %{{.*}}[0] : tuple<si64> -> si64
// CHECK:         %[[B:.*]] = typed.tuple_get %{{.*}}[0] : tuple<si64> -> si64
// CHECK:         typed.compare eq %[[A]], %[[B]]
py.specialize @m.members(!typed.sequence<tuple<si64>, #py.named_tuple<"Color", 0, [".&member"]>>, !typed.sequence<tuple<si64>, #py.named_tuple<"Color", 0, [".&member"]>>) as @members
py.func @m.members(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %same = py.compare eq %x, %y
  py.return %same
}

// -----

// Members of two enumerations are never equal, whatever their positions.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     typed.compare
// CHECK:         return
py.specialize @m.others(!typed.sequence<tuple<si64>, #py.named_tuple<"Color", 0, [".&member"]>>, !typed.sequence<tuple<si64>, #py.named_tuple<"Shape", 0, [".&member"]>>) as @others
py.func @m.others(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %same = py.compare eq %x, %y
  py.return %same
}

// -----

// A member of an enumeration of texts is used as its text, and is one where a text is asked for.

// CHECK-LABEL: func.func @texts(
// CHECK:         %[[FIELDS:.*]] = typed.as_tuple %arg0
// CHECK:         %[[TEXT:.*]] = typed.tuple_get %[[FIELDS]][0] : tuple<!typed.str> -> !typed.str
// CHECK:         typed.compare lt %[[TEXT]], %arg1
py.specialize @m.texts(!typed.sequence<tuple<!typed.str>, #py.named_tuple<"Text", 0, [".=value"]>>, !typed.str) as @texts
py.func @m.texts(%x, %y) attributes {arg_names = ["x", "y"], globals = "m"} {
  %less = py.compare lt %x, %y
  py.return %less
}

// -----

// A type of one value, such as that of an enumeration itself, is the same object.

// CHECK-LABEL: func.func @classes(
// CHECK:         %[[SAME:.*]] = typed.constant true
// CHECK:         return %[[SAME]]
py.specialize @m.classes(!typed.sequence<tuple<!typed.none>, #py.named_tuple<"EnumClass", 0, ["."]>>) as @classes
py.func @m.classes(%x) attributes {arg_names = ["x"], globals = "m"} {
  %same = py.is %x, %x
  py.return %same
}
