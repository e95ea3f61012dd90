// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-intervals)' --verify-diagnostics
// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-intervals{counting=false})' 2>&1 | FileCheck %s

// Without an assumption on how long loops run: what grows may be anything, what is set is as before.
// CHECK: 'sum of both' is in [0, 18]
// CHECK: 'of unknown sign' is in [-9223372036854775808, 9223372036854775807]
// CHECK: 'top' is in [-9223372036854775808, 9223372036854775807]
// CHECK: 'child' is in [1, 144115188075855873]

// Two variables that depend on each other: `a, b = b, (a + b) % 10`.
func.func @both(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %ten = typed.constant 10 : si64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %one) -> (si64, si64) {
    // expected-remark@+1 {{'sum of both' is in [0, 18], as an index in [0, 18]}}
    %sum = typed.binary add %a, %b {tag = "sum of both"} : si64
    %next = typed.binary mod %sum, %ten : si64
    scf.yield %b, %next : si64, si64
  }
  return
}

// With the opposite sign of one the induction fails, for that one and for what depends on it.
func.func @negative(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %one) -> (si64, si64) {
    // expected-remark@+1 {{'of unknown sign' is in [-9223372036854775808, 9223372036854775807]}}
    %sum = typed.binary add %a, %b {tag = "of unknown sign"} : si64
    %next = typed.binary sub %zero, %sum : si64
    scf.yield %b, %next : si64, si64
  }
  return
}

// A stack: its depth is positive where an iteration begins, and grows by four at most.
func.func @stack(%x: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %end = scf.while (%depth = %one) : (si64) -> si64 {
    // expected-remark@+1 {{as an index in [0, 4611686018427387903]}}
    %top = typed.binary sub %depth, %one {tag = "top"} : si64
    %pushed = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %top) -> (si64) {
      %more = scf.if %x -> (si64) {
        %up = typed.binary add %d, %one : si64
        scf.yield %up : si64
      } else {
        scf.yield %d : si64
      }
      scf.yield %more : si64
    }
    %go = typed.compare gt %pushed, %zero : si64
    scf.condition(%go) %pushed : si64
  } do {
  ^bb0(%d: si64):
    scf.yield %d : si64
  }
  return
}

// Without the test the depth may fall below zero.
func.func @no_guard(%x: i1) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %end = scf.while (%depth = %one) : (si64) -> si64 {
    // expected-remark@+1 {{as an index in [-9223372036854775808, 9223372036854775807]}}
    %top = typed.binary sub %depth, %one {tag = "below"} : si64
    scf.condition(%x) %top : si64
  } do {
  ^bb0(%d: si64):
    scf.yield %d : si64
  }
  return
}

// Conditions of loops, in each direction and of both sides; one that says nothing of what is passed on.
func.func @guards(%n: si64, %x: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = typed.constant 2 : si64
  %nine = typed.constant 9 : si64
  %r:2 = scf.while (%a = %n, %b = %n) : (si64, si64) -> (si64, si64) {
    %low = typed.compare ge %a, %two : si64
    %high = typed.compare gt %nine, %a : si64
    %both = arith.andi %low, %high : i1
    %number = arith.select %both, %c1, %c0 : i32
    %go = arith.trunci %number : i32 to i1
    scf.condition(%go) %a, %b : si64, si64
  } do {
  ^bb0(%a: si64, %b: si64):
    // expected-remark@+1 {{'guarded' is in [2, 8]}}
    %p = typed.cast %a {tag = "guarded"} : si64 to si64
    // expected-remark@+1 {{'not guarded' is in [-9223372036854775808, 9223372036854775807]}}
    %q = typed.cast %b {tag = "not guarded"} : si64 to si64
    scf.yield %n, %n : si64, si64
  }
  return
}

