// Loops over iterators become counted loops.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for),canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @to_n(
// CHECK-SAME: %[[N:.*]]: si64
func.func @to_n(%n: si64) -> si64 {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range(%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  // CHECK: %[[STOP:.*]] = typed.cast %[[N]] : si64 to index
  // CHECK: %[[LENGTH:.*]] = arith.maxsi %[[STOP]], %c0
  // CHECK: %[[R:.*]]:2 = scf.for %[[K:.*]] = %c0 to %[[LENGTH]] step %c1 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  cf.br ^h(%c0, %c0 : si64, si64)
^h(%a: si64, %last: si64):
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  // CHECK-NEXT: %[[I:.*]] = typed.cast %[[K]] : index to si64
  // CHECK-NEXT: %[[S:.*]] = typed.binary add %[[A]], %[[I]] : si64
  %s = typed.binary add %a, %i : si64
  // CHECK-NEXT: scf.yield %[[S]], %[[I]]
  cf.br ^h(%s, %i : si64, si64)
^exit:
  // The value of the variable after the loop.
  // CHECK: return %[[R]]#1
  return %last : si64
}

// All known: no computation is left.
// CHECK-LABEL: func.func @constant
func.func @constant(%a: !typed.array<1, f64, C>, %x: f64) {
  %c10 = typed.constant 10 : si64
  %c1 = typed.constant 1 : si64
  %cm3 = typed.constant -3 : si64
  %r = typed.range(%c10, %c1, %cm3) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  // CHECK: scf.for %[[K:.*]] = %c0 to %c3 step %c1
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  // CHECK: %[[P:.*]] = typed.cast %[[K]]
  // CHECK: %[[M:.*]] = typed.binary mul %[[P]], %{{.*}} : si64
  // CHECK: typed.binary add %{{.*}}, %[[M]] {pyopt.minimum = 2 : i64} : si64
  typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64
  cf.br ^h
^exit:
  return
}

// CHECK-LABEL: func.func @empty
func.func @empty(%a: !typed.array<1, f64, C>, %x: f64) -> si64 {
  %c10 = typed.constant 10 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range(%c10, %c1, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h(%c1 : si64)
^h(%last: si64):
  // CHECK-NOT: scf.for
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  cf.br ^h(%i: si64)
^exit:
  // CHECK: %[[ONE:.*]] = typed.constant 1
  // CHECK: return %[[ONE]]
  return %last : si64
}

// A size isn't negative, and stays an index.
// CHECK-LABEL: func.func @size
func.func @size(%a: !typed.array<2, f64, C>, %x: f64) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %n = typed.dim %a[1] : !typed.array<2, f64, C> -> si64
  %r = typed.range(%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  // CHECK-DAG: %[[N:.*]] = typed.dim %arg0[1] : !typed.array<2, f64, C> -> index
  // CHECK: scf.for %{{.*}} = %c0 to %[[N]]
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  typed.store %x, %a[%i, %i] : f64, !typed.array<2, f64, C>, si64, si64
  cf.br ^h
^exit:
  return
}

// Everything dynamic: the sign of the step decides; no step is taken to be at least 1 because the
// division must not be undefined; the length may need 64 bits.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:.*]]: si64, %[[B:.*]]: si64, %[[C:.*]]: si64
func.func @dynamic(%a: si64, %b: si64, %c: si64) -> si64 {
  %r = typed.range(%a, %b, %c) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  // CHECK-DAG: %[[MAX:.*]] = arith.constant 9223372036854775807 : index
  // CHECK-DAG: %[[START:.*]] = typed.cast %[[A]]
  // CHECK-DAG: %[[STOP:.*]] = typed.cast %[[B]]
  // CHECK-DAG: %[[STEP:.*]] = typed.cast %[[C]]
  // CHECK: %[[UP:.*]] = arith.cmpi sgt, %[[STEP]], %c0
  // CHECK: %[[NEG:.*]] = arith.subi %c0, %[[STEP]]
  // CHECK: %[[LOW:.*]] = arith.select %[[UP]], %[[START]], %[[STOP]]
  // CHECK: %[[HIGH:.*]] = arith.select %[[UP]], %[[STOP]], %[[START]]
  // CHECK: %[[STRIDE:.*]] = arith.select %[[UP]], %[[STEP]], %[[NEG]]
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[HIGH]], %[[LOW]]
  // CHECK: %[[DISTANCE:.*]] = arith.subi %[[HIGH]], %[[LOW]]
  // CHECK: %[[SAFE:.*]] = arith.maxui %[[STRIDE]], %c1
  // CHECK: %[[LAST:.*]] = arith.subi %[[DISTANCE]], %c1
  // CHECK: %[[STEPS:.*]] = arith.divui %[[LAST]], %[[SAFE]]
  // CHECK: %[[COUNT:.*]] = arith.addi %[[STEPS]], %c1
  // CHECK: %[[LENGTH:.*]] = arith.select %[[SOME]], %[[COUNT]], %c0
  // CHECK: %[[FITS:.*]] = arith.minui %[[LENGTH]], %[[MAX]]
  // CHECK: scf.for %{{.*}} = %c0 to %[[FITS]] step %c1
  cf.br ^h(%a : si64)
^h(%last: si64):
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  cf.br ^h(%i : si64)
^exit:
  return %last : si64
}

// All of the unsigned numbers are in order.
// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%a: ui64, %b: ui64) -> ui64 {
  %c1 = typed.constant 1 : ui64
  %r = typed.range(%a, %b, %c1) : !typed.range<ui64>
  %it = typed.iter %r : !typed.range<ui64>
  // CHECK: arith.cmpi ugt
  cf.br ^h(%a : ui64)
^h(%last: ui64):
  typed.for_iter %it : !typed.iter<!typed.range<ui64>>, ^body, ^exit
^body(%i: ui64):
  cf.br ^h(%i : ui64)
^exit:
  return %last : ui64
}

