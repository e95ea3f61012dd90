// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-tile-loops),canonicalize,cse)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-tile-loops,typed-interchange-loops))' | FileCheck %s --check-prefix=BOTH
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-tile-loops{remarks=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: goes tile by tile with the loop in it where both have more than 100 iterations

!m = !typed.array<2, f64, C>

// Neither loop is the better one outside: tiles of a cache line, with writes along rows inside.
// CHECK-LABEL: func.func @transposed
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C100:.*]] = arith.constant 100 : index
// CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK: arith.cmpi sgt, %arg2, %[[C100]]
// CHECK: arith.cmpi sgt, %arg3, %[[C100]]
// CHECK: arith.remui %{{.*}}, %[[C1024]]
// CHECK: %[[OVERLAP:.*]] = typed.overlaps %arg1, %arg0
// CHECK: %[[STAYS:.*]] = arith.ori %[[OVERLAP]]
// CHECK: scf.if %[[STAYS]] {
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %arg2 step %c1 {
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %arg3 step %c1 {
// CHECK: } {pyopt.settled}
// CHECK: } else {
// CHECK-NEXT: scf.for %[[II:.*]] = %c0 to %arg2 step %[[C8]] {
// CHECK-NEXT: scf.for %[[JJ:.*]] = %c0 to %arg3 step %[[C8]] {
// CHECK: %[[IEND:.*]] = arith.minsi %{{.*}}, %arg2
// CHECK: %[[JEND:.*]] = arith.minsi %{{.*}}, %arg3
// CHECK-NEXT: scf.for %[[J:.*]] = %[[JJ]] to %[[JEND]] step %c1 {
// CHECK-NEXT: scf.for %[[I:.*]] = %[[II]] to %[[IEND]] step %c1 {
// CHECK-NEXT: %[[X:.*]] = typed.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT: typed.store %[[X]], %arg1[%[[J]], %[[I]]]
// The pass behind it leaves both forms alone.
// BOTH-LABEL: func.func @transposed
// BOTH-COUNT-6: scf.for
// BOTH-NOT: scf.for
// BOTH: return
func.func @transposed(%a: !m, %b: !m, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = typed.load %a[%i, %j] : !m, index, index -> f64
      typed.store %x, %b[%j, %i] : f64, !m, index, index
    }
  }
  return
}

// Another order is enough.
// CHECK-LABEL: func.func @down_columns
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @down_columns(%a: !m, %b: !m, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = typed.load %a[%j, %i] : !m, index, index -> f64
      typed.store %x, %b[%j, %i] : f64, !m, index, index
    }
  }
  return
}

// An iteration reads what another one writes.
// CHECK-LABEL: func.func @in_place
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @in_place(%a: !m, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !m, index, index -> f64
      typed.store %x, %a[%j, %i] : f64, !m, index, index
    }
  }
  return
}

// Strides that aren't known at all: nothing is known of lines.
// CHECK-LABEL: func.func @strided
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @strided(%a: !typed.array<2, f64, A>, %b: !typed.array<2, f64, A>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, A>, index, index -> f64
      typed.store %x, %b[%j, %i] : f64, !typed.array<2, f64, A>, index, index
    }
  }
  return
}

// A narrowed index is one for several iterations: the last of them rules.
// CHECK-LABEL: func.func @narrowed
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @narrowed(%a: !m, %b: !m, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = typed.cast %i : index to ui8
    scf.for %j = %c0 to %n step %c1 {
      %l = typed.cast %j : index to ui8
      %x = typed.load %a[%j, %i] : !m, index, index -> f64
      typed.store %x, %b[%k, %l] : f64, !m, ui8, ui8
    }
  }
  return
}
