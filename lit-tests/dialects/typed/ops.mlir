// Round trip of every operation of the typed dialect.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s

// CHECK-LABEL: func.func private @types
// CHECK-SAME: !typed.none, !typed.array<2, f64, C>, !typed.array<0, complex<f32>, F, readonly>
// CHECK-SAME: !typed.array<1, i1, A>, !typed.array<3, ui8, bytes>, !typed.range<si64>
// CHECK-SAME: !typed.iter<!typed.str>, !typed.slice<si64, !typed.none, !typed.none>
// CHECK-SAME: !typed.unbound<f64>, !typed.literal<1 : i64>, !typed.dtype<f32>
// CHECK-SAME: !typed.named<"numpy.sqrt">, !typed.function<@types>, !typed.method<!typed.str, "upper">
func.func private @types(!typed.none, !typed.array<2, f64, C>, !typed.array<0, complex<f32>, F, readonly>,
  !typed.array<1, i1, A>, !typed.array<3, ui8, bytes>, !typed.range<si64>,
  !typed.iter<!typed.str>, !typed.slice<si64, !typed.none, !typed.none>,
  !typed.unbound<f64>, !typed.literal<1 : i64>, !typed.dtype<f32>,
  !typed.named<"numpy.sqrt">, !typed.function<@types>, !typed.method<!typed.str, "upper">)

// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: f64, %z: complex<f64>) {
  // CHECK: typed.constant 1 : si64
  %0 = typed.constant 1 : si64
  // CHECK: typed.constant 2.500000e+00 : f64
  %1 = typed.constant 2.5 : f64
  // CHECK: typed.constant true
  %2 = typed.constant true
  // CHECK: typed.constant "abc"
  %3 = typed.constant "abc"
  // CHECK: typed.constant (1.000000e+00 : f64, 2.000000e+00 : f64) : complex<f64>
  %4 = typed.constant (1.0 : f64, 2.0 : f64) : complex<f64>
  // CHECK: typed.singleton : !typed.none
  %5 = typed.singleton : !typed.none
  // CHECK: typed.cast %{{.*}} : si64 to f64
  %6 = typed.cast %0 : si64 to f64
  // CHECK: typed.binary add %{{.*}}, %{{.*}} : f64
  %7 = typed.binary add %6, %1 : f64
  // CHECK: typed.unary sqrt %{{.*}} : f64{{$}}
  %8 = typed.unary sqrt %7 : f64
  // CHECK: typed.unary isnan %{{.*}} : f64 -> i1
  %9 = typed.unary isnan %8 : f64 -> i1
  // CHECK: typed.unary abs %{{.*}} : complex<f64> -> f64
  %10 = typed.unary abs %z : complex<f64> -> f64
  // CHECK: typed.compare lt %{{.*}}, %{{.*}} : f64
  %11 = typed.compare lt %8, %10 : f64
  // CHECK: typed.compare eq %{{.*}}, %{{.*}} : !typed.str
  %12 = typed.compare eq %3, %3 : !typed.str
  return
}

// CHECK-LABEL: func.func @errors
func.func @errors(%c: i1, %a: !typed.array<1, f64, C>, %n: si64, %m: i64) {
  // CHECK: typed.raise_if %{{.*}}, "IndexError"("{} of {}") with(%{{.*}}, %{{.*}} : si64, i64) releasing(%
  typed.raise_if %c, "IndexError"("{} of {}") with (%n, %m : si64, i64) releasing (%a : !typed.array<1, f64, C>)
  // CHECK: typed.raise_if %{{.*}}, "ValueError"("a {} of the user's"){{$}}
  typed.raise_if %c, "ValueError"("a {} of the user's")
  // CHECK: typed.raise_if %{{.*}}, "ValueError" {shape_error}
  typed.raise_if %c, "ValueError" {shape_error}
  // CHECK: typed.raise_if %{{.*}}, "ZeroDivisionError"("division by zero"){{$}}
  typed.raise_if %c, "ZeroDivisionError"("division by zero")
  // CHECK: typed.raise_if %{{.*}}, "ValueError" releasing(%{{.*}} : !typed.array<1, f64, C>)
  typed.raise_if %c, "ValueError" releasing(%a : !typed.array<1, f64, C>)
  // CHECK: typed.call @callee(%{{.*}}) releasing(%{{.*}} : !typed.array<1, f64, C>) : (i1) -> f64
  %0 = typed.call @callee(%c) releasing(%a : !typed.array<1, f64, C>) : (i1) -> f64
  // CHECK: typed.raise "KeyError"{{$}}
  typed.raise "KeyError"
}

