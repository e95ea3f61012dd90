# A matrix product by three loops into a new array.

# RUN: %py-translate %s -s 'matmul(!typed.array<2, f64, C>, !typed.array<2, f64, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_matmul.1{{"?}}(

import numpy as np


def matmul(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out
