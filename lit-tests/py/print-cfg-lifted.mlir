// RUN: %pyopt %s --py-print-cfg -o /dev/null | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(py-print-cfg{format=dot})' -o /dev/null | FileCheck %s --check-prefix=DOT

// Blocks are counted; what can't be reached is no part of the graph.

// CHECK-LABEL: CFG of 'loop':
// CHECK-NEXT: CFG adjacency lists:
// CHECK-NEXT: {0: [1], 1: [2, 3], 2: [1], 3: []}
// CHECK: CFG post-dominators:
// CHECK-NEXT: {0: {0, 1, 3},
// CHECK-NEXT:  1: {1, 3},
// CHECK-NEXT:  2: {1, 2, 3},
// CHECK-NEXT:  3: {3}}
// CHECK-NEXT: CFG back edges: [(2, 1)]
// CHECK-NEXT: CFG loops:
// CHECK-NEXT: {1: Loop(entries={0}, exits={3}, header=1, body={1, 2})}
// CHECK-NEXT: CFG node-to-loops:
// CHECK-NEXT: {0: [], 1: [1], 2: [1], 3: []}
// DOT: digraph "loop"
// DOT: 2 -> 1 [style=dashed];
py.func @loop(%items) attributes {arg_names = ["items"], globals = "m"} {
  %zero = py.constant 0 : i64
  %iterator = py.get_iter %items
  cf.br ^head(%zero : !py.object)
^head(%total: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %sum = py.inplace add %total, %item
  cf.br ^head(%sum : !py.object)
^unreachable:
  cf.br ^exit
^exit:
  py.return %total
}

// Two ways into a cycle: no edge leads back to a block that dominates it, so there is no loop.

// CHECK-LABEL: CFG of 'irreducible':
// CHECK: CFG back edges: []
// CHECK-NEXT: CFG loops:
// CHECK-NEXT: {}
py.func @irreducible(%flag) attributes {arg_names = ["flag"], globals = "m"} {
  %0 = py.truth %flag
  cf.cond_br %0, ^left, ^right
^left:
  cf.br ^right
^right:
  cf.cond_br %0, ^left, ^end
^end:
  py.return %flag
}