func.func private @callee(%c: i1) -> f64 {
  // CHECK: typed.raise "ValueError"("x cannot be zero")
  typed.raise "ValueError"("x cannot be zero")
}

// CHECK-LABEL: func.func @tuples_and_locals
func.func @tuples_and_locals(%a: si64, %b: f64, %i: index) {
  // CHECK: %[[T:.*]] = typed.tuple(%{{.*}}, %{{.*}}) : tuple<si64, f64>
  %0 = typed.tuple(%a, %b) : tuple<si64, f64>
  // CHECK: typed.tuple_get %[[T]][1] : tuple<si64, f64> -> f64
  %1 = typed.tuple_get %0[1] : tuple<si64, f64> -> f64
  %2 = typed.tuple(%a, %a) : tuple<si64, si64>
  // CHECK: typed.tuple_item %{{.*}}[%{{.*}} : index] : tuple<si64, si64> -> si64
  %3 = typed.tuple_item %2[%i : index] : tuple<si64, si64> -> si64
  // CHECK: typed.unbound : !typed.unbound<f64>
  %4 = typed.unbound : !typed.unbound<f64>
  // CHECK: typed.bind %{{.*}} : f64 to !typed.unbound<f64>
  %5 = typed.bind %b : f64 to !typed.unbound<f64>
  // CHECK: typed.is_bound %{{.*}} : !typed.unbound<f64>
  %6 = typed.is_bound %5 : !typed.unbound<f64>
  // CHECK: typed.bound_value %{{.*}} : !typed.unbound<f64> -> f64
  %7 = typed.bound_value %5 : !typed.unbound<f64> -> f64
  return
}

