# y += alpha * x by a loop.

# RUN: %py-translate %s -s 'axpy(f64, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_axpy.1{{"?}}(


def axpy(alpha, x, y):
    for i in range(x.shape[0]):
        y[i] += alpha * x[i]
