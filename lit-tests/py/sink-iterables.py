# RUN: %py-translate %s | %pyopt --py-translate-bytecode --py-sink-iterables | FileCheck %s


# CHECK-LABEL: py.func @numbered
# CHECK-NOT: py.global @"sink-iterables.enumerate"
# CHECK: %[[ARGUMENTS:.*]] = py.build_tuple(%{{.*}}, %{{.*}})
# CHECK: %[[ITERATOR:.*]] = py.get_iter %[[ARGUMENTS]]
# CHECK: py.call %{{.*}}(%[[ITERATOR]])
# CHECK: py.func generator @"numbered.<locals>.<genexpr>"(%[[GIVEN:.*]])
# CHECK: %[[PARTS:.*]]:2 = py.unpack %[[GIVEN]]
# CHECK-NEXT: %[[CALLEE:.*]] = py.global @"sink-iterables.enumerate"
# CHECK-NEXT: %[[MADE:.*]] = py.call %[[CALLEE]](%[[PARTS]]#0, %[[PARTS]]#1)
# CHECK-NEXT: %[[ITEMS:.*]] = py.get_iter %[[MADE]]
# CHECK: py.for_iter %[[ITEMS]]
def numbered(a):
    return sum(i * x for i, x in enumerate(a, 1))


# An iterator that is used elsewhere stays what it is, and so does what isn't known.
# CHECK-LABEL: py.func @kept
# CHECK: py.global @"sink-iterables.zip"
# CHECK: py.func generator @"kept.<locals>.<genexpr>"
# CHECK-NOT: py.unpack
def kept(a, f):
    z = zip(a, a)
    return sum(x for x in z), z, sum(y for y in f(a))
