// RUN: %pyopt %s --py-convert-closures | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(py-convert-closures,py.func(py-promote-cells))' | FileCheck %s --check-prefix=VALUES

// lambda y, z=2: y + k
// CHECK-LABEL: py.func @f.inner(
// CHECK-SAME: %[[K:.*]], %[[Y:.*]], %[[Z:[a-z0-9]+]])
// CHECK-SAME: arg_names = ["k", "y", "z"]
// CHECK-SAME: defaults = [2]
// CHECK-SAME: posonlyargcount = 1
// CHECK-SAME: pyopt.captures = 1
// CHECK: %[[CELL:.*]] = py.make_cell(%[[K]])
// CHECK: %[[READ:.*]] = py.load_cell %[[CELL]] "k" free
// CHECK: py.binary add %[[Y]], %[[READ]]
py.func @f.inner(%y, %z) attributes {arg_names = ["y", "z"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @f.k
  %k = py.load_cell %cell "k" free
  %0 = py.binary add %y, %k
  py.return %0
}

// CHECK-LABEL: py.func @f(
// CHECK: %[[CELL:.*]] = py.make_cell(%[[ARG:.*]])
// CHECK: %[[VALUE:.*]] = py.load_cell %[[CELL]] "k"
// CHECK: %[[PACKED:.*]] = py.build_tuple(%[[VALUE]])
// CHECK: %[[G:.*]] = py.make_function @f.inner flags 8(%[[PACKED]]) {pyopt.captures = 1 : i64}
// CHECK: py.return %[[G]]
// VALUES-LABEL: py.func @f(
// VALUES-SAME: %[[K:[a-z0-9]+]])
// VALUES-NOT: cell
// VALUES: py.build_tuple(%[[K]])
py.func @f(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell(%k)
  %defaults = py.constant [2]
  %closure = py.build_tuple(%cell)
  %g = py.make_function @f.inner flags 9(%defaults, %closure)
  py.return %g
}

// A generator expression makes its iterator itself.
// CHECK-LABEL: py.func generator @e.genexpr(
// CHECK-SAME: %[[ITEMS:[a-z0-9]+]])
// CHECK: %[[ITER:.*]] = py.get_iter %[[ITEMS]]
// CHECK: py.for_iter %[[ITER]]
py.func generator @e.genexpr(%it) attributes {arg_names = [".0"], globals = "m"} {
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%x: !py.object):
  %sent = py.yield %x
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// CHECK-LABEL: py.func @e(
// CHECK-SAME: %[[A:[a-z0-9]+]])
// CHECK: %[[G:.*]] = py.make_function @e.genexpr flags 8(%{{.*}}) {pyopt.captures = 0 : i64}
// CHECK-NOT: py.get_iter
// CHECK: py.call %[[G]](%[[A]])
py.func @e(%a) attributes {arg_names = ["a"], globals = "m"} {
  %g = py.make_function @e.genexpr flags 0()
  %it = py.get_iter %a
  %0 = py.call %g(%it)
  py.return %0
}

py.func @c.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @c.k
  %k = py.load_cell %cell "k" free
  py.return %k
}

// The variable changes while the function is in use.
// CHECK-LABEL: py.func @c(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @c(%k, %new) attributes {arg_names = ["k", "new"], globals = "m"} {
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  py.store_cell %cell = %new
  py.return %g
}

py.func @calls(%f) attributes {arg_names = ["f"], globals = "m"} {
  %0 = py.call %f()
  py.return %0
}

py.func @gives(%f) attributes {arg_names = ["f"], globals = "m"} {
  py.return %f
}

py.func @stores(%into, %f) attributes {arg_names = ["into", "f"], globals = "m"} {
  %append = py.getattr %into "append"
  %0 = py.call %append(%f)
  py.return %0
}

py.binding @m.calls = #py.function<@calls>
py.binding @m.gives = #py.function<@gives>
py.binding @m.stores = #py.function<@stores>

