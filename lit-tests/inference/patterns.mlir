// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// A sequence pattern is decided by the type, and so is the length of a tuple: the other case has no code.

// CHECK-LABEL: func.func @pair(
// CHECK-SAME:    %[[X:.*]]: tuple<f64, si64>
// CHECK-NOT:     cond_br
// CHECK:         %[[ITEM:.*]] = typed.tuple_get %[[X]][0]
// CHECK:         return %[[ITEM]] : f64
py.specialize @m.pair(tuple<f64, si64>) as @pair
py.func @m.pair(%x) attributes {arg_names = ["x"], globals = "m"} {
  %sequence = py.match_sequence %x
  cf.cond_br %sequence, ^counted, ^other
^counted:
  %length = py.get_len %x
  %two = py.constant 2 : i64
  %equal = py.compare eq %length, %two
  %is = py.truth %equal
  cf.cond_br %is, ^taken, ^other
^taken:
  %first, %second = py.unpack %x : !py.object, !py.object
  py.return %first
^other:
  %none = py.constant #py.none
  py.return %none
}

// -----

// Arrays are no sequences.

// CHECK-LABEL: func.func @array(
// CHECK-NOT:     cond_br
// CHECK:         %[[ONE:.*]] = typed.constant 1 : si64
// CHECK:         return %[[ONE]]
py.specialize @m.array(!typed.array<1, f64, C>) as @array
py.func @m.array(%x) attributes {arg_names = ["x"], globals = "m"} {
  %sequence = py.match_sequence %x
  cf.cond_br %sequence, ^taken, ^other
^taken:
  py.return %x
^other:
  %one = py.constant 1 : i64
  py.return %one
}

// -----

// The starred target is a list, of as many items as the others leave.

// CHECK-LABEL: func.func @starred(
// CHECK:         %[[LIST:.*]] = typed.list_new : !typed.list<si64>
// CHECK:         typed.list_push %{{.*}}, %{{.*}} to %[[LIST]]
// CHECK:         return %[[LIST]]
py.specialize @m.starred(tuple<si64, si64, si64>) as @starred
py.func @m.starred(%x) attributes {arg_names = ["x"], globals = "m"} {
  %first, %rest = py.unpack_ex %x before 1 : !py.object, !py.object
  py.return %rest
}
