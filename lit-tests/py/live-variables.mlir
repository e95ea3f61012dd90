// RUN: %pyopt %s --pass-pipeline='builtin.module(py.func(py-live-variables))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(py.func(py-live-variables,py-live-variables))' --split-input-file | FileCheck %s

// Behind the last use; what is never used, at once; what is returned is the caller's.

// CHECK-LABEL: py.func @straight
// CHECK-SAME: (%[[A:.*]], %[[B:.*]], %[[UNUSED:.*]])
// CHECK-NEXT: py.del %[[UNUSED]]
// CHECK-NEXT: %[[SUM:.*]] = py.binary add %[[A]], %[[B]]
// CHECK-NEXT: py.del %[[B]]
// CHECK-NEXT: %[[MUL:.*]] = py.binary mul %[[SUM]], %[[A]]
// CHECK-NEXT: py.del %[[A]]
// CHECK-NEXT: py.del %[[SUM]]
// CHECK-NEXT: py.return %[[MUL]]
py.func @straight(%a, %b, %unused) attributes {arg_names = ["a", "b", "unused"], globals = "m"} {
  %0 = py.binary add %a, %b
  %1 = py.binary mul %0, %a
  py.return %1
}

// -----

// At the start of the way where it is dead.

// CHECK-LABEL: py.func @branch
// CHECK-SAME: (%[[A:.*]], %[[B:.*]])
// CHECK: cf.cond_br %{{.*}}, ^[[LEFT:.*]], ^[[RIGHT:.*]]
// CHECK: ^[[LEFT]]:
// CHECK-NEXT: py.del %[[B]]
// CHECK-NEXT: py.return %[[A]]
// CHECK: ^[[RIGHT]]:
// CHECK-NEXT: py.del %[[A]]
// CHECK-NEXT: py.return %[[B]]
py.func @branch(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.truth %a
  cf.cond_br %0, ^left, ^right
^left:
  py.return %a
^right:
  py.return %b
}

// -----

// A loop's variable moves from turn to turn; the iterator dies where the loop ends.

// CHECK-LABEL: py.func @loop
// CHECK-SAME: (%[[ITEMS:.*]])
// CHECK: %[[ITER:.*]] = py.get_iter %[[ITEMS]]
// CHECK-NEXT: py.del %[[ITEMS]]
// CHECK: ^bb1(%[[TOTAL:.*]]: !py.object):
// CHECK-NEXT: py.for_iter %[[ITER]], ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK: ^[[BODY]](%[[ITEM:.*]]: !py.object):
// CHECK-NEXT: %[[SUM:.*]] = py.inplace add %[[TOTAL]], %[[ITEM]]
// CHECK-NEXT: py.del %[[TOTAL]]
// CHECK-NEXT: py.del %[[ITEM]]
// CHECK-NEXT: cf.br ^bb1(%[[SUM]] : !py.object)
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: py.del %[[ITER]]
// CHECK-NEXT: py.return %[[TOTAL]]
py.func @loop(%items) attributes {arg_names = ["items"], globals = "m"} {
  %zero = py.constant 0 : i64
  %iterator = py.get_iter %items
  cf.br ^head(%zero : !py.object)
^head(%total: !py.object):
  py.for_iter %iterator, ^body, ^exit
^body(%item: !py.object):
  %sum = py.inplace add %total, %item
  cf.br ^head(%sum : !py.object)
^exit:
  py.return %total
}

// -----

// Two references where a value is passed twice, or passed and used later.

// CHECK-LABEL: py.func @shared
// CHECK-SAME: (%[[A:.*]])
// CHECK-NEXT: %[[NEW:.*]] = py.new_reference %[[A]]
// CHECK-NEXT: %[[MORE:.*]] = py.new_reference %[[A]]
// CHECK-NEXT: cf.br ^bb1(%[[NEW]], %[[MORE]] : !py.object, !py.object)
// CHECK-NEXT: ^bb1(%[[X:.*]]: !py.object, %[[Y:.*]]: !py.object):
// CHECK-NEXT: py.del %[[Y]]
// CHECK-NEXT: %[[SUM:.*]] = py.binary add %[[X]], %[[A]]
// CHECK-NEXT: py.del %[[A]]
// CHECK-NEXT: py.del %[[X]]
// CHECK-NEXT: py.return %[[SUM]]
py.func @shared(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^next(%a, %a : !py.object, !py.object)
^next(%x: !py.object, %y: !py.object):
  %0 = py.binary add %x, %a
  py.return %0
}

// -----

// A way that shares its end with others gets a block of its own.

// CHECK-LABEL: py.func @critical
// CHECK-SAME: (%[[A:.*]], %[[B:.*]])
// CHECK: cf.cond_br %{{.*}}, ^[[USE:.*]], ^[[EDGE:[^ ]*]]
// CHECK: ^[[USE]]:
// CHECK-NEXT: %[[NEG:.*]] = py.unary neg %[[B]]
// CHECK-NEXT: py.del %[[B]]
// CHECK-NEXT: py.del %[[NEG]]
// CHECK-NEXT: cf.br ^[[JOIN:.*]](%[[A]] : !py.object)
// CHECK: ^[[JOIN]](%[[X:.*]]: !py.object):
// CHECK-NEXT: py.return %[[X]]
// CHECK: ^[[EDGE]]:
// CHECK-NEXT: py.del %[[B]]
// CHECK-NEXT: cf.br ^[[JOIN]](%[[A]] : !py.object)
py.func @critical(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.truth %a
  cf.cond_br %0, ^use, ^join(%a : !py.object)
^use:
  %1 = py.unary neg %b
  cf.br ^join(%a : !py.object)
^join(%x: !py.object):
  py.return %x
}

// -----

// An exception gives up what is alive: no deletions of what `raise` uses.

// CHECK-LABEL: py.func @raises
// CHECK-SAME: (%[[A:.*]], %[[B:.*]])
// CHECK-NEXT: py.del %[[B]]
// CHECK-NEXT: py.raise %[[A]]
py.func @raises(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  py.raise %a
}

// -----

// Where it is dead on all ways into a block, it is deleted there.

// CHECK-LABEL: py.func @while
// CHECK-SAME: (%[[N:.*]], %[[K:.*]])
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]](%[[N]] : !py.object), ^[[EXIT:.*]](%[[N]] : !py.object)
// CHECK: ^[[BODY]](
// CHECK: cf.cond_br %{{.*}}, ^[[BODY]](%[[NEXT:.*]] : !py.object), ^[[EXIT]](%[[NEXT]] : !py.object)
// CHECK: ^[[EXIT]](%[[LAST:.*]]: !py.object):
// CHECK-NEXT: py.del %[[K]]
// CHECK-NEXT: py.return %[[LAST]]
py.func @while(%n, %k) attributes {arg_names = ["n", "k"], globals = "m"} {
  %0 = py.truth %n
  cf.cond_br %0, ^body(%n : !py.object), ^exit(%n : !py.object)
^body(%old: !py.object):
  %new = py.inplace sub %old, %k
  %1 = py.truth %new
  cf.cond_br %1, ^body(%new : !py.object), ^exit(%new : !py.object)
^exit(%last: !py.object):
  py.return %last
}
