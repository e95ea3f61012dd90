# From Python to PTX text by the named pipeline alone.

# RUN: %py-translate %s -s 'axpy(f64, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' -o %t.mlir
# RUN: %pyopt %t.mlir --py-gpu-pipeline | FileCheck %s
# RUN: %pyopt %t.mlir --pass-pipeline='builtin.module(py-gpu-pipeline{chip=sm_90})' | FileCheck %s --check-prefix=NEWER

# CHECK: func.func @py.axpy.1(
# CHECK: gpu.launch_func @[[KERNEL:[A-Za-z0-9_]+]]::@[[KERNEL]]
# CHECK: gpu.binary @[[KERNEL]]
# CHECK-SAME: sm_70
# CHECK: .visible .entry [[KERNEL]](
# CHECK: ld.global
# CHECK: mul.rn.f64
# CHECK: add.rn.f64
# CHECK: st.global
# NEWER: .target sm_90


def axpy(a, x, y):
    return a * x + y
