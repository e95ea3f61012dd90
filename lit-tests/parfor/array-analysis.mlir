// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-array-analysis))' | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>
!b = !typed.array<1, i1, C>
!none = !typed.none

func.func private @"pyopt.library.select(!v, !b)"(!v, !b) -> !v

// What an assert compares is equal in all that follows.

// CHECK-LABEL: func.func @asserted(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0] : !typed.array<1, f64, C> -> index
// CHECK: typed.raise_if
// CHECK-NEXT: %[[C:.*]] = typed.with_shape %[[B]][%[[N]]]
// CHECK-NEXT: typed.array_expr(%[[A]], %[[C]])
// CHECK-NOT: typed.raise_if
// CHECK-NOT: typed.require_equal
// CHECK: return
func.func @asserted(%a: !v, %b: !v) -> (!v, si64) {
  %n = typed.dim %a[0] : !v -> si64
  %m = typed.len %b : !v -> si64
  %true = arith.constant true
  %eq = typed.compare eq %n, %m : si64
  %ne = arith.xori %eq, %true : i1
  typed.raise_if %ne, "AssertionError"
  %r = typed.array_expr(%a, %b) {
  ^bb0(%x: f64, %y: f64):
    %z = typed.binary add %x, %y : f64
    typed.yield %z : f64
  } : (!v, !v) -> !v
  typed.raise_if %ne, "AssertionError"
  typed.require_equal %m, %n, "shapes not aligned: {} (dim 0) != {} (dim 0)" : si64, si64
  return %r, %m : !v, si64
}

// Before the assert nothing is known, and neither is it where only one way leads past it.

// CHECK-LABEL: func.func @somewhere_else(
// CHECK-NOT: typed.with_shape
// CHECK: scf.if
// CHECK: typed.raise_if
// CHECK: typed.with_shape
// CHECK: }
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @somewhere_else(%a: !v, %b: !v, %c: i1) {
  typed.assign %a, %b : !v, !v
  scf.if %c {
    %n = typed.dim %a[0] : !v -> si64
    %m = typed.dim %b[0] : !v -> si64
    %ne = typed.compare ne %n, %m : si64
    typed.raise_if %ne, "ValueError"
    typed.assign %a, %b : !v, !v
  }
  typed.assign %a, %b : !v, !v
  return
}

// All of a conjunction holds; of a disjunction nothing is known.

// CHECK-LABEL: func.func @and_or(
// CHECK: typed.raise_if
// CHECK-NOT: typed.with_shape
// CHECK: typed.assign
// CHECK: typed.raise_if
// CHECK-NEXT: typed.with_shape
// CHECK-NEXT: typed.assign
func.func @and_or(%a: !m, %b: !m) {
  %true = arith.constant true
  %n0 = typed.dim %a[0] : !m -> si64
  %n1 = typed.dim %a[1] : !m -> si64
  %m0 = typed.dim %b[0] : !m -> si64
  %m1 = typed.dim %b[1] : !m -> si64
  %eq0 = typed.compare eq %n0, %m0 : si64
  %eq1 = typed.compare eq %n1, %m1 : si64
  %any = typed.binary or %eq0, %eq1 : i1
  %none = arith.xori %any, %true : i1
  typed.raise_if %none, "AssertionError"
  typed.assign %a, %b : !m, !m
  %all = scf.if %eq0 -> (i1) {
    scf.yield %eq1 : i1
  } else {
    %false = arith.constant false
    scf.yield %false : i1
  }
  %not = arith.xori %all, %true : i1
  typed.raise_if %not, "AssertionError"
  typed.assign %a, %b : !m, !m
  return
}

// Branches know what they are taken for.

// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK-NEXT: typed.with_shape
// CHECK: } else {
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @branch(%a: !v, %b: !v) {
  %n = typed.dim %a[0] : !v -> si64
  %m = typed.dim %b[0] : !v -> si64
  %eq = typed.compare eq %n, %m : si64
  scf.if %eq {
    typed.assign %a, %b : !v, !v
  } else {
    typed.assign %a, %b : !v, !v
  }
  return
}

// `a[1:n-1]`, `a[0:n-2]`, `a[2:]` and `a[:-2]` have one size.

