// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// Self-recursion: the base case anchors the type.

// CHECK-LABEL: func.func @fib(
// CHECK-SAME:    %{{.*}}: si64) -> si64 attributes {pyopt.entry, pyopt.function = "fib"}
// CHECK-COUNT-2: typed.call @fib(%{{.*}}) : (si64) -> si64
py.specialize @m.fib(si64) as @fib
py.func @m.fib(%n) attributes {arg_names = ["n"], globals = "m"} {
  %one = py.constant 1 : i64
  %two = py.constant 2 : i64
  %c = py.compare lt %n, %two
  %t = py.truth %c
  cf.cond_br %t, ^a, ^b
^b:
  %f = py.global @"m.fib"
  %n1 = py.binary sub %n, %one
  %x = py.call %f(%n1)
  %n2 = py.binary sub %n, %two
  %y = py.call %f(%n2)
  %s = py.binary add %x, %y
  py.return %s
^a:
  py.return %n
}

// -----

// Mutual recursion. The entry's own types are int32; what it calls takes int64.

// CHECK-LABEL: func.func @even(
// CHECK-SAME:    si32) -> i1
// CHECK:         typed.call @"m.odd(si64)"(%{{.*}}) : (si64) -> i1
// CHECK:       func.func private @"m.odd(si64)"(%{{.*}}: si64) -> i1 attributes {pyopt.function = "odd"}
// CHECK:         typed.call @"m.even(si64)"(%{{.*}}) : (si64) -> i1
// CHECK:       func.func private @"m.even(si64)"
// CHECK:         typed.call @"m.odd(si64)"(%{{.*}}) : (si64) -> i1
py.specialize @m.even(si32) as @even
py.func @m.even(%n) attributes {arg_names = ["n"], globals = "m"} {
  %one = py.constant 1 : i64
  %t = py.truth %n
  cf.cond_br %t, ^b, ^a
^a:
  %r = py.constant true
  py.return %r
^b:
  %f = py.global @"m.odd"
  %n1 = py.binary sub %n, %one
  %x = py.call %f(%n1)
  py.return %x
}
py.func @m.odd(%n) attributes {arg_names = ["n"], globals = "m"} {
  %one = py.constant 1 : i64
  %t = py.truth %n
  cf.cond_br %t, ^b, ^a
^a:
  %r = py.constant false
  py.return %r
^b:
  %f = py.global @"m.even"
  %n1 = py.binary sub %n, %one
  %x = py.call %f(%n1)
  py.return %x
}

// -----

// Keywords find their parameter; defaults at the end are made in the callee, others at the call.

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[FIVE:.*]] = typed.constant 5 : si64
// CHECK:         typed.call @"m.f(f64)"(%[[X]]) : (f64) -> f64
// CHECK:         %[[TWO:.*]] = typed.constant 2 : si64
// CHECK:         typed.call @"m.f(f64, si64, si64)"(%[[X]], %[[TWO]], %[[FIVE]]) : (f64, si64, si64) -> f64
// CHECK:       func.func private @"m.f(f64)"
// CHECK:         typed.constant 2 : si64
// CHECK:         typed.constant 3 : si64
py.binding @"m.g" = #py.function<@m.f>
py.specialize @m.caller(f64) as @caller
py.func @m.caller(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.g"
  %five = py.constant 5 : i64
  %a = py.call %f(%x)
  %b = py.call %f(%five, %x) keywords ["c", "a"]
  %s = py.binary add %a, %b
  py.return %s
}
py.func @m.f(%a, %b, %c) attributes {arg_names = ["a", "b", "c"], defaults = [2 : i64, 3 : i64], globals = "m"} {
  %0 = py.binary mul %a, %b
  %1 = py.binary mul %0, %c
  py.return %1
}

// -----

// *args is a tuple.

// CHECK-LABEL: func.func @star(
// CHECK:         %[[REST:.*]] = typed.tuple(%{{.*}}, %{{.*}}) : tuple<si64, f64>
// CHECK:         typed.call @"m.count(si64, tuple<si64, f64>)"
// CHECK:         typed.call @"m.count(si64)"
py.specialize @m.star(si64) as @star
py.func @m.star(%x) attributes {arg_names = ["x"], globals = "m"} {
  %f = py.global @"m.count"
  %half = py.constant 0.5 : f64
  %a = py.call %f(%x, %x, %half)
  %b = py.call %f(%x)
  %s = py.binary add %a, %b
  py.return %s
}
py.func @m.count(%a, %rest) attributes {arg_names = ["a", "rest"], varargs, globals = "m"} {
  %len = py.global @"m.len"
  %n = py.call %len(%rest)
  py.return %n
}

// -----

// Functions are values: what is passed is known by its type.

