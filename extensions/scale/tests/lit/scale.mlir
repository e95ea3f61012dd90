// RUN: %pyopt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(scale-lower))' | FileCheck %s

// CHECK-LABEL: func @twice
// CHECK-NEXT: %[[SUM:.*]] = typed.binary add %arg0, %arg0 : f64
// CHECK-NEXT: return %[[SUM]]
func.func @twice(%x: f64) -> f64 {
  %0 = "scale.twice"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

func.func @wrong(%x: f32) -> f32 {
  // expected-error@+1 {{expected 'f64' but got 'f32'}}
  %0 = "scale.twice"(%x) : (f32) -> f32
  return %0 : f32
}
