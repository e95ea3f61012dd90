// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// Rows of a C array are contiguous, columns aren't.

// CHECK-LABEL: func.func @views(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, f64, C>, %[[I:.*]]: si64)
// CHECK:         typed.view %[[A]][%[[I]]] : !typed.array<2, f64, C>, (si64) -> !typed.array<1, f64, C>
// CHECK:         typed.view %[[A]][%{{.*}}, %{{.*}}] : {{.*}} -> !typed.array<1, f64, A>
// CHECK:         typed.view %[[A]][%{{.*}}] : !typed.array<2, f64, C>, (!typed.slice<si64, !typed.none, !typed.none>) -> !typed.array<2, f64, C>
// CHECK:         typed.view %[[A]][%{{.*}}] : !typed.array<2, f64, C>, (!typed.slice<!typed.none, !typed.none, si64>) -> !typed.array<2, f64, A>
// CHECK:         typed.transpose %[[A]] : !typed.array<2, f64, C> -> !typed.array<2, f64, F>
py.specialize @m.views(!typed.array<2, f64, C>, si64) as @views
py.func @m.views(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %none = py.constant #py.none
  %one = py.constant 1 : i64
  %row = py.getitem %a[%i]
  %all = py.slice %none, %none, %none
  %index = py.build_tuple(%all, %i)
  %column = py.getitem %a[%index]
  %tail = py.slice %one, %none, %none
  %rows = py.getitem %a[%tail]
  %stepped = py.slice %none, %none, %i
  %every = py.getitem %a[%stepped]
  %t = py.getattr %a "T"
  %0 = py.build_tuple(%row, %column, %rows, %every, %t)
  py.return %0
}

// -----

// An Ellipsis is the dimensions that are left over; None is a new one.

// CHECK-LABEL: func.func @ellipsis(
// CHECK-SAME:    %[[A:.*]]: !typed.array<3, f64, C>)
// CHECK:         typed.view %[[A]][%{{.*}}, %{{.*}}, %{{.*}}] : {{.*}} -> !typed.array<2, f64, A>
// CHECK:         typed.view %[[A]][%{{.*}}, %{{.*}}] : !typed.array<3, f64, C>, (!typed.none, si64) -> !typed.array<3, f64, C>
py.specialize @m.ellipsis(!typed.array<3, f64, C>) as @ellipsis
py.func @m.ellipsis(%a) attributes {arg_names = ["a"], globals = "m"} {
  %ellipsis = py.constant #py.ellipsis
  %none = py.constant #py.none
  %zero = py.constant 0 : i64
  %index = py.build_tuple(%ellipsis, %zero)
  %0 = py.getitem %a[%index]
  %new = py.build_tuple(%none, %zero)
  %1 = py.getitem %a[%new]
  %2 = py.build_tuple(%0, %1)
  py.return %2
}

// -----

// Assigning to views. All of an array is the array; what an operator changed in place isn't
// assigned again.

// CHECK-LABEL: func.func @assign(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[X:.*]]: si64)
// CHECK:         typed.assign %[[X]], %[[A]] : si64, !typed.array<1, f64, C>
// CHECK:         %[[V:.*]] = typed.view %[[A]]
// CHECK:         %[[SUM:.*]] = typed.array_expr(%[[V]])
// CHECK:         typed.assign %[[SUM]], %[[V]]
// CHECK-NOT:     typed.assign
// CHECK:         return
py.specialize @m.assign(!typed.array<1, f64, C>, si64) as @assign
py.func @m.assign(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %none = py.constant #py.none
  %one = py.constant 1 : i64
  %all = py.slice %none, %none, %none
  py.setitem %a[%all] = %x
  %tail = py.slice %one, %none, %none
  %v = py.getitem %a[%tail]
  %0 = py.inplace add %v, %one
  py.setitem %a[%tail] = %0
  py.return %none
}

// -----

// Assigning a number where a mask holds.

// CHECK-LABEL: func.func @mask(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[M:.*]]: !typed.array<1, i1, C>, %[[X:.*]]: f64)
// CHECK:         typed.raise_if %{{.*}}, "IndexError"("boolean index did not match indexed array along axis 0; size of axis is {} but size of corresponding boolean axis is {}") with(
// CHECK:         %[[R:.*]] = typed.array_expr(%[[M]], %[[A]], %[[X]]) {
// CHECK:           arith.select
// CHECK:         typed.assign %[[R]], %[[A]]
py.specialize @m.mask(!typed.array<1, f64, C>, !typed.array<1, i1, C>, f64) as @mask
py.func @m.mask(%a, %mask, %x) attributes {arg_names = ["a", "mask", "x"], globals = "m"} {
  py.setitem %a[%mask] = %x
  %none = py.constant #py.none
  py.return %none
}

// -----

// Axes in another order: reversed ones keep a contiguous layout.

// CHECK-LABEL: func.func @axes(
// CHECK-SAME:    %[[A:.*]]: !typed.array<3, f64, C>)
// CHECK-DAG:     typed.transpose %[[A]] by [2, 0, 1] : !typed.array<3, f64, C> -> !typed.array<3, f64, A>
// CHECK-DAG:     typed.transpose %[[A]] : !typed.array<3, f64, C> -> !typed.array<3, f64, F>
// CHECK-DAG:     typed.transpose %[[A]] by [0, 2, 1] : !typed.array<3, f64, C> -> !typed.array<3, f64, A>
py.binding @m.np = #py.module<"numpy">
py.specialize @m.axes(!typed.array<3, f64, C>) as @axes
py.func @m.axes(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %last = py.constant -1 : i64
  %np = py.global @m.np
  %transpose = py.getattr %np "transpose"
  %order = py.build_tuple(%last, %zero, %one)
  %0 = py.call %transpose(%a, %order)
  %method = py.getattr %a "swapaxes"
  %1 = py.call %method(%zero, %last)
  %moveaxis = py.getattr %np "moveaxis"
  %2 = py.call %moveaxis(%a, %one, %last)
  %3 = py.build_tuple(%0, %1, %2)
  py.return %3
}

// -----

// An array has the truth value of its only element.

// CHECK-LABEL: func.func @truth(
// CHECK:         %[[MORE:.*]] = typed.compare gt
// CHECK:         typed.raise_if %[[MORE]], "ValueError"("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
// CHECK:         %[[FEWER:.*]] = typed.compare lt
// CHECK:         typed.raise_if %[[FEWER]], "ValueError"
// CHECK:         typed.load
py.specialize @m.truth(!typed.array<1, f64, C>) as @truth
py.func @m.truth(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.unary not %a
  py.return %0
}
