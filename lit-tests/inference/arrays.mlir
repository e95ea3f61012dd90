// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s
// RUN: %pyopt %s --infer-types=boundscheck --split-input-file | FileCheck %s --check-prefix=BOUNDS

// Elements by one int a dimension. Only an index that can be negative wraps around.

// CHECK-LABEL: func.func @elements(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, f32, C>, %[[I:.*]]: si64)
// CHECK:         %[[X:.*]] = typed.load %[[A]][%{{.*}}, %{{.*}}] wraparound : !typed.array<2, f32, C>, si64, si64 -> f32
// CHECK:         typed.cast %{{.*}} : si64 to f32
// CHECK:         typed.store %{{.*}}, %[[A]][%{{.*}}, %{{.*}}] : f32, !typed.array<2, f32, C>, si64, si64
py.specialize @m.elements(!typed.array<2, f32, C>, si64) as @elements
py.func @m.elements(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %index = py.build_tuple(%zero, %i)
  %x = py.getitem %a[%index]
  %known = py.build_tuple(%zero, %one)
  py.setitem %a[%known] = %i
  py.return %x
}

// -----

// The shape is a tuple; its length is known.

// CHECK-LABEL: func.func @shape(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, f64, C>) -> tuple<si64, si64, si64, si64>
// CHECK:         typed.dim %[[A]][0]
// CHECK:         typed.dim %[[A]][1]
// CHECK:         typed.binary mul
// CHECK:         %[[TWO:.*]] = typed.constant 2 : si64
py.specialize @m.shape(!typed.array<2, f64, C>) as @shape
py.func @m.shape(%a) attributes {arg_names = ["a"], globals = "m"} {
  %shape = py.getattr %a "shape"
  %n, %m = py.unpack %shape : !py.object, !py.object
  %size = py.getattr %a "size"
  %ndim = py.getattr %a "ndim"
  %0 = py.build_tuple(%n, %m, %size, %ndim)
  py.return %0
}

// -----

// Iteration over rows and their elements.

// CHECK-LABEL: func.func @rows(
// CHECK:         typed.for_iter %{{.*}} : !typed.iter<!typed.array<2, f64, C>>, ^[[ROW:.*]], ^
// CHECK:       ^[[ROW]](%[[R:.*]]: !typed.array<1, f64, C>):
// CHECK:         typed.iter %[[R]] : !typed.array<1, f64, C>
// CHECK:         typed.for_iter %{{.*}} : !typed.iter<!typed.array<1, f64, C>>
py.specialize @m.rows(!typed.array<2, f64, C>) as @rows
py.func @m.rows(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0.0 : f64
  %it = py.get_iter %a
  cf.br ^outer(%zero : !py.object)
^outer(%s: !py.object):
  py.for_iter %it, ^row, ^exit
^row(%r: !py.object):
  %inner_it = py.get_iter %r
  cf.br ^inner(%s : !py.object)
^inner(%t: !py.object):
  py.for_iter %inner_it, ^element, ^outer(%t)
^element(%x: !py.object):
  %u = py.inplace add %t, %x
  cf.br ^inner(%u : !py.object)
^exit:
  py.return %s
}

// -----

// Operators and universal functions are elementwise, with NumPy's types; constants stay constants
// inside. An in-place operator assigns to the array.

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, si32, C>, %[[B:.*]]: !typed.array<2, f32, A>)
// CHECK:         %[[S:.*]] = typed.array_expr(%[[A]], %[[B]]) {
// CHECK:           typed.cast %{{.*}} : si32 to f64
// CHECK:           typed.binary add %{{.*}} : f64
// CHECK:         } : (!typed.array<1, si32, C>, !typed.array<2, f32, A>) -> !typed.array<2, f64, C>
// CHECK:         %[[P:.*]] = typed.array_expr(%[[S]]) {
// CHECK:         ^bb0(%[[X:.*]]: f64):
// CHECK:           typed.binary mul %[[X]], %[[X]] : f64
// CHECK:         %[[R:.*]] = typed.array_expr(%[[B]], %[[P]])
// CHECK:         typed.assign %[[R]], %[[B]] {pyopt.inplace} : !typed.array<2, f64, C>, !typed.array<2, f32, A>
// CHECK:         typed.array_expr(%[[B]])
// CHECK:           typed.unary sqrt %{{.*}} : f32
py.binding @"m.np" = #py.module<"numpy">
py.specialize @m.elementwise(!typed.array<1, si32, C>, !typed.array<2, f32, A>) as @elementwise
py.func @m.elementwise(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %two = py.constant 2 : i64
  %s = py.binary add %a, %b
  %p = py.binary pow %s, %two
  %b2 = py.inplace sub %b, %p
  %np = py.global @"m.np"
  %sqrt = py.getattr %np "sqrt"
  %r = py.call %sqrt(%b2)
  py.return %r
}

// -----

// With boundscheck, each int is compared with its own dimension; slices and None need no check.

// BOUNDS-LABEL: func.func @checked(
// BOUNDS-SAME:    %[[A:.*]]: !typed.array<2, f64, C>, %[[I:.*]]: si64)
// BOUNDS:         %[[ROWS:.*]] = typed.dim %[[A]][0]
// BOUNDS:         %[[BELOW:.*]] = typed.compare lt %[[I]], %{{.*}} : si64
// BOUNDS:         %[[ABOVE:.*]] = typed.compare ge %[[I]], %[[ROWS]] : si64
// BOUNDS:         typed.raise_if %{{.*}} "IndexError"("index {} is out of bounds for axis 0 with size {}")
// BOUNDS-NOT:     typed.raise_if
// BOUNDS:         typed.view
// BOUNDS:         typed.dim %{{.*}}[0]
// BOUNDS:         typed.raise_if
// BOUNDS:         typed.store
// CHECK-LABEL:  func.func @checked(
// CHECK-NOT:      typed.raise_if
py.specialize @m.checked(!typed.array<2, f64, C>, si64) as @checked
py.func @m.checked(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %row = py.getitem %a[%i]
  py.setitem %row[%i] = %i
  py.return %row
}

// -----

// What nobody uses goes with all that is in it.

// CHECK-LABEL: func.func @unused(
// CHECK-NOT:   typed.array_expr
// CHECK-NOT:   typed.unary
// CHECK:       return
py.specialize @m.unused(!typed.array<2, f64, C>) as @unused
py.func @m.unused(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.unary neg %a
  %1 = py.unary pos %0
  py.return %a
}

// -----

// A function whose decorator asks for it checks its indices wherever it is called from.
// CHECK-LABEL: func.func @careless(
// CHECK-NOT:   typed.raise_if
// CHECK:       typed.call @"careful(
// CHECK-NOT:   typed.raise_if
// CHECK:       func.func private @"careful(
// CHECK:       typed.raise_if {{.*}} "IndexError"
py.binding @m.careful = #py.function<@careful>
py.specialize @careless(!typed.array<1, f64, C>, si64) as @careless
py.func @careful(%a, %i) attributes {arg_names = ["a", "i"], globals = "m", options = {boundscheck = true}} {
  %x = py.getitem %a[%i]
  py.return %x
}
py.func @careless(%a, %i) attributes {arg_names = ["a", "i"], globals = "m", options = {boundscheck = false}} {
  %f = py.global @m.careful
  %x = py.call %f(%a, %i)
  %y = py.getitem %a[%i]
  %z = py.binary add %x, %y
  py.return %z
}
