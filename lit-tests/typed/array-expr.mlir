// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-array-expr))' | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// a * b + c, two trees deep, becomes one expression.

// CHECK-LABEL: func.func @tree(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>, %[[C:.*]]: !typed.array<1, f64, C>)
// CHECK-NEXT: %[[R:.*]] = typed.array_expr(%[[A]], %[[B]], %[[C]]) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %[[Z:.*]]: f64):
// CHECK-NEXT:   %[[P:.*]] = typed.binary mul %[[X]], %[[Y]] : f64
// CHECK-NEXT:   %[[S:.*]] = typed.binary add %[[P]], %[[Z]] : f64
// CHECK-NEXT:   %[[Q:.*]] = typed.unary sqrt %[[S]] : f64
// CHECK-NEXT:   typed.yield %[[Q]] : f64
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
func.func @tree(%a: !v, %b: !v, %c: !v) -> !v {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  %2 = typed.array_expr(%0, %c) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  %3 = typed.array_expr(%2) {
  ^bb0(%x: f64):
    %1 = typed.unary sqrt %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %3 : !v
}

// An expression used twice by one consumer is computed once; operands are taken once.

// CHECK-LABEL: func.func @square(
// CHECK: typed.array_expr(%{{.*}}, %{{.*}}) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT:   %[[D:.*]] = typed.binary sub %[[X]], %[[Y]]
// CHECK-NEXT:   %[[M:.*]] = typed.binary mul %[[D]], %[[D]]
// CHECK-NEXT:   typed.yield %[[M]]
// CHECK-NOT: typed.array_expr
func.func @square(%a: !v, %s: f64) -> !v {
  %0 = typed.array_expr(%a, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary sub %x, %y : f64
    typed.yield %1 : f64
  } : (!v, f64) -> !v
  %2 = typed.array_expr(%0, %0) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  return %2 : !v
}

// Two users keep the array.

// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-3: typed.array_expr
func.func @shared(%a: !v) -> (!v, !v) {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary neg %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  %2 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  %3 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    %1 = typed.unary sin %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %2, %3 : !v, !v
}

// A row would be computed again for each row of the matrix.

// CHECK-LABEL: func.func @smaller_rank(
// CHECK-COUNT-2: typed.array_expr
func.func @smaller_rank(%a: !v, %b: !m) -> !m {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  %2 = typed.array_expr(%0, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !m) -> !m
  return %2 : !m
}

// The store changes what the first expression reads.

// CHECK-LABEL: func.func @write_between(
// CHECK: typed.array_expr
// CHECK: typed.store
// CHECK: typed.array_expr
func.func @write_between(%a: !v, %i: si64, %s: f64) -> !v {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary neg %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  typed.store %s, %a[%i] : f64, !v, si64
  %2 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %2 : !v
}

// The sizes of a and b are checked before the division by zero is.

// CHECK-LABEL: func.func @error_between(
// CHECK: typed.array_expr
// CHECK: typed.raise_if
// CHECK: typed.array_expr
func.func @error_between(%a: !v, %b: !v, %bad: i1) -> !v {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  typed.raise_if %bad, "ZeroDivisionError"("division by zero")
  %2 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %2 : !v
}

// One operand can't be the wrong size, so nothing is reordered that could be seen; and the store
// goes to an array that nobody else has.

// CHECK-LABEL: func.func @harmless_between(
// CHECK-COUNT-1: typed.array_expr
// CHECK-NOT: typed.array_expr
func.func @harmless_between(%a: !v, %bad: i1, %n: index, %s: f64) -> (!v, !v) {
  %c0 = arith.constant 0 : index
  %fresh = typed.empty(%n) : (index) -> !v
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary neg %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  typed.raise_if %bad, "ZeroDivisionError"("division by zero")
  typed.store %s, %fresh[%c0] : f64, !v, index
  %2 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %2, %fresh : !v, !v
}

// Branches in an expression go with it: what is fused isn't looked at again.

// CHECK-LABEL: func.func @branches_inside(
// CHECK-COUNT-1: typed.array_expr
// CHECK: scf.if
// CHECK: scf.if
// CHECK-NOT: typed.array_expr
// CHECK: return
func.func @branches_inside(%a: !v, %s: f64) -> !v {
  %0 = typed.array_expr(%a, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.compare lt %x, %y : f64
    %2 = scf.if %1 -> (f64) {
      %3 = typed.unary neg %x : f64
      scf.yield %3 : f64
    } else {
      scf.yield %y : f64
    }
    typed.yield %2 : f64
  } : (!v, f64) -> !v
  %4 = typed.array_expr(%0, %s) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.compare lt %x, %y : f64
    %2 = scf.if %1 -> (f64) {
      %3 = typed.unary sqrt %x : f64
      scf.yield %3 : f64
    } else {
      scf.yield %y : f64
    }
    typed.yield %2 : f64
  } : (!v, f64) -> !v
  %5 = typed.array_expr(%4) {
  ^bb0(%x: f64):
    %1 = typed.unary exp %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  return %5 : !v
}

// Of two regions the larger one stays; operands keep their order either way.

// CHECK-LABEL: func.func @larger_consumer(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK-NEXT: typed.array_expr(%[[B]], %[[A]]) {
// CHECK-NEXT: ^bb0(%[[Y:.*]]: f64, %[[X:.*]]: f64):
// CHECK-NEXT:   %[[N:.*]] = typed.unary neg %[[X]] : f64
// CHECK-NEXT:   %[[P:.*]] = typed.binary mul %[[Y]], %[[N]] : f64
// CHECK-NEXT:   %[[Q:.*]] = typed.binary add %[[P]], %[[N]] : f64
// CHECK-NEXT:   %[[S:.*]] = typed.binary sub %[[Q]], %[[X]] : f64
// CHECK-NEXT:   typed.yield %[[S]] : f64
func.func @larger_consumer(%a: !v, %b: !v) -> !v {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %1 = typed.unary neg %x : f64
    typed.yield %1 : f64
  } : (!v) -> !v
  %2 = typed.array_expr(%b, %0, %a) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %1 = typed.binary mul %x, %y : f64
    %3 = typed.binary add %1, %y : f64
    %4 = typed.binary sub %3, %z : f64
    typed.yield %4 : f64
  } : (!v, !v, !v) -> !v
  return %2 : !v
}

