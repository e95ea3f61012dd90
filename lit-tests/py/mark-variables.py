# RUN: %py-translate %s | %pyopt --py-translate-bytecode=variables=true | FileCheck %s
# RUN: %py-translate %s | %pyopt --py-translate-bytecode | FileCheck %s --check-prefix=PLAIN

# PLAIN-NOT: typed.variable


# CHECK-LABEL: py.func @scalars
# CHECK-SAME: (%[[A:[^,]*]], %[[B:[^,]*]])
def scalars(a, b):
    # CHECK: typed.variable "a" argument 1(%[[A]]) : !py.object
    # CHECK-NEXT: typed.variable "b" argument 2(%[[B]]) : !py.object
    # CHECK: %[[X:.*]] = py.binary
    # CHECK: typed.variable "x"(%[[X]]) : !py.object
    x = a + b
    # An assignment without an operation of its own.
    # CHECK-NEXT: typed.variable "y"(%[[A]]) : !py.object
    y = a
    # CHECK: typed.variable "item"(%[[ITEM:.*]]) : !py.object
    for item in b:
        x = item
    return x + y


# What a closure or a list becomes depends on its uses.
# CHECK-LABEL: py.func @unmarked
def unmarked(a):
    # CHECK: py.make_function
    # CHECK-NOT: typed.variable
    # CHECK: py.call
    f = lambda x: x + a
    items = [a, a]
    return f(items)


# A variable of inner functions is marked where it is written to its cell.
# CHECK-LABEL: py.func @captured
def captured(a):
    # CHECK: py.store_cell %{{.*}} = %[[V:.*]]
    # CHECK-NEXT: typed.variable "v"(%[[V]])
    v = a + 1

    def inner():
        return v

    return inner()


# CHECK-LABEL: py.func generator @generator
def generator(n):
    # CHECK: typed.variable "k"(%[[K:.*]])
    k = n + 1
    # CHECK: py.yield
    # CHECK-NEXT: typed.variable "n"
    # CHECK-NEXT: typed.variable "k"(%[[K]])
    yield k
    yield k
