# Conditions of many terms are cut in two, and again until the parts are short.
# RUN: %py-translate %s -s 'terms(si64)' -s 'few(si64)' -s 'arms(si64, si64)' -s 'kept(si64, si64)' | %pyopt --pass-pipeline='builtin.module(py-translate-bytecode,infer-types,canonicalize,func.func(typed-divide-conditions))' | FileCheck %s
# RUN: %py-translate %s -s 'terms(si64)' -s 'few(si64)' -s 'arms(si64, si64)' -s 'kept(si64, si64)' | %pyopt --pass-pipeline='builtin.module(py-translate-bytecode,infer-types,canonicalize,func.func(typed-divide-conditions))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
# STATISTICS: (S) {{ *}}3 cuts


# The first half leaves with a flag, which sends to the second half or to the common exit.
# CHECK-LABEL: func.func @terms
# CHECK: %[[FIRST:.*]] = typed.compare ne
# CHECK-NEXT: %[[LEAVES:.*]] = arith.constant false
# CHECK-NEXT: cf.cond_br %[[FIRST]], ^{{.*}}, ^[[JOIN:.*]](%[[LEAVES]] : i1)
# CHECK: ^[[JOIN]](%[[FLAG:.*]]: i1):
# CHECK-NEXT: cf.cond_br %[[FLAG]], ^{{.*}}, ^{{.*}}
def terms(x):
    return (
        1
        if (
            x != 0
            and x != 1
            and x != 2
            and x != 3
            and x != 4
            and x != 5
            and x != 6
            and x != 7
            and x != 8
            and x != 9
            and x != 10
            and x != 11
            and x != 12
            and x != 13
            and x != 14
            and x != 15
            and x != 16
            and x != 17
            and x != 18
            and x != 19
            and x != 20
            and x != 21
            and x != 22
            and x != 23
            and x != 24
            and x != 25
            and x != 26
            and x != 27
            and x != 28
            and x != 29
            and x != 30
            and x != 31
            and x != 32
            and x != 33
            and x != 34
            and x != 35
            and x != 36
            and x != 37
            and x != 38
            and x != 39
        )
        else 0
    )


# Short ones stay.
# CHECK-LABEL: func.func @few
# CHECK-NOT: ({{.*}} : i1)
def few(x):
    return (
        1
        if (
            x != 0
            and x != 1
            and x != 2
            and x != 3
            and x != 4
            and x != 5
            and x != 6
            and x != 7
            and x != 8
            and x != 9
            and x != 10
            and x != 11
            and x != 12
            and x != 13
            and x != 14
            and x != 15
            and x != 16
            and x != 17
            and x != 18
            and x != 19
            and x != 20
            and x != 21
            and x != 22
            and x != 23
            and x != 24
            and x != 25
            and x != 26
            and x != 27
            and x != 28
            and x != 29
        )
        else 0
    )


# The arms of an `elif` pass what they compute; the way to the second half passes nothing for it.
# CHECK-LABEL: func.func @arms
# CHECK: %[[NOTHING:.*]] = ub.poison : si64
# CHECK: cf.br ^[[JOIN:.*]](%{{.*}}, %{{.*}} : i1, si64)
# CHECK: ^[[JOIN]](%[[FLAG:.*]]: i1, %[[R:.*]]: si64):
# CHECK-NEXT: cf.cond_br %[[FLAG]], ^{{.*}}, ^{{.*}}(%[[R]] : si64)
def arms(x, y):
    if x == 0:
        r = y + 0
    elif x == 1:
        r = y + 1
    elif x == 2:
        r = y + 2
    elif x == 3:
        r = y + 3
    elif x == 4:
        r = y + 4
    elif x == 5:
        r = y + 5
    elif x == 6:
        r = y + 6
    elif x == 7:
        r = y + 7
    elif x == 8:
        r = y + 8
    elif x == 9:
        r = y + 9
    elif x == 10:
        r = y + 10
    elif x == 11:
        r = y + 11
    elif x == 12:
        r = y + 12
    elif x == 13:
        r = y + 13
    elif x == 14:
        r = y + 14
    elif x == 15:
        r = y + 15
    elif x == 16:
        r = y + 16
    elif x == 17:
        r = y + 17
    elif x == 18:
        r = y + 18
    elif x == 19:
        r = y + 19
    elif x == 20:
        r = y + 20
    elif x == 21:
        r = y + 21
    elif x == 22:
        r = y + 22
    elif x == 23:
        r = y + 23
    elif x == 24:
        r = y + 24
    elif x == 25:
        r = y + 25
    elif x == 26:
        r = y + 26
    elif x == 27:
        r = y + 27
    elif x == 28:
        r = y + 28
    elif x == 29:
        r = y + 29
    elif x == 30:
        r = y + 30
    elif x == 31:
        r = y + 31
    elif x == 32:
        r = y + 32
    elif x == 33:
        r = y + 33
    elif x == 34:
        r = y + 34
    elif x == 35:
        r = y + 35
    else:
        r = x
    return r


# A value of the first half that is used behind the cut is passed along.
# CHECK-LABEL: func.func @kept
def kept(x, y):
    if (
        (k := x * 0) == y
        or (k := x * 1) == y
        or (k := x * 2) == y
        or (k := x * 3) == y
        or (k := x * 4) == y
        or (k := x * 5) == y
        or (k := x * 6) == y
        or (k := x * 7) == y
        or (k := x * 8) == y
        or (k := x * 9) == y
        or (k := x * 10) == y
        or (k := x * 11) == y
        or (k := x * 12) == y
        or (k := x * 13) == y
        or (k := x * 14) == y
        or (k := x * 15) == y
        or (k := x * 16) == y
        or (k := x * 17) == y
        or (k := x * 18) == y
        or (k := x * 19) == y
        or (k := x * 20) == y
        or (k := x * 21) == y
        or (k := x * 22) == y
        or (k := x * 23) == y
        or (k := x * 24) == y
        or (k := x * 25) == y
        or (k := x * 26) == y
        or (k := x * 27) == y
        or (k := x * 28) == y
        or (k := x * 29) == y
        or (k := x * 30) == y
        or (k := x * 31) == y
        or (k := x * 32) == y
        or (k := x * 33) == y
        or (k := x * 34) == y
        or (k := x * 35) == y
    ):
        return k
    return y
