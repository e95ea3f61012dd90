// Two named tuples of one value that code in LLVM's dialect takes apart: the driver of
// conversions would make the second of the first; the casts are lowered with the rest, and none is left.
// RUN: %pyopt %s --py-nopython-pipeline --mlir-print-ir-after=typed-to-memref 2>&1 | FileCheck %s

// CHECK-LABEL: IR Dump After
// CHECK: func.func @py.pair(%[[X:.*]]: f64)
// CHECK-NEXT: return %[[X]], %[[X]] : f64, f64
func.func @pair(%x: f64) -> (f64, f64) attributes {pyopt.entry, pyopt.function = "pair"} {
  %tuple = typed.tuple(%x) : tuple<f64>
  %a = typed.as_sequence %tuple : !typed.sequence<tuple<f64>, #py.named_tuple<"A", 0, ["a"]>>
  %b = typed.as_sequence %tuple : !typed.sequence<tuple<f64>, #py.named_tuple<"B", 0, ["b"]>>
  %0 = builtin.unrealized_conversion_cast %a : !typed.sequence<tuple<f64>, #py.named_tuple<"A", 0, ["a"]>> to f64
  %1 = builtin.unrealized_conversion_cast %b : !typed.sequence<tuple<f64>, #py.named_tuple<"B", 0, ["b"]>> to f64
  return %0, %1 : f64, f64
}

// A slice of which one number is said, and one of two.
// CHECK-LABEL: func.func @py.slices(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK-NEXT: return %[[B]], %[[A]], %[[B]] : i64, i64, i64
func.func @slices(%a: si64, %b: si64) -> (i64, i64, i64) attributes {pyopt.entry, pyopt.function = "slices"} {
  %none = typed.singleton : !typed.none
  %stop = typed.slice %none, %b, %none : !typed.slice<!typed.none, si64, !typed.none>
  %0 = builtin.unrealized_conversion_cast %stop : !typed.slice<!typed.none, si64, !typed.none> to i64
  %both = typed.slice %a, %b, %none : !typed.slice<si64, si64, !typed.none>
  %1:2 = builtin.unrealized_conversion_cast %both : !typed.slice<si64, si64, !typed.none> to i64, i64
  return %0, %1#0, %1#1 : i64, i64, i64
}