// The item may be the carried variable itself: the body is empty.
// CHECK-LABEL: func.func @empty_body
func.func @empty_body(%n: si64) -> si64 {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range(%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h(%c0 : si64)
^h(%last: si64):
  // CHECK: scf.for
  // CHECK-NEXT: %[[I:.*]] = typed.cast
  // CHECK-NEXT: scf.yield %[[I]]
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^h, ^exit
^exit:
  return %last : si64
}

// What is in the header runs before each iteration and once more.
// CHECK-LABEL: func.func @header
func.func @header(%n: si64, %x: si64) -> si64 {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range(%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h(%c0 : si64)
^h(%a: si64):
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
  // CHECK-NEXT: %[[B:.*]] = typed.binary mul %[[A]], %arg1
  // CHECK: typed.binary add %[[B]], %arg1
  // CHECK: }
  // CHECK: %[[LAST:.*]] = typed.binary mul %[[R]], %arg1
  // CHECK: return %[[LAST]]
  %b = typed.binary mul %a, %x : si64
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  %s = typed.binary add %b, %x : si64
  cf.br ^h(%s : si64)
^exit:
  return %b : si64
}

// Rows of a matrix, and their elements; the outer loop's body holds the inner one.
// CHECK-LABEL: func.func @arrays
func.func @arrays(%a: !typed.array<2, f64, C>) -> f64 {
  %z = typed.constant 0.0 : f64
  %it = typed.iter %a : !typed.array<2, f64, C>
  // CHECK: %[[N:.*]] = typed.dim %arg0[0] : !typed.array<2, f64, C> -> index
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[S:.*]] = %{{.*}})
  cf.br ^h(%z : f64)
^h(%s: f64):
  typed.for_iter %it : !typed.iter<!typed.array<2, f64, C>>, ^body, ^exit
^body(%row: !typed.array<1, f64, C>):
  // CHECK-NEXT: %[[ROW:.*]] = typed.view %arg0[%[[K]]]
  // CHECK-NEXT: %[[M:.*]] = typed.dim %[[ROW]][0] : !typed.array<1, f64, C> -> index
  // CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %[[M]] step %c1 iter_args(%{{.*}} = %[[S]])
  // CHECK-NEXT: typed.load %[[ROW]][%[[J]]] : !typed.array<1, f64, C>, index -> f64
  %it2 = typed.iter %row : !typed.array<1, f64, C>
  cf.br ^h2(%s : f64)
^h2(%s2: f64):
  typed.for_iter %it2 : !typed.iter<!typed.array<1, f64, C>>, ^body2, ^h(%s2 : f64)
^body2(%x: f64):
  %s3 = typed.binary add %s2, %x : f64
  cf.br ^h2(%s3 : f64)
^exit:
  return %s : f64
}

