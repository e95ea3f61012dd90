# RUN: %py-translate %s | %pyopt --py-print-cfg -o /dev/null | FileCheck %s
# RUN: %py-translate %s | %pyopt --pass-pipeline='builtin.module(py-print-cfg{format=dot function=branch})' -o /dev/null | FileCheck %s --check-prefix=DOT
# RUN: %py-translate %s | %pyopt --pass-pipeline='builtin.module(py-print-cfg{format=svg function=branch})' -o /dev/null | FileCheck %s --check-prefix=SVG
# RUN: %py-translate %s | not %pyopt --pass-pipeline='builtin.module(py-print-cfg{format=png})' 2>&1 | FileCheck %s --check-prefix=FORMAT


# CHECK-LABEL: CFG of 'branch':
# CHECK-NEXT: CFG adjacency lists:
# CHECK-NEXT: {0: [14, 18], 14: [], 18: []}
# CHECK-NEXT: CFG dominators:
# CHECK-NEXT: {0: {0},
# CHECK-NEXT:  14: {0, 14},
# CHECK-NEXT:  18: {0, 18}}
# CHECK: CFG back edges: []
# CHECK-NEXT: CFG loops:
# CHECK-NEXT: {}
# CHECK: CFG backbone:
# CHECK-NEXT: {0}
# DOT: digraph "branch" {
# DOT: 0 [label="{{.*}}COMPARE_OP
# DOT-NEXT: 0 -> 14;
# DOT-NEXT: 0 -> 18;
# SVG: <svg
# SVG: COMPARE_OP
# SVG: </svg>
# FORMAT: format=png: expected 'text', 'dot' or 'svg'
def branch(a):
    if a > 1:
        return 1
    return 2


# CHECK-LABEL: CFG of 'loops':
# CHECK: CFG back edges: [(52, 36), (66, 66), (88, 36)]
# CHECK-NEXT: CFG loops:
def loops(n):
    total = 0
    for i in range(n):
        if i == 3:
            continue
        while total > 3:
            total -= 1
        total += i
    return total
