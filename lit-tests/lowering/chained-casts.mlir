// Two named tuples of one value that code in LLVM's dialect takes apart: the conversion makes the second of
// the first, and no cast of the chain is left.
// RUN: %pyopt %s --py-nopython-pipeline --mlir-print-ir-after=reconcile-unrealized-casts 2>&1 | FileCheck %s

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
