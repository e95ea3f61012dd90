# An exception that leaves a loop with arrays alive.

# RUN: %py-translate %s -s 'raise_in_loop(si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_raise_in_loop.1{{"?}}(

import numpy as np


def raise_in_loop(n):
    total = np.zeros(n)
    for i in range(n):
        part = np.ones(n) * i
        if i == 3:
            raise ValueError("stopped")
        total = total + part
    return total, total[1:]
