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

func.func @early(%c: i1, %s: si32, %w: !typed.pointer<si32>) {
  // expected-error @+1 {{the word is a value of Python's type '!typed.pointer<si32>'; run 'typed-to-memref' before}}
  parfor.trap_if %c, %s, %w : si32, !typed.pointer<si32>
  return
}
