// RUN: %pyopt %s --lower-structured-control-flow --mlir-print-debuginfo | FileCheck %s

// The arguments of the loop's block have the loop's location, not that of the text.
// CHECK: ^bb1(%{{.*}}: index loc("loop.py":3:4), %{{.*}}: i64 loc("loop.py":3:4)):
// CHECK: cf.cond_br
// CHECK-NOT: scf.for
func.func @sum(%n: index, %zero: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i64 {
    %x = arith.index_cast %i : index to i64
    %next = arith.addi %acc, %x : i64
    scf.yield %next : i64
  } loc("loop.py":3:4)
  return %sum : i64
}

// What a loop holds goes after it, and has blocks of its own in either region of the loop: both
// values that the loop carries are kept.
// CHECK-LABEL: func.func @swapped(
// CHECK: cf.br ^[[BEFORE:bb[0-9]+]](%{{.*}}, %{{.*}} : i64, i64)
// CHECK: ^[[BEFORE]](%[[A:[a-z0-9]+]]: i64 {{.*}}, %[[B:[a-z0-9]+]]: i64 {{.*}}):
// CHECK: ^{{.*}}(%[[GO:.*]]: i1 {{.*}}):
// CHECK: cf.cond_br %[[GO]], ^[[AFTER:bb[0-9]+]](%[[A]], %[[B]] : i64, i64), ^[[END:bb[0-9]+]]
// CHECK: ^[[AFTER]](%[[C:[a-z0-9]+]]: i64 {{.*}}, %[[D:[a-z0-9]+]]: i64 {{.*}}):
// CHECK: ^{{.*}}(%[[REST:.*]]: i64 {{.*}}):
// CHECK: cf.br ^[[BEFORE]](%[[D]], %[[REST]] : i64, i64)
// CHECK: ^[[END]]:
// CHECK: return %[[A]], %[[B]]
// CHECK-NOT: scf.
func.func @swapped(%x: i64, %y: i64, %c: i1) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%a = %x, %b = %y) : (i64, i64) -> (i64, i64) {
    %go = scf.if %c -> i1 {
      %more = arith.cmpi ne, %b, %zero : i64
      scf.yield %more : i1
    } else {
      scf.yield %c : i1
    }
    scf.condition(%go) %a, %b : i64, i64
  } do {
  ^bb0(%a: i64, %b: i64):
    %rest = scf.if %c -> i64 {
      %m = arith.remsi %a, %b : i64
      scf.yield %m : i64
    } else {
      scf.yield %a : i64
    }
    scf.yield %b, %rest : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