// CHECK-LABEL: func.func @others
func.func @others(%text: !typed.str, %t: tuple<f64, f64, f64>, %r: !typed.range<si64>) -> (!typed.str, f64, si64) {
  %z = typed.constant 0.0 : f64
  %c0 = typed.constant 0 : si64
  %it = typed.iter %text : !typed.str
  // CHECK: %[[N:.*]] = typed.len %arg0 : !typed.str -> index
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[N]]
  // CHECK-NEXT: typed.item %arg0[%[[K]] : index] : !typed.str -> !typed.str
  cf.br ^h(%text : !typed.str)
^h(%s: !typed.str):
  typed.for_iter %it : !typed.iter<!typed.str>, ^h, ^next
^next:
  // CHECK: scf.for %[[K:.*]] = %c0 to %c3
  // CHECK-NEXT: typed.tuple_item %arg1[%[[K]] : index] : tuple<f64, f64, f64> -> f64
  %it2 = typed.iter %t : tuple<f64, f64, f64>
  cf.br ^h2(%z : f64)
^h2(%x: f64):
  typed.for_iter %it2 : !typed.iter<tuple<f64, f64, f64>>, ^h2, ^next2
^next2:
  // CHECK: %[[N:.*]] = typed.len %arg2 : !typed.range<si64> -> index
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[N]]
  // CHECK-NEXT: typed.item %arg2[%[[K]] : index] : !typed.range<si64> -> si64
  %it3 = typed.iter %r : !typed.range<si64>
  cf.br ^h3(%c0 : si64)
^h3(%i: si64):
  typed.for_iter %it3 : !typed.iter<!typed.range<si64>>, ^h3, ^exit
^exit:
  return %s, %x, %i : !typed.str, f64, si64
}

// CHECK-LABEL: func.func @prange
func.func @prange(%n: si64, %a: !typed.array<1, f64, C>, %x: f64) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range parallel (%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  typed.store %x, %a[%i] wraparound : f64, !typed.array<1, f64, C>, si64
  cf.br ^h
^exit:
  // CHECK: typed.store
  // CHECK: } {pyopt.prange}
  return
}

// A loop of the library keeps the option that it belongs to.
// CHECK-LABEL: func.func @of_library
func.func @of_library(%n: si64, %a: !typed.array<1, f64, C>, %x: f64) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range parallel (%c0, %n, %c1) {pyopt.prange = #parfor<pattern_kind reduction>} : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  typed.store %x, %a[%i] wraparound : f64, !typed.array<1, f64, C>, si64
  cf.br ^h
^exit:
  // CHECK: typed.store
  // CHECK: } {pyopt.prange = #parfor<pattern_kind reduction>}
  return
}

// Left by `return`: a counter in the control flow graph. It stays below the length.
// CHECK-LABEL: func.func @find
func.func @find(%a: !typed.array<1, f64, C>, %x: f64) -> si64 {
  %c1 = typed.constant 1 : si64
  %cm1 = typed.constant -1 : si64
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> si64
  %r = typed.range(%c1, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  // CHECK: %[[LENGTH:.*]] = arith.select
  // CHECK: cf.br ^[[H:bb[0-9]+]](%c0 : index)
  cf.br ^h
// CHECK: ^[[H]](%[[K:.*]]: index):
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[K]], %[[LENGTH]]
// CHECK-NEXT: cf.cond_br %[[MORE]], ^[[BODY:bb[0-9]+]], ^{{.*}}
// CHECK: %[[K1:.*]] = arith.addi %[[K]], %c1 overflow<nsw>
// CHECK-NEXT: cf.br ^[[H]](%[[K1]] : index)
// CHECK: ^[[BODY]]:
// CHECK-NEXT: %[[P:.*]] = typed.cast %[[K]] : index to si64
// CHECK-NEXT: %[[I:.*]] = typed.binary add %{{.*}}, %[[P]] {pyopt.ascending, pyopt.minimum = 1 : i64} : si64
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  %v = typed.load %a[%i] wraparound : !typed.array<1, f64, C>, si64 -> f64
  %eq = typed.compare eq %v, %x : f64
  cf.cond_br %eq, ^found, ^h
^found:
  return %i : si64
^exit:
  return %cm1 : si64
}