// The next turn of the loop makes another function before it uses one: nothing has the old one.
// CHECK-LABEL: py.func @loop(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
py.func @loop(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %f = py.global @m.calls
  %0 = py.call %f(%g)
  %append = py.getattr %kept "append"
  %1 = py.call %append(%0)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// What a function gives back may be the one that it got.
// CHECK-LABEL: py.func @given(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @given(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %f = py.global @m.gives
  %0 = py.call %f(%g)
  %append = py.getattr %kept "append"
  %1 = py.call %append(%0)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// The list may have the function of another turn.
// CHECK-LABEL: py.func @stored(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @stored(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %f = py.global @m.stores
  %0 = py.call %f(%kept, %g)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// A list that is made of functions has them.
// CHECK-LABEL: py.func @collected(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @collected(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %pair = py.build_tuple(%g)
  %f = py.global @m.list
  %0 = py.call %f(%pair)
  %append = py.getattr %kept "append"
  %1 = py.call %append(%0)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// Who sorts by a function gives nothing that has it.
// CHECK-LABEL: py.func @sorted_by(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
py.func @sorted_by(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %f = py.global @m.sorted
  %0 = py.call %f(%items, %g) keywords ["key"]
  %append = py.getattr %kept "append"
  %1 = py.call %append(%0)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// What another function does is not known.
// CHECK-LABEL: py.func @passed(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @passed(%items, %apply) attributes {arg_names = ["items", "apply"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %it = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %it, ^body, ^exit
^body(%k: !py.object):
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  %0 = py.call %apply(%g)
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// On one path the variable has no value.
// CHECK-LABEL: py.func @empty(
// CHECK: py.make_function @c.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which may have no value yet"}
py.func @empty(%k, %c) attributes {arg_names = ["k", "c"], globals = "m"} {
  %cell = py.make_cell
  %truth = py.truth %c
  cf.cond_br %truth, ^set, ^make
^set:
  py.store_cell %cell = %k
  cf.br ^make
^make:
  %closure = py.build_tuple(%cell)
  %g = py.make_function @c.inner flags 8(%closure)
  py.return %g
}

py.func @w.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @w.k
  %one = py.constant 1 : i64
  py.store_cell %cell = %one
  py.return %one
}

// CHECK-LABEL: py.func @w(
// CHECK: py.make_function @w.inner flags 8(%{{.*}}) {pyopt.reason = "the assignment to 'k' in it"}
py.func @w(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell)
  %g = py.make_function @w.inner flags 8(%closure)
  py.return %g
}

// A default that is no constant has its value captured, behind those of the free variables.
// CHECK-LABEL: py.func @value.inner(
// CHECK-SAME: arg_names = ["k", ".z", "y", "z"]
// CHECK-SAME: defaults = [#py.none]
// CHECK-SAME: posonlyargcount = 2
// CHECK-SAME: pyopt.captured_defaults = array<i64: 1>
// CHECK-SAME: pyopt.captures = 2
py.func @value.inner(%y, %z) attributes {arg_names = ["y", "z"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @value.k
  %k = py.load_cell %cell "k" free
  %0 = py.binary add %z, %k
  py.return %0
}

// CHECK-LABEL: py.func @value(
// CHECK-SAME: %{{.*}}, %[[Z:[a-z0-9]+]])
// CHECK: %[[VALUE:.*]] = py.load_cell %{{.*}} "k"
// CHECK: %[[PACKED:.*]] = py.build_tuple(%[[VALUE]], %[[Z]])
// CHECK: py.make_function @value.inner flags 8(%[[PACKED]]) {pyopt.captures = 2 : i64}
py.func @value(%k, %z) attributes {arg_names = ["k", "z"], globals = "m"} {
  %cell = py.make_cell(%k)
  %defaults = py.build_tuple(%z)
  %closure = py.build_tuple(%cell)
  %g = py.make_function @value.inner flags 9(%defaults, %closure)
  py.return %g
}

// Another object of a function has another constant.
// CHECK-LABEL: py.func @d(
// CHECK: py.make_function @f.inner flags 9(%{{.*}}) {pyopt.reason = "a default that has several values"}
py.func @d(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell(%k)
  %defaults = py.constant [3]
  %closure = py.build_tuple(%cell)
  %g = py.make_function @f.inner flags 9(%defaults, %closure)
  py.return %g
}

// A function that calls itself by a variable of the function around it makes itself again, with what it has.
// CHECK-LABEL: py.func @r.inner(
// CHECK-SAME: %[[K:[a-z0-9]+]], %[[X:[a-z0-9]+]])
// CHECK-SAME: arg_names = ["k", "x"]
// CHECK: %[[PACKED:.*]] = py.build_tuple(%[[K]])
// CHECK: %[[SELF:.*]] = py.make_function @r.inner flags 8(%[[PACKED]]) {pyopt.captures = 1 : i64}
// CHECK: %[[CELL:.*]] = py.make_cell(%[[SELF]])
// CHECK: %[[READ:.*]] = py.load_cell %[[CELL]] "r" free
// CHECK: py.call %[[READ]](
py.func @r.inner(%x) attributes {arg_names = ["x"], freevars = ["k", "r"], globals = "m"} {
  %self = py.free_cell 1 @r.r
  %cell = py.free_cell 0 @r.k
  %k = py.load_cell %cell "k" free
  %y = py.binary sub %x, %k
  %r = py.load_cell %self "r" free
  %0 = py.call %r(%y)
  py.return %0
}

// CHECK-LABEL: py.func @r(
// CHECK-SAME: %[[ARG:[a-z0-9]+]])
// CHECK: %[[K:.*]] = py.load_cell %{{.*}} "k"
// CHECK: %[[PACKED:.*]] = py.build_tuple(%[[K]])
// CHECK: py.make_function @r.inner flags 8(%[[PACKED]]) {pyopt.captures = 1 : i64}
// VALUES-LABEL: py.func @r(
// VALUES-NOT: cell
// VALUES: %[[G:.*]] = py.make_function @r.inner
// VALUES-NEXT: py.call %[[G]](
py.func @r(%k) attributes {arg_names = ["k"], globals = "m"} {
  %self = py.make_cell
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%cell, %self)
  %g = py.make_function @r.inner flags 8(%closure)
  py.store_cell %self = %g
  %r = py.load_cell %self "r"
  %0 = py.call %r(%k)
  py.return %0
}