// CHECK-LABEL: func.func @larger_producer(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK-NEXT: typed.array_expr(%[[B]], %[[A]]) {
// CHECK-NEXT: ^bb0(%[[Y:.*]]: f64, %[[X:.*]]: f64):
// CHECK-NEXT:   %[[P:.*]] = typed.binary mul %[[X]], %[[Y]] : f64
// CHECK-NEXT:   %[[Q:.*]] = typed.unary neg %[[P]] : f64
// CHECK-NEXT:   %[[S:.*]] = typed.binary add %[[Y]], %[[Q]] : f64
// CHECK-NEXT:   typed.yield %[[S]] : f64
func.func @larger_producer(%a: !v, %b: !v) -> !v {
  %0 = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary mul %x, %y : f64
    %2 = typed.unary neg %1 : f64
    typed.yield %2 : f64
  } : (!v, !v) -> !v
  %3 = typed.array_expr(%b, %0) {
  ^bb0(%x: f64, %y: f64):
    %1 = typed.binary add %x, %y : f64
    typed.yield %1 : f64
  } : (!v, !v) -> !v
  return %3 : !v
}

// What an expression yields may be one of its operands.

// CHECK-LABEL: func.func @yields_operands(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>)
// CHECK-NEXT: typed.array_expr(%[[A]]) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT:   typed.yield %[[X]] : f64
func.func @yields_operands(%a: !v) -> !v {
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    typed.yield %x : f64
  } : (!v) -> !v
  %1 = typed.array_expr(%0) {
  ^bb0(%x: f64):
    typed.yield %x : f64
  } : (!v) -> !v
  return %1 : !v
}
