# A variable that one path doesn't assign.

# RUN: %py-translate %s -s 'late(si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_late.1{{"?}}(


def late(n):
    if n > 2:
        value = n
    return value
