// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-reduce-remainders),typed-canonicalize,cse)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-reduce-remainders{remarks=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: the remainder takes no division where one addition is enough

// A step away from the position of a loop: one addition or subtraction, and a division for the rest.

// CHECK-LABEL: func.func @torus(
// CHECK: %[[T:.*]] = typed.binary sub %{{.*}}, %{{.*}} : si64
// CHECK: %[[UP:.*]] = typed.binary add %[[T]], %arg1 : si64
// CHECK: %[[BELOW:.*]] = typed.compare lt %[[T]], %{{.*}} : si64
// CHECK: %[[RAISED:.*]] = arith.select %[[BELOW]], %[[UP]], %[[T]] : si64
// CHECK: %[[DOWN:.*]] = typed.binary sub %[[RAISED]], %arg1 : si64
// CHECK: %[[ABOVE:.*]] = typed.compare ge %[[RAISED]], %arg1 : si64
// CHECK: %[[NEAR:.*]] = arith.select %[[ABOVE]], %[[DOWN]], %[[RAISED]] : si64
// CHECK: %[[NATURAL:.*]] = typed.compare ge %[[NEAR]], %{{.*}} : si64
// CHECK: %[[LESS:.*]] = typed.compare lt %[[NEAR]], %arg1 : si64
// CHECK: %[[INSIDE:.*]] = arith.andi %[[NATURAL]], %[[LESS]] : i1
// CHECK: %[[R:.*]] = scf.if %[[INSIDE]] -> (si64) {
// CHECK:   scf.yield %[[NEAR]] : si64
// CHECK: } else {
// CHECK:   %[[DIVIDED:.*]] = typed.binary mod %[[T]], %arg1 : si64
// CHECK:   scf.yield %[[DIVIDED]] : si64
// CHECK: }
// CHECK: typed.load %arg0[%[[R]]] wraparound
func.func @torus(%a: !typed.array<1, f64, C>, %n: si64, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %p = %c0 to %count step %c1 {
    %i = typed.cast %p : index to si64
    %t = typed.binary sub %i, %one : si64
    %r = typed.binary mod %t, %n : si64
    %x = typed.load %a[%r] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// Also from what was loaded, what was a float, what is carried, and from a remainder; with the divisor
// added first.
// CHECK-LABEL: func.func @places(
// CHECK-COUNT-4: scf.if
// CHECK-NOT: scf.if
// CHECK: return
func.func @places(%a: !typed.array<1, si64, C>, %y: f64, %n: si64, %count: index, %from: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %last = scf.for %p = %c0 to %count step %c1 iter_args(%at = %from) -> (si64) {
    %t = typed.binary add %at, %one : si64
    %r = typed.binary mod %t, %n : si64
    %x = typed.load %a[%r] wraparound : !typed.array<1, si64, C>, si64 -> si64
    %t1 = typed.binary add %one, %x : si64
    %r1 = typed.binary mod %t1, %n : si64
    %x1 = typed.load %a[%r1] wraparound : !typed.array<1, si64, C>, si64 -> si64
    %z = typed.cast %y : f64 to si64
    %t2 = typed.binary sub %z, %one : si64
    %t3 = typed.binary add %t2, %n : si64
    %r2 = typed.binary mod %t3, %n : si64
    typed.store %x1, %a[%r2] wraparound : si64, !typed.array<1, si64, C>, si64
    %t4 = typed.binary add %r2, %one : si64
    %r3 = typed.binary mod %t4, %n : si64
    typed.store %x1, %a[%r3] wraparound : si64, !typed.array<1, si64, C>, si64
    scf.yield %r : si64
  }
  return %last : si64
}

// Where the position is bounded by the divisor one correction is always enough for a step of one: nothing is divided,
// and the index isn't negative. The divisor is at least 1 there.
// CHECK-LABEL: func.func @around(
// CHECK: %[[N:.*]] = typed.dim %arg0[0] : !typed.array<1, f64, C> -> si64
// CHECK: %[[I:.*]] = typed.cast %{{.*}} : index to si64
// CHECK: %[[T:.*]] = typed.binary add %[[I]], %{{.*}} : si64
// CHECK: %[[UP:.*]] = typed.binary add %[[T]], %[[N]] : si64
// CHECK: %[[BELOW:.*]] = typed.compare lt %[[T]], %{{.*}} : si64
// CHECK: %[[RAISED:.*]] = arith.select %[[BELOW]], %[[UP]], %[[T]] : si64
// CHECK: %[[DOWN:.*]] = typed.binary sub %[[RAISED]], %[[N]] : si64
// CHECK: %[[ABOVE:.*]] = typed.compare ge %[[RAISED]], %[[N]] : si64
// CHECK: %[[NEAR:.*]] = arith.select %[[ABOVE]], %[[DOWN]], %[[RAISED]] : si64
// CHECK-NEXT: typed.load %arg0[%[[NEAR]]] : !typed.array
// What can't be below needs no addition, what can't be above no subtraction.
// CHECK: %[[T1:.*]] = typed.binary add %[[I]], %{{.*}} : si64
// CHECK-NOT: typed.compare lt
// CHECK: %[[DOWN1:.*]] = typed.binary sub %[[T1]], %[[N]] : si64
// CHECK: typed.compare ge %[[T1]], %[[N]] : si64
// CHECK: %[[T2:.*]] = typed.binary sub %[[I]], %{{.*}} : si64
// CHECK: typed.compare lt %[[T2]], %{{.*}} : si64
// CHECK-NOT: typed.compare ge
// CHECK-NOT: typed.binary mod
// CHECK: return
func.func @around(%a: !typed.array<1, f64, C>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = typed.constant 1 : si64
  %minus = typed.constant -1 : si64
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %count = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  scf.for %p = %c0 to %count step %c1 {
    %i = typed.cast %p : index to si64
    scf.for %q = %c0 to %c3 step %c1 {
      %j = typed.cast %q : index to si64
      %d = typed.binary add %minus, %j : si64
      %t = typed.binary add %i, %d : si64
      %r = typed.binary mod %t, %n : si64
      %x = typed.load %a[%r] wraparound : !typed.array<1, f64, C>, si64 -> f64
      typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
    }
    %t1 = typed.binary add %i, %one : si64
    %r1 = typed.binary mod %t1, %n : si64
    %t2 = typed.binary sub %i, %one : si64
    %r2 = typed.binary mod %t2, %n : si64
    %x = typed.load %a[%r1] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%r2] wraparound : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// For a longer step one test of the divisor, the same in all iterations, says whether it is.
// CHECK-LABEL: func.func @further(
// CHECK-SAME: %[[N:[^:]*]]: si64
// CHECK: scf.for
// CHECK: %[[ENOUGH:.*]] = typed.compare ge %[[N]], %{{.*}} : si64
// CHECK: scf.if %[[ENOUGH]]
// CHECK: } else {
// CHECK:   typed.binary mod %{{.*}}, %[[N]] : si64
// CHECK: }
func.func @further(%n: si64, %a: !typed.array<1, f64, C>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = typed.constant 2 : si64
  %size = typed.cast %n : si64 to index
  %count = arith.maxsi %size, %c0 : index
  scf.for %p = %c0 to %count step %c1 {
    %i = typed.cast %p : index to si64
    %t = typed.binary add %i, %two : si64
    %r = typed.binary mod %t, %n : si64
    %x = typed.load %a[%r] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// A loop that runs once more than the divisor says, and one from below zero, prove nothing.
// CHECK-LABEL: func.func @once_more(
// CHECK-COUNT-2: typed.binary mod
func.func @once_more(%n: si64, %a: !typed.array<1, f64, C>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %size = typed.cast %n : si64 to index
  %count = arith.addi %size, %c1 : index
  %before = arith.constant -1 : index
  scf.for %p = %c0 to %count step %c1 {
    %i = typed.cast %p : index to si64
    %t = typed.binary add %i, %one : si64
    %r = typed.binary mod %t, %n : si64
    %x = typed.load %a[%r] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
  }
  scf.for %p = %before to %size step %c1 {
    %i = typed.cast %p : index to si64
    %t = typed.binary add %i, %one : si64
    %r = typed.binary mod %t, %n : si64
    %x = typed.load %a[%r] wraparound : !typed.array<1, f64, C>, si64 -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
  }
  return
}

// Not for divisors that are constants, products (as in hashes and random numbers), steps that are far or of any
// size, places without a step, numbers without a sign, and what isn't an index of an element.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-7: typed.binary mod
// CHECK-NOT: scf.if
// CHECK: return
func.func @others(%a: !typed.array<1, si64, C>, %n: si64, %m: ui64, %count: index, %any: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %unsigned = typed.constant 1 : ui64
  %ten = typed.constant 10 : si64
  %far = typed.constant 65 : si64
  %sum = scf.for %p = %c0 to %count step %c1 iter_args(%s = %any) -> (si64) {
    %i = typed.cast %p : index to si64
    %t = typed.binary add %i, %one : si64
    %constant = typed.binary mod %t, %ten : si64
    %x0 = typed.load %a[%constant] : !typed.array<1, si64, C>, si64 -> si64
    %product = typed.binary mul %i, %any : si64
    %t1 = typed.binary add %product, %one : si64
    %hash = typed.binary mod %t1, %n : si64
    typed.store %x0, %a[%hash] wraparound : si64, !typed.array<1, si64, C>, si64
    %t2 = typed.binary add %i, %far : si64
    %r2 = typed.binary mod %t2, %n : si64
    typed.store %x0, %a[%r2] wraparound : si64, !typed.array<1, si64, C>, si64
    %t3 = typed.binary add %i, %any : si64
    %r3 = typed.binary mod %t3, %n : si64
    typed.store %x0, %a[%r3] wraparound : si64, !typed.array<1, si64, C>, si64
    %r4 = typed.binary mod %i, %n : si64
    typed.store %x0, %a[%r4] wraparound : si64, !typed.array<1, si64, C>, si64
    %u = typed.cast %p : index to ui64
    %t5 = typed.binary add %u, %unsigned : ui64
    %r5 = typed.binary mod %t5, %m : ui64
    typed.store %x0, %a[%r5] : si64, !typed.array<1, si64, C>, ui64
    %r6 = typed.binary mod %t, %n : si64
    %next = typed.binary add %s, %r6 : si64
    scf.yield %next : si64
  }
  return %sum : si64
}
