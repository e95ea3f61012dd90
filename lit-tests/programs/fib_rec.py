# Fibonacci numbers by self-recursion.

# RUN: %py-translate %s -s 'fib(si64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_fib.1{{"?}}(


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