// `while n != 0` of what isn't negative; either of two conditions is no guard.
func.func @ends(%n: si64, %x: i1) {
  %zero = typed.constant 0 : si64
  %seven = typed.constant 7 : si64
  %start = typed.binary mod %n, %seven : si64
  %r = scf.while (%a = %start) : (si64) -> si64 {
    %go = typed.compare ne %zero, %a : si64
    scf.condition(%go) %a : si64
  } do {
  ^bb0(%a: si64):
    // expected-remark@+1 {{'not zero' is in [1, 4611686018427387904]}}
    %p = typed.cast %a {tag = "not zero"} : si64 to si64
    %next = typed.binary floordiv %a, %seven : si64
    scf.yield %next : si64
  }
  %s = scf.while (%a = %start) : (si64) -> si64 {
    %some = typed.compare ne %zero, %a : si64
    %go = arith.ori %some, %x : i1
    scf.condition(%go) %a : si64
  } do {
  ^bb0(%a: si64):
    // expected-remark@+1 {{'either' is in [0, 4611686018427387904]}}
    %p = typed.cast %a {tag = "either"} : si64 to si64
    %next = typed.binary floordiv %a, %seven : si64
    scf.yield %next : si64
  }
  return
}

// The condition, and what is passed on, of a branch: the region is known that gave them.
func.func @branch(%n: si64) {
  %f = arith.constant 0 : i32
  %t = arith.constant 1 : i32
  %zero = typed.constant 0 : si64
  %minus = typed.constant -1 : si64
  %r = scf.while (%a = %n) : (si64) -> si64 {
    %stop = typed.compare le %a, %zero : si64
    %both:2 = scf.if %stop -> (si64, i32) {
      scf.yield %minus, %f : si64, i32
    } else {
      scf.yield %a, %t : si64, i32
    }
    %go = arith.trunci %both#1 : i32 to i1
    scf.condition(%go) %both#0 : si64
  } do {
  ^bb0(%a: si64):
    // expected-remark@+1 {{'of the other region' is in [1, 9223372036854775807]}}
    %p = typed.cast %a {tag = "of the other region"} : si64 to si64
    scf.yield %n : si64
  }
  %s = scf.while (%a = %n) : (si64) -> si64 {
    %stop = typed.compare le %a, %zero : si64
    %both:2 = scf.if %stop -> (si64, i32) {
      scf.yield %minus, %t : si64, i32
    } else {
      scf.yield %a, %t : si64, i32
    }
    %go = arith.trunci %both#1 : i32 to i1
    scf.condition(%go) %both#0 : si64
  } do {
  ^bb0(%a: si64):
    // expected-remark@+1 {{'of either region' is in [-9223372036854775808, 9223372036854775807]}}
    %p = typed.cast %a {tag = "of either region"} : si64 to si64
    scf.yield %n : si64
  }
  return
}

// A step of 64 in each iteration stays small in the loop, one of 65 needn't.
func.func @strides(%n: index, %x: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %near = typed.constant 64 : si64
  %far = typed.constant 65 : si64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (si64, si64) {
    // expected-remark@+1 {{'near' is in [0, 4611686018427387904]}}
    %p = typed.cast %a {tag = "near"} : si64 to si64
    // expected-remark@+1 {{'far' is in [-9223372036854775808, 9223372036854775807]}}
    %q = typed.cast %b {tag = "far"} : si64 to si64
    %c = typed.binary add %a, %near : si64
    %d = typed.binary add %b, %far : si64
    scf.yield %c, %d : si64, si64
  }
  return
}

// A sum of 32 bits may wrap around; a remainder in 32 bits doesn't.
func.func @narrow(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si32
  %one = typed.constant 1 : si32
  %ten = typed.constant 10 : si32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (si32, si32) {
    // expected-remark@+1 {{'wraps' is in [-2147483648, 2147483647]}}
    %c = typed.binary add %a, %one {tag = "wraps"} : si32
    // expected-remark@+1 {{'does not' is in [1, 10]}}
    %d = typed.binary add %b, %one {tag = "does not"} : si32
    %e = typed.binary mod %d, %ten : si32
    scf.yield %c, %e : si32, si32
  }
  return
}

// A node of a heap. Its child has been the index of an element when the loop carries it on, so it hasn't overflowed.
func.func @heap(%keys: !typed.array<1, f64, C>, %x: f64, %b: i1) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %end = scf.while (%node = %zero) : (si64) -> si64 {
    %double = typed.binary mul %two, %node : si64
    // expected-remark@+1 {{'child' is in [1, 144115188075855873]}}
    %child = typed.binary add %double, %one {tag = "child"} : si64
    %key = typed.load %keys[%child] wraparound : !typed.array<1, f64, C>, si64 -> f64
    %go = typed.compare lt %key, %x : f64
    scf.condition(%go) %child : si64
  } do {
  ^bb0(%next: si64):
    scf.yield %next : si64
  }
  return
}