// A loop that never comes back takes the first item only.
// CHECK-LABEL: func.func @first
func.func @first(%a: !typed.array<1, f64, C>, %x: f64) -> f64 {
  %it = typed.iter %a : !typed.array<1, f64, C>
  // CHECK: %[[N:.*]] = typed.dim
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[N]], %c0
  // CHECK: cf.cond_br %[[SOME]]
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.array<1, f64, C>>, ^body, ^exit
^body(%v: f64):
  return %v : f64
^exit:
  return %x : f64
}

// A loop in a while loop makes its iterator anew each time.
// CHECK-LABEL: func.func @in_while
func.func @in_while(%n: si64) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  cf.br ^outer(%n : si64)
^outer(%m: si64):
  %c = typed.compare gt %m, %c0 : si64
  cf.cond_br %c, ^start, ^exit
^start:
  %r = typed.range(%c0, %m, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  // CHECK: scf.for
  cf.br ^h(%m : si64)
^h(%last: si64):
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^h, ^outer(%last : si64)
^exit:
  return
}

// A loop that comes back to where the iterator is made takes the first item each time.
// CHECK-LABEL: func.func @anew
func.func @anew(%a: !typed.array<1, f64, C>, %x: f64) {
  cf.br ^h
^h:
  // CHECK: %[[N:.*]] = typed.dim
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[N]], %c0
  // CHECK: cf.cond_br %[[SOME]]
  %it = typed.iter %a : !typed.array<1, f64, C>
  typed.for_iter %it : !typed.iter<!typed.array<1, f64, C>>, ^body, ^exit
^body(%v: f64):
  // CHECK: typed.load %arg0[%c0]
  %c = typed.compare lt %v, %x : f64
  typed.raise_if %c, "ValueError"
  cf.br ^h
^exit:
  return
}

// Reversed: the position counts from the end, and is known not to be negative.
// CHECK-LABEL: func.func @reversed_array(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>
func.func @reversed_array(%a: !typed.array<1, f64, C>) -> f64 {
  %zero = typed.constant 0.0 : f64
  %it = typed.reversed %a : !typed.array<1, f64, C>
  // CHECK: %[[N:.*]] = typed.dim %[[A]][0]
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1
  cf.br ^h(%zero : f64)
^h(%s: f64):
  typed.for_iter %it : !typed.iter<!typed.reversed<!typed.array<1, f64, C>>>, ^body, ^exit
^body(%x: f64):
  // CHECK: %[[LAST:.*]] = arith.{{(subi|addi)}} %{{.*}}, %{{.*}} : index
  // CHECK: %[[P:.*]] = arith.subi %[[LAST]], %[[K]] {pyopt.minimum = 0 : i64} : index
  // CHECK: typed.load %[[A]][%[[P]]]
  %t = typed.binary add %s, %x : f64
  cf.br ^h(%t : f64)
^exit:
  return %s : f64
}

// The items of nested iterators; the shortest of those zipped ends the loop.
// CHECK-LABEL: func.func @zipped(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[B:.*]]: !typed.array<1, f32, C>, %[[FROM:.*]]: si64
func.func @zipped(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f32, C>, %from: si64) -> si64 {
  %c0 = typed.constant 0 : si64
  %ia = typed.iter %a : !typed.array<1, f64, C>
  %ib = typed.iter %b : !typed.array<1, f32, C>
  %counted = typed.enumerate %ib from %from : si64, !typed.iter<!typed.array<1, f32, C>>
  %it = typed.zip %ia, %counted
      : (!typed.iter<!typed.array<1, f64, C>>, !typed.iter<!typed.enumerate<!typed.array<1, f32, C>>>)
      -> !typed.iter<!typed.zip<tuple<!typed.array<1, f64, C>, !typed.enumerate<!typed.array<1, f32, C>>>>>
  // CHECK-DAG: %[[N:.*]] = typed.dim %[[A]][0]
  // CHECK-DAG: %[[M:.*]] = typed.dim %[[B]][0]
  // CHECK: %[[LENGTH:.*]] = arith.minsi %[[N]], %[[M]]
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[LENGTH]] step %c1
  cf.br ^h(%c0 : si64)
^h(%s: si64):
  typed.for_iter %it : !typed.iter<!typed.zip<tuple<!typed.array<1, f64, C>, !typed.enumerate<!typed.array<1, f32, C>>>>>, ^body, ^exit
