# Fibonacci numbers by iteration.

# RUN: %py-translate %s -s 'fib(si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_fib.1{{"?}}(


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
