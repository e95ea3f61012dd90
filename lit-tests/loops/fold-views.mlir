// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-fold-views),typed-canonicalize,cse)' | FileCheck %s

!all = !typed.slice<!typed.none, !typed.none, !typed.none>

// Elements of a row and of a column are elements of the array, and of a view of a view, too. A number
// that a view was made with counts from the end when it is negative.

// CHECK-LABEL: func.func @lines(
// CHECK-NOT: typed.view
// CHECK: scf.for %[[P:[a-z0-9]+]] =
// CHECK:   %[[X:.*]] = typed.load %arg0[%[[P]], %arg1] wraparound :
// CHECK:   typed.store %[[X]], %arg0[%[[P]], %[[P]]] :
// CHECK:   typed.store %[[X]], %arg0[%arg2, %[[P]]] wraparound :
// CHECK:   typed.store %[[X]], %arg0[%[[P]], %arg2] wraparound :
// CHECK: return
func.func @lines(%a: !typed.array<2, f64, C>, %i: index, %j: si64) {
  %none = typed.singleton : !typed.none
  %all = typed.slice %none, %none, %none : !all
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %i step %c1 {
    %row = typed.view %a[%p] : !typed.array<2, f64, C>, (index) -> !typed.array<1, f64, C>
    %x = typed.load %row[%i] wraparound : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %row[%p] : f64, !typed.array<1, f64, C>, index
    %last = typed.view %a[%j] : !typed.array<2, f64, C>, (si64) -> !typed.array<1, f64, C>
    typed.store %x, %last[%p] : f64, !typed.array<1, f64, C>, index
    %column = typed.view %a[%all, %j] : !typed.array<2, f64, C>, (!all, si64) -> !typed.array<1, f64, A>
    %same = typed.view %column[] : !typed.array<1, f64, A> -> !typed.array<1, f64, A>
    typed.store %x, %column[%p] : f64, !typed.array<1, f64, A>, index
  }
  return
}

// A new dimension has one element.
// CHECK-LABEL: func.func @new(
// CHECK-NOT: typed.view
// CHECK: typed.load %arg0[%arg1, %arg2, %arg1] wraparound :
func.func @new(%a: !typed.array<3, f64, F>, %i: index, %j: si64) -> f64 {
  %none = typed.singleton : !typed.none
  %all = typed.slice %none, %none, %none : !all
  %v = typed.view %a[%none, %all, %j] : !typed.array<3, f64, F>, (!typed.none, !all, si64) -> !typed.array<3, f64, A>
  %c0 = arith.constant 0 : index
  %x = typed.load %v[%c0, %i, %i] : !typed.array<3, f64, A>, index, index, index -> f64
  return %x : f64
}

// Parts of a dimension, and arrays of any strides, whose views are plainer than they are.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[PART:.*]] = typed.view
// CHECK: typed.load %[[PART]][%arg2]
// CHECK: %[[ROW:.*]] = typed.view
// CHECK: typed.load %[[ROW]][%arg2]
func.func @parts(%a: !typed.array<2, f64, C>, %b: !typed.array<2, f64, A>, %i: index, %j: si64) -> (f64, f64) {
  %none = typed.singleton : !typed.none
  %slice = typed.slice %none, %j, %none : !typed.slice<!typed.none, si64, !typed.none>
  %part = typed.view %a[%i, %slice] : !typed.array<2, f64, C>, (index, !typed.slice<!typed.none, si64, !typed.none>) -> !typed.array<1, f64, C>
  %x = typed.load %part[%i] : !typed.array<1, f64, C>, index -> f64
  %row = typed.view %b[%i] : !typed.array<2, f64, A>, (index) -> !typed.array<1, f64, A>
  %y = typed.load %row[%i] : !typed.array<1, f64, A>, index -> f64
  return %x, %y : f64, f64
}

// The size of a whole dimension is the array's; that of a part and of a new dimension isn't.
// CHECK-LABEL: func.func @sizes(
// CHECK: %[[ROW:.*]] = typed.dim %arg0[1]
// CHECK: %[[PART:.*]] = typed.view
// CHECK: %[[SOME:.*]] = typed.dim %[[PART]][0]
// CHECK: return %[[ROW]], %[[SOME]], %[[ROW]]
func.func @sizes(%a: !typed.array<2, f64, C>, %i: si64) -> (index, index, index) {
  %none = typed.singleton : !typed.none
  %all = typed.slice %none, %none, %none : !all
  %some = typed.slice %i, %none, %none : !typed.slice<si64, !typed.none, !typed.none>
  %row = typed.view %a[%i] : !typed.array<2, f64, C>, (si64) -> !typed.array<1, f64, C>
  %n = typed.dim %row[0] : !typed.array<1, f64, C> -> index
  %part = typed.view %a[%some] : !typed.array<2, f64, C>, (!typed.slice<si64, !typed.none, !typed.none>) -> !typed.array<2, f64, C>
  %k = typed.dim %part[0] : !typed.array<2, f64, C> -> index
  %m = typed.dim %part[1] : !typed.array<2, f64, C> -> index
  return %n, %k, %m : index, index, index
}
