// Folders and canonicalisation of the typed dialect.
// RUN: %pyopt %s --canonicalize --split-input-file | FileCheck %s

// Integer constants fold with wrap-around at their width.
// CHECK-LABEL: func.func @integers
func.func @integers() -> (si8, ui8, i1, i1) {
  %0 = typed.constant 127 : si8
  %1 = typed.constant 1 : si8
  // CHECK-DAG: %[[A:.*]] = typed.constant -128 : si8
  %2 = typed.binary add %0, %1 : si8
  // CHECK-DAG: %[[B:.*]] = typed.constant 128 : ui8
  %3 = typed.cast %2 : si8 to ui8
  // -128 < 1 as a signed number, 128 > 1 as an unsigned one.
  // CHECK-DAG: %[[T:.*]] = typed.constant true
  %4 = typed.compare lt %2, %1 : si8
  %5 = typed.cast %1 : si8 to ui8
  // CHECK-DAG: %[[F:.*]] = typed.constant false
  %6 = typed.compare lt %3, %5 : ui8
  // CHECK: return %[[A]], %[[B]], %[[T]], %[[F]]
  return %2, %3, %4, %6 : si8, ui8, i1, i1
}

// -----

// Floats are left to LLVM, which knows every rounding.
// CHECK-LABEL: func.func @floats
func.func @floats() -> f64 {
  %0 = typed.constant 1.0 : f64
  // CHECK: typed.binary add
  %1 = typed.binary add %0, %0 : f64
  return %1 : f64
}

// -----

// CHECK-LABEL: func.func @locals
// CHECK-SAME: (%[[X:.*]]: f64, %[[U:.*]]: !typed.unbound<f64>)
func.func @locals(%x: f64, %u: !typed.unbound<f64>) -> (f64, i1, i1) {
  %0 = typed.bind %x : f64 to !typed.unbound<f64>
  %1 = typed.bound_value %0 : !typed.unbound<f64> -> f64
  // CHECK-DAG: %[[T:.*]] = typed.constant true
  %2 = typed.is_bound %0 : !typed.unbound<f64>
  // CHECK-DAG: %[[I:.*]] = typed.is_bound %[[U]]
  %3 = typed.is_bound %u : !typed.unbound<f64>
  // CHECK: return %[[X]], %[[T]], %[[I]]
  return %1, %2, %3 : f64, i1, i1
}

// -----

// CHECK-LABEL: func.func @tuple_get
// CHECK-SAME: (%[[X:.*]]: f64, %[[N:.*]]: si64)
func.func @tuple_get(%x: f64, %n: si64) -> si64 {
  %0 = typed.tuple(%x, %n) : tuple<f64, si64>
  %1 = typed.tuple_get %0[1] : tuple<f64, si64> -> si64
  // CHECK-NEXT: return %[[N]]
  return %1 : si64
}

// -----

// An error that can't happen goes; one that may or does happen stays.
// CHECK-LABEL: func.func @raise_if
func.func @raise_if(%c: i1) {
  %f = typed.constant false
  %t = typed.constant true
  // CHECK-NOT: "KeyError"
  typed.raise_if %f, "KeyError"
  // CHECK: typed.raise_if %{{.*}}, "ValueError"
  typed.raise_if %t, "ValueError"
  // CHECK: typed.raise_if %{{.*}}, "IndexError"
  typed.raise_if %c, "IndexError"
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_size
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @broadcast_size(%n: index, %m: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %0 = typed.broadcast_size %n, %n
  %1 = typed.broadcast_size %one, %n
  // CHECK: %[[B:.*]] = typed.broadcast_size %[[N]], %[[M]]
  %2 = typed.broadcast_size %n, %m
  // CHECK: return %[[N]], %[[N]], %[[B]]
  return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: func.func @items_of_a_list
// CHECK-SAME: (%[[A:.*]]: si64,
func.func @items_of_a_list(%a: si64, %l: !typed.sequence<tuple<f64>, #py.named<"builtins.list">>) -> (si64, tuple<f64>) {
  %0 = typed.tuple(%a) : tuple<si64>
  %1 = typed.as_sequence %0 : !typed.sequence<tuple<si64>, #py.named_tuple<"One", 3, ["x"]>>
  %2 = typed.as_tuple %1 : !typed.sequence<tuple<si64>, #py.named_tuple<"One", 3, ["x"]>>
  %3 = typed.tuple_get %2[0] : tuple<si64> -> si64
  // CHECK: %[[ITEMS:.*]] = typed.as_tuple
  %4 = typed.as_tuple %l : !typed.sequence<tuple<f64>, #py.named<"builtins.list">>
  // CHECK: return %[[A]], %[[ITEMS]]
  return %3, %4 : si64, tuple<f64>
}

// -----

// CHECK-LABEL: func.func @slice_parts
// CHECK-SAME: (%[[A:.*]]: si64, %[[S:.*]]: !typed.slice<si64, si64, si64>)
func.func @slice_parts(%a: si64, %s: !typed.slice<si64, si64, si64>) -> (si64, si64) {
  %none = typed.singleton : !typed.none
  %0 = typed.slice %none, %a, %none : !typed.slice<!typed.none, si64, !typed.none>
  %1 = typed.slice_get %0[1] : !typed.slice<!typed.none, si64, !typed.none> -> si64
  // CHECK: %[[STEP:.*]] = typed.slice_get %[[S]][2] : !typed.slice<si64, si64, si64> -> si64
  %2 = typed.slice_get %s[2] : !typed.slice<si64, si64, si64> -> si64
  // CHECK: return %[[A]], %[[STEP]]
  return %1, %2 : si64, si64
}

// -----

// CHECK-LABEL: func.func @range_parts
// CHECK-SAME: (%[[A:.*]]: si64, %[[B:.*]]: si64, %[[C:.*]]: si64, %[[R:.*]]: !typed.range<si64>)
func.func @range_parts(%a: si64, %b: si64, %c: si64, %r: !typed.range<si64>) -> (si64, si64, si64) {
  %0 = typed.range(%a, %b, %c) : !typed.range<si64>
  %1 = typed.range_get %0[0] : !typed.range<si64>
  %2 = typed.range_get %0[2] : !typed.range<si64>
  // CHECK: %[[STOP:.*]] = typed.range_get %[[R]][1] : !typed.range<si64>
  %3 = typed.range_get %r[1] : !typed.range<si64>
  // CHECK: return %[[A]], %[[C]], %[[STOP]]
  return %1, %2, %3 : si64, si64, si64
}
