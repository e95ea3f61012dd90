# A context of a device inside of a function: calls of the runtime, and kernels beside the host's loops.

# RUN: %py-translate %s -s 'smoothed(!typed.array<1, f64, C>, si64)' -o %t.mlir
# RUN: %pyopt %t.mlir --pass-pipeline='builtin.module(py-gpu-pipeline{device=cuda chosen=true})' | FileCheck %s
# RUN: %pyopt %t.mlir --py-nopython-pipeline | FileCheck %s --check-prefix=PLAIN

from pyopt import device_context, prange

# CHECK: llvm.func {{.*}}@py.smoothed.1(
# CHECK: llvm.call @pyopt_device_depth()
# CHECK: llvm.call @pyopt_device_enter(
# CHECK: llvm.call @pyopt_device_in_use(
# CHECK: llvm.call @pyopt_device_leave(

# PLAIN: llvm.func {{.*}}@py.smoothed.1(
# PLAIN: llvm.call @pyopt_device_enter(
# PLAIN-NOT: pyopt_device_in_use
# PLAIN: llvm.call @pyopt_device_leave(


def smoothed(x, n):
    with device_context("cuda:0"):
        for _ in range(n):
            for i in prange(1, x.shape[0] - 1):
                x[i] *= 0.5
            if x[0] > 1.0:
                return 1
    return 0
