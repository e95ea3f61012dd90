// RUN: %pyopt %s | %pyopt | FileCheck %s

// CHECK-LABEL: func.func @body
func.func @body(%n: si64) -> !typed.generator<@body.next, si64> {
  // CHECK: typed.yield_value %{{.*}} : si64
  typed.yield_value %n : si64
  // CHECK: typed.end_generator
  typed.end_generator
}

// CHECK-LABEL: func.func @state
func.func @state(%a: !typed.array<1, f64, C>) -> !typed.array<1, f64, C> {
  // CHECK: %[[G:.*]] = typed.new_generator owners 1 words 6 : !typed.generator<@state.next, f64>
  %g = typed.new_generator owners 1 words 6 : !typed.generator<@state.next, f64>
  // CHECK: typed.generator_store %{{.*}}, %[[G]][2, 0] : !typed.array<1, f64, C>, !typed.generator<@state.next, f64>
  typed.generator_store %a, %g[2, 0] : !typed.array<1, f64, C>, !typed.generator<@state.next, f64>
  // CHECK: typed.generator_load %[[G]][2, 0] : !typed.generator<@state.next, f64> -> !typed.array<1, f64, C>
  %b = typed.generator_load %g[2, 0] : !typed.generator<@state.next, f64> -> !typed.array<1, f64, C>
  return %b : !typed.array<1, f64, C>
}