// CHECK-LABEL: func.func @slices(
// CHECK: %[[V:.*]] = typed.view
// CHECK-NEXT: %[[N:.*]] = typed.dim %[[V]][0]
// CHECK-COUNT-3: typed.with_shape %{{.*}}[%[[N]]]
// CHECK-NEXT: typed.array_expr
func.func @slices(%a: !v) -> !v {
  %none = typed.singleton : !none
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %c2 = typed.constant 2 : si64
  %m2 = typed.constant -2 : si64
  %n = typed.dim %a[0] : !v -> si64
  %n1 = typed.binary sub %n, %c1 : si64
  %n2 = typed.binary sub %n1, %c1 : si64
  %s0 = typed.slice %c1, %n1, %none : !typed.slice<si64, si64, !none>
  %s1 = typed.slice %c0, %n2, %none : !typed.slice<si64, si64, !none>
  %s2 = typed.slice %c2, %none, %none : !typed.slice<si64, !none, !none>
  %s3 = typed.slice %none, %m2, %none : !typed.slice<!none, si64, !none>
  %v0 = typed.view %a[%s0] : !v, (!typed.slice<si64, si64, !none>) -> !v
  %v1 = typed.view %a[%s1] : !v, (!typed.slice<si64, si64, !none>) -> !v
  %v2 = typed.view %a[%s2] : !v, (!typed.slice<si64, !none, !none>) -> !v
  %v3 = typed.view %a[%s3] : !v, (!typed.slice<!none, si64, !none>) -> !v
  %r = typed.array_expr(%v0, %v1, %v2, %v3) {
  ^bb0(%x: f64, %y: f64, %z: f64, %w: f64):
    %t = typed.binary add %x, %y : f64
    typed.yield %t : f64
  } : (!v, !v, !v, !v) -> !v
  return %r : !v
}

// `a[0:n-3]` counts from the end where `n` is 1 or 2, so it may be longer than `a[3:]`.

// CHECK-LABEL: func.func @three(
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @three(%a: !v) -> !v {
  %none = typed.singleton : !none
  %c0 = typed.constant 0 : si64
  %c3 = typed.constant 3 : si64
  %n = typed.dim %a[0] : !v -> si64
  %n3 = typed.binary sub %n, %c3 : si64
  %s0 = typed.slice %c0, %n3, %none : !typed.slice<si64, si64, !none>
  %s1 = typed.slice %c3, %none, %none : !typed.slice<si64, !none, !none>
  %v0 = typed.view %a[%s0] : !v, (!typed.slice<si64, si64, !none>) -> !v
  %v1 = typed.view %a[%s1] : !v, (!typed.slice<si64, !none, !none>) -> !v
  %r = typed.array_expr(%v0, %v1) {
  ^bb0(%x: f64, %y: f64):
    %t = typed.binary add %x, %y : f64
    typed.yield %t : f64
  } : (!v, !v) -> !v
  return %r : !v
}

// Equal bounds of dimensions that aren't known to be equal say nothing; of equal ones they do.

// CHECK-LABEL: func.func @bounds(
// CHECK-NOT: typed.with_shape
// CHECK: typed.array_expr
// CHECK: typed.raise_if
// CHECK: typed.with_shape
// CHECK: typed.array_expr
func.func @bounds(%a: !v, %b: !v, %i: si64, %j: si64) -> (!v, !v) {
  %none = typed.singleton : !none
  %s = typed.slice %i, %j, %none : !typed.slice<si64, si64, !none>
  %v0 = typed.view %a[%s] : !v, (!typed.slice<si64, si64, !none>) -> !v
  %v1 = typed.view %b[%s] : !v, (!typed.slice<si64, si64, !none>) -> !v
  %r = typed.array_expr(%v0, %v1) {
  ^bb0(%x: f64, %y: f64):
    typed.yield %x : f64
  } : (!v, !v) -> !v
  %n = typed.dim %a[0] : !v -> si64
  %m = typed.dim %b[0] : !v -> si64
  %ne = typed.compare ne %n, %m : si64
  typed.raise_if %ne, "ValueError"
  %q = typed.array_expr(%v0, %v1) {
  ^bb0(%x: f64, %y: f64):
    typed.yield %y : f64
  } : (!v, !v) -> !v
  return %r, %q : !v, !v
}

// One mask selects as many elements of each array, until it is written.

