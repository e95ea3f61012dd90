# Diagnostics about Python show its source, whichever tool writes them.

# RUN: %py-translate %s -s 'f(si64)' -o %t.mlir
# RUN: not %pyopt %t.mlir --py-nopython-pipeline 2>&1 | FileCheck %s
# RUN: not %pyopt %t.mlir --py-nopython-pipeline --verify-diagnostics 2>&1 | FileCheck %s --check-prefix=UPSTREAM

# CHECK: error: a set is not supported
# CHECK-NEXT: --> {{.*}}python-source.py:[[#@LINE+9]]:12
# CHECK: {{^ *}}[[#@LINE+8]] |     return {a, 1}
# CHECK-NEXT: {{^ *}}|            ^^^^^^
# CHECK: note: in the call of g(int64)
# CHECK-NEXT: --> {{.*}}python-source.py:[[#@LINE+9]]:12
# UPSTREAM: python-source.py:[[#@LINE+4]]:12: error: unexpected error: a set is not supported


def g(a):
    return {a, 1}


def f(a):
    return g(a)
