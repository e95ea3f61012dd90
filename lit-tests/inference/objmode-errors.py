# RUN: %py-translate %s -s 'refused(si64)' | not %pyopt --py-nopython-pipeline 2>&1 | FileCheck %s
from pyopt import objmode

# CHECK: error: slice<a:b> can't be used in an objmode block: no object stands for it
# CHECK: use arrays, numbers, strings, functions and tuples of them


def refused(n):
    r = slice(n)
    with objmode(x="int64"):
        x = r.stop
    return x