// CHECK-LABEL: func.func @iteration
func.func @iteration(%n: si64, %s: !typed.str, %k: index) {
  %0 = typed.constant 0 : si64
  %1 = typed.constant 1 : si64
  // CHECK: typed.range(%{{.*}}, %{{.*}}, %{{.*}}) : !typed.range<si64>
  %2 = typed.range(%0, %n, %1) : !typed.range<si64>
  // CHECK: typed.range parallel(%{{.*}}, %{{.*}}, %{{.*}}) : !typed.range<si64>
  %3 = typed.range parallel (%0, %n, %1) : !typed.range<si64>
  // CHECK: typed.len %{{.*}} : !typed.str -> si64
  %4 = typed.len %s : !typed.str -> si64
  // CHECK: typed.item %{{.*}}[%{{.*}} : index] : !typed.str -> !typed.str
  %5 = typed.item %s[%k : index] : !typed.str -> !typed.str
  // CHECK: typed.iter %{{.*}} : !typed.range<si64>
  %6 = typed.iter %2 : !typed.range<si64>
  // CHECK: typed.range_get %{{.*}}[2] : !typed.range<si64>
  %12 = typed.range_get %2[2] : !typed.range<si64>
  // CHECK: %[[LIST:.*]] = typed.as_sequence %{{.*}} : !typed.sequence<tuple<si64>, #py.named<"builtins.list">>
  %items = typed.tuple(%n) : tuple<si64>
  %list = typed.as_sequence %items : !typed.sequence<tuple<si64>, #py.named<"builtins.list">>
  // CHECK: typed.as_tuple %[[LIST]] : !typed.sequence<tuple<si64>, #py.named<"builtins.list">>
  %again = typed.as_tuple %list : !typed.sequence<tuple<si64>, #py.named<"builtins.list">>
  // CHECK: typed.slice_get %{{.*}}[1] : !typed.slice<si64, si64, !typed.none> -> si64
  %none_part = typed.singleton : !typed.none
  %13 = typed.slice %n, %n, %none_part : !typed.slice<si64, si64, !typed.none>
  %14 = typed.slice_get %13[1] : !typed.slice<si64, si64, !typed.none> -> si64
  // CHECK: typed.indices %{{.*}}, %{{.*}} : (si64, si64) -> !typed.indices<tuple<si64, si64>>
  %15 = typed.indices %n, %n : (si64, si64) -> !typed.indices<tuple<si64, si64>>
  // CHECK: typed.indices parallel %{{.*}} : (si64) -> !typed.indices<tuple<si64>>
  %17 = typed.indices parallel %n : (si64) -> !typed.indices<tuple<si64>>
  // CHECK: typed.indices : !typed.indices<tuple<>>
  %16 = typed.indices : !typed.indices<tuple<>>
  // CHECK: typed.reversed %{{.*}} : !typed.str
  %8 = typed.reversed %s : !typed.str
  // CHECK: typed.enumerate %{{.*}} from %{{.*}} : si64, !typed.iter<!typed.reversed<!typed.str>>
  %9 = typed.enumerate %8 from %n : si64, !typed.iter<!typed.reversed<!typed.str>>
  %10 = typed.iter %2 : !typed.range<si64>
  // CHECK: typed.zip %{{.*}}, %{{.*}} : (!typed.iter<!typed.range<si64>>,
  // CHECK-SAME: !typed.iter<!typed.enumerate<!typed.reversed<!typed.str>>>)
  // CHECK-SAME: -> !typed.iter<!typed.zip<tuple<!typed.range<si64>,
  // CHECK-SAME: !typed.enumerate<!typed.reversed<!typed.str>>>>>
  %11 = typed.zip %10, %9
      : (!typed.iter<!typed.range<si64>>, !typed.iter<!typed.enumerate<!typed.reversed<!typed.str>>>)
      -> !typed.iter<!typed.zip<tuple<!typed.range<si64>, !typed.enumerate<!typed.reversed<!typed.str>>>>>
  cf.br ^head(%0 : si64)
^head(%acc: si64):
  // CHECK: typed.for_iter %{{.*}} : !typed.iter<!typed.range<si64>>, ^{{.*}}(%{{.*}} : si64), ^
  typed.for_iter %6 : !typed.iter<!typed.range<si64>>, ^body(%acc : si64), ^exit
^body(%item: si64, %sum: si64):
  %7 = typed.binary add %sum, %item : si64
  cf.br ^head(%7 : si64)
^exit:
  return
}

