// RUN: %pyopt %s --py-rewrite --canonicalize --split-input-file | FileCheck %s
// RUN: %pyopt %s --py-static-getitem --canonicalize --split-input-file | FileCheck %s --check-prefix=GETITEM
// RUN: %pyopt %s --py-static-setitem --canonicalize --split-input-file | FileCheck %s --check-prefix=SETITEM
// RUN: %pyopt %s --py-constant-binop --canonicalize --split-input-file | FileCheck %s --check-prefix=BINOP
// RUN: %pyopt %s --py-static-raise --canonicalize --split-input-file | FileCheck %s --check-prefix=RAISE

py.binding @m.N = 3 : i64

// Constant indices become constants, the one that is an argument doesn't.

// CHECK-LABEL: py.func @items
// CHECK-SAME: (%[[A:.*]], %[[I:.*]])
// CHECK-DAG: %[[PAIR:.*]] = py.constant [3, -3]
// CHECK-DAG: %[[MINUS:.*]] = py.constant -3 : i64
// CHECK-DAG: %[[THREE:.*]] = py.constant 3 : i64
// CHECK: %[[X:.*]] = py.getitem %[[A]][%[[THREE]]]
// CHECK: %[[Y:.*]] = py.getitem %[[X]][%[[MINUS]]]
// CHECK: py.setitem %[[A]][%[[PAIR]]] = %[[Y]]
// CHECK: py.getitem %[[A]][%[[I]]]
// GETITEM-LABEL: py.func @items
// GETITEM: %[[THREE:.*]] = py.constant 3 : i64
// GETITEM: py.getitem %{{.*}}[%[[THREE]]]
// GETITEM: %[[PAIR:.*]] = py.build_tuple
// GETITEM: py.setitem %{{.*}}[%[[PAIR]]]
// SETITEM-LABEL: py.func @items
// SETITEM: %[[PAIR:.*]] = py.constant [3, -3]
// SETITEM: %[[N:.*]] = py.global @m.N
// SETITEM: py.getitem %{{.*}}[%[[N]]]
// SETITEM: py.setitem %{{.*}}[%[[PAIR]]]
py.func @items(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %n = py.global @m.N
  %0 = py.getitem %a[%n]
  %1 = py.unary neg %n
  %2 = py.getitem %0[%1]
  %pair = py.build_tuple(%n, %1)
  py.setitem %a[%pair] = %2
  %3 = py.getitem %a[%i]
  py.return %3
}

// -----

py.binding @m.N = 3 : i64

// Python's rounding of quotients; what has no result in 64 bits stays: a division by zero, a
// product and a shift that are too large, a negative power.

// CHECK-LABEL: py.func @operators
// BINOP-LABEL: py.func @operators
// BINOP-SAME: (%[[A:.*]])
// BINOP-DAG: %[[SIX:.*]] = py.constant 6 : i64
// BINOP-DAG: py.constant -3 : i64
// BINOP-DAG: py.constant -2.3333333333333335 : f64
// BINOP-DAG: py.constant "ab"
// BINOP: py.binary pow %[[A]], %[[SIX]]
// BINOP-NOT: py.binary mod
// BINOP: py.binary floordiv
// BINOP-NEXT: py.binary mul
// BINOP-NEXT: py.binary lshift
// BINOP-NEXT: py.binary pow
// BINOP-NOT: py.binary
py.func @operators(%a) attributes {arg_names = ["a"], globals = "m"} {
  %n = py.global @m.N
  %two = py.constant 2 : i64
  %0 = py.binary mul %n, %two
  %power = py.binary pow %a, %0
  %minus = py.constant -7 : i64
  %rest = py.binary mod %minus, %n
  %floor = py.binary floordiv %minus, %n
  %quotient = py.binary truediv %minus, %n
  %a_text = py.constant "a"
  %b_text = py.constant "b"
  %text = py.binary add %a_text, %b_text
  %zero = py.constant 0 : i64
  %by_zero = py.binary floordiv %n, %zero
  %large = py.constant 4611686018427387904 : i64
  %product = py.binary mul %large, %two
  %shifted = py.binary lshift %large, %two
  %negative = py.binary pow %two, %minus
  %all = py.build_tuple(%power, %rest, %floor, %quotient, %text, %by_zero, %product, %shifted, %negative)
  py.return %all
}

// -----

py.binding @m.TEXT = "bad "
py.binding @m.N = 3 : i64

// CHECK-LABEL: py.func @message
// RAISE-LABEL: py.func @message
// RAISE: %[[TEXT:.*]] = py.constant "bad 3"
// RAISE: %[[ERROR:.*]] = py.call %{{.*}}(%[[TEXT]])
// RAISE: py.raise %[[ERROR]]
py.func @message() attributes {arg_names = [], globals = "m"} {
  %class = py.global @m.ValueError
  %text = py.global @m.TEXT
  %n = py.global @m.N
  %part = py.format %n ""
  %message = py.build_string(%text, %part)
  %0 = py.call %class(%message)
  py.raise %0
}

// What is not constant stays, and a class alone.

// CHECK-LABEL: py.func @open
// RAISE-LABEL: py.func @open
// RAISE-SAME: (%[[A:.*]])
// RAISE: py.call %{{.*}}(%[[A]])
py.func @open(%a) attributes {arg_names = ["a"], globals = "m"} {
  %class = py.global @m.ValueError
  %0 = py.truth %a
  cf.cond_br %0, ^one, ^other
^one:
  %1 = py.call %class(%a)
  py.raise %1
^other:
  py.raise %class
}

// -----

// What a handler gets is not what is raised.

// RAISE-LABEL: py.func @again
// RAISE: py.raise unwind ^{{.*}}(%{{.*}})
py.func @again(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.constant 1 : i64
  %1 = py.truth %a
  cf.cond_br %1, ^body, ^other
^other:
  py.return %a
^body:
  py.raise unwind ^handler(%0)
^handler(%exception: !py.object, %local: !py.object):
  py.return %local
}
