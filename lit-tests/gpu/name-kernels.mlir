// RUN: %pyopt %s --parfor-name-kernels | FileCheck %s

// Two names that become the same stay two.

// CHECK: gpu.module @py_f__locals__g_kernel {
// CHECK-NEXT: gpu.func @f_parfor() kernel
// CHECK: gpu.func @f_parfor_() kernel
// CHECK: gpu.module @plain
// CHECK-NEXT: gpu.func @kernel() kernel
// CHECK: gpu.launch_func @py_f__locals__g_kernel::@f_parfor blocks
// CHECK: gpu.launch_func @py_f__locals__g_kernel::@f_parfor_ blocks
// CHECK: gpu.launch_func @plain::@kernel blocks
module attributes {gpu.container_module} {
  gpu.module @"py.f.<locals>.g_kernel" {
    gpu.func @f.parfor() kernel {
      gpu.return
    }
    gpu.func @"f-parfor"() kernel {
      gpu.return
    }
  }
  gpu.module @plain {
    gpu.func @kernel() kernel {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @"py.f.<locals>.g_kernel"::@f.parfor blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @"py.f.<locals>.g_kernel"::@"f-parfor" blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @plain::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
