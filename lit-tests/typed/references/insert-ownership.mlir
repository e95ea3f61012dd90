// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s

!a = !typed.array<1, f64, C>
!v = !typed.array<1, f64, A>

// A fresh array that isn't given away is released behind its last use.
// CHECK-LABEL: @last_use
func.func @last_use(%n: si64) -> f64 {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: typed.constant
  // CHECK-NEXT: %[[X:.*]] = typed.load %[[A]]
  // CHECK-NEXT: typed.release %[[A]]
  // CHECK-NEXT: return %[[X]]
  %a = typed.empty(%n) : (si64) -> !a
  %i = typed.constant 0 : si64
  %x = typed.load %a[%i] : !a, si64 -> f64
  func.return %x : f64
}

// Returning an owned array hands it over, returning an argument acquires it.
// CHECK-LABEL: @returned
func.func @returned(%n: si64, %b: !a) -> (!a, !a) {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: typed.acquire %arg1
  // CHECK-NEXT: return %[[A]], %arg1
  %a = typed.empty(%n) : (si64) -> !a
  func.return %a, %b : !a, !a
}

// The same value twice is two references.
// CHECK-LABEL: @twice
func.func @twice(%n: si64) -> (!a, !a) {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: typed.acquire %[[A]]
  // CHECK-NEXT: return %[[A]], %[[A]]
  %a = typed.empty(%n) : (si64) -> !a
  func.return %a, %a : !a, !a
}

// CHECK-LABEL: @unused
func.func @unused(%n: si64) {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: typed.release %[[A]]
  // CHECK-NEXT: return
  %a = typed.empty(%n) : (si64) -> !a
  func.return
}

// A view keeps what it is a view of; a returned one takes a reference of its own.
// CHECK-LABEL: @view
func.func @view(%n: si64) -> !v {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK: %[[V:.*]] = typed.view %[[A]]
  // CHECK-NEXT: typed.acquire %[[V]]
  // CHECK-NEXT: typed.release %[[A]]
  // CHECK-NEXT: return %[[V]]
  %a = typed.empty(%n) : (si64) -> !a
  %none = typed.singleton : !typed.none
  %s = typed.slice %none, %none, %none : !typed.slice<!typed.none, !typed.none, !typed.none>
  %v = typed.view %a[%s] : !a, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
  func.return %v : !v
}

// CHECK-LABEL: @tuple
func.func @tuple(%n: si64, %b: !a) -> tuple<!a, si64, !a> {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: %[[T:.*]] = typed.tuple(%[[A]], %arg0, %arg1)
  // CHECK-NEXT: typed.acquire %[[T]]
  // CHECK-NEXT: typed.release %[[A]]
  // CHECK-NEXT: return %[[T]]
  %a = typed.empty(%n) : (si64) -> !a
  %t = typed.tuple(%a, %n, %b) : tuple<!a, si64, !a>
  func.return %t : tuple<!a, si64, !a>
}

// What may raise releases what is held then: not what is released before or made later, and
// nothing of the caller.
// CHECK-LABEL: @errors
func.func @errors(%n: si64, %c: i1, %b: !a) -> f64 {
  // CHECK: typed.raise_if %arg1, "ValueError"("early"){{$}}
  typed.raise_if %c, "ValueError"("early")
  %i = typed.constant 0 : si64
  // CHECK: %[[A:.*]] = typed.empty(%arg0) :
  %a = typed.empty(%n) : (si64) -> !a
  // CHECK: %[[D:.*]] = typed.empty(%arg0) releasing(%[[A]] : !typed.array<1, f64, C>)
  %d = typed.empty(%n) : (si64) -> !a
  // CHECK: typed.raise_if %arg1, "ValueError"("both") releasing(%[[A]], %[[D]] :
  typed.raise_if %c, "ValueError"("both")
  %x = typed.load %a[%i] : !a, si64 -> f64
  // CHECK: typed.release %[[A]]
  // CHECK-NEXT: typed.call @errors(%arg0, %arg1, %[[D]]) releasing(%[[D]] :
  // CHECK-NEXT: typed.release %[[D]]
  %y = typed.call @errors(%n, %c, %d) : (si64, i1, !a) -> f64
  // CHECK: typed.raise_if %arg1, "ValueError"("late"){{$}}
  typed.raise_if %c, "ValueError"("late")
  %z = typed.binary add %x, %y : f64
  func.return %z : f64
}