// CHECK-LABEL: func.func @masks(
// CHECK: typed.with_shape
// CHECK-NEXT: typed.array_expr
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @masks(%a: !v, %b: !v, %m: !b, %i: index, %t: i1) -> (!v, !v) {
  %x = typed.call @"pyopt.library.select(!v, !b)"(%a, %m) {pyopt.role = #parfor<library_role selection>} : (!v, !b) -> !v
  %y = typed.call @"pyopt.library.select(!v, !b)"(%b, %m) {pyopt.role = #parfor<library_role selection>} : (!v, !b) -> !v
  %r = typed.array_expr(%x, %y) {
  ^bb0(%p: f64, %q: f64):
    typed.yield %p : f64
  } : (!v, !v) -> !v
  typed.store %t, %m[%i] : i1, !b, index
  %z = typed.call @"pyopt.library.select(!v, !b)"(%b, %m) {pyopt.role = #parfor<library_role selection>} : (!v, !b) -> !v
  %s = typed.array_expr(%x, %z) {
  ^bb0(%p: f64, %q: f64):
    typed.yield %p : f64
  } : (!v, !v) -> !v
  return %r, %s : !v, !v
}

// A loop that writes the mask changes what it selects between iterations.

// CHECK-LABEL: func.func @mask_in_loop(
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @mask_in_loop(%a: !v, %m: !b, %n: index, %t: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = typed.call @"pyopt.library.select(!v, !b)"(%a, %m) {pyopt.role = #parfor<library_role selection>} : (!v, !b) -> !v
  scf.for %i = %c0 to %n step %c1 {
    %y = typed.call @"pyopt.library.select(!v, !b)"(%a, %m) {pyopt.role = #parfor<library_role selection>} : (!v, !b) -> !v
    typed.assign %x, %y : !v, !v
    typed.store %t, %m[%i] : i1, !b, index
  }
  return
}

// An array that a loop carries keeps a size that every iteration hands on.

// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %{{.*}}: index)
// CHECK: %[[N:.*]] = typed.dim %[[A]][0]
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK-NEXT: %[[W:.*]] = typed.with_shape %[[B]][%[[N]]]
// CHECK-NEXT: typed.array_expr(%[[W]], %[[A]])
// CHECK: }
// CHECK: typed.with_shape %{{.*}}[%[[N]]]
// CHECK-NEXT: typed.assign
func.func @carried(%a: !v, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (!v) {
    %t = typed.array_expr(%b, %a) {
    ^bb0(%x: f64, %y: f64):
      %z = typed.binary add %x, %y : f64
      typed.yield %z : f64
    } : (!v, !v) -> !v
    scf.yield %t : !v
  }
  typed.assign %r, %a : !v, !v
  return
}

// This one may be shorter afterwards, and so may what depends on it an iteration later.

// CHECK-LABEL: func.func @shrinking(
// CHECK-NOT: typed.with_shape
// CHECK: return
func.func @shrinking(%a: !v, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %none = typed.singleton : !none
  %s = typed.slice %one, %none, %none : !typed.slice<si64, !none, !none>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a, %c = %a, %d = %a) -> (!v, !v, !v) {
    typed.assign %b, %a : !v, !v
    typed.assign %c, %a : !v, !v
    typed.assign %d, %a : !v, !v
    %t = typed.view %b[%s] : !v, (!typed.slice<si64, !none, !none>) -> !v
    scf.yield %t, %b, %c : !v, !v, !v
  }
  typed.assign %r#0, %a : !v, !v
  typed.assign %r#2, %a : !v, !v
  return
}

// CHECK-LABEL: func.func @while(
// CHECK: scf.while
// CHECK: typed.with_shape
// CHECK: } do {
// CHECK: typed.with_shape
// CHECK: }
// CHECK: typed.with_shape
// CHECK-NEXT: typed.assign
func.func @while(%a: !v, %k: i1) {
  %r = scf.while (%b = %a) : (!v) -> !v {
    typed.assign %b, %a : !v, !v
    scf.condition(%k) %b : !v
  } do {
  ^bb0(%c: !v):
    %t = typed.array_expr(%c, %a) {
    ^bb0(%x: f64, %y: f64):
      %z = typed.binary add %x, %y : f64
      typed.yield %z : f64
    } : (!v, !v) -> !v
    scf.yield %t : !v
  }
  typed.assign %r, %a : !v, !v
  return
}

// What both branches give has a size when they agree.

// CHECK-LABEL: func.func @joined(
// CHECK: %[[N:.*]] = typed.dim %{{.*}}[0] : !typed.array<1, f64, C> -> index
// CHECK: typed.with_shape %{{.*}}#0[%[[N]]]
// CHECK-NEXT: typed.assign
// CHECK-NEXT: typed.assign %{{.*}}#1, %{{.*}}
func.func @joined(%a: !v, %b: !v, %c: i1) {
  %n = typed.dim %a[0] : !v -> index
  %r:2 = scf.if %c -> (!v, !v) {
    %e = typed.empty(%n) : (index) -> !v
    scf.yield %e, %a : !v, !v
  } else {
    scf.yield %a, %b : !v, !v
  }
  typed.assign %r#0, %a : !v, !v
  typed.assign %r#1, %a : !v, !v
  return
}

// Sizes of new arrays and loops: the first of equal ones is taken for all.

// CHECK-LABEL: func.func @fresh(
// CHECK: %[[N:.*]] = typed.dim %{{.*}}[0] : !typed.array<1, f64, C> -> index
// CHECK: typed.require_equal
// CHECK-NEXT: typed.empty(%[[N]])
// CHECK: parfor.loop(%[[N]])
func.func @fresh(%a: !v, %k: si64) -> !v {
  %n = typed.dim %a[0] : !v -> si64
  typed.require_equal %n, %k, "sizes {} and {}" : si64, si64
  %e = typed.empty(%k) : (si64) -> !v
  %c0 = arith.constant 0 : index
  %i = typed.cast %k : si64 to index
  %p = arith.maxsi %i, %c0 : index
  parfor.loop(%p) reductions [] pattern prange {
  ^bb0(%at: index):
    %x = typed.load %a[%at] : !v, index -> f64
    typed.store %x, %e[%at] : f64, !v, index
    parfor.yield
  }
  return %e : !v
}

// A check that every run of two loops comes to first stands before them, if they run at all.

// CHECK-LABEL: func.func @hoisted(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, C>, %[[B:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-DAG: %[[X:.*]] = typed.dim %[[A]][1] : !typed.array<2, f64, C> -> index
// CHECK-DAG: %[[Y:.*]] = typed.dim %[[B]][0] : !typed.array<1, f64, C> -> index
// CHECK-DAG: %[[INNER:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK-DAG: %[[OUTER:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: %[[RUNS:.*]] = arith.andi %[[INNER]], %[[OUTER]]
// CHECK: scf.if %[[RUNS]] {
// CHECK-NEXT: typed.require_equal %[[X]], %[[Y]], "shapes not aligned: {} (dim 0) != {} (dim 0)"
// CHECK: scf.for
// CHECK-NOT: typed.require_equal
// CHECK: return
func.func @hoisted(%a: !m, %b: !v, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = typed.dim %a[1] : !m -> si64
      %y = typed.dim %b[0] : !v -> si64
      typed.require_equal %x, %y, "shapes not aligned: {} (dim 0) != {} (dim 0)" : si64, si64
      %z = typed.load %b[%j] : !v, index -> f64
      typed.store %z, %a[%i, %j] : f64, !m, index, index
      typed.require_equal %x, %y, "shapes not aligned: {} (dim 0) != {} (dim 0)" : si64, si64
    }
  }
  return
}

// What a run stores before its check must be stored when that fails.

// CHECK-LABEL: func.func @stored_before(
// CHECK: scf.for
// CHECK: typed.store
// CHECK: typed.require_equal
func.func @stored_before(%a: !m, %b: !v, %n: index, %z: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    typed.store %z, %b[%i] : f64, !v, index
    %x = typed.dim %a[1] : !m -> si64
    %y = typed.dim %b[0] : !v -> si64
    typed.require_equal %x, %y, "shapes not aligned: {} (dim 0) != {} (dim 0)" : si64, si64
  }
  return
}

// An array has the sizes that reshape was given: by numpy.reshape, by the method as arguments, or by the
// method as a tuple, which then is the only item of another one.

func.func private @"pyopt.library.reshape(!v, tuple<index, si64>)"(!v, tuple<index, si64>) -> !m
func.func private @"pyopt.library.reshape_method(!v, index, si64)"(!v, tuple<index, si64>) -> !m
func.func private @"pyopt.library.reshape_method(!v, tuple<index, si64>)"(!v, tuple<tuple<index, si64>>) -> !m

// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[N:.*]] = typed.dim
// CHECK-COUNT-3: typed.with_shape %{{.*}}[%[[N]], %c3{{[_0-9]*}}]
// CHECK-NOT: typed.require_equal
// CHECK: return
func.func @reshaped(%v: !v, %w: !v) -> !m {
  %n = typed.dim %w[0] : !v -> index
  %three = typed.constant 3 : si64
  %sizes = typed.tuple(%n, %three) : tuple<index, si64>
  %only = typed.tuple(%sizes) : tuple<tuple<index, si64>>
  %a = typed.call @"pyopt.library.reshape(!v, tuple<index, si64>)"(%v, %sizes) {pyopt.role = #parfor<library_role reshape>} : (!v, tuple<index, si64>) -> !m
  %b = typed.call @"pyopt.library.reshape_method(!v, index, si64)"(%v, %sizes) {pyopt.role = #parfor<library_role reshape>} : (!v, tuple<index, si64>) -> !m
  %c = typed.call @"pyopt.library.reshape_method(!v, tuple<index, si64>)"(%v, %only) {pyopt.role = #parfor<library_role reshape>} : (!v, tuple<tuple<index, si64>>) -> !m
  %r = typed.array_expr(%a, %b, %c) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %s = typed.binary add %x, %y : f64
    %t = typed.binary add %s, %z : f64
    typed.yield %t : f64
  } : (!m, !m, !m) -> !m
  return %r : !m
}
