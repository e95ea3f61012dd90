# The edit distance of two arrays, with arrays swapped in a loop.

# RUN: %py-translate %s -s 'levenshtein(!typed.array<1, ui8, C>, !typed.array<1, ui8, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_levenshtein.1{{"?}}(

import numpy as np


def levenshtein(a, b):
    previous = np.arange(len(b) + 1)
    current = np.zeros(len(b) + 1, np.int64)
    for i in range(len(a)):
        current[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j] + cost, previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return previous[len(b)]
