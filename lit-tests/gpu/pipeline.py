# From Python to code of devices by the named pipeline alone.

# RUN: %py-translate %s -s 'axpy(f64, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' -o %t.mlir
# RUN: %pyopt %t.mlir --py-gpu-pipeline | FileCheck %s
# RUN: %pyopt %t.mlir --pass-pipeline='builtin.module(py-gpu-pipeline)' --mlir-print-ir-after=gpu-module-to-binary 2>&1 | FileCheck %s --check-prefix=SPIRV
# RUN: %pyopt %t.mlir --pass-pipeline='builtin.module(py-gpu-pipeline{device=cuda chip=sm_90})' --mlir-print-ir-after=gpu-module-to-binary 2>&1 | FileCheck %s --check-prefix=PTX

# The host launches a kernel with four arguments more than the extent.
# CHECK: llvm.func {{.*}}@py.axpy.1(
# CHECK: llvm.call @pyopt_device_launch(

# SPIRV: gpu.binary @kernels
# SPIRV-SAME: #xevm.target
# SPIRV-SAME: axpy_1_kernel0

# PTX: gpu.binary @kernels
# PTX-SAME: .target sm_90
# PTX-SAME: .visible .entry axpy_1_kernel0(
# PTX-SAME: ld.global
# PTX-SAME: mul.rn.f64
# PTX-SAME: add.rn.f64
# PTX-SAME: st.global


def axpy(a, x, y):
    return a * x + y
