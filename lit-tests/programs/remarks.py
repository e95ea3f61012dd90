# What passes say of loops when they are asked.

# RUN: %py-translate %s -s 'columns(!typed.array<2, f64, C>, !typed.array<2, f64, C>)' | %pyopt --py-nopython-pipeline=remarks=true -o /dev/null 2>&1 | FileCheck %s
# RUN: %py-translate %s -s 'columns(!typed.array<2, f64, C>, !typed.array<2, f64, C>)' | %pyopt --py-nopython-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
# RUN: %py-translate %s -s 'positive(!typed.array<1, f64, C>)' | %pyopt --py-nopython-pipeline=remarks=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECKED

# CHECK: remark: for loop
# CHECK-NEXT: remarks.py:[[#@LINE+9]]:5
# CHECK: remark: for loop
# CHECK-NEXT: remarks.py:[[#@LINE+8]]:9
# CHECK: remark: changes places with the loop in it
# CHECK-NEXT: remarks.py:[[#@LINE+5]]:5
# SILENT-NOT: remark


def columns(a, b):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[i, j] = a[i, j] + 1.0


# CHECKED: remark: ValueError: negative
# CHECKED-NEXT: remarks.py:[[#@LINE+6]]:
def positive(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i]
        if total < 0.0:
            raise ValueError("negative")
    return total
