// Indices that aren't negative don't wrap around.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-remove-wraparound))' | FileCheck %s

// Constants, sizes, positions of loops and what is computed of them.
// CHECK-LABEL: func.func @proven
func.func @proven(%a: !typed.array<1, f64, C>, %n: index, %s: si64, %u: ui32, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = typed.constant 2 : si64
  %zero = typed.constant 0 : si64
  %seven = typed.constant 7 : si64
  %mask = typed.constant 255 : si64
  // CHECK-NOT: wraparound
  %0 = typed.load %a[%two] wraparound : !typed.array<1, f64, C>, si64 -> f64
  %size = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  typed.store %0, %a[%size] wraparound : f64, !typed.array<1, f64, C>, si64
  // An unsigned number, and one widened.
  typed.store %0, %a[%u] wraparound : f64, !typed.array<1, f64, C>, ui32
  %wide = typed.cast %u : ui32 to si64
  typed.store %0, %a[%wide] wraparound : f64, !typed.array<1, f64, C>, si64
  %bit = typed.cast %b : i1 to si64
  typed.store %0, %a[%bit] wraparound : f64, !typed.array<1, f64, C>, si64
  // Of any number.
  %clamped = typed.binary max %s, %zero : si64
  typed.store %0, %a[%clamped] wraparound : f64, !typed.array<1, f64, C>, si64
  %rest = typed.binary mod %s, %seven : si64
  typed.store %0, %a[%rest] wraparound : f64, !typed.array<1, f64, C>, si64
  %low = typed.binary and %s, %mask : si64
  typed.store %0, %a[%low] wraparound : f64, !typed.array<1, f64, C>, si64
  %magnitude = typed.unary abs %s : si64
  typed.store %0, %a[%magnitude] wraparound : f64, !typed.array<1, f64, C>, si64
  scf.for %k = %c0 to %n step %c1 {
    %i = typed.cast %k : index to si64
    // A small constant more than a position: no array reaches the point where it would wrap.
    %next = typed.binary add %i, %two : si64
    %half = typed.binary floordiv %next, %two : si64
    %shift = typed.binary rshift %i, %two : si64
    %scaled = typed.binary mul %i, %seven : si64
    %sum = typed.binary add %scaled, %next : si64
    %least = typed.binary min %i, %size : si64
    typed.store %0, %a[%i] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %0, %a[%next] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %0, %a[%half] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %0, %a[%shift] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %0, %a[%sum] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %0, %a[%least] wraparound : f64, !typed.array<1, f64, C>, si64
    // Items of ranges: from 1 up, from a size down to 1.
    %up = typed.binary add %two, %i {pyopt.ascending} : si64
    %before = typed.binary sub %up, %two : si64
    typed.store %0, %a[%before] wraparound : f64, !typed.array<1, f64, C>, si64
    %down = typed.binary sub %size, %i {pyopt.minimum = 2 : i64} : si64
    %below = typed.binary sub %down, %two : si64
    typed.store %0, %a[%below] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @rank
func.func @rank(%a: !typed.array<2, f64, C>, %s: si64) -> f64 {
  %two = typed.constant 2 : si64
  // One that may be negative keeps it for all.
  // CHECK: typed.load %arg0[%{{.*}}, %arg1] wraparound
  %0 = typed.load %a[%two, %s] wraparound : !typed.array<2, f64, C>, si64, si64 -> f64
  // CHECK-NEXT: typed.load %arg0[%{{.*}}, %{{.*}}] :
  %1 = typed.load %a[%two, %two] wraparound : !typed.array<2, f64, C>, si64, si64 -> f64
  %2 = typed.binary add %0, %1 : f64
  return %2 : f64
}

// CHECK-LABEL: func.func @not_proven
func.func @not_proven(%a: !typed.array<1, f64, C>, %n: index, %s: si64, %x: f64, %u: ui64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %minus = typed.constant -1 : si64
  %size = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  // CHECK-COUNT-10: wraparound
  typed.store %x, %a[%s] wraparound : f64, !typed.array<1, f64, C>, si64
  typed.store %x, %a[%minus] wraparound : f64, !typed.array<1, f64, C>, si64
  %last = typed.binary sub %size, %one : si64
  typed.store %x, %a[%last] wraparound : f64, !typed.array<1, f64, C>, si64
  // 2^63 and more as a signed number.
  %signed = typed.cast %u : ui64 to si64
  typed.store %x, %a[%signed] wraparound : f64, !typed.array<1, f64, C>, si64
  // The sum of two numbers that are large may be -2.
  %sum = typed.binary add %size, %size : si64
  %twice = typed.binary add %sum, %one : si64
  typed.store %x, %a[%twice] wraparound : f64, !typed.array<1, f64, C>, si64
  // A number near -2^63 is no index, but half of it is.
  %over = typed.binary add %size, %one : si64
  %two = typed.constant 2 : si64
  %half = typed.binary mul %over, %two : si64
  typed.store %x, %a[%half] wraparound : f64, !typed.array<1, f64, C>, si64
  // Python's remainder has the divisor's sign.
  %rest = typed.binary mod %size, %s : si64
  typed.store %x, %a[%rest] wraparound : f64, !typed.array<1, f64, C>, si64
  scf.for %k = %c0 to %n step %c1 {
    %i = typed.cast %k : index to si64
    %before = typed.binary sub %i, %one : si64
    typed.store %x, %a[%before] wraparound : f64, !typed.array<1, f64, C>, si64
    // The start may be negative.
    %item = typed.binary add %s, %i {pyopt.ascending} : si64
    typed.store %x, %a[%item] wraparound : f64, !typed.array<1, f64, C>, si64
    // The product of a position and a size is too large to tell.
    %flat = typed.binary mul %i, %size : si64
    typed.store %x, %a[%flat] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  // CHECK: return
  return
}

// Variables that loops carry: they count up from 0.
// CHECK-LABEL: func.func @carried
func.func @carried(%a: !typed.array<1, f64, C>, %n: index, %s: si64, %x: f64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %minus = typed.constant -1 : si64
  // CHECK: scf.while
  %end = scf.while (%i = %zero) : (si64) -> si64 {
    // CHECK-NEXT: typed.load %arg0[%{{.*}}] :
    %v = typed.load %a[%i] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %c = typed.compare lt %v, %x : f64
    scf.condition(%c) %i : si64
  } do {
  ^bb0(%i: si64):
    // CHECK: typed.store %arg3, %arg0[%{{.*}}] :
    typed.store %x, %a[%i] wraparound : f64, !typed.array<1, f64, C>, si64
    %next = typed.binary add %i, %one : si64
    scf.yield %next : si64
  }
  // It has been the index of an element, however long the loop ran.
  // CHECK: typed.store %arg3, %arg0[%{{.*}}] :
  typed.store %x, %a[%end] wraparound : f64, !typed.array<1, f64, C>, si64

  // Behind a loop that accesses nothing, which LLVM may do in no time, nothing is known of what it counted.
  // CHECK: scf.while
  %counted = scf.while (%i = %zero) : (si64) -> si64 {
    %c = typed.compare lt %i, %s : si64
    scf.condition(%c) %i : si64
  } do {
  ^bb0(%i: si64):
    %next = typed.binary add %i, %one : si64
    scf.yield %next : si64
  }
  // CHECK: typed.store %arg3, %arg0[%{{.*}}] wraparound
  typed.store %x, %a[%counted] wraparound : f64, !typed.array<1, f64, C>, si64

  // CHECK: scf.for
  %r:4 = scf.for %k = %c0 to %n step %c1
      iter_args(%some = %zero, %fast = %zero, %down = %zero, %from = %s) -> (si64, si64, si64, si64) {
    %v = typed.load %a[%k] : !typed.array<1, f64, C>, index -> f64
    %c = typed.compare lt %v, %x : f64
    // CHECK: typed.store %{{.*}}, %arg0[%{{.*}}] :
    typed.store %v, %a[%some] wraparound : f64, !typed.array<1, f64, C>, si64
    // Sometimes one more, sometimes back to the start.
    %count = scf.if %c -> (si64) {
      %more = typed.binary add %some, %one : si64
      scf.yield %more : si64
    } else {
      %reset = arith.select %c, %some, %zero : si64
      scf.yield %reset : si64
    }
    // What doubles has been the index of an element before.
    // CHECK: typed.store %{{.*}}, %arg0[%{{.*}}] :
    typed.store %v, %a[%fast] wraparound : f64, !typed.array<1, f64, C>, si64
    // What goes down or starts anywhere may be negative.
    // CHECK-COUNT-2: wraparound
    typed.store %v, %a[%down] wraparound : f64, !typed.array<1, f64, C>, si64
    typed.store %v, %a[%from] wraparound : f64, !typed.array<1, f64, C>, si64
    %double = typed.binary add %fast, %fast : si64
    %less = typed.binary add %down, %minus : si64
    %more = typed.binary add %from, %one : si64
    scf.yield %count, %double, %less, %more : si64, si64, si64, si64
  }
  return %r#0 : si64
}

// A sum of which terms cancel: from the end of an array, and of a part of one; the distance of an item
// of a range from its start, which is anywhere; an item between two that are one apart.
// CHECK-LABEL: func.func @cancels
// CHECK-NOT: wraparound
// CHECK: return
func.func @cancels(%a: !typed.array<1, f64, C>, %s: si64, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %size = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %length = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  scf.for %k = %c0 to %length step %c1 {
    %i = typed.cast %k : index to si64
    %left = typed.binary sub %size, %i : si64
    %last = typed.binary sub %left, %one : si64
    typed.store %x, %a[%last] wraparound : f64, !typed.array<1, f64, C>, si64
    %part = arith.addi %k, %c1 : index
    scf.for %l = %c0 to %part step %c1 {
      %j = typed.cast %l : index to si64
      %other = typed.binary sub %i, %j : si64
      typed.store %x, %a[%other] wraparound : f64, !typed.array<1, f64, C>, si64
    }
    %item = typed.binary add %s, %i : si64
    %distance = typed.binary sub %item, %s : si64
    typed.store %x, %a[%distance] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  // The number of items of a range from a number to another.
  %start = typed.cast %s : si64 to index
  %some = arith.cmpi sgt, %length, %start : index
  %many = arith.subi %length, %start : index
  %count = arith.select %some, %many, %c0 : index
  scf.for %k = %c0 to %count step %c1 {
    %i = typed.cast %k : index to si64
    %item = typed.binary add %s, %i : si64
    %behind = typed.binary sub %size, %item : si64
    %last = typed.binary sub %behind, %one : si64
    typed.store %x, %a[%last] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// One less; another array's size; a sum of two that counts down twice; a count that is anything.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-5: wraparound
// CHECK-NOT: wraparound
// CHECK: return
func.func @stays(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %s: si64, %n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = typed.constant 2 : si64
  %size = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %others = typed.dim %b[0] : !typed.array<1, f64, C> -> si64
  %length = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  scf.for %k = %c0 to %length step %c1 {
    %i = typed.cast %k : index to si64
    %left = typed.binary sub %size, %i : si64
    %less = typed.binary sub %left, %two : si64
    typed.store %x, %a[%less] wraparound : f64, !typed.array<1, f64, C>, si64
    %other = typed.binary sub %others, %i : si64
    typed.store %x, %a[%other] wraparound : f64, !typed.array<1, f64, C>, si64
    %twice = typed.binary sub %left, %i : si64
    typed.store %x, %a[%twice] wraparound : f64, !typed.array<1, f64, C>, si64
    %any = typed.binary sub %s, %i : si64
    typed.store %x, %a[%any] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  scf.for %k = %c1 to %length step %c2 {
    %i = typed.cast %k : index to si64
    %left = typed.binary sub %size, %i : si64
    typed.store %x, %a[%left] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}
