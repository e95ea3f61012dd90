// RUN: %pyopt %s --lower-traps --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[C:.*]]: i1, %[[S:.*]]: i32, %[[W:.*]]: !llvm.ptr)
// CHECK: cf.cond_br %[[C]] weights([1, 1048576]), ^[[TRAP:.*]], ^[[REST:.*]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: return
// CHECK: ^[[TRAP]]:
// CHECK: llvm.cmpxchg %[[W]], %{{.*}}, %[[S]] monotonic monotonic
// CHECK-NEXT: return
func.func @kernel(%c: i1, %s: i32, %w: !llvm.ptr) {
  parfor.trap_if %c, %s, %w : i32, !llvm.ptr
  return
}

// -----

// Who puts the status there puts the values, too.
// CHECK-LABEL: func.func @with_values(
// CHECK-SAME: %[[C:.*]]: i1, %[[S:.*]]: i32, %[[W:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: %[[PAIR:.*]] = llvm.cmpxchg
// CHECK-NEXT: %[[FIRST:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK-NEXT: cf.cond_br %[[FIRST]]{{.*}}, ^[[STORE:.*]], ^[[DONE:.*]]
// CHECK: ^[[STORE]]:
// CHECK: llvm.store %c1_i32{{.*}}, %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.store %[[I]], %{{.*}} : i64, !llvm.ptr
// CHECK: cf.br ^[[DONE]]
// CHECK: ^[[DONE]]:
// CHECK-NEXT: return
func.func @with_values(%c: i1, %s: i32, %w: !llvm.ptr, %i: i64) {
  parfor.trap_if %c, %s, %w with (%i : i64) : i32, !llvm.ptr
  return
}

// -----

func.func @early(%c: i1, %s: si32, %w: !typed.pointer<si32>) {
  // expected-error @+1 {{the word is a value of Python's type '!typed.pointer<si32>'; run 'typed-to-memref' before}}
  parfor.trap_if %c, %s, %w : si32, !typed.pointer<si32>
  return
}
