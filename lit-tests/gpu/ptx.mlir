// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-to-gpu),typed-to-memref,gpu-to-ptx)' | FileCheck %s

// A loop down to text for NVIDIA's assembler.

// CHECK-LABEL: func.func @py.axpy(
// CHECK: %[[BUSY:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[BUSY]]
// CHECK: gpu.launch_func @py_axpy_kernel::@py_axpy_kernel
// CHECK: .visible .entry py_axpy_kernel(
// CHECK: ld.global
// CHECK: mul.rn.f64
// CHECK: add.rn.f64
// CHECK: st.global
func.func @axpy(%a: f64, %x: !typed.array<1, f64, C>, %y: !typed.array<1, f64, C>, %n: index) {
  parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !typed.array<1, f64, C>, index -> f64
    %1 = typed.binary mul %a, %0 : f64
    %2 = typed.load %y[%i] : !typed.array<1, f64, C>, index -> f64
    %3 = typed.binary add %1, %2 : f64
    typed.store %3, %y[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}
