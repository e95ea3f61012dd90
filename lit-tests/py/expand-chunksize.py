# RUN: %py-translate %s | %pyopt --pass-pipeline='builtin.module(py-translate-bytecode,py-expand-chunksize)' | FileCheck %s

import pyopt
from pyopt import parallel_chunksize

# CHECK: py.binding @pyopt.set_parallel_chunksize = #py.named<"pyopt.set_parallel_chunksize">


# CHECK-LABEL: py.func @{{.*}}sized(%arg0
# CHECK: %[[SET:.*]] = py.global @pyopt.set_parallel_chunksize
# CHECK: %[[BEFORE:.*]] = py.call %[[SET]](%arg0)
# CHECK-NOT: py.enter_context
# CHECK: py.inplace add
# CHECK: %[[SET:.*]] = py.global @pyopt.set_parallel_chunksize
# CHECK-NEXT: py.call %[[SET]](%[[BEFORE]])
# CHECK: py.push_exc_info
# CHECK: %[[SET:.*]] = py.global @pyopt.set_parallel_chunksize
# CHECK-NEXT: py.call %[[SET]](%[[BEFORE]])
# CHECK-NEXT: py.constant false
# CHECK-NOT: py.with_except_start
# CHECK: py.return
def sized(n):
    with parallel_chunksize(n):
        n += 1
    return n


# CHECK-LABEL: py.func @{{.*}}twice(
# CHECK-COUNT-2: py.global @pyopt.set_parallel_chunksize
# CHECK-NOT: py.enter_context
# CHECK: py.return
def twice(n):
    with pyopt.parallel_chunksize(3), parallel_chunksize(4):
        return n


# Others stay, and so does a manager that has a name.


# CHECK-LABEL: py.func @{{.*}}others(
# CHECK: py.enter_context
# CHECK: py.enter_context
# CHECK: py.return
def others(n, lock):
    with lock:
        n += 1
    size = parallel_chunksize(n)
    with size:
        n += 1
    return n, size