// CHECK-LABEL: func.func @arrays
func.func @arrays(%a: !typed.array<2, f64, C>, %z: !typed.array<0, f64, C>, %i: si64, %j: index) -> f64 {
  // CHECK: typed.dim %{{.*}}[0] : !typed.array<2, f64, C> -> si64
  %n = typed.dim %a[0] : !typed.array<2, f64, C> -> si64
  // CHECK: typed.dim %{{.*}}[1] : !typed.array<2, f64, C> -> index
  %m = typed.dim %a[1] : !typed.array<2, f64, C> -> index
  // CHECK: typed.load %{{.*}}[%{{.*}}, %{{.*}}] wraparound : !typed.array<2, f64, C>, si64, index -> f64
  %0 = typed.load %a[%i, %j] wraparound : !typed.array<2, f64, C>, si64, index -> f64
  // CHECK: typed.load %{{.*}}[] : !typed.array<0, f64, C> -> f64
  %1 = typed.load %z[] : !typed.array<0, f64, C> -> f64
  // CHECK: typed.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : f64, !typed.array<2, f64, C>, si64, index
  typed.store %0, %a[%i, %j] : f64, !typed.array<2, f64, C>, si64, index
  // CHECK: typed.fill_border %{{.*}}, %{{.*}} around(%{{.*}}, %{{.*}}) to(%{{.*}}, %{{.*}}) : f64, !typed.array<2, f64, C>
  typed.fill_border %0, %a around(%j, %j) to(%j, %j) : f64, !typed.array<2, f64, C>
  %none = typed.singleton : !typed.none
  // CHECK: typed.slice %{{.*}}, %{{.*}}, %{{.*}} : !typed.slice<si64, !typed.none, !typed.none>
  %s = typed.slice %i, %none, %none : !typed.slice<si64, !typed.none, !typed.none>
  // CHECK: typed.view %{{.*}}[%{{.*}}, %{{.*}}] : !typed.array<2, f64, C>, (!typed.slice<si64, !typed.none, !typed.none>, si64) -> !typed.array<1, f64, A>
  %v = typed.view %a[%s, %i] : !typed.array<2, f64, C>, (!typed.slice<si64, !typed.none, !typed.none>, si64) -> !typed.array<1, f64, A>
  // CHECK: typed.reinterpret %{{.*}} : !typed.array<2, f64, C> -> !typed.array<2, si32, C>
  %seen = typed.reinterpret %a : !typed.array<2, f64, C> -> !typed.array<2, si32, C>
  // CHECK: typed.reinterpret %{{.*}} at 4 : !typed.array<2, f64, C> -> !typed.array<2, f32, A>
  %half = typed.reinterpret %a at 4 : !typed.array<2, f64, C> -> !typed.array<2, f32, A>
  // CHECK: typed.stride %{{.*}}[1] : !typed.array<2, f64, C> -> si64
  %stride = typed.stride %a[1] : !typed.array<2, f64, C> -> si64
  // CHECK: typed.transpose %{{.*}} : !typed.array<2, f64, C> -> !typed.array<2, f64, F>
  %t = typed.transpose %a : !typed.array<2, f64, C> -> !typed.array<2, f64, F>
  // CHECK: typed.transpose %{{.*}} by [0, 1] : !typed.array<2, f64, C> -> !typed.array<2, f64, A>
  %same = typed.transpose %a by [0, 1] : !typed.array<2, f64, C> -> !typed.array<2, f64, A>
  // CHECK: typed.reshape %{{.*}}(%{{.*}}) : !typed.array<2, f64, C>, (si64) -> !typed.array<1, f64, C>
  %size = typed.constant 6 : si64
  %flat = typed.reshape %a(%size) : !typed.array<2, f64, C>, (si64) -> !typed.array<1, f64, C>
  // CHECK: typed.assign %{{.*}}, %{{.*}} : f64, !typed.array<1, f64, A>
  typed.assign %0, %v : f64, !typed.array<1, f64, A>
  // CHECK: typed.reduce sum %{{.*}} : !typed.array<1, f64, A> -> f64
  %r = typed.reduce sum %v : !typed.array<1, f64, A> -> f64
  // CHECK: typed.with_shape %{{.*}}[%{{.*}}, %{{.*}}] : !typed.array<2, f64, C>
  %w = typed.with_shape %a[%m, %m] : !typed.array<2, f64, C>
  // CHECK: typed.overlaps %{{.*}}, %{{.*}} : <2, f64, C>, <1, f64, A>
  %o = typed.overlaps %a, %v : !typed.array<2, f64, C>, !typed.array<1, f64, A>
  // CHECK: typed.require_equal %{{.*}}, %{{.*}}, "sizes differ: {} and {}" : index, index
  typed.require_equal %m, %j, "sizes differ: {} and {}" : index, index
  // CHECK: typed.broadcast_size %{{.*}}, %
  %b = typed.broadcast_size %m, %j
  // CHECK: typed.broadcast %{{.*}} to(%{{.*}}, %{{.*}}) : !typed.array<2, f64, C> -> !typed.array<2, f64, C>
  %c = typed.broadcast %a to (%m, %b) : !typed.array<2, f64, C> -> !typed.array<2, f64, C>
  // CHECK: typed.repeat %{{.*}}, %{{.*}} to(%{{.*}}, %{{.*}}) : !typed.array<2, f64, C>, !typed.array<2, f64, C> -> !typed.array<2, f64, C>, !typed.array<2, f64, C>
  %repeated:2 = typed.repeat %a, %c to (%m, %b) : !typed.array<2, f64, C>, !typed.array<2, f64, C> -> !typed.array<2, f64, C>, !typed.array<2, f64, C>
  // CHECK: typed.borrow %{{.*}} : !typed.array<2, f64, C>
  %lent = typed.borrow %c : !typed.array<2, f64, C>
  // CHECK: typed.acquire %{{.*}} : !typed.array<2, f64, C>
  typed.acquire %c : !typed.array<2, f64, C>
  // CHECK: typed.release %{{.*}} : !typed.array<2, f64, C>
  typed.release %c : !typed.array<2, f64, C>
  return %r : f64
}

