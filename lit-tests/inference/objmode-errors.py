# RUN: %py-translate %s -s 'refused(si64)' | not %pyopt --py-nopython-pipeline 2>&1 | FileCheck %s
from pyopt import objmode

# CHECK: error: range_int64 can't be used in an objmode block: no object stands for it
# CHECK: use arrays, numbers, strings, functions and tuples of them


def refused(n):
    r = range(n)
    with objmode(x="int64"):
        x = len(r)
    return x
