// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-shorten-recurrences))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-shorten-recurrences{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: compares what the iteration before has computed last

// What is carried was compared with the first one, and the result with the second one.

// CHECK-LABEL: func.func @least(
// CHECK: scf.for {{.*}} iter_args(%[[LAST:.*]] = %arg2)
// CHECK:   %[[X:.*]] = typed.load %arg0
// CHECK:   %[[Y:.*]] = typed.load %arg1
// CHECK:   %[[NEXT:.*]] = typed.binary add %[[LAST]], %
// CHECK:   %[[OTHERS:.*]] = typed.binary min %[[Y]], %[[X]] : si64
// CHECK:   %[[LEAST:.*]] = typed.binary min %[[OTHERS]], %[[NEXT]] : si64
// CHECK-NOT: typed.binary
// CHECK:   scf.yield %[[LEAST]]
func.func @least(%a: !typed.array<1, si64, C>, %b: !typed.array<1, si64, C>, %first: si64, %n: index) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%last = %first) -> (si64) {
    %x = typed.load %a[%j] : !typed.array<1, si64, C>, index -> si64
    %y = typed.load %b[%j] : !typed.array<1, si64, C>, index -> si64
    %next = typed.binary add %last, %one : si64
    %p = typed.binary min %x, %next : si64
    %q = typed.binary min %p, %y : si64
    scf.yield %q : si64
  }
  return %s : si64
}

// -----

// Of two that are carried, the one that is ready later comes last.

// CHECK-LABEL: func.func @two(
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %arg1, %[[Q:.*]] = %arg1)
// CHECK:   %[[LATE:.*]] = typed.binary mul
// CHECK:   %[[X:.*]] = typed.load %arg0
// CHECK:   %[[EARLY:.*]] = typed.binary max %[[X]], %[[Q]] : si64
// CHECK:   %[[MOST:.*]] = typed.binary max %[[EARLY]], %[[LATE]] : si64
// CHECK:   scf.yield %[[MOST]], %[[X]]
func.func @two(%a: !typed.array<1, si64, C>, %first: si64, %n: index) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %first, %q = %first) -> (si64, si64) {
    %pp = typed.binary mul %p, %p : si64
    %x = typed.load %a[%j] : !typed.array<1, si64, C>, index -> si64
    %m = typed.binary max %pp, %x : si64
    %most = typed.binary max %m, %q : si64
    scf.yield %most, %x : si64, si64
  }
  return %s#0 : si64
}

// -----

// Near misses: it is last already; there are two alone; a comparison of the two is needed elsewhere; the
// least and the greatest are no chain; floats may be NaN; nothing is carried.

// CHECK-LABEL: func.func @near_misses(
// CHECK:      %[[A:.*]] = typed.binary min %[[X:.*]], %[[Y:.*]] : si64
// CHECK-NEXT: typed.binary min %[[A]], %[[S:.*]] : si64
// CHECK-NEXT: typed.binary min %[[S]], %[[X]] : si64
// CHECK-NEXT: %[[B:.*]] = typed.binary max %[[S]], %[[X]] : si64
// CHECK-NEXT: typed.binary max %[[B]], %[[Y]] : si64
// CHECK-NEXT: typed.binary min %[[B]], %[[Y]] : si64
// CHECK-NEXT: %[[F:.*]] = typed.binary min %[[T:.*]], %[[Z:.*]] : f64
// CHECK-NEXT: typed.binary min %[[F]], %{{.*}} : f64
// CHECK-NEXT: %[[C:.*]] = typed.binary min %[[X]], %[[Y]] : si64
// CHECK-NEXT: typed.binary min %[[C]], %arg4 : si64
func.func @near_misses(%a: !typed.array<1, si64, C>, %b: !typed.array<1, f64, C>, %first: si64, %zero: f64, %k: si64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all:7 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %first, %p = %first, %q = %first, %r = %first, %t = %zero, %u = %first, %v = %first) -> (si64, si64, si64, si64, f64, si64, si64) {
    %x = typed.load %a[%j] : !typed.array<1, si64, C>, index -> si64
    %y = typed.load %a[%c0] : !typed.array<1, si64, C>, index -> si64
    %z = typed.load %b[%j] : !typed.array<1, f64, C>, index -> f64
    %z0 = typed.load %b[%c0] : !typed.array<1, f64, C>, index -> f64
    %a1 = typed.binary min %x, %y : si64
    %a2 = typed.binary min %a1, %s : si64
    %a3 = typed.binary min %s, %x : si64
    %b1 = typed.binary max %s, %x : si64
    %b2 = typed.binary max %b1, %y : si64
    %b3 = typed.binary min %b1, %y : si64
    %f1 = typed.binary min %t, %z : f64
    %f2 = typed.binary min %f1, %z0 : f64
    %d1 = typed.binary min %x, %y : si64
    %d2 = typed.binary min %d1, %k : si64
    scf.yield %a2, %a3, %b2, %b3, %f2, %d2, %d2 : si64, si64, si64, si64, f64, si64, si64
  }
  return %all#4 : f64
}
