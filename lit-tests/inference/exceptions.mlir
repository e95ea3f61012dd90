// Raising and catching, from Python's operations.
// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

py.binding @m.ZeroDivisionError = #py.named<"builtins.ZeroDivisionError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^body
^body:
  %0 = py.constant 1 : i64
  %1 = py.binary floordiv %0, %a
  py.try_br ^next unwind ^handler(%a)
^next:
  py.return %1
^handler(%exception: !py.object, %local: !py.object):
  %previous = py.push_exc_info %exception
  %class = py.global @m.ZeroDivisionError
  %takes = py.exc_match %exception, %class
  cf.cond_br %takes, ^take, ^leave
^take:
  py.pop_except %previous
  py.return %local
^leave:
  py.raise
}
// CHECK-LABEL: func.func @f.1
// CHECK: typed.raise_if %{{.*}}, "ZeroDivisionError"
// CHECK: typed.try_br ^[[NEXT:bb[0-9]+]] unwind ^[[LANDING:bb[0-9]+]]
// CHECK: ^[[NEXT]]:
// CHECK: ^[[HANDLER:bb[0-9]+]](%[[E:.*]]: !typed.exception, %[[LOCAL:.*]]: si64):
// CHECK: typed.exc_match %[[E]] in ["ZeroDivisionError"]
// CHECK: return %[[LOCAL]]
// What is handled is raised again.
// CHECK: typed.raise_value %[[E]]
// CHECK: ^[[LANDING]](%[[L:.*]]: !typed.exception):
// CHECK: cf.br ^[[HANDLER]](%[[L]], %arg0 : !typed.exception, si64)

// -----

// Adding ints doesn't raise: there is no landing.
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^body
^body:
  %0 = py.binary add %a, %a
  py.try_br ^next unwind ^handler
^next:
  py.return %0
^handler(%exception: !py.object):
  py.reraise %exception
}
// CHECK-LABEL: func.func @f.1
// CHECK-NOT: typed.try_br
// CHECK: typed.raise_value

// -----

// A raise in a protected block goes to its handler, with what the handler gets converted.
py.binding @m.KeyError = #py.named<"builtins.KeyError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^body
^body:
  %0 = py.global @m.KeyError
  %1 = py.call %0(%a)
  py.raise %1 unwind ^handler(%a)
^handler(%exception: !py.object, %local: !py.object):
  py.return %local
}
// CHECK-LABEL: func.func @f.1
// CHECK: %[[E:.*]] = typed.exception "KeyError" with %arg0 : si64 : !typed.exception
// CHECK: cf.br ^[[LANDING:bb[0-9]+]](%[[E]] : !typed.exception)
// CHECK: ^[[LANDING]](%{{.*}}: !typed.exception):

// -----

// Two exceptions that are known become one that isn't.
py.binding @m.KeyError = #py.named<"builtins.KeyError">
py.specialize @f(i1) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.global @m.KeyError
  %1 = py.constant "one"
  %2 = py.constant "two"
  %3 = py.call %0(%1)
  %4 = py.call %0(%2)
  %c = py.truth %a
  cf.cond_br %c, ^raise(%3 : !py.object), ^raise(%4 : !py.object)
^raise(%exception: !py.object):
  py.raise %exception
}
// CHECK-LABEL: func.func @f.1
// CHECK-DAG: typed.exception "KeyError"("one") : !typed.exception
// CHECK-DAG: typed.exception "KeyError"("two") : !typed.exception
// CHECK: typed.raise_value

// -----

// A class of the program's own has the names of its bases with it; what causes an exception is its
// last argument.
py.binding @m.Full = #py.exception_class<["m.Full@0", "LookupError", "Exception"]>
py.binding @m.full = #py.exception<#py.exception_class<["m.Full@0", "LookupError"]>, ["shelf", 3]>
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^body
^body:
  %full = py.global @m.full
  py.raise %full unwind ^handler
^handler(%exception: !py.object):
  %class = py.global @m.Full
  %takes = py.exc_match %exception, %class
  cf.cond_br %takes, ^take, ^leave
^take:
  %0 = py.call %class(%a)
  py.raise %0 from %exception
^leave:
  py.raise %class from %exception
}
// CHECK-LABEL: func.func @f.1
// CHECK: %[[TEXT:.*]] = typed.constant "shelf"
// CHECK: %[[THREE:.*]] = typed.constant 3 : si64
// CHECK: typed.exception ["m.Full@0", "LookupError"] with %[[TEXT]], %[[THREE]] : !typed.str, si64 : !typed.exception
// CHECK: ^{{.*}}(%[[E:.*]]: !typed.exception):
// CHECK: typed.exc_match %[[E]] in ["m.Full@0"]
// CHECK: %[[CAUSED:.*]] = typed.exception ["m.Full@0", "LookupError", "Exception"] with %arg0, %[[E]] : si64, !typed.exception
// CHECK-NEXT: typed.raise_value %[[CAUSED]]
// CHECK: %[[PLAIN:.*]] = typed.exception ["m.Full@0", "LookupError", "Exception"] with %[[E]] : !typed.exception
// CHECK-NEXT: typed.raise_value %[[PLAIN]]

// -----

// Outside of handlers the host may be handling an exception.
py.specialize @f() as @f.1
py.func @f() attributes {arg_names = [], globals = "m"} {
  py.raise
}
// CHECK-LABEL: func.func @f.1
// CHECK: typed.raise ["<handled>", "RuntimeError"]

// -----

// Which handler takes that the host says.
py.specialize @f() as @f.1
py.func @f() attributes {arg_names = [], globals = "m"} {
  py.raise unwind ^handler
^handler(%e: !py.object):
  %none = py.constant #py.none
  py.return %none
}
// CHECK-LABEL: func.func @f.1
// CHECK: typed.call @[[RAISE:.*]]() : () -> tuple<>
// CHECK-NEXT: typed.try_br
// CHECK: func.func private @[[RAISE]]() -> tuple<> attributes {pyopt.object = #py.named<"pyopt.reraising.raise_handled">}

// -----

// The text of an exception is Python's, which gets its object; one that is known is made for that.
py.binding @m.str = #py.named<"builtins.str">
py.binding @m.ValueError = #py.named<"builtins.ValueError">
py.specialize @f(si64) as @f.1
py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} {
  %class = py.global @m.ValueError
  %known = py.constant "known"
  %0 = py.call %class(%a)
  %1 = py.call %class(%known)
  %str = py.global @m.str
  %2 = py.call %str(%0)
  %3 = py.call %str(%1)
  %4 = py.build_tuple(%2, %3)
  py.return %4
}
// CHECK-LABEL: func.func @f.1
// CHECK: %[[E:.*]] = typed.exception "ValueError" with %arg0
// CHECK: typed.call @[[TEXT:.*]](%[[E]], %{{.*}}, %{{.*}}) : (!typed.exception, !typed.str, !typed.str) -> tuple<!typed.str>
// CHECK: %[[KNOWN:.*]] = typed.exception "ValueError"("known")
// CHECK: typed.call @[[TEXT]](%[[KNOWN]]
