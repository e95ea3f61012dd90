# Diagnostics about Python show its source, whichever tool writes them.

# RUN: %py-translate %s -s 'f(si64)' -o %t.mlir
# RUN: not %pyopt %t.mlir --py-nopython-pipeline 2>&1 | FileCheck %s
# RUN: not %pyopt %t.mlir --py-nopython-pipeline --verify-diagnostics 2>&1 | FileCheck %s --check-prefix=UPSTREAM

# CHECK: error: unknown attribute 'nothing' of type int64
# CHECK-NEXT: --> {{.*}}python-source.py:[[#@LINE+9]]:12
# CHECK: {{^ *}}[[#@LINE+8]] |     return a.nothing
# CHECK-NEXT: {{^ *}}|            ^^^^^^^^^
# CHECK: note: in the call of g(int64)
# CHECK-NEXT: --> {{.*}}python-source.py:[[#@LINE+9]]:12
# UPSTREAM: python-source.py:[[#@LINE+4]]:12: error: unexpected error: unknown attribute 'nothing' of type int64


def g(a):
    return a.nothing


def f(a):
    return g(a)
