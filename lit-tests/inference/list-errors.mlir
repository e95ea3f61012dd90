// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.mixes(si64, !typed.str) as @mixes
py.func @m.mixes(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  // expected-note @+1 {{the list is made as list(int64) here}}
  %list = py.build_list(%n)
  %append = py.getattr %list "append"
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %none = py.call %append(%s)
  py.return %list
}

// -----

py.specialize @m.narrows(!typed.list<si64>, f64) as @narrows
py.func @m.narrows(%list, %x) attributes {arg_names = ["list", "x"], globals = "m"} {
  %append = py.getattr %list "append"
  // expected-note @unknown {{'list' is passed as list(int64)}}
  // expected-error @+2 {{float64 can't be put into list(int64), which others see too}}
  // expected-note @+1 {{make the list with items of a type that holds both, or copy it}}
  %none = py.call %append(%x)
  py.return %list
}

// -----

py.binding @m.np = #py.module<"numpy">
py.specialize @m.modules(si64) as @modules
py.func @m.modules(%n) attributes {arg_names = ["n"], globals = "m"} {
  %list = py.build_list()
  %append = py.getattr %list "append"
  %np = py.global @m.np
  // expected-error @+1 {{can't be an item of a list}}
  %none = py.call %append(%np)
  py.return %list
}

// -----

// Two uses that disagree: the later one is the error, the note is at the first one.

py.specialize @m.uses(si64, !typed.str) as @uses
py.func @m.uses(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %list = py.build_list()
  %append = py.getattr %list "append"
  // expected-note @+1 {{the list is used as list(int64) here}}
  %none = py.call %append(%n)
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %done = py.call %append(%s)
  py.return %list
}

// -----

// The first use is in a callee, of which less is known at first.

py.specialize @m.caller(si64, !typed.str) as @caller
py.func @m.caller(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %list = py.build_list()
  %put = py.global @m.put
  %none = py.call %put(%list, %n)
  %append = py.getattr %list "append"
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %done = py.call %append(%s)
  py.return %list
}
py.func @m.put(%list, %item) attributes {arg_names = ["list", "item"], globals = "m"} {
  %append = py.getattr %list "append"
  // expected-note @+1 {{the list is used as list(int64) here}}
  %none = py.call %append(%item)
  py.return %none
}

// -----

// One callee that is called for both: the calls are what differs.

py.specialize @m.twice(si64, !typed.str) as @twice
py.func @m.twice(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %list = py.build_list()
  %put = py.global @m.put
  // expected-note @+1 {{the list is used as list(int64) here}}
  %none = py.call %put(%list, %n)
  // expected-note @+1 {{in the call of put(list(int64), unicode_type)}}
  %done = py.call %put(%list, %s)
  py.return %list
}
py.func @m.put(%list, %item) attributes {arg_names = ["list", "item"], globals = "m"} {
  %append = py.getattr %list "append"
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %none = py.call %append(%item)
  py.return %none
}

// -----

// An item of a list: the note shows what was put into it, not what holds it.

py.specialize @m.nested(si64, !typed.str) as @nested
py.func @m.nested(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %inner = py.build_list()
  %list = py.build_list(%inner)
  %0 = py.constant 0 : i64
  %first = py.getitem %list[%0]
  %append = py.getattr %first "append"
  // expected-note @+1 {{the list is used as list(int64) here}}
  %none = py.call %append(%n)
  %again = py.getitem %list[%0]
  %put = py.getattr %again "append"
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %done = py.call %put(%s)
  py.return %list
}

// -----

// A list that the host passes without items is what is put in first.

py.specialize @m.empty(!typed.list<none>, si64, !typed.str) as @empty
py.func @m.empty(%list, %n, %s) attributes {arg_names = ["list", "n", "s"], globals = "m"} {
  %append = py.getattr %list "append"
  // expected-note @+1 {{the list is used as list(int64) here}}
  %none = py.call %append(%n)
  // expected-error @+2 {{unicode_type can't be put into list(int64)}}
  // expected-note @+1 {{the items of a list have one type}}
  %done = py.call %append(%s)
  py.return %list
}

// -----

py.specialize @m.table(si64, !typed.str) as @table
py.func @m.table(%n, %s) attributes {arg_names = ["n", "s"], globals = "m"} {
  %table = py.build_map()
  // expected-note @+1 {{the dict is used as dict(unicode_type, int64) here}}
  py.setitem %table[%s] = %n
  // expected-error @+2 {{unicode_type can't be put into dict(unicode_type, int64): its values are int64}}
  // expected-note @+1 {{all values of a dict have one type}}
  py.setitem %table[%s] = %s
  py.return %table
}
