# Types of an extension's dialect, which its own tool knows.

# RUN: not %py-translate %s -s 'same(!toy.thing<2>)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: %py-translate %s --allow-unregistered-dialect -s 'same(!toy.thing<2>)' | FileCheck %s

# UNKNOWN: type created with unregistered dialect
# UNKNOWN: error: can't specialize 'same(!toy.thing<2>)'

# CHECK: py.specialize @same(!toy.thing<2>)


def same(x):
    return x
