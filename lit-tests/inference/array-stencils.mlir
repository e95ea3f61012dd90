// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// The kernel becomes the region; its arrays are read relative to the current element, those with
// standard indexing aren't.

// CHECK-LABEL: func.func @standard(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[W:.*]]: !typed.array<1, f64, C>)
// CHECK:         %[[R:.*]] = stencil.apply(%[[A]], %[[W]]) neighborhood [-1, 1] cval 2 : si64 {
// CHECK:         ^bb0(%[[X:.*]]: !typed.array<1, f64, C>, %[[Y:.*]]: !typed.array<1, f64, C>):
// CHECK:           stencil.access %[[X]][%{{.*}}] : !typed.array<1, f64, C>, si64 -> f64
// CHECK:           typed.load %[[Y]][%{{.*}}] : !typed.array<1, f64, C>, si64 -> f64
// CHECK:           stencil.return %{{.*}} : f64
// CHECK:         } {standard_indexing = array<i64: 1>}
// CHECK:         return %[[R]]
// CHECK-NOT:     func.func
py.binding @m.s = #py.stencil<@m.kernel, {cval = 2 : i64, mode = "constant", neighborhood = [[-1, 1]], standard_indexing = ["w"]}>
py.func @m.kernel(%a, %w) attributes {arg_names = ["a", "w"], globals = "m"} {
  %below = py.constant -1 : i64
  %zero = py.constant 0 : i64
  %0 = py.getitem %a[%below]
  %1 = py.getitem %w[%zero]
  %2 = py.binary mul %0, %1
  py.return %2
}
py.specialize @m.standard(!typed.array<1, f64, C>, !typed.array<1, f64, C>) as @standard
py.func @m.standard(%a, %w) attributes {arg_names = ["a", "w"], globals = "m"} {
  %s = py.global @m.s
  %0 = py.call %s(%a, %w)
  py.return %0
}

// -----

// A kernel may branch. The same kernel is one function for all arguments of the same types.

// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-2: stencil.apply
// CHECK-NOT:     stencil.apply
// CHECK:         return %{{.*}} : tuple<!typed.array<2, f32, C>, !typed.array<2, f32, C>>
py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %here = py.build_tuple(%zero, %zero)
  %right = py.build_tuple(%zero, %one)
  %0 = py.getitem %a[%here]
  %1 = py.compare gt %0, %x
  %2 = py.truth %1
  cf.cond_br %2, ^yes, ^no
^yes:
  %3 = py.getitem %a[%right]
  py.return %3
^no:
  py.return %0
}
py.specialize @m.branches(!typed.array<2, f32, A>, f64) as @branches
py.func @m.branches(%a, %x) attributes {arg_names = ["a", "x"], globals = "m"} {
  %s = py.global @m.s
  %0 = py.call %s(%a, %x)
  %1 = py.call %s(%a, %x)
  %2 = py.build_tuple(%0, %1)
  py.return %2
}

// -----

// Without a value for the border, the border of `out` stays as it is.

// CHECK-LABEL: func.func @out(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[OUT:.*]]: !typed.array<1, f64, C>)
// CHECK:         %[[R:.*]] = stencil.apply(%[[A]])
// CHECK:         %[[FROM:.*]] = typed.view %[[R]][%[[INSIDE:.*]]] :
// CHECK:         %[[TO:.*]] = typed.view %[[OUT]][%[[INSIDE]]] :
// CHECK:         typed.assign %[[FROM]], %[[TO]]
// CHECK:         return %[[OUT]]
py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %below = py.constant -1 : i64
  %0 = py.getitem %a[%below]
  py.return %0
}
py.specialize @m.out(!typed.array<1, f64, C>, !typed.array<1, f64, C>) as @out
py.func @m.out(%a, %out) attributes {arg_names = ["a", "out"], globals = "m"} {
  %s = py.global @m.s
  %0 = py.call %s(%a, %out) keywords ["out"]
  py.return %0
}
