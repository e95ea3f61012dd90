# RUN: %py-translate %s | %pyopt --pass-pipeline='builtin.module(py-translate-bytecode,py-expand-with)' | FileCheck %s


# CHECK-LABEL: py.func @{{.*}}entered(%arg0
# CHECK: %[[ENTER:.*]] = py.getattr %arg0 "__enter__"
# CHECK-NEXT: %[[VALUE:.*]] = py.call %[[ENTER]]()
# CHECK-NOT: py.enter_context
# CHECK: py.inplace add %{{.*}}, %[[VALUE]]
# CHECK: %[[EXIT:.*]] = py.getattr %arg0 "__exit__"
# CHECK-NEXT: py.call %[[EXIT]](%{{.*}}, %{{.*}}, %{{.*}})
# CHECK: py.push_exc_info
# CHECK: %[[EXIT:.*]] = py.getattr %arg0 "__exit__"
# CHECK: py.call %[[EXIT]](%[[E:.*]], %[[E]], %{{.*}})
# CHECK-NOT: py.with_except_start
# CHECK: py.return
def entered(manager, n):
    with manager as value:
        n += value
    return n


# A context that another pass has taken isn't touched.
# CHECK-LABEL: py.func @{{.*}}without
# CHECK-NOT: __enter__
def without(n):
    return n