// CHECK-LABEL: func.func @fresh
func.func @fresh(%n: si64, %x: f64, %a: !typed.array<1, f64, A>) {
  // CHECK: typed.empty(%{{.*}}) : (si64) -> !typed.array<1, f64, C>
  %0 = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  // CHECK: typed.empty(%{{.*}}, %{{.*}}) zeroed releasing(%{{.*}} : !typed.array<1, f64, C>) : (si64, si64) -> !typed.array<2, si8, F>
  %1 = typed.empty(%n, %n) zeroed releasing(%0 : !typed.array<1, f64, C>) : (si64, si64) -> !typed.array<2, si8, F>
  // CHECK: typed.generate(%{{.*}} : si64) {
  %2 = typed.generate(%n : si64) {
  // CHECK: ^bb0(%{{.*}}: index):
  ^bb0(%i: index):
    %3 = typed.cast %i : index to f64
    // CHECK: typed.yield %{{.*}} : f64
    typed.yield %3 : f64
  // CHECK: } : !typed.array<1, f64, C>
  } : !typed.array<1, f64, C>
  // CHECK: typed.array_expr(%{{.*}}, %{{.*}}) {
  %4 = typed.array_expr(%a, %x) {
  ^bb0(%l: f64, %r: f64):
    %5 = typed.binary mul %l, %r : f64
    typed.yield %5 : f64
  // CHECK: } : (!typed.array<1, f64, A>, f64) -> !typed.array<1, f64, C>
  } : (!typed.array<1, f64, A>, f64) -> !typed.array<1, f64, C>
  return
}

// CHECK-LABEL: func.func @recursive
func.func @recursive() -> i1 {
  // CHECK: %[[FULL:.*]] = typed.stack_exhausted
  // CHECK-NEXT: return %[[FULL]] : i1
  %0 = typed.stack_exhausted
  return %0 : i1
}

// CHECK-LABEL: func.func @frozen
func.func @frozen() -> !typed.array<2, si16, C, readonly> {
  // CHECK: typed.constant_array dense<{{.*}}> : tensor<2x2xsi16> to !typed.array<2, si16, C, readonly>
  %0 = typed.constant_array dense<[[1, 2], [3, -4]]> : tensor<2x2xsi16> to !typed.array<2, si16, C, readonly>
  return %0 : !typed.array<2, si16, C, readonly>
}

// Arrays without dimensions.
// CHECK-LABEL: func.func @no_dimensions
func.func @no_dimensions(%a: !typed.array<1, f64, C>) -> !typed.array<0, f64, C> {
  // CHECK: typed.empty() : () -> !typed.array<0, f64, C>
  // CHECK-NEXT: typed.reshape %{{.*}}() : !typed.array<1, f64, C>, () -> !typed.array<0, f64, C>
  %0 = typed.empty() : () -> !typed.array<0, f64, C>
  %1 = typed.reshape %a() : !typed.array<1, f64, C>, () -> !typed.array<0, f64, C>
  return %1 : !typed.array<0, f64, C>
}
