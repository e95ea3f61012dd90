# RUN: %py-translate %s | %pyopt --py-lift-loops --py-translate-bytecode | FileCheck %s
# RUN: %py-translate %s | %pyopt --py-lift-loops --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

# STATISTICS: (S) {{ *}}3 lifted


# The rest calls the loop and runs it itself when that gives None.

# CHECK-LABEL: py.func @sums(%{{.*}})
# CHECK: %[[LOOP:.*]] = py.load_cell %{{.*}} "loop.0" free
# CHECK: %[[GIVEN:.*]] = py.call %[[LOOP]](%[[N:.*]], %{{.*}})
# CHECK: py.is
# CHECK: py.unpack %[[GIVEN]]
# CHECK: py.for_iter
def sums(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return str(total)


# CHECK-LABEL: py.func @searches
def searches(a, limit):
    i = 0
    while i < limit:
        if a[i] < 0:
            break
        i += 1
    return i


# Near misses: a variable that may have no value, a return, a protected loop, a generator, a cell.


# CHECK-LABEL: py.func @may_be_unbound
# CHECK-NOT: loop.0
def may_be_unbound(n):
    for i in range(n):
        last = i
    return last


# CHECK-LABEL: py.func @returns
# CHECK-NOT: loop.0
def returns(n):
    for i in range(n):
        if i == 3:
            return i
    return n


# CHECK-LABEL: py.func @protected
# CHECK-NOT: loop.0
def protected(n):
    done = 0
    try:
        for i in range(n):
            done = 10 // (3 - i)
    except ZeroDivisionError:
        return done
    return done


# CHECK-LABEL: py.func generator @yields
# CHECK-NOT: loop.0
def yields(n):
    for i in range(n):
        yield i


# CHECK-LABEL: py.func @shares
# CHECK-NOT: loop.0
def shares(n):
    total = 0

    def add(i):
        nonlocal total
        total += i

    for i in range(n):
        add(total)
    return total


# What a generator does between its yields is a loop as any other. The loops' functions come last.


# CHECK-LABEL: py.func generator @prepares
# CHECK: py.load_cell %{{.*}} "loop.0" free
def prepares(n):
    total = 0
    for i in range(n):
        total += i
    yield total


# CHECK: py.func @sums.loop.0(%{{.*}}, %{{.*}}) attributes {arg_names = ["n", "total"]
# CHECK: py.return
