// RUN: %pyopt %s --kernels-to-llvm-ir --split-input-file --verify-diagnostics | FileCheck %s

// The code is an attribute of the module, and nothing else is left.
// CHECK: module attributes {pyopt.image = "{{.*}}define void @kernel(ptr %0, ptr %1){{.*}}ret void
// CHECK-NOT: llvm.func
module {
  llvm.func @kernel(%position: !llvm.ptr, %arguments: !llvm.ptr) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----

module {
  llvm.func @kernel() {
    // expected-error @+1 {{'arith.constant' has no lowering to LLVM}}
    %0 = arith.constant 1 : i64
    llvm.return
  }
}