py.func @o.inner(%x) attributes {arg_names = ["x"], freevars = ["o"], globals = "m"} {
  %self = py.free_cell 0 @o.o
  %o = py.load_cell %self "o" free
  %0 = py.call %o(%x)
  py.return %0
}

// Its variable has another function later.
// CHECK-LABEL: py.func @o(
// CHECK: py.make_function @o.inner flags 8(%{{.*}}) {pyopt.reason = "'o', which may have no value yet"}
py.func @o(%other) attributes {arg_names = ["other"], globals = "m"} {
  %self = py.make_cell
  %closure = py.build_tuple(%self)
  %g = py.make_function @o.inner flags 8(%closure)
  py.store_cell %self = %g
  py.store_cell %self = %other
  %o = py.load_cell %self "o"
  %0 = py.call %o(%other)
  py.return %0
}

// A variable may be assigned behind the definition, as long as that comes before the first use: the function is
// made there.

py.func @t.inner(%x) attributes {arg_names = ["x"], freevars = ["late", "t"], globals = "m"} {
  %cell = py.free_cell 0 @t.late
  %late = py.load_cell %cell "late" free
  %self = py.free_cell 1 @t.t
  %t = py.load_cell %self "t" free
  %0 = py.call %t(%late)
  py.return %0
}

// CHECK-LABEL: py.func @t(
// CHECK-SAME: %[[K:[a-z0-9]+]])
// CHECK: py.store_cell %[[CELL:.*]] = %[[K]]
// CHECK-NEXT: %[[LATE:.*]] = py.load_cell %[[CELL]] "late"
// CHECK-NEXT: %[[PACKED:.*]] = py.build_tuple(%[[LATE]])
// CHECK-NEXT: py.make_function @t.inner flags 8(%[[PACKED]]) {pyopt.captures = 1 : i64}
py.func @t(%k) attributes {arg_names = ["k"], globals = "m"} {
  %self = py.make_cell
  %cell = py.make_cell
  %closure = py.build_tuple(%cell, %self)
  %g = py.make_function @t.inner flags 8(%closure)
  py.store_cell %self = %g
  py.store_cell %cell = %k
  %t = py.load_cell %self "t"
  %0 = py.call %t(%k)
  py.return %0
}

py.func @u.inner(%x) attributes {arg_names = ["x"], freevars = ["late", "u"], globals = "m"} {
  %cell = py.free_cell 0 @u.late
  %late = py.load_cell %cell "late" free
  %self = py.free_cell 1 @u.u
  %u = py.load_cell %self "u" free
  %0 = py.call %u(%late)
  py.return %0
}

// CHECK-LABEL: py.func @u(
// CHECK: py.make_function @u.inner flags 8(%{{.*}}) {pyopt.reason = "'late', which may have no value yet"}
py.func @u(%k) attributes {arg_names = ["k"], globals = "m"} {
  %self = py.make_cell
  %cell = py.make_cell
  %closure = py.build_tuple(%cell, %self)
  %g = py.make_function @u.inner flags 8(%closure)
  py.store_cell %self = %g
  %u = py.load_cell %self "u"
  %0 = py.call %u(%k)
  py.store_cell %cell = %k
  py.return %0
}

// A list doesn't keep the function that it is sorted by.

// CHECK-LABEL: py.func @v(
// CHECK: py.make_function @v.inner flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
py.func @v.inner(%x) attributes {arg_names = ["x"], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @v.k
  %k = py.load_cell %cell "k" free
  py.return %k
}
py.func @v(%items, %k) attributes {arg_names = ["items", "k"], globals = "m"} {
  %cell = py.make_cell
  py.store_cell %cell = %k
  %closure = py.build_tuple(%cell)
  %made = py.make_function @v.inner flags 8(%closure)
  %sort = py.getattr %items "sort"
  %0 = py.call %sort(%made)
  py.return %items
}

