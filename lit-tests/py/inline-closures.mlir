// RUN: %pyopt %s --pass-pipeline='builtin.module(py-inline-closures,py.func(py-promote-cells),canonicalize)' | FileCheck %s
// RUN: %pyopt %s --py-inline-closures | FileCheck %s --check-prefix=CELLS

// def outer(a):
//     def inner(x, y=1):
//         return (x + n) * y
//     n = a
//     first = inner(a)
//     n = 2
//     return inner(first, y=first)

py.func @outer.inner(%x, %y) attributes {arg_names = ["x", "y"], freevars = ["n"], globals = "m"} {
  %cell = py.free_cell 0 @outer.n
  %n = py.load_cell %cell "n" free
  %0 = py.binary add %x, %n
  %1 = py.binary mul %0, %y
  py.return %1
}

// CHECK-LABEL: py.func @outer(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK-DAG: %[[TWO:.*]] = py.constant 2 : i64
// CHECK-DAG: %[[ONE:.*]] = py.constant 1 : i64
// CHECK: %[[S:.*]] = py.binary add %[[A]], %[[A]]
// CHECK-NEXT: %[[FIRST:.*]] = py.binary mul %[[S]], %[[ONE]]
// CHECK-NEXT: %[[T:.*]] = py.binary add %[[FIRST]], %[[TWO]]
// CHECK-NEXT: %[[R:.*]] = py.binary mul %[[T]], %[[FIRST]]
// CHECK-NEXT: py.return %[[R]]
// CELLS-LABEL: py.func @outer(
// CELLS: %[[CELL:.*]] = py.make_cell
// CELLS-NOT: py.make_function
// CELLS: py.load_cell %[[CELL]] "n" free
// CELLS-NOT: py.free_cell
// CELLS-LABEL: py.func @nested.list(
py.func @outer(%a) attributes {arg_names = ["a"], globals = "m"} {
  %cell = py.make_cell
  %one = py.constant 1 : i64
  %defaults = py.build_tuple(%one)
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @outer.inner flags 9(%defaults, %closure)
  py.store_cell %cell = %a
  %first = py.call %inner(%a)
  %two = py.constant 2 : i64
  py.store_cell %cell = %two
  %0 = py.call %inner(%first, %first) keywords ["y"]
  py.return %0
}

// Comprehensions inside of each other.

py.func @nested.list(%it) attributes {arg_names = [".0"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @nested.k
  %closure = py.build_tuple(%cell)
  %inner = py.make_function @nested.list.inner flags 8(%closure)
  %0 = py.call %inner(%it)
  py.return %0
}
py.func @nested.list.inner(%it) attributes {arg_names = [".0"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @nested.list.k
  %list = py.build_list()
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%item: !py.object):
  %k = py.load_cell %cell "k" free
  %0 = py.binary mul %item, %k
  py.extend list_append %list, %0
  cf.br ^head
^exit:
  py.return %list
}

// CHECK-LABEL: py.func @nested(
// CHECK-SAME: %[[A:[a-z0-9]+]], %[[K:[a-z0-9]+]])
// CHECK-NOT: cell
// CHECK-NOT: py.make_function
// CHECK: py.for_iter
// CHECK: py.binary mul %{{.*}}, %[[K]]
py.func @nested(%a, %k) attributes {arg_names = ["a", "k"], globals = "m"} {
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell)
  %f = py.make_function @nested.list flags 8(%closure)
  %iterator = py.get_iter %a
  %0 = py.call %f(%iterator)
  py.return %0
}

// Not these: a function that is returned, one that is passed, one whose arguments don't fit, a
// generator.

py.func @escapes.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  py.return %x
}
py.func generator @escapes.g(%x) attributes {arg_names = ["x"], globals = "m"} {
  %0 = py.yield %x
  py.return %0
}

