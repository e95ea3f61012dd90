// RUN: %pyopt %s --py-prune-branches --split-input-file | FileCheck %s

// An argument whose type says that it is None, or that it isn't.

// CHECK-LABEL: py.func @none
// CHECK-SAME: (%[[A:.*]], %[[B:.*]])
// CHECK-NOT: cond_br
// CHECK-NOT: py.is
// CHECK: %[[R:.*]] = py.unary neg %[[A]]
// CHECK-NOT: cond_br
// CHECK: py.return %[[R]]
py.func @none(%a, %b) attributes {arg_names = ["a", "b"], globals = "m", requested_types = [si64, !typed.none]} {
  %none = py.constant #py.none
  %0 = py.is not %b, %none
  %1 = py.truth %0
  cf.cond_br %1, ^given, ^missing
^given:
  %2 = py.binary add %a, %b
  cf.br ^end(%2 : !py.object)
^missing:
  %3 = py.compare eq %a, %none
  %4 = py.truth %3
  cf.cond_br %4, ^end(%b : !py.object), ^next
^next:
  %5 = py.unary neg %a
  cf.br ^end(%5 : !py.object)
^end(%r: !py.object):
  py.return %r
}

// -----

py.binding @m.DEBUG = false
py.binding @m.LEVEL = 2 : i64

// Global constants, and constants that only one way brings.

// CHECK-LABEL: py.func @constants
// CHECK-SAME: (%[[A:.*]])
// CHECK-NOT: cond_br
// CHECK: %[[R:.*]] = py.binary mul %[[A]], %[[A]]
// CHECK: py.return %[[R]]
py.func @constants(%a) attributes {arg_names = ["a"], globals = "m"} {
  %debug = py.global @m.DEBUG
  %0 = py.truth %debug
  %one = py.constant 1 : i64
  %level = py.global @m.LEVEL
  cf.cond_br %0, ^end(%one : !py.object), ^other
^other:
  cf.br ^end(%level : !py.object)
^end(%which: !py.object):
  %1 = py.compare gt %which, %one
  %2 = py.unary not %1
  %3 = py.truth %2
  cf.cond_br %3, ^slow, ^fast
^slow:
  py.return %a
^fast:
  %4 = py.binary mul %a, %a
  py.return %4
}

// -----

// What is not known stays: other types than None may be false, and what an unknown value is.

// CHECK-LABEL: py.func @unknown
// CHECK-COUNT-3: cf.cond_br
py.func @unknown(%a, %b) attributes {arg_names = ["a", "b"], globals = "m", requested_types = [si64, si64]} {
  %0 = py.truth %a
  cf.cond_br %0, ^one, ^two
^one:
  %none = py.constant #py.none
  %sum = py.binary add %a, %b
  %1 = py.is %sum, %none
  %2 = py.truth %1
  cf.cond_br %2, ^two, ^three
^two:
  %3 = py.is %a, %b
  %4 = py.truth %3
  cf.cond_br %4, ^three, ^three
^three:
  py.return %b
}

// -----

// A loop that is never entered goes, with the arguments that it passed around.

// CHECK-LABEL: py.func @loop
// CHECK-SAME: (%[[A:.*]])
// CHECK-NOT: py.binary
// CHECK: py.return %[[A]]
py.func @loop(%a) attributes {arg_names = ["a"], globals = "m"} {
  %false = py.constant false
  %0 = py.truth %false
  cf.cond_br %0, ^body(%a : !py.object), ^end(%a : !py.object)
^body(%x: !py.object):
  %1 = py.binary add %x, %x
  %2 = py.truth %1
  cf.cond_br %2, ^body(%1 : !py.object), ^end(%1 : !py.object)
^end(%r: !py.object):
  py.return %r
}

// -----

// An argument with a literal type.

// CHECK-LABEL: py.func @literal
// CHECK-SAME: (%[[A:.*]])
// CHECK-NOT: cond_br
// CHECK: py.unary neg %[[A]]
py.func @literal(%a) attributes {arg_names = ["a"], globals = "m", requested_types = [!typed.literal<3 : i64>]} {
  %three = py.constant 3 : i64
  %0 = py.compare lt %a, %three
  %1 = py.truth %0
  cf.cond_br %1, ^less, ^other
^less:
  py.return %a
^other:
  %2 = py.unary neg %a
  py.return %2
}

// What may be None at run time is asked then.
// CHECK-LABEL: py.func @optional
// CHECK: py.is
// CHECK: cf.cond_br
py.func @optional(%a) attributes {arg_names = ["a"], globals = "m", requested_types = [!typed.optional<si64>]} {
  %none = py.constant #py.none
  %0 = py.is %a, %none
  %1 = py.truth %0
  cf.cond_br %1, ^yes, ^no
^yes:
  %2 = py.constant 1 : i64
  py.return %2
^no:
  py.return %a
}

// -----

// One value that is compared with itself, and used by what it is compared with: each goes once.

// CHECK-LABEL: py.func @same
// CHECK-NOT: py.constant
// CHECK-NOT: py.compare
// CHECK-NOT: cond_br
// CHECK: py.return %arg0
py.func @same(%a, %b) attributes {arg_names = ["a", "b"], globals = "m", requested_types = [si64, si64]} {
  %5 = py.constant 5
  %0 = py.compare eq %5, %5
  %1 = py.truth %0
  cf.cond_br %1, ^second, ^no
^second:
  %c = py.constant #py.none
  %2 = py.is %c, %c
  %3 = py.truth %2
  cf.cond_br %3, ^third, ^no
^third:
  %d = py.constant 1
  %n = py.unary neg %d
  %4 = py.compare le %n, %d
  %6 = py.unary not %4
  %7 = py.truth %6
  cf.cond_br %7, ^no, ^yes
^yes:
  py.return %a
^no:
  py.return %b
}
