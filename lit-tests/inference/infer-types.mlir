// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// Numbers are promoted as Numba does: an int and a float make a float.

// CHECK-LABEL: func.func @add.1(
// CHECK-SAME:    %[[A:.*]]: si64, %[[B:.*]]: f64) -> f64 attributes {pyopt.entry, pyopt.function = "add"}
// CHECK-NEXT:    %[[C:.*]] = typed.cast %[[A]] : si64 to f64
// CHECK-NEXT:    %[[S:.*]] = typed.binary add %[[C]], %[[B]] : f64
// CHECK-NEXT:    return %[[S]] : f64
// CHECK-NOT:   py.
py.specialize @m.add(si64, f64) as @add.1
py.func @m.add(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %b
  py.return %0
}

// -----

// A loop over a range with a break. The sum is a float on every path, for one of them makes it one.

// CHECK-LABEL: func.func @doloops(
// CHECK-SAME:    %[[N:.*]]: si64) -> f64
// CHECK:         %[[RANGE:.*]] = typed.range(%{{.*}}, %[[N]], %{{.*}}) : !typed.range<si64>
// CHECK:         %[[IT:.*]] = typed.iter %[[RANGE]] : !typed.range<si64>
// CHECK:         %[[ZERO:.*]] = typed.cast %{{.*}} : si64 to f64
// CHECK:         cf.br ^[[HEAD:.*]](%[[ZERO]] : f64)
// CHECK:       ^[[HEAD]](%[[ACC:.*]]: f64):
// CHECK:         typed.for_iter %[[IT]] : {{.*}}, ^[[BODY:.*]](%[[ACC]] : f64), ^[[EXIT:.*]](%[[ACC]] : f64)
// CHECK:       ^[[BODY]](%[[I:.*]]: si64, %[[B:.*]]: f64):
// CHECK:         %[[C:.*]] = typed.binary add %[[B]], %{{.*}} : f64
// CHECK:         %[[BREAK:.*]] = typed.compare gt %[[I]], %{{.*}} : si64
// CHECK:         cf.cond_br %[[BREAK]], ^[[EXIT]](%[[C]] : f64), ^[[HEAD]](%[[C]] : f64)
// CHECK:       ^[[EXIT]](%[[R:.*]]: f64):
// CHECK:         return %[[R]] : f64
py.specialize @m.doloops(si64) as @doloops
py.func @m.doloops(%n) attributes {arg_names = ["n"], globals = "m"} {
  %r = py.global @"m.range"
  %acc = py.constant 0 : i64
  %x = py.call %r(%n)
  %it = py.get_iter %x
  cf.br ^head(%acc : !py.object)
^head(%a: !py.object):
  py.for_iter %it, ^body(%a), ^exit(%a)
^body(%i: !py.object, %b: !py.object):
  %ten = py.constant 10 : i64
  %half = py.constant 0.5 : f64
  %c = py.inplace add %b, %half
  %cmp = py.compare gt %i, %ten
  %t = py.truth %cmp
  cf.cond_br %t, ^exit(%c : !py.object), ^head(%c : !py.object)
^exit(%r2: !py.object):
  py.return %r2
}

// -----

// Steps that aren't known are checked; known ones aren't.

// CHECK-LABEL: func.func @ranges(
// CHECK-SAME:    %[[N:.*]]: si64)
// CHECK:         %[[IS_ZERO:.*]] = typed.compare eq %[[N]], %{{.*}} : si64
// CHECK-NEXT:    typed.raise_if %[[IS_ZERO]], "ValueError"("range() arg 3 must not be zero")
// CHECK-NEXT:    typed.range(%{{.*}}, %{{.*}}, %[[N]])
// CHECK-NOT:     typed.raise_if
// CHECK:         typed.range parallel(%{{.*}}, %[[N]], %{{.*}})
py.binding @"m.prange" = #py.named<"numba.prange">
py.specialize @m.ranges(si64) as @ranges
py.func @m.ranges(%n) attributes {arg_names = ["n"], globals = "m"} {
  %r = py.global @"m.range"
  %p = py.global @"m.prange"
  %one = py.constant 1 : i64
  %minus = py.constant -1 : i64
  %a = py.call %r(%one, %one, %n)
  %b = py.call %p(%one, %n, %minus)
  %len = py.global @"m.len"
  %c = py.call %len(%a)
  %d = py.call %len(%b)
  %e = py.binary add %c, %d
  py.return %e
}

// -----

// A branch on what is known at compile time leaves one path, the other isn't even typed.

