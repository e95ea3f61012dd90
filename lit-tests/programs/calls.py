# A function that calls others, with defaults and a global constant.

# RUN: %py-translate %s -s 'calls(si64)' -s 'calls(f64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_calls.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_calls.2{{"?}}(

SCALE = 0.5


def square(x):
    return x * x


def shifted(x, amount=3):
    return x - amount


def calls(x):
    return shifted(square(x)) * SCALE + shifted(x, 1)
