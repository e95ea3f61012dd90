// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s --check-prefix=OWNED
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-insert-ownership),typed-to-memref)' | FileCheck %s --check-prefix=LOWERED

!s = !typed.list<tuple<si64, !typed.array<1, f64, C>>>

// CHECK-LABEL: func.func @made
// CHECK: typed.struct_new : !typed.list<tuple<si64, !typed.array<1, f64, C>>>
// CHECK: typed.keep %{{.*}} : !typed.array<1, f64, C>
// CHECK: typed.field_set %{{.*}}, %{{.*}}[1] : !typed.array<1, f64, C>, !typed.list
// A structure takes a reference of its own to what it keeps.
// OWNED-LABEL: func.func @made
// OWNED: %[[KEPT:.*]] = typed.keep
// OWNED-NEXT: typed.field_set %[[KEPT]]
// OWNED-NEXT: typed.release %[[KEPT]]
// LOWERED-LABEL: func.func @py.made
// LOWERED: call @pyopt_struct_new(
// LOWERED: call @pyopt_keep(
// LOWERED: call @pyopt_acquire(
// LOWERED: call @pyopt_release(
func.func @made(%a: !typed.array<1, f64, C>) -> !s {
  %s = typed.struct_new : !s
  %k = typed.keep %a : !typed.array<1, f64, C>
  typed.field_set %k, %s[1] : !typed.array<1, f64, C>, !s
  return %s : !s
}

// A number is read without counting references to other fields, which lie behind the list.
// CHECK-LABEL: func.func @number
// CHECK: typed.field_get %{{.*}}[0] : !typed.list<tuple<si64, !typed.array<1, f64, C>>> -> si64
// LOWERED-LABEL: func.func @py.number
// LOWERED: llvm.getelementptr %arg0[14] : (!llvm.ptr) -> !llvm.ptr, i64
// LOWERED-NOT: pyopt_acquire
// LOWERED: return
func.func @number(%s: !s) -> si64 {
  %x = typed.field_get %s[0] : !s -> si64
  return %x : si64
}

// A text or a readonly array may be a constant of the code: without an owner it is copied.
// LOWERED-LABEL: func.func @py.constants
// LOWERED: %[[TEXT:.*]] = call @pyopt_keep_bytes(
// LOWERED: llvm.select
// LOWERED: arith.minsi
// LOWERED: arith.maxsi
// LOWERED: %[[ARRAY:.*]] = call @pyopt_keep_bytes(
// LOWERED: llvm.select
func.func @constants(%t: !typed.str, %a: !typed.array<1, f64, A, readonly>) -> tuple<!typed.str, !typed.array<1, f64, A, readonly>> {
  %0 = typed.keep %t : !typed.str
  %1 = typed.keep %a : !typed.array<1, f64, A, readonly>
  %2 = typed.tuple(%0, %1) : tuple<!typed.str, !typed.array<1, f64, A, readonly>>
  return %2 : tuple<!typed.str, !typed.array<1, f64, A, readonly>>
}
