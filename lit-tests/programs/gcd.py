# Euclid's algorithm, whose modulo can divide by zero as far as types tell.

# RUN: %py-translate %s -s 'gcd(si64, si64)' -s 'gcd(ui32, ui32)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_gcd.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_gcd.2{{"?}}(


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