^body(%item: tuple<f64, tuple<si64, f32>>):
  // CHECK: %[[COUNT:.*]] = typed.cast %[[K]] : index to si64
  // CHECK: typed.binary add %[[FROM]], %[[COUNT]] {pyopt.ascending} : si64
  // CHECK: typed.load %[[B]][%[[K]]]
  // CHECK-NOT: typed.tuple
  %pair = typed.tuple_get %item[1] : tuple<f64, tuple<si64, f32>> -> tuple<si64, f32>
  %n = typed.tuple_get %pair[0] : tuple<si64, f32> -> si64
  %y = typed.tuple_get %pair[1] : tuple<si64, f32> -> f32
  %m = typed.cast %y : f32 to si64
  %both = typed.binary mul %n, %m : si64
  %t = typed.binary add %s, %both : si64
  cf.br ^h(%t : si64)
^exit:
  return %s : si64
}

// All elements, the last index varying fastest: positions become indices.
// CHECK-LABEL: func.func @flat(
// CHECK-SAME: %[[A:.*]]: !typed.array<2, f64, F>
func.func @flat(%a: !typed.array<2, f64, F>) -> f64 {
  %zero = typed.constant 0.0 : f64
  %flat = typed.flat %a : !typed.array<2, f64, F>
  %it = typed.iter %flat : !typed.flat<!typed.array<2, f64, F>>
  // CHECK-DAG: %[[N:.*]] = typed.dim %[[A]][0]
  // CHECK-DAG: %[[M:.*]] = typed.dim %[[A]][1]
  // CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %[[M]]
  // CHECK: scf.for %[[K:.*]] = %c0 to %[[SIZE]] step %c1
  cf.br ^h(%zero : f64)
^h(%s: f64):
  typed.for_iter %it : !typed.iter<!typed.flat<!typed.array<2, f64, F>>>, ^body, ^exit
^body(%x: f64):
  // CHECK: %[[J:.*]] = arith.remui %[[K]]
  // CHECK: %[[I:.*]] = arith.divui %[[K]]
  // CHECK: typed.load %[[A]][%[[I]], %[[J]]]
  %t = typed.binary add %s, %x : f64
  cf.br ^h(%t : f64)
^exit:
  return %s : f64
}

// Positions: each index is known not to be negative.
// CHECK-LABEL: func.func @indices(
func.func @indices(%n: si64, %m: si64) -> si64 {
  %zero = typed.constant 0 : si64
  %all = typed.indices %n, %m : (si64, si64) -> !typed.indices<tuple<si64, si64>>
  %it = typed.iter %all : !typed.indices<tuple<si64, si64>>
  cf.br ^h(%zero : si64)
^h(%s: si64):
  typed.for_iter %it : !typed.iter<!typed.indices<tuple<si64, si64>>>, ^body, ^exit
^body(%at: tuple<si64, si64>):
  // CHECK: %[[I:.*]] = arith.divui
  // CHECK: typed.cast %[[I]] {pyopt.minimum = 0 : i64}
  %i = typed.tuple_get %at[0] : tuple<si64, si64> -> si64
  %t = typed.binary add %s, %i : si64
  cf.br ^h(%t : si64)
^exit:
  return %s : si64
}

// Positions in any order.
// CHECK-LABEL: func.func @parallel_indices(
func.func @parallel_indices(%n: si64, %a: !typed.array<1, f64, C>) {
  %one = typed.constant 1.0 : f64
  %all = typed.indices parallel %n, %n : (si64, si64) -> !typed.indices<tuple<si64, si64>>
  %it = typed.iter %all : !typed.indices<tuple<si64, si64>>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.indices<tuple<si64, si64>>>, ^body, ^exit
^body(%at: tuple<si64, si64>):
  // CHECK: scf.for
  // CHECK: arith.divui
  // CHECK: } {pyopt.prange}
  %i = typed.tuple_get %at[0] : tuple<si64, si64> -> si64
  typed.store %one, %a[%i] : f64, !typed.array<1, f64, C>, si64
  cf.br ^h
^exit:
  return
}

// Iterators that nothing goes through are erased: inference leaves those of empty tuples.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return
func.func @nothing(%t: tuple<>, %n: si64) {
  %0 = typed.iter %t : tuple<>
  %1 = typed.enumerate %0 from %n : si64, !typed.iter<tuple<>>
  return
}
