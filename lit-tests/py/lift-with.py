# The separators of parts are no comments to be formatted.
# fmt: off
# RUN: split-file %s %t
# RUN: %py-translate %t/blocks.py | %pyopt --py-lift-with --py-translate-bytecode | FileCheck %t/blocks.py
# RUN: %py-translate %t/blocks.py | %pyopt --py-lift-with --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %t/blocks.py --check-prefix=STATISTICS
# RUN: %py-translate %t/returns.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/returns.py
# RUN: %py-translate %t/untyped.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/untyped.py
# RUN: %py-translate %t/types.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/types.py
# RUN: %py-translate %t/names.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/names.py
# RUN: %py-translate %t/value.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/value.py
# RUN: %py-translate %t/inner.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/inner.py
# RUN: %py-translate %t/raises.py | not %pyopt --py-lift-with 2>&1 | FileCheck %t/raises.py

#--- blocks.py
import pyopt
from pyopt import objmode

# STATISTICS: (S) {{ *}}5 lifted


# CHECK: py.binding @[[F:.*]].objmode.0 = #py.object_code<@[[F]], {
# CHECK-SAME: argcount = 2
# CHECK-SAME: outputs = [f64, !typed.array<2, si32, C>]
# CHECK-SAME: varnames = ["x", "i", "y", "a"]
# CHECK: py.func @[[F]](%[[X:.*]], %[[N:.*]])
# CHECK: py.free_cell {{.*}} @[[F]].objmode.0
# CHECK: py.for_iter
# CHECK: %[[BODY:.*]] = py.load_cell %{{.*}} "objmode.0" free
# CHECK: %[[GIVEN:.*]] = py.call %[[BODY]](%[[X]], %{{.*}})
# CHECK: py.unpack %[[GIVEN]]
# CHECK-NOT: py.enter_context
def loop(x, n):
    total = 0.0
    for i in range(n):
        with objmode(y="float64", a="int32[:, ::1]"):
            try:
                y = x + i
            except ValueError:
                y = 0
            a = [y]
        total += y
        total += a
    return total


# Blocks inside others stay Python; nothing is handed out.


# CHECK: py.binding @[[G:.*]].objmode.0 = #py.object_code<@[[G]], {{.*}}outputs = []
def nested(x):
    with pyopt.objmode():
        with objmode(y="int64"):
            y = x
        print(y)
    return x


# One after the other.


# CHECK: py.binding @[[H:.*]].objmode.0
def other(x, lock):
    with objmode():
        print(x)
    # CHECK: py.enter_context
    with lock:
        return x


# Without arguments the parentheses may be left out.


# CHECK: py.binding @[[H:.*]].objmode.0 = #py.object_code<@[[H]], {{.*}}outputs = []
def bare(x):
    with objmode:
        print(x)
    with pyopt.objmode:
        print(x)


#--- returns.py
from pyopt import objmode


def leaves(x):
    with objmode():
        if x:
            # CHECK: error: a with objmode block can't be left by return, break or continue
            # CHECK: set a variable in the block and decide behind it
            return 1
    return 2


#--- untyped.py
from pyopt import objmode


def untyped(x):
    # CHECK: error: 'z' is assigned in a with objmode block and used behind it
    # CHECK: give its type: objmode(z="float64")
    with objmode(y="int64"):
        y = z = x
    return y + z


#--- types.py
from pyopt import objmode


def types(x):
    # CHECK: error: objmode takes types as constant strings or by their names; for 'y' 'integer' is none
    with objmode(y="integer"):
        y = x
    return y


#--- names.py
from pyopt import objmode


def names(x):
    # CHECK: error: 'y' is not a variable of this function
    with objmode(y="int64"):
        print(x)
    return x


#--- value.py
from pyopt import objmode


def value(x):
    # CHECK: error: objmode gives no value
    with objmode() as block:
        print(block)
    return x


#--- inner.py
from pyopt import objmode


def outer(x):
    def inner(y):
        # CHECK: error: an objmode block in an inner function is not supported
        # CHECK: define the function at module level
        with objmode(z="int64"):
            z = y
        return z

    return inner(x)


#--- raises.py
from pyopt import objmode


def raises(x):
    # CHECK: error: the end of a with objmode block is never reached
    # CHECK: raise behind the block, or under a condition in it
    with objmode():
        raise ValueError(x)
    return x