// A loop carries an owned array: an argument is acquired for it, what a round gets it releases.
// CHECK-LABEL: @carried
func.func @carried(%n: si64, %b: !a, %m: index, %c: i1) -> !a {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: typed.acquire %arg1
  // CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg1)
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%old = %b) -> (!a) {
    // CHECK-NEXT: %[[NEW:.*]] = typed.empty(%arg0) releasing(%[[OLD]] :
    %new = typed.empty(%n) : (si64) -> !a
    // CHECK-NEXT: typed.raise_if %arg3, "ValueError"("inside") releasing(%[[OLD]], %[[NEW]] :
    typed.raise_if %c, "ValueError"("inside")
    // CHECK: typed.load %[[OLD]]
    // CHECK-NEXT: typed.release %[[OLD]]
    // CHECK-NEXT: typed.store
    %x = typed.load %old[%i] : !a, index -> f64
    typed.store %x, %new[%i] : f64, !a, index
    // CHECK-NEXT: scf.yield %[[NEW]]
    scf.yield %new : !a
  }
  // CHECK: return %[[R]]
  func.return %r : !a
}

// The first array goes into the loop and belongs to it.
// CHECK-LABEL: @handed_over
func.func @handed_over(%n: si64, %m: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[A]])
  // CHECK-NEXT: typed.raise_if {{.*}} releasing(%[[OLD]] : !typed.array<1, f64, C>)
  // CHECK-NEXT: scf.yield %[[OLD]]
  // CHECK: typed.release %[[R]]
  %a = typed.empty(%n) : (si64) -> !a
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%old = %a) -> (!a) {
    typed.raise_if %c, "ValueError"("inside")
    scf.yield %old : !a
  }
  func.return
}

// It can't where the loop also uses it itself.
// CHECK-LABEL: @used_inside
func.func @used_inside(%n: si64, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: typed.acquire %[[A]]
  // CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[A]])
  // CHECK-NEXT: typed.acquire %[[A]]
  // CHECK-NEXT: typed.release %[[OLD]]
  // CHECK-NEXT: scf.yield %[[A]]
  // CHECK: typed.release %[[A]]
  // CHECK-NEXT: typed.release %[[R]]
  %a = typed.empty(%n) : (si64) -> !a
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%old = %a) -> (!a) {
    scf.yield %a : !a
  }
  func.return
}

// Both branches give an owned array.
// CHECK-LABEL: @branches
func.func @branches(%n: si64, %b: !a, %c: i1) -> !a {
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %c -> (!a) {
    // CHECK: %[[A:.*]] = typed.empty
    // CHECK-NEXT: scf.yield %[[A]]
    %a = typed.empty(%n) : (si64) -> !a
    scf.yield %a : !a
  } else {
    // CHECK: typed.acquire %arg1
    // CHECK-NEXT: scf.yield %arg1
    scf.yield %b : !a
  }
  // CHECK: return %[[R]]
  func.return %r : !a
}

// An array that is used for its elements alone is lent by the branch that doesn't make it, and what is lent is alive
// as long.
// CHECK-LABEL: @lent
func.func @lent(%n: si64, %b: !a, %c: i1, %i: index) -> f64 {
  // CHECK: %[[A:.*]] = typed.empty
  %a = typed.empty(%n) : (si64) -> !a
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %c -> (!a) {
    // CHECK: %[[FRESH:.*]] = typed.empty(%arg0) releasing(%[[A]] :
    // CHECK-NEXT: scf.yield %[[FRESH]]
    %fresh = typed.empty(%n) : (si64) -> !a
    scf.yield %fresh : !a
  } else {
    // CHECK: %[[LENT:.*]] = typed.borrow %[[A]]
    // CHECK-NEXT: scf.yield %[[LENT]]
    scf.yield %a : !a
  }
  // CHECK: %[[S:.*]] = scf.if
  // CHECK: typed.empty(%arg0) releasing(%[[A]], %[[R]] :
  // CHECK: typed.borrow %arg1
  %s = scf.if %c -> (!a) {
    %fresh = typed.empty(%n) : (si64) -> !a
    scf.yield %fresh : !a
  } else {
    scf.yield %b : !a
  }
  // CHECK: scf.for
  // CHECK-NOT: typed.release
  // CHECK: }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %i step %c1 {
    %y = typed.load %s[%j] : !a, index -> f64
    typed.store %y, %r[%j] : f64, !a, index
  }
  // CHECK: typed.load %[[R]]
  // CHECK-DAG: typed.release %[[A]]
  // CHECK-DAG: typed.release %[[R]]
  // CHECK: return
  %x = typed.load %r[%i] : !a, index -> f64
  func.return %x : f64
}

// Not if somebody may take a reference of it, nor if what is lent belongs to the branch.
// CHECK-LABEL: @not_lent
// CHECK-NOT: typed.borrow
// CHECK: return
func.func @not_lent(%n: si64, %b: !a, %c: i1, %i: index) -> (!v, f64) {
  %none = typed.singleton : !typed.none
  %s = typed.slice %none, %none, %none : !typed.slice<!typed.none, !typed.none, !typed.none>
  %viewed = scf.if %c -> (!a) {
    %fresh = typed.empty(%n) : (si64) -> !a
    scf.yield %fresh : !a
  } else {
    scf.yield %b : !a
  }
  %v = typed.view %viewed[%s] : !a, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
  %part = scf.if %c -> (!v) {
    %fresh = typed.empty(%n) : (si64) -> !a
    %w = typed.view %fresh[%s] : !a, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
    scf.yield %w : !v
  } else {
    %fresh = typed.empty(%n) : (si64) -> !a
    %w = typed.view %fresh[%s] : !a, (!typed.slice<!typed.none, !typed.none, !typed.none>) -> !v
    scf.yield %w : !v
  }
  %x = typed.load %part[%i] : !v, index -> f64
  func.return %v, %x : !v, f64
}

