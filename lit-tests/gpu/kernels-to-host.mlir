// RUN: %pyopt %s --kernels-to-host --reconcile-unrealized-casts --split-input-file --verify-diagnostics | FileCheck %s

// A kernel gets its position and the addresses of its parameters' values.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %[[POSITION:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr) attributes {gpu.kernel}
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[ARGUMENTS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[A0:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P:.*]] = llvm.load %[[A0]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[ARGUMENTS]][1]
// CHECK: %[[A1:.*]] = llvm.load %[[P1]]
// CHECK: %[[X:.*]] = llvm.load %[[A1]] : !llvm.ptr -> f64
// CHECK: %[[B:.*]] = llvm.getelementptr %[[POSITION]][0] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: llvm.load %[[B]] : !llvm.ptr -> i32
// CHECK: llvm.getelementptr %[[POSITION]][4]
// CHECK: llvm.getelementptr %[[POSITION]][8]
// CHECK: llvm.getelementptr %[[POSITION]][9]
// CHECK: llvm.getelementptr %[[P]]
// CHECK: llvm.store %[[X]]
// CHECK: llvm.func internal @helper(
module {
  llvm.func @kernel(%p: !llvm.ptr, %x: f64) attributes {pyopt.device} {
    %block = gpu.block_id x
    %thread = gpu.thread_id y
    %size = gpu.block_dim z
    %blocks = gpu.grid_dim x
    %0 = builtin.unrealized_conversion_cast %block : index to i64
    %1 = builtin.unrealized_conversion_cast %thread : index to i64
    %2 = builtin.unrealized_conversion_cast %size : index to i64
    %3 = builtin.unrealized_conversion_cast %blocks : index to i64
    %4 = llvm.add %0, %1 : i64
    %5 = llvm.mul %2, %3 : i64
    %6 = llvm.add %4, %5 : i64
    %q = llvm.getelementptr %p[%6] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %x, %q : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @helper(%x: f64) -> f64 {
    llvm.return %x : f64
  }
}

// -----

module {
  llvm.func @helper() -> i64 {
    // expected-error @+1 {{only kernels know where a thread is}}
    %block = gpu.block_id x
    %0 = builtin.unrealized_conversion_cast %block : index to i64
    llvm.return %0 : i64
  }
}
