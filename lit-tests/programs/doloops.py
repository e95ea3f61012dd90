# A range with a break, as on Numba's architecture page.

# RUN: %py-translate %s -s 'doloops(si64)' -s 'doloops(ui8)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_doloops.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_doloops.2{{"?}}(


def doloops(n):
    acc = 0
    for i in range(n):
        acc += 1
        if n == 10:
            break
    return acc
