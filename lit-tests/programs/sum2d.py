# The sum of a 2-D array by loops, in three layouts.

# RUN: %py-translate %s -s 'sum2d(!typed.array<2, f64, C>)' -s 'sum2d(!typed.array<2, f32, A, readonly>)' -s 'sum2d(!typed.array<2, si16, bytes>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_sum2d.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_sum2d.2{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_sum2d.3{{"?}}(


def sum2d(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j]
    return total