// CHECK-LABEL: py.func @escapes(
// CHECK: %[[RETURNED:.*]] = py.make_function @escapes.f
// CHECK: py.call %[[RETURNED]](
// CHECK: %[[PASSED:.*]] = py.make_function @escapes.f
// CHECK: py.call %{{.*}}(%[[PASSED]])
// CHECK: %[[UNFIT:.*]] = py.make_function @escapes.f
// CHECK: py.call %[[UNFIT]](
// CHECK: %[[GENERATOR:.*]] = py.make_function @escapes.g
// CHECK: py.call %[[GENERATOR]](
py.func @escapes(%a) attributes {arg_names = ["a"], globals = "m"} {
  %returned = py.make_function @escapes.f flags 0()
  %0 = py.call %returned(%a)
  %passed = py.make_function @escapes.f flags 0()
  %1 = py.call %a(%passed)
  %unfit = py.make_function @escapes.f flags 0()
  %2 = py.call %unfit(%a, %a)
  %generator = py.make_function @escapes.g flags 0()
  %3 = py.call %generator(%a)
  %4 = py.build_tuple(%returned, %0, %1, %2, %3)
  py.return %4
}

// In a protected range every block gets the handler around the call, with its operands: loops,
// branches, which have no edge for exceptions, and what raises. A handler of the callee's own
// stays, and what leaves the callee from there goes to the caller's.

py.func @caught.f(%it) attributes {arg_names = ["it"], globals = "m"} {
  %list = py.build_list()
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%item: !py.object):
  %bool = py.truth %item
  cf.cond_br %bool, ^append, ^raise
^append:
  py.extend list_append %list, %item
  py.try_br ^head unwind ^handler(%item)
^handler(%error: !py.object, %x: !py.object):
  py.raise %x from %error
^raise:
  py.raise %item
^exit:
  py.return %list
}

// CHECK-LABEL: py.func @caught(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK-NEXT: py.try_br ^[[ENTRY:.*]] unwind ^[[OUTER:[a-z0-9]+]](%[[A]])
// CHECK-NEXT: ^[[REST:[a-z0-9]+]]:
// CHECK-NEXT: py.binary add %[[LIST:.*]], %[[A]]
// CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[OUTER]](%[[A]])
// CHECK: ^[[OUTER]](
// CHECK: ^[[ENTRY]]:
// CHECK-NEXT: %[[LIST]] = py.build_list()
// CHECK-NEXT: py.try_br ^[[HEAD:.*]] unwind ^[[OUTER]](%[[A]])
// CHECK-NEXT: ^[[HEAD]]:
// CHECK-NEXT: py.for_iter %[[A]], ^[[BODY:.*]], ^[[EXIT:.*]] unwind ^[[OUTER]](%[[A]])
// CHECK-NEXT: ^[[BODY]](%[[ITEM:.*]]: !py.object):
// CHECK-NEXT: %[[BOOL:.*]] = py.truth %[[ITEM]]
// CHECK-NEXT: py.try_br ^[[CHOICE:.*]] unwind ^[[OUTER]](%[[A]])
// CHECK-NEXT: ^[[CHOICE]]:
// CHECK-NEXT: cf.cond_br %[[BOOL]], ^[[APPEND:.*]], ^[[RAISE:[a-z0-9]+]]
// CHECK-NEXT: ^[[APPEND]]:
// CHECK-NEXT: py.extend list_append %[[LIST]], %[[ITEM]]
// CHECK-NEXT: py.try_br ^[[HEAD]] unwind ^[[INNER:[a-z0-9]+]](%[[ITEM]]
// CHECK-NEXT: ^[[INNER]](%[[ERROR:.*]]: !py.object, %[[X:.*]]: !py.object):
// CHECK-NEXT: py.raise %[[X]] from %[[ERROR]] unwind ^[[OUTER]](%[[A]])
// CHECK-NEXT: ^[[RAISE]]:
// CHECK-NEXT: py.raise %[[ITEM]] unwind ^[[OUTER]](%[[A]])
// CHECK-NEXT: ^[[EXIT]]:
// CHECK-NEXT: py.try_br ^[[REST]] unwind ^[[OUTER]](%[[A]])
py.func @caught(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^protected
^protected:
  %f = py.make_function @caught.f flags 0()
  %0 = py.call %f(%a)
  %1 = py.binary add %0, %a
  py.try_br ^next unwind ^handler(%a)
^next:
  py.return %1
^handler(%error: !py.object, %x: !py.object):
  %2 = py.build_tuple(%error, %x)
  py.return %2
}

// A function that one place alone returns is known where it is called: a counter with a variable of its own.