// CHECK-LABEL: func.func @default(
// CHECK-SAME:    %[[N:.*]]: si64) -> si64
// CHECK-NOT:     cond_br
// CHECK:         return %[[N]] : si64
py.specialize @m.default(si64) as @default
py.func @m.default(%n, %k) attributes {arg_names = ["n", "k"], defaults = [#py.none], globals = "m"} {
  %none = py.constant #py.none
  %is = py.is %k, %none
  %t = py.truth %is
  cf.cond_br %t, ^a, ^b
^a:
  py.return %n
^b:
  %s = py.binary add %n, %k
  py.return %s
}

// -----

// A local that may be unbound: the check stays, on the path it is needed.

// CHECK-LABEL: func.func @maybe(
// CHECK:         %[[U:.*]] = typed.unbound : !typed.unbound<f64>
// CHECK:         %[[B:.*]] = typed.bind %{{.*}} : f64 to !typed.unbound<f64>
// CHECK:       ^{{.*}}(%[[L:.*]]: !typed.unbound<f64>):
// CHECK:         %[[IS:.*]] = typed.is_bound %[[L]]
// CHECK:         %[[NOT:.*]] = typed.binary xor %[[IS]], %{{.*}} : i1
// CHECK:         typed.raise_if %[[NOT]], "UnboundLocalError"("cannot access local variable 'y' where it is not associated with a value")
// CHECK:         %[[V:.*]] = typed.bound_value %[[L]] : !typed.unbound<f64> -> f64
// CHECK:         return %[[V]] : f64
py.specialize @m.maybe(si64) as @maybe
py.func @m.maybe(%n) attributes {arg_names = ["n"], globals = "m"} {
  %u = py.unbound
  %half = py.constant 0.5 : f64
  %t = py.truth %n
  cf.cond_br %t, ^a, ^b(%u : !py.object)
^a:
  cf.br ^b(%half : !py.object)
^b(%y: !py.object):
  %c = py.check_bound %y "y"
  py.return %c
}

// -----

// What follows from a type that grows later doesn't stay behind: the tuple of ints is gone.

// CHECK-LABEL: func.func @widen(
// CHECK-SAME:    -> tuple<f64, f64>
py.specialize @m.widen(si64) as @widen
py.func @m.widen(%n) attributes {arg_names = ["n"], globals = "m"} {
  %zero = py.constant 0 : i64
  %half = py.constant 0.5 : f64
  %u = py.unbound
  cf.br ^head(%zero, %u : !py.object, !py.object)
^head(%x: !py.object, %t: !py.object):
  %c = py.compare lt %x, %n
  %cond = py.truth %c
  cf.cond_br %cond, ^body, ^exit
^body:
  %pair = py.build_tuple(%x, %x)
  %next = py.binary add %x, %half
  cf.br ^head(%next, %pair : !py.object, !py.object)
^exit:
  %b = py.check_bound %t "t"
  py.return %b
}

// -----

// A wanted result type is what every return is converted to.

// CHECK-LABEL: func.func @wanted(
// CHECK-SAME:    %[[X:.*]]: si32) -> f64
// CHECK-NEXT:    %[[Y:.*]] = typed.cast %[[X]] : si32 to f64
// CHECK-NEXT:    return %[[Y]] : f64
py.specialize @m.id(si32) -> f64 as @wanted
py.func @m.id(%x) attributes {arg_names = ["x"], globals = "m"} {
  py.return %x
}

// -----

// raise: a class, or one with a constant message. A function that never returns gives None.

// CHECK-LABEL: func.func @raises(
// CHECK-SAME:    -> !typed.none
// CHECK:         cf.cond_br
// CHECK:         typed.raise "ValueError"("x cannot be zero")
// CHECK:         typed.raise "IndexError"{{$}}
py.specialize @m.raises(si64) as @raises
py.func @m.raises(%x) attributes {arg_names = ["x"], globals = "m"} {
  %t = py.truth %x
  cf.cond_br %t, ^a, ^b
^a:
  %v = py.global @"m.ValueError"
  %m = py.constant "x cannot be zero"
  %e = py.call %v(%m)
  py.raise %e
^b:
  %i = py.global @"m.IndexError"
  py.raise %i
}

// -----

// What is found of a block's argument later also reaches the blocks it dominates, when only these
// use it: first the counter is known to be 0, so that the second exit seems never to be taken.

// CHECK-LABEL: func.func @later(
// CHECK:         typed.compare eq
// CHECK:         cf.cond_br
// CHECK:         typed.compare eq
// CHECK:         cf.cond_br
py.specialize @m.later(si64) as @later
py.func @m.later(%n) attributes {arg_names = ["n"], globals = "m"} {
  %zero = py.constant 0 : i64
  %one = py.constant 1 : i64
  %seven = py.constant 7 : i64
  cf.br ^head(%zero : !py.object)
^head(%count: !py.object):
  %0 = py.compare eq %n, %seven
  %1 = py.truth %0
  cf.cond_br %1, ^exit(%n : !py.object), ^next
^next:
  %more = py.binary add %count, %one
  %2 = py.compare eq %more, %seven
  %3 = py.truth %2
  cf.cond_br %3, ^exit(%more : !py.object), ^head(%more : !py.object)
^exit(%result: !py.object):
  py.return %result
}
