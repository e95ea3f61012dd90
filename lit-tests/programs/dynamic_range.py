# A range whose bounds and step are known at run time only; its variable is read afterwards.

# RUN: %py-translate %s -s 'walk(si64, si64, si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_walk.1{{"?}}(


def walk(start, stop, step):
    i = -1
    total = 0
    for i in range(start, stop, step):
        if i % 7 == 3:
            continue
        total += i
    else:
        total -= 1
    return total, i
