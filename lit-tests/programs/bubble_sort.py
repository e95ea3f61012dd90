# Bubble sort in place.

# RUN: %py-translate %s -s 'bubble_sort(!typed.array<1, f64, C>)' -s 'bubble_sort(!typed.array<1, si32, A>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_bubble_sort.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_bubble_sort.2{{"?}}(


def bubble_sort(a):
    n = len(a)
    for end in range(n - 1, 0, -1):
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
