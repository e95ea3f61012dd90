# A chain of array expressions and a sum, which may be done in any order: in vectors.

# RUN: %py-translate %s -s 'fused_chain(!typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --py-parallel-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_fused_chain.1{{"?}}(
# CHECK-DAG: @pyopt_parallel
# RUN: %py-translate %s -s 'fused_chain(!typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s --check-prefix=SUM
# SUM: llvm.intr.sqrt
# SUM: llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<reassoc>} : f64

import numpy as np


def fused_chain(a, b):
    difference = a - b
    squared = difference * difference
    damped = np.sqrt(squared + 1.0)
    return damped.sum()
