// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// A function of NumPy's that inference has no operations for is one of the overload library. It is
// compiled for the types of the call, and so is what it calls; nothing else of the library is there.

// CHECK-LABEL: func.func @running(
// CHECK:         typed.call @"pyopt.library.cumsum(!typed.array<1, si8, C>)"
// CHECK-SAME:      -> !typed.array<1, si64, C>
// CHECK-LABEL: func.func private @"pyopt.library.cumsum(!typed.array<1, si8, C>)"
// CHECK-SAME:    -> !typed.array<1, si64, C> attributes {pyopt.function = "cumsum"}
// CHECK:         typed.call @"pyopt.library.as_array(!typed.array<1, si8, C>)"
// CHECK-NOT:     pyopt.library.lanes
// CHECK-NOT:     py.
py.binding @m.np = #py.module<"numpy">
py.specialize @m.running(!typed.array<1, si8, C>) as @running
py.func @m.running(%a) attributes {arg_names = ["a"], globals = "m"} {
  %np = py.global @m.np
  %cumsum = py.getattr %np "cumsum"
  %0 = py.call %cumsum(%a)
  py.return %0
}

// -----

// Functions that inference knows for some types are the library's for others: sums of all elements
// are operations, sums along an axis calls.

// CHECK-LABEL: func.func @sums(
// CHECK:         typed.reduce sum
// CHECK:         typed.call @"pyopt.library.sum_along
// CHECK-SAME:      (!typed.array<2, f64, C>, si64) -> !typed.array<1, f64, C>
py.binding @m.np = #py.module<"numpy">
py.specialize @m.sums(!typed.array<2, f64, C>) as @sums
py.func @m.sums(%a) attributes {arg_names = ["a"], globals = "m"} {
  %one = py.constant 1 : i64
  %sum = py.getattr %a "sum"
  %0 = py.call %sum()
  %1 = py.getattr %a "sum"
  %2 = py.call %1(%one)
  %3 = py.build_tuple(%0, %2)
  py.return %3
}

// -----

// Arguments that choose the result's type are part of the signature.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    -> !typed.array<2, f64, C>
// CHECK:         typed.call @"pyopt.library.sum_along
// CHECK-SAME:      -> !typed.array<2, f64, C>
py.specialize @m.kept(!typed.array<2, f64, C>) as @kept
py.func @m.kept(%a) attributes {arg_names = ["a"], globals = "m"} {
  %one = py.constant 1 : i64
  %true = py.constant true
  %sum = py.getattr %a "sum"
  %0 = py.call %sum(%one, %true) keywords ["axis", "keepdims"]
  py.return %0
}

// -----

// Arrays as indices are the library's.

// CHECK-LABEL: func.func @selected(
// CHECK:         typed.call @"pyopt.library.select(!typed.array<2, f64, A>, !typed.array<1, i1, C>)"
// CHECK-SAME:      -> !typed.array<2, f64, C>
py.specialize @m.selected(!typed.array<2, f64, A>, !typed.array<1, i1, C>) as @selected
py.func @m.selected(%a, %mask) attributes {arg_names = ["a", "mask"], globals = "m"} {
  %0 = py.getitem %a[%mask]
  py.return %0
}

// -----

// What calls nothing of it has nothing of it.

// CHECK-LABEL: func.func @plain(
// CHECK-NOT:   pyopt.library
py.specialize @m.plain(si64) as @plain
py.func @m.plain(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}
