# A 5-point stencil.

# RUN: %py-translate %s -s 'smooth(!typed.array<2, f64, C>)' | %pyopt --py-parallel-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_smooth.1{{"?}}(
# CHECK-DAG: @pyopt_parallel

from pyopt import njit, stencil


@stencil
def five_point(a):
    return 0.2 * (a[0, 0] + a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


@njit(parallel=True)
def smooth(a):
    return five_point(a)
