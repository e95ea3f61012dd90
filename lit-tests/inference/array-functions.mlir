// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// New arrays: float64 unless there is a dtype; a shape is an int or a tuple.

// CHECK-LABEL: func.func @creation(
// CHECK-SAME:    %[[N:.*]]: si64)
// CHECK:         typed.empty(%[[N]]) zeroed : (si64) -> !typed.array<1, f64, C>
// CHECK:         typed.empty(%{{.*}}, %{{.*}}) : (si64, si64) -> !typed.array<2, f32, C>
// CHECK:         typed.generate(%[[N]] : si64) {
// CHECK:           typed.yield %{{.*}} : si32
// CHECK:         } : !typed.array<1, si32, C>
// CHECK:         %[[SIZE:.*]] = typed.binary max %[[N]], %{{.*}} : si64
// CHECK:         typed.generate(%[[SIZE]] : si64) {
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:      %[[X:.*]] = typed.cast %[[I]] : index to si64
// CHECK-NEXT:      typed.yield %[[X]] : si64
py.binding @m.np = #py.module<"numpy">
py.specialize @m.creation(si64) as @creation
py.func @m.creation(%n) attributes {arg_names = ["n"], globals = "m"} {
  %np = py.global @m.np
  %zeros = py.getattr %np "zeros"
  %0 = py.call %zeros(%n)
  %empty = py.getattr %np "empty"
  %two = py.constant 2 : i64
  %shape = py.build_tuple(%n, %two)
  %f32 = py.getattr %np "float32"
  %1 = py.call %empty(%shape, %f32)
  %ones = py.getattr %np "ones"
  %name = py.constant "i4"
  %2 = py.call %ones(%n, %name) keywords ["dtype"]
  %arange = py.getattr %np "arange"
  %3 = py.call %arange(%n)
  %4 = py.build_tuple(%0, %1, %2, %3)
  py.return %4
}

// -----

// Reductions: integers are summed in 64 bits, as NumPy does.

// CHECK-LABEL: func.func @reductions(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, ui8, A>) -> tuple<ui64, ui8, f64, i1>
// CHECK:         typed.reduce sum %[[A]] : !typed.array<2, ui8, A> -> ui64
// CHECK:         typed.reduce max %[[A]] : !typed.array<2, ui8, A> -> ui8
// CHECK:         %[[SUM:.*]] = typed.reduce sum %[[A]] : !typed.array<2, ui8, A> -> f64
// CHECK:         typed.binary truediv %[[SUM]], %{{.*}} : f64
// CHECK:         typed.reduce any %[[A]] : !typed.array<2, ui8, A> -> i1
py.binding @m.np = #py.module<"numpy">
py.specialize @m.reductions(!typed.array<2, ui8, A>) as @reductions
py.func @m.reductions(%a) attributes {arg_names = ["a"], globals = "m"} {
  %np = py.global @m.np
  %sum = py.getattr %a "sum"
  %0 = py.call %sum()
  %max = py.getattr %np "max"
  %1 = py.call %max(%a)
  %mean = py.getattr %a "mean"
  %2 = py.call %mean()
  %any = py.getattr %np "any"
  %3 = py.call %any(%a)
  %4 = py.build_tuple(%0, %1, %2, %3)
  py.return %4
}

// -----

// Functions of elements, and a choice among them.

// CHECK-LABEL: func.func @functions(
// CHECK-SAME:    -> tuple<!typed.array<1, f32, C>, !typed.array<1, f32, C>, !typed.array<1, si64, C>>
// CHECK:         typed.unary sqrt %{{.*}} : f32
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:         typed.cast %{{.*}} : i1 to si64
py.binding @m.np = #py.module<"numpy">
py.specialize @m.functions(!typed.array<1, f32, C>) as @functions
py.func @m.functions(%a) attributes {arg_names = ["a"], globals = "m"} {
  %np = py.global @m.np
  %sqrt = py.getattr %np "sqrt"
  %0 = py.call %sqrt(%a)
  %where = py.getattr %np "where"
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %positive = py.compare gt %a, %zero
  %1 = py.call %where(%positive, %a, %zero)
  %2 = py.call %where(%positive, %one, %zero)
  %3 = py.build_tuple(%0, %1, %2)
  py.return %3
}

// -----

// Products: of vectors as a sum, of matrices as loops.

// CHECK-LABEL: func.func @products(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, f64, C>, %[[V:.*]]: !typed.array<1, f64, C>)
// CHECK:         typed.require_equal %{{.*}}, %{{.*}}, "shapes not aligned: {} (dim 0) != {} (dim 0)"
// CHECK:         %[[P:.*]] = typed.array_expr(%[[V]], %[[V]]) {
// CHECK:         typed.reduce sum %[[P]] : !typed.array<1, f64, C> -> f64
// CHECK:         typed.generate(%{{.*}} : si64) {
// CHECK:           scf.for
// CHECK:             typed.load %[[A]][%{{.*}}, %{{.*}}] : !typed.array<2, f64, C>, index, index -> f64
// CHECK:             typed.load %[[V]][%{{.*}}] : !typed.array<1, f64, C>, index -> f64
py.binding @m.np = #py.module<"numpy">
py.specialize @m.products(!typed.array<2, f64, C>, !typed.array<1, f64, C>) as @products
py.func @m.products(%a, %v) attributes {arg_names = ["a", "v"], globals = "m"} {
  %np = py.global @m.np
  %dot = py.getattr %np "dot"
  %0 = py.call %dot(%v, %v)
  %1 = py.binary matmul %a, %v
  %2 = py.build_tuple(%0, %1)
  py.return %2
}

// -----

// Methods that make arrays.

// CHECK-LABEL: func.func @methods(
// CHECK-SAME:    %[[A:.*]]: !typed.array<2, f64, F>)
// CHECK:         %[[COPY:.*]] = typed.array_expr(%[[A]]) {{.*}}
// CHECK:         } : (!typed.array<2, f64, F>) -> !typed.array<2, f64, C>
// CHECK:         typed.array_expr(%[[COPY]])
// CHECK:           typed.cast %{{.*}} : f64 to si32
// CHECK:         typed.assign %{{.*}}, %[[COPY]] : f64, !typed.array<2, f64, C>
py.binding @m.np = #py.module<"numpy">
py.specialize @m.methods(!typed.array<2, f64, F>) as @methods
py.func @m.methods(%a) attributes {arg_names = ["a"], globals = "m"} {
  %np = py.global @m.np
  %copy = py.getattr %a "copy"
  %b = py.call %copy()
  %astype = py.getattr %b "astype"
  %i32 = py.getattr %np "int32"
  %c = py.call %astype(%i32)
  %fill = py.getattr %b "fill"
  %x = py.constant 1.5 : f64
  %0 = py.call %fill(%x)
  %1 = py.build_tuple(%b, %c)
  py.return %1
}
