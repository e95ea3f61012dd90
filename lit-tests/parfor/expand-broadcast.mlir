// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-expand-broadcast))' | FileCheck %s

// The usual case costs a comparison. The runtime makes the copy, which is rare, and knows what doesn't fit.

// CHECK-LABEL: func.func @vector(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[D:.*]] = typed.dim %[[A]][0]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[D]], %[[N]]
// CHECK: %[[R:.*]] = scf.if %[[SAME]]
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[COPY:.*]] = typed.repeat %[[A]] to(%[[N]]) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
// CHECK-NEXT:   scf.yield %[[COPY]]
// CHECK: return %[[R]]
func.func @vector(%a: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %0 = typed.broadcast %a to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}

// All operands of an expression are one test and one call. One with fewer dimensions has the last sizes.

// CHECK-LABEL: func.func @expression(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, A>, %[[B:.*]]: !typed.array<1, i1, C>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[ITEMS:.*]] = arith.cmpi eq, %{{.*}}, %[[M]]
// CHECK: %[[ROWS:.*]] = arith.cmpi eq, %{{.*}}, %[[N]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[ITEMS]], %[[ROWS]]
// CHECK: %[[COLUMNS:.*]] = arith.cmpi eq, %{{.*}}, %[[M]]
// CHECK: %[[ALL:.*]] = arith.andi %[[BOTH]], %[[COLUMNS]]
// CHECK: %[[R:.*]]:2 = scf.if %[[ALL]]
// CHECK-NEXT:   scf.yield %[[B]], %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[COPIES:.*]]:2 = typed.repeat %[[B]], %[[A]] to(%[[N]], %[[M]])
// CHECK-NEXT:   scf.yield %[[COPIES]]#0, %[[COPIES]]#1
// CHECK: call @both(%[[R]]#1, %[[R]]#0)
func.func @expression(%a: !typed.array<2, f64, A>, %b: !typed.array<1, i1, C>, %n: index, %m: index) {
  %0 = typed.broadcast %b to(%m) : !typed.array<1, i1, C> -> !typed.array<1, i1, C>
  %c0 = arith.constant 0 : index
  %k = arith.addi %m, %c0 : index
  %1 = typed.broadcast %a to(%n, %m) : !typed.array<2, f64, A> -> !typed.array<2, f64, A>
  func.call @both(%1, %0) : (!typed.array<2, f64, A>, !typed.array<1, i1, C>) -> ()
  return
}
func.func private @both(!typed.array<2, f64, A>, !typed.array<1, i1, C>)

// What needs an array before the last broadcast, and what may be seen to happen before an error, parts a group, as do
// other sizes and the broadcast of a broadcast.

// CHECK-LABEL: func.func @apart(
// CHECK: scf.if
// CHECK: typed.dim
// CHECK: scf.if
// CHECK: typed.store
// CHECK: scf.if
// CHECK: scf.if
// CHECK: scf.if
func.func @apart(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %x: f64, %n: index, %m: index) -> index {
  %0 = typed.broadcast %a to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  %d = typed.dim %0[0] : !typed.array<1, f64, C> -> index
  %1 = typed.broadcast %b to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  typed.store %x, %a[%n] : f64, !typed.array<1, f64, C>, index
  %2 = typed.broadcast %a to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  %3 = typed.broadcast %b to(%m) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  %4 = typed.broadcast %3 to(%m) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  func.call @use(%1, %2, %4) : (!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>) -> ()
  return %d : index
}

// Equal broadcasts of one array are one, up to the next write; others aren't.

// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[OTHER:.*]] = scf.if
// CHECK: call @use(%[[R]], %[[R]], %[[OTHER]])
// CHECK: %[[AGAIN:.*]] = scf.if
// CHECK: return %[[AGAIN]]
func.func @repeated(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %x: f64) -> !typed.array<1, f64, C> {
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %m = typed.dim %b[0] : !typed.array<1, f64, C> -> index
  %s = typed.broadcast_size %n, %m
  %0 = typed.broadcast %a to(%s) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  %t = typed.broadcast_size %n, %m
  %1 = typed.broadcast %a to(%t) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  %2 = typed.broadcast %a to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  func.call @use(%0, %1, %2) : (!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>) -> ()
  %3 = typed.broadcast %a to(%s) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  return %3 : !typed.array<1, f64, C>
}
func.func private @use(!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>)
