// RUN: %pyopt %s --typed-stack-generators --split-input-file | FileCheck %s

// A generator that is passed to a function that resumes it: its state is the caller's, which keeps
// what the state refers to. The state begins anew each time.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>)
// CHECK:         %[[G:.*]] = typed.new_generator owners 1 words 7 {stack}
// CHECK:         typed.generator_store %{{.*}}, %[[G]][1, 0] : index
// CHECK:         typed.generator_store %[[A]], %[[G]][2, 0] {borrowed}
// CHECK-NEXT:    typed.acquire %[[A]]
// CHECK:         typed.call @use(%[[G]]) releasing(%[[A]] : !typed.array<1, f64, C>)
// CHECK:         typed.raise_if %{{.*}}, "ValueError"("bad") releasing(%[[A]] : !typed.array<1, f64, C>)
// CHECK:         typed.release %[[A]]
// CHECK-NOT:     typed.release
func.func @f(%a: !typed.array<1, f64, C>) -> f64 {
  %g = typed.call @g(%a) : (!typed.array<1, f64, C>) -> !typed.generator<@g.next, f64>
  %s = typed.call @use(%g) releasing(%g : !typed.generator<@g.next, f64>) : (!typed.generator<@g.next, f64>) -> f64
  %bad = typed.constant true
  typed.raise_if %bad, "ValueError"("bad") releasing(%g : !typed.generator<@g.next, f64>)
  typed.release %g : !typed.generator<@g.next, f64>
  return %s : f64
}
func.func private @use(%g: !typed.generator<@g.next, f64>) -> f64 {
  %r = typed.call @g.next(%g) : (!typed.generator<@g.next, f64>) -> !typed.unbound<f64>
  %v = typed.bound_value %r : !typed.unbound<f64> -> f64
  return %v : f64
}
func.func private @g(%a: !typed.array<1, f64, C>) -> !typed.generator<@g.next, f64> {
  %g = typed.new_generator owners 1 words 7 : !typed.generator<@g.next, f64>
  typed.generator_store %a, %g[2, 0] : !typed.array<1, f64, C>, !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g.next(%g: !typed.generator<@g.next, f64>) -> !typed.unbound<f64> {
  %a = typed.generator_load %g[2, 0] {borrowed} : !typed.generator<@g.next, f64> -> !typed.array<1, f64, C>
  %zero = arith.constant 0 : index
  %x = typed.load %a[%zero] : !typed.array<1, f64, C>, index -> f64
  %r = typed.bind %x : f64 to !typed.unbound<f64>
  return %r : !typed.unbound<f64>
}

// -----

// A generator that is returned, kept, or passed to who keeps it, has a state of its own.

// CHECK-LABEL: func.func @returned
// CHECK:         typed.call @g
// CHECK-NOT:     typed.new_generator
// CHECK-LABEL: func.func @kept
// CHECK:         typed.call @g
// CHECK-NOT:     typed.new_generator
// CHECK-LABEL: func.func private @keeper
func.func @returned(%n: si64) -> !typed.generator<@g.next, si64> {
  %g = typed.call @g(%n) : (si64) -> !typed.generator<@g.next, si64>
  return %g : !typed.generator<@g.next, si64>
}
func.func @kept(%n: si64) -> !typed.generator<@g.next, si64> {
  %g = typed.call @g(%n) : (si64) -> !typed.generator<@g.next, si64>
  %h = typed.call @keeper(%g) releasing(%g : !typed.generator<@g.next, si64>) : (!typed.generator<@g.next, si64>) -> !typed.generator<@g.next, si64>
  typed.release %g : !typed.generator<@g.next, si64>
  return %h : !typed.generator<@g.next, si64>
}
func.func private @keeper(%g: !typed.generator<@g.next, si64>) -> !typed.generator<@g.next, si64> {
  typed.acquire %g : !typed.generator<@g.next, si64>
  return %g : !typed.generator<@g.next, si64>
}
func.func private @g(%n: si64) -> !typed.generator<@g.next, si64> {
  %g = typed.new_generator owners 0 words 2 : !typed.generator<@g.next, si64>
  typed.generator_store %n, %g[1, 0] : si64, !typed.generator<@g.next, si64>
  return %g : !typed.generator<@g.next, si64>
}
func.func private @g.next(%g: !typed.generator<@g.next, si64>) -> !typed.unbound<si64> {
  %r = typed.unbound : !typed.unbound<si64>
  return %r : !typed.unbound<si64>
}

// -----

// So has one that makes arrays while it runs: nobody else would release them.

// CHECK-LABEL: func.func @makes_arrays
// CHECK:         typed.call @g
// CHECK-NOT:     typed.new_generator
// CHECK-LABEL: func.func private @g(
func.func @makes_arrays() {
  %g = typed.call @g() : () -> !typed.generator<@g.next, f64>
  %r = typed.call @g.next(%g) releasing(%g : !typed.generator<@g.next, f64>) : (!typed.generator<@g.next, f64>) -> !typed.unbound<f64>
  typed.release %g : !typed.generator<@g.next, f64>
  return
}
func.func private @g() -> !typed.generator<@g.next, f64> {
  %g = typed.new_generator owners 1 words 7 : !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g.next(%g: !typed.generator<@g.next, f64>) -> !typed.unbound<f64> {
  %size = arith.constant 3 : index
  %a = typed.empty(%size) : (index) -> !typed.array<1, f64, C>
  typed.generator_store %a, %g[2, 0] : !typed.array<1, f64, C>, !typed.generator<@g.next, f64>
  typed.release %a : !typed.array<1, f64, C>
  %r = typed.unbound : !typed.unbound<f64>
  return %r : !typed.unbound<f64>
}
