// Records: round trip, and what fields become.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-to-memref,canonicalize)' | FileCheck %s --check-prefix=LOW

!point = !typed.record<"void", 17, [["x", 0, f64], ["v", 8, si16, 2, 2], ["b", 16, i1]]>

// A field of all records has their distance; nothing is aligned.
// CHECK-LABEL: func.func @field(
// CHECK: typed.reinterpret %{{.*}} at 16 : !typed.array<1, !typed.record<"void", 17, {{\[}}["x", 0, f64], ["v", 8, si16, 2, 2], ["b", 16, i1]]>, bytes> -> !typed.array<1, i1, bytes>
// LOW-LABEL: func.func @py.field(
// LOW: llvm.getelementptr %{{.*}}[16] : (!llvm.ptr) -> !llvm.ptr, i8
// LOW: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
func.func @field(%a: !typed.array<1, !point, bytes>, %i: index) -> i1 {
  %0 = typed.reinterpret %a at 16 : !typed.array<1, !point, bytes> -> !typed.array<1, i1, bytes>
  %1 = typed.load %0[%i] : !typed.array<1, i1, bytes>, index -> i1
  return %1 : i1
}

// An array in a record is more dimensions, in C order.
// CHECK-LABEL: func.func @part(
// CHECK: typed.reinterpret %{{.*}} at 8 of [2, 2] :
// LOW-LABEL: func.func @py.part(
// LOW-DAG: arith.constant 4 : i64
// LOW-DAG: arith.constant 2 : i64
func.func @part(%a: !typed.array<0, !point, bytes>) -> !typed.array<2, si16, bytes> {
  %0 = typed.reinterpret %a at 8 of [2, 2] : !typed.array<0, !point, bytes> -> !typed.array<2, si16, bytes>
  return %0 : !typed.array<2, si16, bytes>
}

// LOW-LABEL: func.func @py.fresh(
// LOW: arith.constant 17 : i64
// LOW: @pyopt_alloc
// CHECK-LABEL: func.func @fresh(
func.func @fresh(%n: si64) -> !typed.array<1, !point, bytes> {
  %0 = typed.empty(%n) zeroed : (si64) -> !typed.array<1, !point, bytes>
  return %0 : !typed.array<1, !point, bytes>
}
