// RUN: %pyopt %s --py-convert-assignments | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(py-convert-assignments,py-convert-closures)' | FileCheck %s --check-prefix=CLOSURES

// count += 1, where `count` is a variable of the function around it
// CHECK-LABEL: py.func @f.inner()
// CHECK: %[[CELL:.*]] = py.free_cell 0
// CHECK: %[[BOX:.*]] = py.load_cell %[[CELL]] "count" free
// CHECK: %[[ZERO:.*]] = py.constant 0
// CHECK: %[[OLD:.*]] = py.getitem %[[BOX]][%[[ZERO]]]
// CHECK: %[[NEW:.*]] = py.binary add %[[OLD]]
// CHECK: %[[BOX:.*]] = py.load_cell %[[CELL]] "count"
// CHECK: %[[ZERO:.*]] = py.constant 0
// CHECK: py.setitem %[[BOX]][%[[ZERO]]] = %[[NEW]]
// CHECK-NOT: py.store_cell
// CLOSURES-LABEL: py.func @f.inner(%{{.*}}) attributes {arg_names = ["count"]
py.func @f.inner() attributes {arg_names = [], freevars = ["count"], globals = "m"} {
  %cell = py.free_cell 0 @f.inner.count
  %count = py.load_cell %cell "count" free
  %one = py.constant 1 : i64
  %0 = py.binary add %count, %one
  py.store_cell %cell = %0
  py.return %0
}

// A parameter has a value from the beginning: its list is made where the cell is.
// CHECK-LABEL: py.func @f(
// CHECK-SAME: %[[COUNT:[a-z0-9]+]])
// CHECK: %[[BOX:.*]] = py.build_list(%[[COUNT]])
// CHECK: %[[CELL:.*]] = py.make_cell(%[[BOX]])
// CHECK: %[[READ:.*]] = py.load_cell %[[CELL]] "count"
// CHECK: %[[ITEM:.*]] = py.getitem %[[READ]]
// CHECK: py.return %[[ITEM]]
// CLOSURES-LABEL: py.func @f(
// CLOSURES: py.make_function @f.inner flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
py.func @f(%count) attributes {arg_names = ["count"], globals = "m"} {
  %cell = py.make_cell(%count)
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @f.inner flags 8(%closure)
  %0 = py.call %inner()
  %now = py.load_cell %cell "count"
  py.return %now
}

// The first assignment makes the list, in each turn of the loop a new one; the other sets its item.
// CHECK-LABEL: py.func @turns(
// CHECK: %[[CELL:.*]] = py.make_cell
// CHECK: py.for_iter
// CHECK: ^{{.*}}(%[[X:.*]]: !py.object):
// CHECK: %[[NEW:.*]] = py.build_list(%[[X]])
// CHECK: py.store_cell %[[CELL]] = %[[NEW]]
// CHECK: py.make_function @f.inner
// CHECK: %[[BOX:.*]] = py.load_cell %[[CELL]] "count"
// CHECK: py.setitem %[[BOX]]
// CHECK-NOT: py.store_cell
// CHECK: cf.br
py.func @turns(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%x: !py.object):
  py.store_cell %cell = %x
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @f.inner flags 8(%closure)
  %0 = py.call %inner()
  py.store_cell %cell = %x
  %1 = py.call %inner()
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

py.func @reads.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @reads.inner.k
  %k = py.load_cell %cell "k" free
  py.return %k
}

// The function only reads, but may do so behind an assignment.
// CHECK-LABEL: py.func @changes(
// CHECK: py.build_list
// CHECK: py.make_cell
// CHECK: py.setitem
// CHECK-NOT: py.store_cell
// CHECK: py.return
py.func @changes(%k, %new) attributes {arg_names = ["k", "new"], globals = "m"} {
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @reads.inner flags 8(%closure)
  py.store_cell %cell = %new
  py.return %inner
}

// Near misses: no assignment comes behind the making of the function.
py.func @near.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @near.inner.k
  %k = py.load_cell %cell "k" free
  py.return %k
}
// CHECK-LABEL: py.func @near(
// CHECK-NOT: py.build_list
// CHECK: py.store_cell
// CHECK-NOT: py.build_list
// CHECK: py.return
py.func @near(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @near.inner flags 8(%closure)
  py.return %inner
}

py.func @either.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @either.inner.k
  %k = py.load_cell %cell "k" free
  py.return %k
}
// The first turn assigns to an empty variable, later ones to one that a function of before still has.
// CHECK-LABEL: py.func @either(
// CHECK: py.build_list()
// CHECK-NOT: py.build_list
// CHECK: py.store_cell
// CHECK: py.return
// CLOSURES-LABEL: py.func @either(
// CLOSURES: {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @either(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%x: !py.object):
  py.store_cell %cell = %x
  %closure = py.build_tuple(%cell)
  %made = py.make_function @either.inner flags 8(%closure)
  %append = py.getattr %kept "append"
  %0 = py.call %append(%made)
  cf.br ^head
^exit:
  py.return %kept
}

py.func @deleted.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @deleted.inner.k
  %one = py.constant 1 : i64
  py.store_cell %cell = %one
  py.return %one
}
// A variable that is deleted has no list.
// CHECK-LABEL: py.func @deleted(
// CHECK-NOT: py.build_list
// CHECK: py.return
// CLOSURES-LABEL: py.func @deleted(
// CLOSURES: {pyopt.reason = "the assignment to 'k' in it"}
py.func @deleted(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @deleted.inner flags 8(%closure)
  %0 = py.call %inner()
  py.delete_cell %cell "k"
  py.return %inner
}

// A function that the host passes has the variable of a function that isn't compiled.
py.binding @host.k = 3 : i64
// CHECK-LABEL: py.func @host(
// CHECK: py.store_cell
// CHECK-NOT: py.setitem
py.func @host(%x) attributes {arg_names = ["x"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @host.k
  py.store_cell %cell = %x
  py.return %x
}