// An array whose elements may share memory can have any number of them.
func.func @spread(%keys: !typed.array<1, f64, A>, %x: f64, %b: i1) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %end = scf.while (%node = %zero) : (si64) -> si64 {
    %double = typed.binary mul %two, %node : si64
    // expected-remark@+1 {{'spread' is in [-9223372036854775808, 9223372036854775807]}}
    %child = typed.binary add %double, %one {tag = "spread"} : si64
    %key = typed.load %keys[%child] wraparound : !typed.array<1, f64, A>, si64 -> f64
    %go = typed.compare lt %key, %x : f64
    scf.condition(%go) %child : si64
  } do {
  ^bb0(%next: si64):
    scf.yield %next : si64
  }
  return
}

// An access that doesn't run in each iteration says nothing.
func.func @perhaps(%keys: !typed.array<1, f64, C>, %x: f64, %b: i1) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %end = scf.while (%node = %zero) : (si64) -> si64 {
    %double = typed.binary mul %two, %node : si64
    // expected-remark@+1 {{'perhaps' is in [-9223372036854775808, 9223372036854775807]}}
    %child = typed.binary add %double, %one {tag = "perhaps"} : si64
    %go = scf.if %b -> (i1) {
      %key = typed.load %keys[%child] wraparound : !typed.array<1, f64, C>, si64 -> f64
      %less = typed.compare lt %key, %x : f64
      scf.yield %less : i1
    } else {
      scf.yield %b : i1
    }
    scf.condition(%go) %child : si64
  } do {
  ^bb0(%next: si64):
    scf.yield %next : si64
  }
  return
}

// What counts down to a test is below zero by one step behind it.
func.func @down(%n: si64) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %end = scf.while (%row = %zero) : (si64) -> si64 {
    %go = typed.compare ge %row, %zero : si64
    // expected-remark@+1 {{'counted' is in [-1, 4611686018427387904]}}
    %tested = typed.cast %row {tag = "counted"} : si64 to si64
    scf.condition(%go) %row : si64
  } do {
  ^bb0(%row: si64):
    %even = typed.binary and %row, %one : si64
    %is = typed.compare eq %even, %zero : si64
    %next = scf.if %is -> si64 {
      %up = typed.binary add %row, %one : si64
      scf.yield %up : si64
    } else {
      %down = typed.binary sub %row, %one : si64
      scf.yield %down : si64
    }
    scf.yield %next : si64
  }
  return
}

// A loop that goes on from an element ends at most one behind the last one: what an enclosing loop begins its next
// iteration with.
func.func @behind(%a: !typed.array<1, f64, C>, %x: f64, %n: si64) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %end = scf.while (%i = %zero) : (si64) -> si64 {
    %go = typed.compare lt %i, %n : si64
    scf.condition(%go) %i : si64
  } do {
  ^bb0(%i: si64):
    %last = scf.while (%j = %i) : (si64) -> si64 {
      %key = typed.load %a[%j] wraparound : !typed.array<1, f64, C>, si64 -> f64
      %next = typed.binary add %j, %one : si64
      %more = typed.compare lt %key, %x : f64
      scf.condition(%more) %next : si64
    } do {
    ^bb0(%j: si64):
      scf.yield %j : si64
    }
    // expected-remark@+1 {{'behind' is in [1, 72057594037927937]}}
    %seen = typed.cast %last {tag = "behind"} : si64 to si64
    scf.yield %last : si64
  }
  return
}

// Without an access what a loop ends with may be anything: LLVM finds it in no time.
func.func @unbounded(%n: si64) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %last = scf.while (%j = %zero) : (si64) -> si64 {
    %next = typed.binary add %j, %one : si64
    %more = typed.compare ne %next, %n : si64
    scf.condition(%more) %next : si64
  } do {
  ^bb0(%j: si64):
    scf.yield %j : si64
  }
  // expected-remark@+1 {{'unbounded' is in [-9223372036854775808, 9223372036854775807]}}
  %seen = typed.cast %last {tag = "unbounded"} : si64 to si64
  return
}
