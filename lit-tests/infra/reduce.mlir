// The tool is mlir-reduce too, with our dialects and passes.

// RUN: %pyopt reduce %s -opt-reduction-pass='opt-pass=symbol-dce test=%S/Inputs/multiplies.sh' | FileCheck %s
// The round trip is made by an option that this subcommand has not.
// UNSUPPORTED: roundtrip

// CHECK-NOT: @unused
// CHECK: func.func @square
// CHECK: typed.binary mul

func.func private @unused(%x: f64) -> f64 {
  %0 = typed.binary add %x, %x : f64
  return %0 : f64
}

func.func @square(%x: f64) -> f64 {
  %0 = typed.binary mul %x, %x : f64
  return %0 : f64
}
