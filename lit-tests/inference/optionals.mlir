// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// None on one path and a value on another.

// CHECK-LABEL: func.func @returns(
// CHECK-SAME:    -> !typed.optional<si64>
// CHECK:         %[[S:.*]] = typed.optional_some %{{.*}} : si64 to !typed.optional<si64>
// CHECK-NEXT:    return %[[S]]
// CHECK:         %[[N:.*]] = typed.optional_none : !typed.optional<si64>
// CHECK-NEXT:    return %[[N]]
py.specialize @m.f(si64) as @returns
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^a, ^b
^a:
  py.return %x
^b:
  py.return %none
}

// -----

// Only None stays None.

// CHECK-LABEL: func.func @nothing(
// CHECK-SAME:    -> !typed.none
py.specialize @m.f(si64) as @nothing
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^a, ^b
^a:
  py.return %none
^b:
  py.return %none
}

// -----

// `is None` asks the flag. An operation that needs the value checks that there is one, but behind such a test.

// CHECK-LABEL: func.func @uses(
// CHECK:       ^{{.*}}(%[[O:.*]]: !typed.optional<si64>):
// CHECK:         %[[IS:.*]] = typed.is_some %[[O]]
// CHECK:         %[[NOT:.*]] = typed.binary xor %[[IS]]
// CHECK:         cf.cond_br %[[NOT]]
// CHECK:         %[[V:.*]] = typed.optional_value %[[O]]
// CHECK-NOT:     typed.raise_if
// CHECK:         typed.binary add %[[V]], %{{.*}} : si64
// CHECK:       func.func @checks(
// CHECK:         %[[O:.*]] = typed.optional_value
// CHECK:         typed.raise_if %{{.*}}, "TypeError"("expected int64, got None")
// CHECK:         typed.binary add %[[O]], %{{.*}} : si64
py.specialize @m.f(si64) as @uses
py.specialize @m.g(si64) as @checks
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %zero = py.constant 0 : i64
  %t = py.truth %x
  cf.cond_br %t, ^join(%x : !py.object), ^join(%none : !py.object)
^join(%y: !py.object):
  %is = py.is %y, %none
  %absent = py.truth %is
  cf.cond_br %absent, ^a, ^b
^a:
  py.return %zero
^b:
  %sum = py.binary add %y, %x
  py.return %sum
}

py.func @m.g(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^join(%x : !py.object), ^join(%none : !py.object)
^join(%y: !py.object):
  %sum = py.binary add %y, %x
  py.return %sum
}

// -----

// What is passed on behind a test is the value, unless the block of the test is another turn's: then it may
// be None again.

// CHECK-LABEL: func.func @passed(
// CHECK:       ^[[HEAD:.*]](%{{.*}}: !typed.optional<si64>):
// CHECK:       ^{{.*}}(%{{.*}}: si64):
// CHECK:       func.func @turns(
// CHECK:         typed.raise_if %{{.*}}, "TypeError"("expected int64, got None")
py.specialize @m.f(si64) as @passed
py.specialize @m.g(si64) as @turns
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^join(%x : !py.object), ^join(%none : !py.object)
^join(%y: !py.object):
  %is = py.is not %y, %none
  %present = py.truth %is
  cf.cond_br %present, ^end(%y : !py.object), ^end(%x : !py.object)
^end(%z: !py.object):
  py.return %z
}
py.func @m.g(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  cf.br ^head(%x, %x : !py.object, !py.object)
^head(%y: !py.object, %z: !py.object):
  %sum = py.binary add %z, %x
  %is = py.is %y, %none
  %absent = py.truth %is
  cf.cond_br %absent, ^end, ^more
^more:
  cf.br ^head(%none, %y : !py.object, !py.object)
^end:
  %last = py.binary add %sum, %y
  py.return %last
}

// -----

// An optional of an optional is one optional, and its values have one type.

// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    -> !typed.optional<f64>
// CHECK:       ^{{.*}}(%[[O:.*]]: !typed.optional<si64>):
// CHECK:         cf.cond_br
// CHECK:         %[[IS:.*]] = typed.is_some %[[O]]
// CHECK:         %[[V:.*]] = typed.optional_value %[[O]]
// CHECK:         %[[F:.*]] = typed.cast %[[V]] : si64 to f64
// CHECK:         %[[S:.*]] = typed.optional_some %[[F]]
// CHECK:         %[[N:.*]] = typed.optional_none
// CHECK:         arith.select %[[IS]], %[[S]], %[[N]] : !typed.optional<f64>
py.specialize @m.f(si64) as @nested
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %half = py.constant 0.5 : f64
  %t = py.truth %x
  cf.cond_br %t, ^join(%x : !py.object), ^join(%none : !py.object)
^join(%y: !py.object):
  %u = py.truth %x
  cf.cond_br %u, ^a, ^b
^a:
  py.return %y
^b:
  py.return %half
}

// -----

// A callee gets it as it is.

// CHECK-LABEL: func.func @passes(
// CHECK:         typed.call @[[CALLEE:.*]](%{{.*}}) : (!typed.optional<si64>) -> i1
// CHECK:       func.func private @[[CALLEE]](%{{.*}}: !typed.optional<si64>) -> i1
py.specialize @m.f(si64) as @passes
py.func @m.f(%x) attributes {arg_names = ["x"], globals = "m"} {
  %g = py.global @m.g
  %none = py.constant #py.none
  %t = py.truth %x
  cf.cond_br %t, ^join(%x : !py.object), ^join(%none : !py.object)
^join(%y: !py.object):
  %r = py.call %g(%y)
  py.return %r
}
py.func @m.g(%x) attributes {arg_names = ["x"], globals = "m"} {
  %none = py.constant #py.none
  %is = py.is %x, %none
  py.return %is
}

// -----

// A list that isn't there has no length to look at: its truth is asked behind a branch. That of a text is asked at
// once, whose length is 0 then.

// CHECK-LABEL: func.func @truths(
// CHECK-NOT:     typed.list_len
// CHECK:         %[[LIST:.*]] = typed.call @[[TRUTH:.*]](%{{.*}}) : (!typed.optional<!typed.list<si64>>) -> i1
// CHECK:         cf.cond_br %[[LIST]]
// CHECK:         %[[IS:.*]] = typed.is_some
// CHECK:         %[[TEXT:.*]] = typed.binary and %[[IS]]
// CHECK:         cf.cond_br %[[TEXT]]
// CHECK:       func.func private @[[TRUTH]](%[[X:.*]]: !typed.optional<!typed.list<si64>>) -> i1
// CHECK:         %[[S:.*]] = typed.is_some %[[X]]
// CHECK:         cf.cond_br
// CHECK:         typed.list_len
py.specialize @m.f(i1, !typed.list<si64>, !typed.str) as @truths
py.func @m.f(%c, %list, %text) attributes {arg_names = ["c", "list", "text"], globals = "m"} {
  %none = py.constant #py.none
  %t = py.truth %c
  cf.cond_br %t, ^join(%list, %text : !py.object, !py.object), ^join(%none, %none : !py.object, !py.object)
^join(%x: !py.object, %y: !py.object):
  %u = py.truth %x
  cf.cond_br %u, ^next, ^end
^next:
  %v = py.truth %y
  cf.cond_br %v, ^end, ^end
^end:
  py.return %none
}
