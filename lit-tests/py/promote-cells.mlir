// RUN: %pyopt %s --pass-pipeline='builtin.module(py.func(py-promote-cells))' --split-input-file | FileCheck %s

// Writes meet: a block gets an argument. One that may have no value yet is checked.

// CHECK-LABEL: py.func @joins
// CHECK-SAME: (%[[N:.*]])
// CHECK: %[[UNBOUND:.*]] = py.unbound
// CHECK: cf.br ^[[HEAD:.*]](%[[UNBOUND]] : !py.object)
// CHECK: ^[[HEAD]](%[[LAST:.*]]: !py.object):
// CHECK-NEXT: py.for_iter %{{.*}}, ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK: ^[[BODY]](%[[X:.*]]: !py.object):
// CHECK: cf.cond_br %{{.*}}, ^[[SET:.*]], ^[[HEAD]](%[[LAST]] : !py.object)
// CHECK: ^[[SET]]:
// CHECK-NEXT: cf.br ^[[HEAD]](%[[X]] : !py.object)
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: %[[R:.*]] = py.check_bound %[[LAST]] "last"
// CHECK-NEXT: py.return %[[R]]
py.func @joins(%n) attributes {arg_names = ["n"], globals = "m"} {
  %cell = py.make_cell
  %iterator = py.get_iter %n
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%x: !py.object):
  %0 = py.truth %x
  cf.cond_br %0, ^set, ^head
^set:
  py.store_cell %cell = %x
  cf.br ^head
^exit:
  %r = py.load_cell %cell "last"
  py.return %r
}

// -----

// A cell that is made anew in each turn of a loop.

// CHECK-LABEL: py.func @turns
// CHECK: ^[[BODY:.*]](%[[X:.*]]: !py.object):
// CHECK-NEXT: %[[Y:.*]] = py.binary add %[[X]], %[[X]]
// CHECK-NEXT: py.call %[[Y]]()
// CHECK-NOT: cell
py.func @turns(%n) attributes {arg_names = ["n"], globals = "m"} {
  %iterator = py.get_iter %n
  cf.br ^head
^head:
  py.for_iter %iterator, ^body, ^exit
^body(%x: !py.object):
  %cell = py.make_cell(%x)
  %0 = py.load_cell %cell "x"
  %1 = py.binary add %0, %0
  py.store_cell %cell = %1
  %2 = py.load_cell %cell "x"
  %3 = py.call %2()
  cf.br ^head
^exit:
  py.return %n
}

// -----

// Not these: a cell of a function that is made, an empty one whose error names a free variable.

// CHECK-LABEL: py.func @stay
// CHECK-COUNT-2: py.make_cell
py.func @stay(%a) attributes {arg_names = ["a"], globals = "m"} {
  %shared = py.make_cell(%a)
  %closure = py.build_tuple(%shared)
  %f = py.make_function @g flags 8(%closure)
  %empty = py.make_cell
  %0 = py.load_cell %empty "y" free
  %1 = py.call %f(%0)
  py.return %1
}

// -----

// A handler gets what is written when the exception comes.

// CHECK-LABEL: py.func @written
// CHECK-SAME: (%[[A:.*]])
// CHECK: %[[FIRST:.*]] = py.call %[[A]]()
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER:.*]](%[[A]])
// CHECK: %[[SECOND:.*]] = py.call %[[FIRST]]()
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER]](%[[FIRST]])
// CHECK: py.call %[[SECOND]]()
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER]](%[[SECOND]])
// CHECK: ^[[HANDLER]](%{{.*}}: !py.object, %[[X:.*]]: !py.object):
// CHECK-NEXT: py.return %[[X]]
py.func @written(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^protected
^protected:
  %cell = py.make_cell(%a)
  %0 = py.call %a()
  py.store_cell %cell = %0
  %1 = py.call %0()
  py.store_cell %cell = %1
  %2 = py.call %1()
  py.try_br ^next unwind ^handler
^next:
  py.return %2
^handler(%error: !py.object):
  %3 = py.load_cell %cell "x"
  py.return %3
}

// -----

// A read in a handler gets what was written before the protected range.

// CHECK-LABEL: py.func @handler
// CHECK-SAME: (%[[A:.*]])
// CHECK: ^{{.*}}(%{{.*}}: !py.object):
// CHECK-NEXT: py.return %[[A]]
py.func @handler(%a) attributes {arg_names = ["a"], globals = "m"} {
  %cell = py.make_cell(%a)
  cf.br ^protected
^protected:
  %1 = py.call %a()
  py.try_br ^next unwind ^handler
^next:
  py.return %1
^handler(%error: !py.object):
  %2 = py.load_cell %cell "x"
  py.return %2
}