py.func @counter.step() attributes {arg_names = [], freevars = ["n"], globals = "m"} {
  %cell = py.free_cell 0 @counter.n
  %n = py.load_cell %cell "n" free
  %one = py.constant 1 : i64
  %0 = py.binary add %n, %one
  py.store_cell %cell = %0
  py.return %0
}
py.func @counter.make(%n) attributes {arg_names = ["n"], globals = "m"} {
  %cell = py.make_cell(%n)
  %closure = py.build_tuple(%cell)
  %step = py.make_function @counter.step flags 8(%closure)
  py.return %step
}

// CHECK-LABEL: py.func @counter(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK-NEXT: %[[ONE:.*]] = py.constant 1 : i64
// CHECK-NEXT: %[[FIRST:.*]] = py.binary add %[[A]], %[[ONE]]
// CHECK-NEXT: %[[SECOND:.*]] = py.binary add %[[FIRST]], %[[ONE]]
// CHECK-NEXT: py.return %[[SECOND]]
py.func @counter(%a) attributes {arg_names = ["a"], globals = "m"} {
  %make = py.make_function @counter.make flags 0()
  %step = py.call %make(%a)
  %0 = py.call %step()
  %1 = py.call %step()
  py.return %1
}

// Either of two functions may be called: it stays an object.
py.func @either.make(%c) attributes {arg_names = ["c"], globals = "m"} {
  %truth = py.truth %c
  cf.cond_br %truth, ^one, ^other
^one:
  %f = py.make_function @caught.f flags 0()
  py.return %f
^other:
  %g = py.make_function @caught.f flags 0()
  py.return %g
}

// CHECK-LABEL: py.func @either(
// CHECK: ^{{.*}}(%[[F:.*]]: !py.object):
// CHECK: py.call %[[F]](
// CHECK: py.make_function @caught.f
// CHECK: py.make_function @caught.f
py.func @either(%c) attributes {arg_names = ["c"], globals = "m"} {
  %make = py.make_function @either.make flags 0()
  %f = py.call %make(%c)
  %0 = py.call %f(%c)
  py.return %0
}

// A cell that a loop carries and never changes, as that of a variable which an inlined comprehension
// keeps and gives back, is the cell it begins with: its function can be inlined.

py.func @carried.inner() attributes {arg_names = [], freevars = ["n"], globals = "m"} {
  %cell = py.free_cell 0 @carried.n
  %n = py.load_cell %cell "n" free
  py.return %n
}

// CHECK-LABEL: py.func @carried(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK-NOT: py.make_cell
// CHECK: cf.br ^[[HEAD:bb[0-9]+]]{{$}}
// CHECK-NEXT: ^[[HEAD]]:
// CHECK-NEXT: py.for_iter %{{.*}}, ^[[BODY:.*]], ^
// CHECK: ^[[BODY]](%{{.*}}: !py.object):
// CHECK-NEXT: py.call %[[A]](%[[A]])
// CHECK-NEXT: cf.br ^[[HEAD]]{{$}}
py.func @carried(%a) attributes {arg_names = ["a"], globals = "m"} {
  %cell = py.make_cell(%a)
  %iterator = py.get_iter %a
  cf.br ^head(%cell : !py.object)
^head(%kept: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%x: !py.object):
  %closure = py.build_tuple(%kept)
  %inner = py.make_function @carried.inner flags 8(%closure)
  %0 = py.call %inner()
  %1 = py.call %a(%0)
  cf.br ^head(%kept : !py.object)
^exit:
  py.return %a
}

// One that is another one in each turn stays carried.

// CHECK-LABEL: py.func @changed(
// CHECK: ^[[HEAD:bb[0-9]+]](%[[KEPT:.*]]: !py.object):
// CHECK: py.load_cell %[[KEPT]]
// CHECK: %[[NEXT:.*]] = py.make_cell(
// CHECK-NEXT: cf.br ^[[HEAD]](%[[NEXT]] : !py.object)
py.func @changed(%a) attributes {arg_names = ["a"], globals = "m"} {
  %cell = py.make_cell(%a)
  %iterator = py.get_iter %a
  cf.br ^head(%cell : !py.object)
^head(%kept: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%x: !py.object):
  %closure = py.build_tuple(%kept)
  %inner = py.make_function @carried.inner flags 8(%closure)
  %0 = py.call %inner()
  %1 = py.call %a(%0)
  %next = py.make_cell(%x)
  cf.br ^head(%next : !py.object)
^exit:
  py.return %a
}
