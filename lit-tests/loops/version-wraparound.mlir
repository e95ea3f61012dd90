// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-version-wraparound),typed-canonicalize,cse)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-version-wraparound{remarks=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: has a copy for indices that aren't negative

// Where the range starts is known before the loop. What comes from memory keeps its wrap-around.

// CHECK-LABEL: func.func @row(
// CHECK: %[[START:.*]] = typed.cast %arg3 : si64 to index
// CHECK: %[[MAY:.*]] = arith.cmpi sge, %[[START]], %c0
// CHECK: %[[SUM:.*]] = scf.if %[[MAY]] -> (f64) {
// CHECK:   scf.for
// CHECK:     typed.load %arg0[%{{.*}}] :
// CHECK:     typed.load %arg1[%{{.*}}] :
// CHECK:     typed.load %arg2[%{{.*}}] wraparound :
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   scf.for
// CHECK-COUNT-3: wraparound
// CHECK:   loop_annotation
// CHECK: return %[[SUM]]
func.func @row(%values: !typed.array<1, f64, C>, %columns: !typed.array<1, si64, C>, %x: !typed.array<1, f64, C>, %start: si64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0.0 : f64
  %sum = scf.for %p = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %q = typed.cast %p : index to si64
    %k = typed.binary add %start, %q {pyopt.ascending} : si64
    %v = typed.load %values[%k] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %c = typed.load %columns[%k] wraparound : !typed.array<1, si64, C>, si64 -> si64
    %w = typed.load %x[%c] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %t = typed.binary mul %v, %w : f64
    %u = typed.binary add %s, %t : f64
    scf.yield %u : f64
  }
  return %sum : f64
}

// Neighbours, and places in a flat array, which the loop computes from numbers that it doesn't change.

