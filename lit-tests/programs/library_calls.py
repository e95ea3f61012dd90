# RUN: %py-translate %s -s 'spread(!typed.array<1, f64, C>)' -s 'totals(!typed.array<2, si32, C>, !typed.array<1, i1, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# RUN: %py-translate %s -s 'spread(!typed.array<1, f64, C>)' -s 'totals(!typed.array<2, si32, C>, !typed.array<1, i1, C>)' | %pyopt --py-parallel-pipeline | FileCheck %s

# Functions of the overload library: sorting, sums along an axis, selection by a mask. What the
# program doesn't call isn't there.

# CHECK-NOT: pyopt.library.cumsum
# CHECK-DAG: llvm.func {{.*}}@"py.pyopt.library.sort_vector(
# CHECK-DAG: llvm.func {{.*}}@"py.pyopt.library.select_masked(
# CHECK-NOT: pyopt.library.cumsum

import numpy as np


def spread(a):
    ordered = np.sort(a)
    return ordered[-1] - ordered[0]


def totals(a, mask):
    return a[mask].sum(axis=0)
