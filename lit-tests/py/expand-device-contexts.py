# RUN: %py-translate %s | %pyopt --pass-pipeline='builtin.module(py-translate-bytecode,py-expand-device-contexts)' | FileCheck %s

import pyopt
from pyopt import device_context

# CHECK-DAG: py.binding @pyopt.library.intrinsics.enter_device
# CHECK-DAG: py.binding @pyopt.library.intrinsics.leave_device


# CHECK-LABEL: py.func @{{.*}}inside(%arg0
# CHECK: %[[ENTER:.*]] = py.global @pyopt.library.intrinsics.enter_device
# CHECK: py.call %[[ENTER]](%{{.*}})
# CHECK-NOT: py.enter_context
# CHECK: py.inplace add
# CHECK: %[[LEAVE:.*]] = py.global @pyopt.library.intrinsics.leave_device
# CHECK-NEXT: py.call %[[LEAVE]]()
# CHECK: py.push_exc_info
# CHECK: %[[LEAVE:.*]] = py.global @pyopt.library.intrinsics.leave_device
# CHECK-NEXT: py.call %[[LEAVE]]()
# CHECK-NEXT: py.constant false
# CHECK-NOT: py.with_except_start
# CHECK: py.return
def inside(n):
    with device_context("cuda:0"):
        n += 1
    return n


# CHECK-LABEL: py.func @{{.*}}nested(
# CHECK-COUNT-2: py.global @pyopt.library.intrinsics.enter_device
# CHECK-NOT: py.enter_context
# CHECK: py.return
def nested(n):
    with pyopt.device_context("cuda"), device_context("cpu"):
        return n


# Others stay, and so does a manager that has a name.


# CHECK-LABEL: py.func @{{.*}}others(
# CHECK: py.enter_context
# CHECK: py.enter_context
# CHECK: py.return
def others(n, lock):
    with lock:
        n += 1
    here = device_context("cpu")
    with here:
        n += 1
    return n, here
