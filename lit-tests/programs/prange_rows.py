# A parallel loop over rows with a serial one inside.

# RUN: %py-translate %s -s 'prange_rows(!typed.array<2, f64, C>)' | %pyopt --py-parallel-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_prange_rows.1{{"?}}(
# CHECK-DAG: @pyopt_parallel

import numpy as np
from pyopt import prange


def prange_rows(a):
    rows, columns = a.shape
    out = np.empty(rows)
    for i in prange(rows):
        total = 0.0
        for j in range(columns):
            total += np.sqrt(a[i, j])
        out[i] = total
    return out