// CHECK-LABEL: func.func @apply(
// CHECK:         %[[F:.*]] = typed.singleton : !typed.function<@m.double>
// CHECK:         typed.call @"m.twice(!typed.function<@m.double>, si64)"(%[[F]], %{{.*}})
// CHECK:       func.func private @"m.twice(!typed.function<@m.double>, si64)"
// CHECK-COUNT-2: typed.call @"m.double(si64)"
py.specialize @m.apply(si64) as @apply
py.func @m.apply(%x) attributes {arg_names = ["x"], globals = "m"} {
  %t = py.global @"m.twice"
  %d = py.global @"m.double"
  %r = py.call %t(%d, %x)
  py.return %r
}
py.func @m.twice(%f, %x) attributes {arg_names = ["f", "x"], globals = "m"} {
  %a = py.call %f(%x)
  %b = py.call %f(%a)
  py.return %b
}
py.func @m.double(%x) attributes {arg_names = ["x"], globals = "m"} {
  %0 = py.binary add %x, %x
  py.return %0
}

// -----

// Keywords of a call with stars are collected in dicts.
// CHECK-LABEL: func.func @starred
// CHECK: %[[B:.*]] = typed.constant 3 : si64
// CHECK: typed.call @"m.g(si64, si64, f64)"(%{{.*}}, %[[B]], %arg1)
py.specialize @m.f(tuple<si64>, f64) as @starred
py.func @m.f(%args, %x) attributes {arg_names = ["args", "x"], globals = "m"} {
  %g = py.global @"m.g"
  %b = py.constant "b"
  %c = py.constant "c"
  %three = py.constant 3 : i64
  %keywords = py.build_map(%c, %x)
  %more = py.build_map(%b, %three)
  py.extend dict_merge %keywords, %more for %g
  %0 = py.call_ex %g(args %args, kwargs %keywords)
  py.return %0
}
py.func @m.g(%a, %b, %c) attributes {arg_names = ["a", "b", "c"], globals = "m", kwonlyargcount = 1 : i64} {
  py.return %c
}

// -----

// Those of several dicts follow one another as they are merged, which is their order where they are looked
// through.
// CHECK-LABEL: func.func @merged
// CHECK: typed.as_sequence {{.*}} #py.keywords<["c", "b", "a"]>
py.specialize @m.f(si64, !typed.str, f64) as @merged
py.func @m.f(%x, %y, %z) attributes {arg_names = ["x", "y", "z"], globals = "m"} {
  %g = py.global @"m.g"
  %none = py.build_tuple()
  %a = py.constant "a"
  %b = py.constant "b"
  %c = py.constant "c"
  %keywords = py.build_map(%c, %x)
  %more = py.build_map(%b, %y)
  py.extend dict_merge %keywords, %more for %g
  %last = py.build_map(%a, %z)
  py.extend dict_merge %keywords, %last for %g
  %0 = py.call_ex %g(args %none, kwargs %keywords)
  py.return %0
}
py.func @m.g(%options) attributes {arg_names = ["options"], globals = "m", varkeywords} {
  %a = py.constant "a"
  %0 = py.getitem %options[%a]
  py.return %0
}

// -----

// A function that can't be compiled for values that are known at run time only is compiled for the constants
// that it is called with, and so is what calls it; a function that can isn't.

// CHECK-LABEL: func.func @f(
// CHECK:         typed.call @"m.twice(tuple<si64, f64>, si64).1"{{.*}} -> si64
// CHECK:         typed.call @"m.twice(tuple<si64, f64>, si64).2"{{.*}} -> f64
// CHECK-COUNT-2: typed.call @"m.plus(si64)"
// CHECK:       func.func private @"m.twice(tuple<si64, f64>, si64).1"
// CHECK:         typed.call @"m.item({{.*}} -> si64
// CHECK:       func.func private @"m.twice(tuple<si64, f64>, si64).2"
// CHECK:         typed.call @"m.item({{.*}} -> f64
// CHECK:       func.func private @"m.plus(si64)"
// CHECK-NOT:   func.func private @"m.plus
py.specialize @m.f(tuple<si64, f64>) as @f
py.func @m.f(%t) attributes {arg_names = ["t"], globals = "m"} {
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %twice = py.global @"m.twice"
  %a = py.call %twice(%t, %zero)
  %b = py.call %twice(%t, %one)
  %plus = py.global @"m.plus"
  %c = py.call %plus(%zero)
  %d = py.call %plus(%one)
  %all = py.build_tuple(%a, %b, %c, %d)
  py.return %all
}
py.func @m.twice(%t, %i) attributes {arg_names = ["t", "i"], globals = "m"} {
  %item = py.global @"m.item"
  %0 = py.call %item(%t, %i)
  py.return %0
}
py.func @m.item(%t, %i) attributes {arg_names = ["t", "i"], globals = "m"} {
  %0 = py.getitem %t[%i]
  py.return %0
}
py.func @m.plus(%x) attributes {arg_names = ["x"], globals = "m"} {
  %0 = py.binary add %x, %x
  py.return %0
}
