// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// What is put into a list says what its items are, on all of its names.

// CHECK-LABEL: func.func @grows(
// CHECK:         typed.list_new : !typed.list<f64>
// CHECK:         typed.list_push %{{.*}} to %{{.*}} : !typed.list<f64>
py.specialize @m.grows(f64) as @grows
py.func @m.grows(%x) attributes {arg_names = ["x"], globals = "m"} {
  %list = py.build_list()
  %append = py.getattr %list "append"
  %none = py.call %append(%x)
  py.return %list
}

// -----

// A display that changes later is a list with items of the type that holds all.

// CHECK-LABEL: func.func @widens(
// CHECK:         typed.list_new : !typed.list<f64>
// CHECK:         typed.cast %{{.*}} : si64 to f64
// CHECK:         typed.list_push
// CHECK:         typed.list_push
py.specialize @m.widens(f64, si64) as @widens
py.func @m.widens(%x, %n) attributes {arg_names = ["x", "n"], globals = "m"} {
  %list = py.build_list(%n)
  %append = py.getattr %list "append"
  %none = py.call %append(%x)
  py.return %list
}

// -----

// A callee that changes its argument has the caller make another list.

// CHECK-LABEL: func.func @calls(
// CHECK:         typed.list_new : !typed.list<si64>
// CHECK:         typed.call @"m.put(!typed.list<si64>, si64)"
py.specialize @m.calls(si64) as @calls
py.func @m.calls(%n) attributes {arg_names = ["n"], globals = "m"} {
  %put = py.global @m.put
  %list = py.build_list(%n)
  %none = py.call %put(%list, %n)
  py.return %list
}
py.func @m.put(%list, %item) attributes {arg_names = ["list", "item"], globals = "m"} {
  %append = py.getattr %list "append"
  %none = py.call %append(%item)
  py.return %none
}

// -----

// Lists of other lengths meet as one that has any length.

// CHECK-LABEL: func.func @meets(
// CHECK:         typed.list_new : !typed.list<si64>
// CHECK:         typed.list_new : !typed.list<si64>
// CHECK:       ^{{.*}}(%{{.*}}: !typed.list<si64>):
py.specialize @m.meets(i1, si64) as @meets
py.func @m.meets(%c, %n) attributes {arg_names = ["c", "n"], globals = "m"} {
  %test = py.truth %c
  cf.cond_br %test, ^one, ^two
^one:
  %short = py.build_list(%n)
  cf.br ^end(%short : !py.object)
^two:
  %long = py.build_list(%n, %n)
  cf.br ^end(%long : !py.object)
^end(%list: !py.object):
  py.return %list
}

// -----

// What is only read stays what it was.

// CHECK-LABEL: func.func @reads(
// CHECK-NOT:     typed.list_new
py.specialize @m.reads(si64, f64) as @reads
py.func @m.reads(%n, %x) attributes {arg_names = ["n", "x"], globals = "m"} {
  %list = py.build_list(%n, %x)
  %zero = py.constant 1 : i64
  %item = py.getitem %list[%zero]
  py.return %item
}

// -----

// A list of functions has the positions of those that are put in.
// CHECK-LABEL: func.func @functions(
// CHECK: typed.list_new : !typed.list<!typed.sequence<tuple<si64>, [#py.named<"builtins.abs">, #py.named<"builtins.len">]>>
py.specialize @m.functions(si64) as @functions
py.func @m.functions(%n) attributes {arg_names = ["n"], globals = "m"} {
  %list = py.build_list()
  %append = py.getattr %list "append"
  %len = py.global @m.len
  %none = py.call %append(%len)
  %abs = py.global @m.abs
  %none2 = py.call %append(%abs)
  %item = py.getitem %list[%n]
  py.return %n
}

// -----

// Lists of several lengths are gone through in a list that may change.
// CHECK-LABEL: func.func @ragged(
// CHECK-SAME: -> !typed.list<!typed.list<si64>>
py.specialize @m.ragged(si64) as @ragged
py.func @m.ragged(%n) attributes {arg_names = ["n"], globals = "m"} {
  %one = py.build_list(%n)
  %two = py.build_list(%n, %n)
  %list = py.build_list(%one, %two)
  %iterator = py.get_iter %list
  py.return %list
}

// -----

// What a host passes without items is for what is put in, also at an index of another argument.

// CHECK-LABEL: func.func @fills(
// CHECK-SAME:    %{{.*}}: !typed.list<si64>, %{{.*}}: !typed.dict<f64, si64>, %{{.*}}: tuple<si64, !typed.list<f64>>, %{{.*}}: !typed.list<none>
py.specialize @m.fills(!typed.list<none>, !typed.dict<none, none>, tuple<si64, !typed.list<none>>, !typed.list<none>, f64, si64) as @fills
py.func @m.fills(%list, %dict, %pair, %other, %x, %n) attributes {arg_names = ["list", "dict", "pair", "other", "x", "n"], globals = "m"} {
  %append = py.getattr %list "append"
  %none = py.call %append(%n)
  py.setitem %dict[%x] = %n
  %one = py.constant 1 : i64
  %second = py.getitem %pair[%one]
  %append_second = py.getattr %second "append"
  %none_second = py.call %append_second(%x)
  py.return %n
}

// -----

// A list that nothing is ever put into has no items.

// CHECK-LABEL: func.func @empty(
// CHECK:         typed.raise "IndexError"("list index out of range")
py.specialize @m.empty(si64) as @empty
py.func @m.empty(%n) attributes {arg_names = ["n"], globals = "m"} {
  %list = py.build_list()
  %clear = py.getattr %list "clear"
  %none = py.call %clear()
  %item = py.getitem %list[%n]
  py.return %item
}

// -----

// What is put into the values of a dict, through a view, says what they hold where the dict is made.

// CHECK-LABEL: func.func @views(
// CHECK:         typed.table_new : !typed.dict<si64, !typed.list<f64>>
py.specialize @m.views(si64, f64) as @views
py.func @m.views(%n, %x) attributes {arg_names = ["n", "x"], globals = "m"} {
  %list = py.build_list()
  %dict = py.build_map(%n, %list)
  %values = py.getattr %dict "values"
  %view = py.call %values()
  %iterator = py.get_iter %view
  cf.br ^header
^header:
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %append = py.getattr %item "append"
  %none = py.call %append(%x)
  cf.br ^header
^exit:
  py.return %dict
}

// -----

// A list that is put in twice is one list, also where an item of the outer one is what changes.

// CHECK-LABEL: func.func @shares(
// CHECK:         %[[ITEM:.*]] = typed.list_new : !typed.list<si64>
// CHECK:         %[[LIST:.*]] = typed.list_new : !typed.list<!typed.list<si64>>
// CHECK:         typed.list_push %[[ITEM]], %[[ITEM]] to %[[LIST]]
py.specialize @m.shares(si64) as @shares
py.func @m.shares(%n) attributes {arg_names = ["n"], globals = "m"} {
  %item = py.build_list()
  %list = py.build_list(%item, %item)
  %0 = py.constant 0 : i64
  %first = py.getitem %list[%0]
  %append = py.getattr %first "append"
  %none = py.call %append(%n)
  py.return %list
}
