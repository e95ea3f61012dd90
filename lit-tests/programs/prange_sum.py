# A parallel sum.

# RUN: %py-translate %s -s 'prange_sum(!typed.array<1, f64, C>)' | %pyopt --py-parallel-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_prange_sum.1{{"?}}(
# CHECK-DAG: @pyopt_parallel

from pyopt import prange


def prange_sum(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] * a[i]
    return total
