// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// Python's numbers are weak beside arrays: they take the arrays' type.

// CHECK-LABEL: func.func @weak(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f32, C>, %[[X:.*]]: f64) -> !typed.array<1, f32, C>
// CHECK:         %[[W:.*]] = typed.cast %[[X]] : f64 to f32
// CHECK:         typed.array_expr(%[[A]], %[[W]]) {
// CHECK:           typed.binary mul %{{.*}}, %{{.*}} : f32
// CHECK:         typed.array_expr(%{{.*}}) {
// CHECK:           %[[TWO:.*]] = typed.constant 2.000000e+00 : f32
// CHECK:           typed.binary add %{{.*}}, %[[TWO]] : f32
py.specialize @m.weak(!typed.array<1, f32, C>, f64) as @weak
py.func @m.weak(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %0 = py.binary mul %a, %x
  %two = py.constant 2 : i64
  %1 = py.binary add %0, %two
  py.return %1
}

// -----

// Two arrays are promoted as NumPy does; a true division gives float64. Nothing is checked.

// CHECK-LABEL: func.func @promoted(
// CHECK-SAME:    -> tuple<!typed.array<1, si16, C>, !typed.array<1, f64, C>, !typed.array<1, i1, C>>
// CHECK-NOT:     typed.raise_if
// CHECK:         typed.binary floordiv %{{.*}}, %{{.*}} : si16
// CHECK:         typed.binary truediv %{{.*}}, %{{.*}} : f64
// CHECK:         typed.compare lt %{{.*}}, %{{.*}} : si16
py.specialize @m.promoted(!typed.array<1, si8, C>, !typed.array<1, ui8, C>) as @promoted
py.func @m.promoted(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary floordiv %a, %b
  %1 = py.binary truediv %a, %b
  %2 = py.compare lt %a, %b
  %3 = py.build_tuple(%0, %1, %2)
  py.return %3
}

// -----

// The result is in Fortran order when all arrays are. Ranks may differ.

// CHECK-LABEL: func.func @layouts(
// CHECK-SAME:    -> tuple<!typed.array<2, f64, F>, !typed.array<2, f64, C>>
py.specialize @m.layouts(!typed.array<2, f64, F>, !typed.array<1, f64, C>) as @layouts
py.func @m.layouts(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %a
  %1 = py.binary add %a, %b
  %2 = py.build_tuple(%0, %1)
  py.return %2
}

// -----

// An int that is known at run time only is checked against narrower integers.

// CHECK-LABEL: func.func @checked(
// CHECK-SAME:    %{{.*}}: !typed.array<1, ui8, C>, %[[N:.*]]: si64) -> !typed.array<1, ui8, C>
// CHECK:         %[[LOW:.*]] = typed.compare lt %[[N]], %{{.*}} : si64
// CHECK:         typed.raise_if %[[LOW]], "OverflowError"("Python integer out of bounds for uint8")
// CHECK:         %[[HIGH:.*]] = typed.compare gt %[[N]], %{{.*}} : si64
// CHECK:         typed.raise_if %[[HIGH]], "OverflowError"("Python integer out of bounds for uint8")
py.specialize @m.checked(!typed.array<1, ui8, C>, si64) as @checked
py.func @m.checked(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  %0 = py.binary add %a, %n
  py.return %0
}

// -----

// One that is known to be too large always raises.

// CHECK-LABEL: func.func @too_large(
// CHECK-NEXT:    typed.raise "OverflowError"("Python integer 300 out of bounds for int8")
py.specialize @m.too_large(!typed.array<1, si8, C>) as @too_large
py.func @m.too_large(%a) attributes {arg_names = ["a"], globals = "m"} {
  %large = py.constant 300 : i64
  %0 = py.binary add %a, %large
  py.return %0
}

// -----

// Comparisons take it as it is.

// CHECK-LABEL: func.func @compared(
// CHECK:         typed.compare eq %{{.*}}, %{{.*}} : si64
py.specialize @m.compared(!typed.array<1, si8, C>) as @compared
py.func @m.compared(%a) attributes {arg_names = ["a"], globals = "m"} {
  %large = py.constant 300 : i64
  %0 = py.compare eq %a, %large
  py.return %0
}

// -----

// Integers to a power that may be negative are checked as a whole; small powers are products.

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, si64, C>, %[[B:.*]]: !typed.array<1, si64, C>)
// CHECK:         typed.binary mul
// CHECK:         %[[NEGATIVE:.*]] = typed.array_expr(%[[B]]) {
// CHECK:         %[[ANY:.*]] = typed.reduce any %[[NEGATIVE]]
// CHECK:         typed.raise_if %[[ANY]], "ValueError"("Integers to negative integer powers are not allowed.")
// CHECK:         typed.binary pow %{{.*}}, %{{.*}} : si64
py.specialize @m.powers(!typed.array<1, si64, C>, !typed.array<1, si64, C>) as @powers
py.func @m.powers(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %two = py.constant 2 : i64
  %0 = py.binary pow %a, %two
  %1 = py.binary pow %0, %b
  py.return %1
}

// -----

// In place: computed, then assigned.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f32, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK:         %[[SUM:.*]] = typed.array_expr(%[[A]], %[[B]]) {
// CHECK:         typed.assign %[[SUM]], %[[A]] {pyopt.inplace} : !typed.array<1, f64, C>, !typed.array<1, f32, C>
// CHECK:         return %[[A]]
py.specialize @m.in_place(!typed.array<1, f32, C>, !typed.array<1, f64, C>) as @in_place
py.func @m.in_place(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.inplace add %a, %b
  py.return %0
}
