// RUN: %pyopt %s --typed-to-abi --split-input-file --verify-diagnostics | FileCheck %s

// What the runtime gets: a record of the kernel, the grid with the block, and a record for each argument.
// Two arguments follow the kernel's own: the status of what it may raise, and the word for it. Where the
// grid is split, two more are the first blocks along y (1) and z (2).

// CHECK: module attributes {pyopt.sites = [{column = 1 : i64, exception = "ValueError", file = "kernel.py", function = "f", id = 1 : i64, line = 7 : i64, message = "no"}]}
// CHECK-DAG: llvm.mlir.global internal constant @pyopt.data.{{.*}}("axpy")
// CHECK-DAG: llvm.mlir.global internal constant @pyopt.data.{{.*}}("the code")
// CHECK-DAG: func.func private @pyopt_device_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32
// CHECK-LABEL: func.func private @f(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[LOW:.*]]: i64, %[[HIGH:.*]]: i64, %[[N:.*]]: index, %[[X:.*]]: f64, %[[ERROR:.*]]: !llvm.ptr) -> i32
// CHECK-DAG: llvm.store %[[X]], %{{.*}} : f64, !llvm.ptr
// CHECK-DAG: llvm.store %[[LOW]], %{{.*}} : i64, !llvm.ptr
// CHECK-DAG: llvm.store %[[HIGH]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[STATUS:.*]] = call @pyopt_device_launch(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ERROR]])
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[STATUS]]
// CHECK: cf.cond_br %[[FAILED]]
// CHECK: call @pyopt_device_fence_of(%{{.*}}, %c0_i32{{.*}}, %{{.*}}, %{{.*}}, %[[ERROR]])
// CHECK: call @pyopt_device_fence(%{{.*}}, %c0_i32{{.*}}, %[[ERROR]])
// CHECK-NOT: gpu.binary
module {
  func.func private @f(%p: !llvm.ptr, %low: i64, %high: i64, %n: index, %x: f64) {
    parfor.offload "axpy" grid(%n, %n, %n) block(%n, %n, %n)
      args(%x, %p, %low, %high : f64, !llvm.ptr, i64, i64) access [0, 3]
      sites [{exception = "ValueError", location = loc("kernel.py":7:1), message = "no"}]
    parfor.fence of(%p, %low, %high : !llvm.ptr, i64, i64)
    parfor.fence write
    return
  }
  module attributes {pyopt.device} {
    gpu.binary @kernels [#gpu.object<#nvvm.target, "the code">]
  }
}

// -----

// CHECK-LABEL: func.func private @split(
// CHECK: llvm.store %c3_i32, %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.store %c1_i32, %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.store %c3_i32{{.*}}, %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.store %c2_i32, %{{.*}} : i32, !llvm.ptr
// CHECK: call @pyopt_device_launch(
module {
  func.func private @split(%n: index) {
    parfor.offload "k" grid(%n, %n, %n) split block(%n, %n, %n) access []
    return
  }
  module attributes {pyopt.device} {
    gpu.binary @kernels [#gpu.object<#nvvm.target, "the code">]
  }
}

// -----

// The values of a message have a place in the table of sites, and a fence for a loop of the host has a site.
// CHECK: module attributes {pyopt.sites = [{arguments = [si64, si64], {{.*}}id = 1 : i64{{.*}}}, {{{.*}}exception = ""{{.*}}id = 2 : i64{{.*}}}]}
// CHECK-LABEL: func.func private @sites(
// CHECK: %[[PLACE:.*]] = arith.constant 2 : i32
// CHECK: call @pyopt_device_fence(%{{.*}}, %[[PLACE]]
module {
  func.func private @sites(%n: index) {
    parfor.offload "k" grid(%n, %n, %n) block(%n, %n, %n) access []
      sites [{exception = "IndexError", location = loc("kernel.py":7:1), message = "{} of {}", values = 2 : i64}]
    parfor.fence for_loop
    return
  }
  module attributes {pyopt.device} {
    gpu.binary @kernels [#gpu.object<#nvvm.target, "the code">]
  }
}

// -----

// Contexts that a function enters are left with what it raises.
// CHECK-LABEL: func.func private @enters(
// CHECK-SAME: %[[ERROR:.*]]: !llvm.ptr) -> i32
// CHECK: %[[DEPTH:.*]] = call @pyopt_device_depth() : () -> i64
// CHECK: %[[ENTERED:.*]] = call @pyopt_device_enter(%{{.*}}, %{{.*}}, %[[ERROR]])
// CHECK: %[[LEFT:.*]] = call @pyopt_device_leave(%[[ERROR]])
// CHECK-COUNT-2: call @pyopt_device_leave_to(%[[DEPTH]])
module {
  func.func private @enters() {
    parfor.enter_device "cuda:0"
    parfor.leave_device
    return
  }
}

// -----

module {
  func.func private @f(%n: index) {
    // expected-error @+1 {{the kernels aren't compiled}}
    parfor.offload "axpy" grid(%n, %n, %n) block(%n, %n, %n) access []
    return
  }
}
