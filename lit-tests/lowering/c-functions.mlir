// Calls of C functions, and the functions that C calls: narrow integers are passed as int is.
// RUN: %pyopt %s --typed-to-memref --typed-to-abi | FileCheck %s

// CHECK-LABEL: func.func private @py.call(
// CHECK-SAME: %[[F:.*]]: !llvm.ptr, %[[X:.*]]: i8, %[[U:.*]]: i16, %[[T:.*]]: i1
// CHECK-DAG: %[[SIGNED:.*]] = arith.extsi %[[X]] : i8 to i32
// CHECK-DAG: %[[UNSIGNED:.*]] = arith.extui %[[U]] : i16 to i32
// CHECK-DAG: %[[BOOL:.*]] = arith.extui %[[T]] : i1 to i32
// CHECK-DAG: %[[CALLEE:.*]] = builtin.unrealized_conversion_cast %[[F]] : !llvm.ptr to (i32, i32, i32) -> i32
// CHECK: %[[R:.*]] = call_indirect %[[CALLEE]](%[[SIGNED]], %[[UNSIGNED]], %[[BOOL]]) : (i32, i32, i32) -> i32
// CHECK: %[[BYTE:.*]] = arith.trunci %[[R]] : i32 to i8
// CHECK: arith.cmpi ne, %[[BYTE]]
func.func private @call(%f: !typed.c_function<(si8, ui16, i1) -> i1>, %x: si8, %u: ui16, %t: i1) -> i1 {
  %r = typed.c_call %f(%x, %u, %t) : !typed.c_function<(si8, ui16, i1) -> i1>, (si8, ui16, i1) -> i1
  return %r : i1
}

// CHECK-LABEL: func.func private @py.element(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[I:.*]]: i64
// CHECK: llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.mlir.zero : !llvm.ptr
func.func private @element(%p: !typed.pointer<f32>, %i: si64) -> !typed.array<0, f32, C> {
  %a = typed.pointer_array %p[%i]() : !typed.pointer<f32> -> !typed.array<0, f32, C>
  return %a : !typed.array<0, f32, C>
}

// A symbol is declared with the types of C's calling convention. Complex numbers of two doubles are passed as
// these, those of two floats as one double.
// CHECK-LABEL: func.func private @py.named(
// CHECK-SAME: %[[Z:.*]]: complex<f64>, %[[W:.*]]: complex<f32>, %[[B:.*]]: i8
// CHECK: %{{.*}} = constant @mixed : (!llvm.struct<(f64, f64)>, f64, i32) -> f64
// CHECK-DAG: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK: %[[PACKED:.*]] = arith.bitcast %{{.*}} : i64 to f64
// CHECK: call_indirect %{{.*}}(%{{.*}}, %[[PACKED]], %{{.*}}) : (!llvm.struct<(f64, f64)>, f64, i32) -> f64
// CHECK: arith.shrui
// CHECK: complex.create %{{.*}} : complex<f32>
func.func private @named(%z: complex<f64>, %w: complex<f32>, %b: si8) -> complex<f32> {
  %f = typed.c_symbol "mixed" : !typed.c_function<(complex<f64>, complex<f32>, si8) -> complex<f32>>
  %r = typed.c_call %f(%z, %w, %b) : !typed.c_function<(complex<f64>, complex<f32>, si8) -> complex<f32>>,
    (complex<f64>, complex<f32>, si8) -> complex<f32>
  return %r : complex<f32>
}

// CHECK-LABEL: func.func private @py.halve(
// CHECK-SAME: %{{.*}}: i16, %{{.*}}: !llvm.ptr) -> (i32, i16)
// CHECK: func.func @pyopt_c_entry.halve(%[[A:.*]]: i32) -> i32
// CHECK-DAG: %[[X:.*]] = arith.trunci %[[A]] : i32 to i16
// CHECK-DAG: %[[OWN:.*]] = constant @pyopt_c_entry.halve : (i32) -> i32
// CHECK: %[[ERROR:.*]] = llvm.alloca
// CHECK: call @pyopt_c_begin(%{{.*}}, %[[ERROR]])
// CHECK: %[[R:.*]]:2 = call @py.halve(%[[X]], %[[ERROR]])
// CHECK: cf.cond_br
// CHECK: call @pyopt_c_failed(%{{.*}}, %[[ERROR]], %[[R]]#0)
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero : i32
// CHECK: return %[[ZERO]]
// CHECK: %[[WIDE:.*]] = arith.extsi %[[R]]#1 : i16 to i32
// CHECK: return %[[WIDE]]
func.func @halve(%x: si16) -> si16 attributes {pyopt.entry, pyopt.c_entry, pyopt.function = "halve"} {
  %two = typed.constant 2 : si16
  %zero = typed.constant 0 : si16
  %negative = typed.compare lt %x, %zero : si16
  typed.raise_if %negative, "ValueError"
  %y = typed.binary floordiv %x, %two : si16
  return %y : si16
}

// What raises nothing needs no record of errors.
// CHECK: func.func @pyopt_c_entry.same(%[[A:.*]]: f64) -> f64
// CHECK-NOT: pyopt_c_begin
// CHECK: return
// CHECK: func.func @pyopt_c_entry.nothing()
func.func @same(%x: f64) -> f64 attributes {pyopt.entry, pyopt.c_entry, pyopt.function = "same"} {
  return %x : f64
}
func.func @nothing() -> !typed.none attributes {pyopt.entry, pyopt.c_entry, pyopt.function = "nothing"} {
  %none = typed.singleton : !typed.none
  return %none : !typed.none
}
