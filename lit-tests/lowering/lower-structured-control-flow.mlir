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
