# Arithmetic of every kind of scalar.

# RUN: %py-translate %s -s 'add(si64, si64)' -s 'add(f64, si64)' -s 'add(si8, ui8)' -s 'add(i1, f32)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_add.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_add.2{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_add.3{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_add.4{{"?}}(


def add(a, b):
    return a + b
