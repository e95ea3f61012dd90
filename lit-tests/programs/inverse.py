# An exception of the user's, with a message.

# RUN: %py-translate %s -s 'inverse(f64)' -s 'inverse(si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_inverse.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_inverse.2{{"?}}(
# CHECK-DAG: x cannot be zero


def inverse(x):
    if x == 0:
        raise ValueError("x cannot be zero")
    return 1 / x
