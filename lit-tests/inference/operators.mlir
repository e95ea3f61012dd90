// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s
// RUN: %pyopt %s --infer-types='error-model=numpy' --split-input-file | FileCheck %s --check-prefix=NUMPY

// Division by zero raises with Numba's messages, or not at all under NumPy's error model. A constant
// divisor needs no check.

// CHECK-LABEL: func.func @div(
// CHECK:         typed.compare eq %{{.*}}, %{{.*}} : si32
// CHECK-NEXT:    typed.raise_if %{{.*}}, "ZeroDivisionError"("division by zero")
// CHECK:         typed.binary truediv %{{.*}} : f64
// CHECK:         typed.raise_if %{{.*}}, "ZeroDivisionError"("integer division or modulo by zero")
// CHECK:         typed.binary floordiv %{{.*}} : si64
// CHECK:         typed.raise_if %{{.*}}, "ZeroDivisionError"("integer modulo by zero")
// CHECK:         typed.binary mod %{{.*}} : si64
// CHECK-NOT:     typed.raise_if
// CHECK:         typed.binary mod %{{.*}} : si64
// NUMPY-LABEL: func.func @div(
// NUMPY-NOT:     ZeroDivisionError
py.specialize @m.div(si64, si32) as @div
py.func @m.div(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %three = py.constant 3 : i64
  %0 = py.binary truediv %a, %b
  %1 = py.binary floordiv %a, %b
  %2 = py.binary mod %a, %b
  %3 = py.binary mod %a, %three
  %4 = py.build_tuple(%0, %1, %2, %3)
  py.return %4
}

// -----

// Result types: 64-bit integers, floats by NumPy's promotion, bool for bitwise operators on bools.

// CHECK-LABEL: func.func @types(
// CHECK-SAME:    -> tuple<si64, ui64, si64, f64, f32, i1, si64, complex<f64>>
py.specialize @m.types(si32, ui8, f32, i1, complex<f64>) as @types
py.func @m.types(%i, %u, %f, %b, %c) attributes {arg_names = ["i", "u", "f", "b", "c"], globals = "m"} {
  %0 = py.binary add %i, %i
  %1 = py.binary add %u, %u
  %2 = py.binary add %u, %i
  %3 = py.binary mul %f, %i
  %4 = py.binary truediv %f, %u
  %5 = py.binary and %b, %b
  %6 = py.binary add %b, %b
  %7 = py.binary sub %c, %i
  %8 = py.build_tuple(%0, %1, %2, %3, %4, %5, %6, %7)
  py.return %8
}

// -----

// A signed integer against an unsigned one: exact, though neither type holds both.

// CHECK-LABEL: func.func @mixed(
// CHECK-SAME:    %[[S:.*]]: si64, %[[U:.*]]: ui64)
// CHECK:         %[[NEGATIVE:.*]] = typed.compare lt %[[S]], %{{.*}} : si64
// CHECK:         %[[C:.*]] = typed.cast %[[S]] : si64 to ui64
// CHECK:         %[[LESS:.*]] = typed.compare lt %[[C]], %[[U]] : ui64
// CHECK:         typed.binary or %[[NEGATIVE]], %[[LESS]] : i1
py.specialize @m.mixed(si64, ui64) as @mixed
py.func @m.mixed(%s, %u) attributes {arg_names = ["s", "u"], globals = "m"} {
  %0 = py.compare lt %s, %u
  py.return %0
}

// -----

// Powers: ints stay ints, small constant exponents multiply, a negative constant makes a float.

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:    %[[I:.*]]: si64, %[[F:.*]]: f32) -> tuple<si64, f64, f32, f32>
// CHECK:         typed.binary mul %[[I]], %[[I]] : si64
// CHECK:         typed.binary pow %{{.*}} : f64
// CHECK:         typed.binary pow %[[F]], %{{.*}} : f32
// CHECK:         typed.binary mul %[[F]], %[[F]] : f32
py.specialize @m.powers(si64, f32) as @powers
py.func @m.powers(%i, %f) attributes {arg_names = ["i", "f"], globals = "m"} {
  %two = py.constant 2 : i64
  %minus = py.constant -1 : i64
  %0 = py.binary pow %i, %two
  %1 = py.binary pow %i, %minus
  %2 = py.binary pow %f, %i
  %3 = py.binary pow %f, %two
  %4 = py.build_tuple(%0, %1, %2, %3)
  py.return %4
}

// -----

// Tuples: equality and order, item by item; `in` is a chain of comparisons.

// CHECK-LABEL: func.func @tuples(
// CHECK-SAME:    -> tuple<i1, i1, i1>
// CHECK:         typed.compare eq %{{.*}} : si64
// CHECK:         typed.compare eq %{{.*}} : f64
// CHECK:         typed.binary and
// CHECK:         arith.select
// CHECK:         typed.binary or
py.specialize @m.tuples(tuple<si64, f64>, tuple<si64, si64>) as @tuples
py.func @m.tuples(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %zero = py.constant 0 : i64
  %x = py.getitem %a[%zero]
  %0 = py.compare eq %a, %b
  %1 = py.compare lt %a, %b
  %2 = py.contains %x in %b
  %3 = py.build_tuple(%0, %1, %2)
  py.return %3
}

// -----

// Strings: length, items with their check, comparison.

// CHECK-LABEL: func.func @strings(
// CHECK-SAME:    %[[S:.*]]: !typed.str, %[[I:.*]]: si64) -> tuple<si64, i1>
// CHECK:         %[[N:.*]] = typed.len %[[S]] : !typed.str -> si64
// CHECK:         typed.raise_if %{{.*}}, "IndexError"("string index out of range")
// CHECK:         %[[C:.*]] = typed.item %[[S]][%{{.*}} : si64] : !typed.str -> !typed.str
// CHECK:         typed.compare ne %[[C]], %{{.*}} : !typed.str
py.specialize @m.strings(!typed.str, si64) as @strings
py.func @m.strings(%s, %i) attributes {arg_names = ["s", "i"], globals = "m"} {
  %len = py.global @"m.len"
  %n = py.call %len(%s)
  %c = py.getitem %s[%i]
  %x = py.constant "x"
  %ne = py.compare ne %c, %x
  %0 = py.build_tuple(%n, %ne)
  py.return %0
}
