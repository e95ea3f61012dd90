// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-expand-broadcast))' | FileCheck %s

// The usual case costs a comparison. The runtime makes the copy, which is rare.

// CHECK-LABEL: func.func @vector(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[D:.*]] = typed.dim %[[A]][0]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[D]], %[[N]]
// CHECK: %[[R:.*]] = scf.if %[[SAME]]
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK:   %[[ONE:.*]] = arith.cmpi eq, %[[D]], %{{.*}}
// CHECK:   %[[FITS:.*]] = arith.ori %[[SAME]], %[[ONE]]
// CHECK:   %[[BAD:.*]] = arith.xori %[[FITS]], %{{.*}}
// CHECK:   typed.raise_if %[[BAD]], "ValueError"("operands could not be broadcast together with shapes ({},) ({},)") with({{.*}}) {shape_error}
// CHECK:   %[[COPY:.*]] = typed.repeat %[[A]] to(%[[N]]) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
// CHECK:   scf.yield %[[COPY]]
// CHECK: return %[[R]]
func.func @vector(%a: !typed.array<1, f64, C>, %n: index) -> !typed.array<1, f64, C> {
  %0 = typed.broadcast %a to(%n) : !typed.array<1, f64, C> -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}

// A fresh copy is contiguous; it takes the type of the source as a view.

// CHECK-LABEL: func.func @strided(
// CHECK: arith.andi
// CHECK: typed.raise_if
// CHECK: %[[COPY:.*]] = typed.repeat %{{.*}} to(%{{.*}}, %{{.*}}) : !typed.array<2, f32, A, readonly> -> !typed.array<2, f32, C>
// CHECK: typed.view %[[COPY]][] : !typed.array<2, f32, C> -> !typed.array<2, f32, A, readonly>
func.func @strided(%a: !typed.array<2, f32, A, readonly>, %n: index, %m: index) -> !typed.array<2, f32, A, readonly> {
  %0 = typed.broadcast %a to(%n, %m) : !typed.array<2, f32, A, readonly> -> !typed.array<2, f32, A, readonly>
  return %0 : !typed.array<2, f32, A, readonly>
}

// With more dimensions it is a loop, which repeats element 0 of dimensions of size 1.

// CHECK-LABEL: func.func @cube(
// CHECK-SAME: %[[A:.*]]: !typed.array<3, f64, C>, %[[N:.*]]: index)
// CHECK: %[[D:.*]] = typed.dim %[[A]][0]
// CHECK: scf.if
// CHECK: %[[LAST:.*]] = arith.subi %[[D]], %{{.*}}
// CHECK: %[[COPY:.*]] = parfor.loop serial(%[[N]], %[[N]], %[[N]]) reductions [] pattern broadcast {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: index, %{{.*}}: index):
// CHECK:      %[[J:.*]] = arith.minsi %[[I]], %[[LAST]]
// CHECK:      typed.load %[[A]][%[[J]], %{{.*}}, %{{.*}}]
func.func @cube(%a: !typed.array<3, f64, C>, %n: index) -> !typed.array<3, f64, C> {
  %0 = typed.broadcast %a to(%n, %n, %n) : !typed.array<3, f64, C> -> !typed.array<3, f64, C>
  return %0 : !typed.array<3, f64, C>
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
