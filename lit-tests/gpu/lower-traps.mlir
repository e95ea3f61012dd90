// RUN: %pyopt %s --lower-traps | FileCheck %s

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