// Functions that refer to each other make each other's objects, of the variables that both need.

// CHECK-LABEL: py.func @p.even(
// CHECK-SAME: %[[K:.*]], %[[N:[a-z0-9]+]])
// CHECK-SAME: arg_names = ["k", "n"]
// CHECK: %[[PACKED:.*]] = py.build_tuple(%[[K]])
// CHECK: %[[MADE:.*]] = py.make_function @p.odd flags 8(%[[PACKED]])
// CHECK: %[[CELL:.*]] = py.make_cell(%[[MADE]])
// CHECK: py.load_cell %[[CELL]] "odd" free
py.func @p.even(%n) attributes {arg_names = ["n"], freevars = ["odd"], globals = "m"} {
  %cell = py.free_cell 0 @p.odd
  %odd = py.load_cell %cell "odd" free
  %0 = py.call %odd(%n)
  py.return %0
}

// CHECK-LABEL: py.func @p.odd(
// CHECK-SAME: %[[K:.*]], %[[N:[a-z0-9]+]])
// CHECK-SAME: arg_names = ["k", "n"]
// CHECK-DAG: py.make_function @p.even flags 8
// CHECK-DAG: py.make_cell(%[[K]])
py.func @p.odd(%n) attributes {arg_names = ["n"], freevars = ["even", "k"], globals = "m"} {
  %cell = py.free_cell 0 @p.even
  %even = py.load_cell %cell "even" free
  %other = py.free_cell 1 @p.k
  %k = py.load_cell %other "k" free
  %0 = py.call %even(%k)
  py.return %0
}

// CHECK-LABEL: py.func @p(
// CHECK: py.make_function @p.even flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
// CHECK: py.make_function @p.odd flags 8(%{{.*}}) {pyopt.captures = 1 : i64}
py.func @p(%k) attributes {arg_names = ["k"], globals = "m"} {
  %even = py.make_cell
  %odd = py.make_cell
  %cell = py.make_cell(%k)
  %closure = py.build_tuple(%odd)
  %first = py.make_function @p.even flags 8(%closure)
  py.store_cell %even = %first
  %others = py.build_tuple(%even, %cell)
  %second = py.make_function @p.odd flags 8(%others)
  py.store_cell %odd = %second
  %called = py.load_cell %even "even"
  %0 = py.call %called(%k)
  py.return %0
}

// One that is used before the other is there stays: Python raises NameError then.

// CHECK-LABEL: py.func @b(
// CHECK: py.make_function @b.first flags 8(%{{.*}}) {pyopt.reason = "'second', which may have no value yet"}
py.func @b.first(%n) attributes {arg_names = ["n"], freevars = ["second"], globals = "m"} {
  %cell = py.free_cell 0 @b.second
  %second = py.load_cell %cell "second" free
  %0 = py.call %second(%n)
  py.return %0
}
py.func @b.inner(%n) attributes {arg_names = ["n"], globals = "m"} {
  py.return %n
}
py.func @b(%k) attributes {arg_names = ["k"], globals = "m"} {
  %cell = py.make_cell
  %closure = py.build_tuple(%cell)
  %first = py.make_function @b.first flags 8(%closure)
  %0 = py.call %first(%k)
  %second = py.make_function @b.inner flags 0()
  py.store_cell %cell = %second
  py.return %first
}

// An object may outlive the making of the next one, in a list: the variable that it has changes then.

// CHECK-LABEL: py.func @l(
// CHECK: py.make_function @l.inner flags 8(%{{.*}}) {pyopt.reason = "'k', which is assigned while the function is in use"}
py.func @l.inner() attributes {arg_names = [], freevars = ["k"], globals = "m"} {
  %cell = py.free_cell 0 @l.k
  %k = py.load_cell %cell "k" free
  py.return %k
}
py.func @l(%items) attributes {arg_names = ["items"], globals = "m"} {
  %cell = py.make_cell
  %kept = py.build_list()
  %iter = py.get_iter %items
  cf.br ^head
^head:
  py.for_iter %iter, ^body, ^exit
^body(%x: !py.object):
  py.store_cell %cell = %x
  %closure = py.build_tuple(%cell)
  %made = py.make_function @l.inner flags 8(%closure)
  %append = py.getattr %kept "append"
  %0 = py.call %append(%made)
  cf.br ^head
^exit:
  py.return %kept
}