// CHECK-LABEL: @while_loop
func.func @while_loop(%n: si64, %c: i1) -> !a {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK-NEXT: %[[R:.*]] = scf.while (%[[X:.*]] = %[[A]])
  %a = typed.empty(%n) : (si64) -> !a
  %r = scf.while (%x = %a) : (!a) -> !a {
    // CHECK: scf.condition(%arg1) %[[X]]
    scf.condition(%c) %x : !a
  } do {
  ^bb0(%y: !a):
    // CHECK: ^bb0(%[[Y:.*]]: !typed.array<1, f64, C>):
    // CHECK-NEXT: %[[NEW:.*]] = typed.empty(%arg0) releasing(%[[Y]] :
    // CHECK-NEXT: typed.dim %[[Y]]
    // CHECK-NEXT: typed.release %[[Y]]
    // CHECK-NEXT: scf.yield %[[NEW]]
    %new = typed.empty(%n) : (si64) -> !a
    %d = typed.dim %y[0] : !a -> si64
    scf.yield %new : !a
  }
  func.return %r : !a
}

// A local that may be unbound holds a reference like any other value.
// CHECK-LABEL: @unbound
func.func @unbound(%n: si64, %c: i1) -> f64 {
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %c -> (!typed.unbound<!a>) {
    // CHECK: %[[A:.*]] = typed.empty
    // CHECK-NEXT: %[[B:.*]] = typed.bind %[[A]]
    // CHECK-NEXT: typed.acquire %[[B]]
    // CHECK-NEXT: typed.release %[[A]]
    // CHECK-NEXT: scf.yield %[[B]]
    %a = typed.empty(%n) : (si64) -> !a
    %b = typed.bind %a : !a to !typed.unbound<!a>
    scf.yield %b : !typed.unbound<!a>
  } else {
    %u = typed.unbound : !typed.unbound<!a>
    scf.yield %u : !typed.unbound<!a>
  }
  %is = typed.is_bound %r : !typed.unbound<!a>
  // CHECK: typed.raise_if {{.*}} releasing(%[[R]] : !typed.unbound<!typed.array<1, f64, C>>)
  typed.raise_if %is, "UnboundLocalError"("a")
  %v = typed.bound_value %r : !typed.unbound<!a> -> !a
  %i = typed.constant 0 : si64
  // CHECK: typed.load
  // CHECK-NEXT: typed.release %[[R]]
  %x = typed.load %v[%i] : !a, si64 -> f64
  func.return %x : f64
}

// CHECK-LABEL: @require_equal
func.func @require_equal(%n: si64, %m: index) {
  // CHECK: %[[A:.*]] = typed.empty
  // CHECK: %[[M:.*]] = typed.cast %arg1 : index to si64
  // CHECK: %[[C:.*]] = typed.compare ne %arg0, %[[M]] : si64
  // CHECK: typed.raise_if %[[C]], "ValueError"("sizes differ: {} and {}") with(%arg0, %[[M]] : si64, si64) releasing(%[[A]] :
  %a = typed.empty(%n) : (si64) -> !a
  typed.require_equal %n, %m, "sizes differ: {} and {}" : si64, index
  %d = typed.dim %a[0] : !a -> si64
  func.return
}

// An exception holds its arguments. What a call gives that may have failed is released on both ways:
// there is nothing in it when it did.
// CHECK-LABEL: @exceptions
func.func private @callee(si64) -> !a
func.func @exceptions(%c: i1, %n: si64) -> si64 {
  // CHECK: %[[S:.*]], %[[A:.*]] = typed.try_call @callee
  %s, %a = typed.try_call @callee(%n) : (si64) -> (i32, !a)
  // CHECK: %[[E:.*]] = typed.exception "ValueError" with
  %e = typed.exception "ValueError" with %n : si64 : !typed.exception
  // CHECK: typed.raise_value_if %arg0, %[[E]] : !typed.exception releasing(%[[A]], %[[E]] : !typed.array<1, f64, C>, !typed.exception)
  // CHECK-NEXT: typed.release %[[E]]
  typed.raise_value_if %c, %e : !typed.exception
  // CHECK-NEXT: typed.len %[[A]]
  // CHECK-NEXT: typed.release %[[A]]
  %l = typed.len %a : !a -> si64
  func.return %l : si64
}
