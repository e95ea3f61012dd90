# RUN: %py-translate %s -s 'widened(f64, si64)' | %pyopt --pass-pipeline='builtin.module(py-lift-with,py-translate-bytecode,infer-types)' | FileCheck %s

# `halved` is first called when `widened` was already seen to return an array of ints: that isn't what
# it returns once the result of `halved` is known.

# CHECK: func.func @widened.1(%{{.*}}: f64, %{{.*}}: si64) -> !typed.array<1, f64, C>

import numpy as np


def halved(y):
    return y / 2


def widened(y, n):
    x = 1
    if y > 0:
        x = x + halved(y)
    return np.zeros(n, np.int64) + x