// CHECK-LABEL: func.func @neighbours(
// CHECK-DAG: %[[FLAT:.*]] = typed.binary mul %arg2, %arg3
// CHECK-DAG: arith.cmpi sge, %{{.*}}, %c1
// CHECK-DAG: arith.cmpi sge, %{{.*}}, %c-2
// CHECK-DAG: arith.cmpi ult, %{{.*}}, %c4611686018427387904
// CHECK: scf.if
// CHECK-NOT: wraparound
// CHECK: } else {
func.func @neighbours(%a: !typed.array<1, f64, C>, %start: si64, %i: si64, %width: si64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  scf.for %p = %c0 to %n step %c1 {
    %q = typed.cast %p : index to si64
    %k = typed.binary add %start, %q {pyopt.ascending} : si64
    %left = typed.binary sub %k, %one : si64
    %right = typed.binary add %two, %k : si64
    %row = typed.binary mul %i, %width : si64
    %flat = typed.binary add %row, %q : si64
    %x = typed.load %a[%left] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %y = typed.load %a[%right] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %z = typed.binary add %x, %y : f64
    typed.store %z, %a[%flat] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// A window around a place: the range starts below zero, its sum with the place doesn't.

// CHECK-LABEL: func.func @window(
// CHECK-SAME: %{{[^,]*}}: !typed.array<1, f64, C>, %[[I:.*]]: si64, %[[K:.*]]: si64,
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : index
// CHECK: %[[START:.*]] = typed.cast %[[K]] : si64 to index
// CHECK: %[[PLACE:.*]] = typed.cast %[[I]] : si64 to index
// CHECK: %[[SUM:.*]] = arith.addi %[[START]], %[[PLACE]]
// CHECK: %[[LEFT:.*]] = arith.addi %[[SUM]], %[[MINUS]]
// CHECK: arith.cmpi ult, %[[LEFT]], %c4611686018427387904
// CHECK: scf.if
// CHECK-NOT: wraparound
// CHECK: } else {
// CHECK: wraparound
func.func @window(%a: !typed.array<1, f64, C>, %i: si64, %start: si64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %zero = typed.constant 0.0 : f64
  %sum = scf.for %p = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %q = typed.cast %p : index to si64
    %d = typed.binary add %start, %q {pyopt.ascending} : si64
    %place = typed.binary add %d, %i : si64
    %left = typed.binary sub %place, %one : si64
    %x = typed.load %a[%left] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %t = typed.binary add %s, %x : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// Terms that are never negative, less a constant: nothing is known of the sum.

// CHECK-LABEL: func.func @below(
// CHECK-NOT: scf.if
// CHECK: wraparound
// CHECK: return
func.func @below(%a: !typed.array<1, f64, C>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %p = %c0 to %n step %c1 {
    %q = typed.cast %p : index to si64
    %twice = typed.binary add %q, %q : si64
    %left = typed.binary sub %twice, %one : si64
    %x = typed.load %a[%left] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%q] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// An index that goes down: its first and its last place.

// CHECK-LABEL: func.func @down(
// CHECK-SAME: %[[A:[^:]*]]: !typed.array<1, f64, C>, %[[I:[^:]*]]: si64, %[[W:[^:]*]]: si64, %[[N:[^:]*]]: index
// CHECK-DAG: %[[LESS:.*]] = arith.constant -1 : index
// CHECK-DAG: %[[TWICE:.*]] = arith.constant -2 : index
// CHECK-DAG: %[[LARGE:.*]] = arith.constant 4611686018427387904 : index
// CHECK: %[[FIRST:.*]] = arith.subi
// CHECK: %[[COUNT:.*]] = arith.addi %[[N]], %[[LESS]]
// CHECK: %[[MOVED:.*]] = arith.muli %[[COUNT]], %[[TWICE]]
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %[[MOVED]]
// CHECK-DAG: arith.cmpi ult, %[[FIRST]], %[[LARGE]]
// CHECK-DAG: arith.cmpi ult, %[[LAST]], %[[LARGE]]
// CHECK: scf.if
// CHECK-NOT: wraparound
// CHECK: } else {
// CHECK: wraparound
func.func @down(%a: !typed.array<1, f64, C>, %i: si64, %weight: si64, %n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = typed.constant -2 : si64
  scf.for %p = %c0 to %n step %c1 {
    %q = typed.cast %p : index to si64
    %back = typed.binary mul %q, %minus : si64
    %item = typed.binary add %i, %back : si64
    %place = typed.binary sub %item, %weight : si64
    typed.store %x, %a[%place] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// From the end of an array, whose size is known before the loop.

// CHECK-LABEL: func.func @from_the_end(
// CHECK: typed.dim
// CHECK: scf.if
// CHECK-NOT: wraparound
// CHECK: } else {
// CHECK: wraparound
func.func @from_the_end(%a: !typed.array<1, f64, C>, %n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = typed.constant 2 : si64
  scf.for %p = %c0 to %n step %c1 {
    %size = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
    %q = typed.cast %p : index to si64
    %end = typed.binary sub %size, %two : si64
    %place = typed.binary sub %end, %q : si64
    typed.store %x, %a[%place] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// What is the same in all iterations LLVM takes out of the loop itself; what comes from memory nobody
// knows before. Steps of more than 64 may wrap around, and so may positions that don't count from 0.

// CHECK-LABEL: func.func @kept(
// CHECK-NOT: scf.if
// CHECK-COUNT-4: wraparound
// CHECK-NOT: scf.if
// CHECK: return
func.func @kept(%a: !typed.array<1, f64, C>, %b: !typed.array<1, si64, C>, %i: si64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = typed.constant -65 : si64
  scf.for %p = %c0 to %n step %c1 {
    %q = typed.cast %p : index to si64
    %x = typed.load %a[%i] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %back = typed.binary mul %q, %minus : si64
    %down = typed.binary add %i, %back : si64
    typed.store %x, %a[%down] wraparound : f64, !typed.array<1, f64, C>, si64
    %from = typed.load %b[%p] : !typed.array<1, si64, C>, index -> si64
    typed.store %x, %a[%from] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  scf.for %p = %c1 to %n step %c1 {
    %q = typed.cast %p : index to si64
    %down = typed.binary sub %i, %q : si64
    %x = typed.constant 0.0 : f64
    typed.store %x, %a[%down] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// Loops that hold others don't get a copy, those in them do.
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: } else {
// CHECK: scf.for
// CHECK: wraparound
// CHECK: }
// CHECK: typed.store {{.*}} wraparound
func.func @nested(%a: !typed.array<1, f64, C>, %start: si64, %n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %o = %c0 to %n step %c1 {
    %outer = typed.cast %o : index to si64
    %i = typed.binary add %start, %outer {pyopt.ascending} : si64
    scf.for %p = %c0 to %n step %c1 {
      %q = typed.cast %p : index to si64
      %k = typed.binary add %i, %q {pyopt.ascending} : si64
      typed.store %x, %a[%k] wraparound : f64, !typed.array<1, f64, C>, si64
    }
    typed.store %x, %a[%i] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// A place that the loop carries and only adds to: what it begins with is tested. Not one that is set to what was loaded,
// nor one that goes down.

// CHECK-LABEL: func.func @carried(
// CHECK: %[[SMALL:.*]] = arith.cmpi ult, %{{.*}}, %c4611686018427387904
// CHECK: scf.if
// CHECK-COUNT-2: typed.load %arg0[%{{.*}}] : !typed
// CHECK: } else {
// CHECK-COUNT-2: typed.load %arg0[%{{.*}}] wraparound
// CHECK:   {loop_annotation
// CHECK-NOT: {loop_annotation
// CHECK: return
func.func @carried(%a: !typed.array<1, f64, C>, %b: !typed.array<1, si64, C>, %from: si64, %n: index) -> (si64, si64, si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %last = scf.for %p = %c0 to %n step %c1 iter_args(%at = %from) -> (si64) {
    %x = typed.load %a[%at] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %next = typed.binary add %at, %one : si64
    %y = typed.load %a[%next] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %more = typed.compare lt %x, %y : f64
    %to = scf.if %more -> (si64) {
      scf.yield %next : si64
    } else {
      scf.yield %at : si64
    }
    scf.yield %to : si64
  }
  %other = scf.for %p = %c0 to %n step %c1 iter_args(%at = %from) -> (si64) {
    %x = typed.load %b[%at] wraparound : !typed.array<1, si64, C>, si64 -> si64
    scf.yield %x : si64
  }
  %down = scf.for %p = %c0 to %n step %c1 iter_args(%at = %from) -> (si64) {
    %x = typed.load %a[%at] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %next = typed.binary sub %at, %one : si64
    scf.yield %next : si64
  }
  return %last, %other, %down : si64, si64, si64
}
