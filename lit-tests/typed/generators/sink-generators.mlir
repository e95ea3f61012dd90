// RUN: %pyopt %s --typed-sink-generators --split-input-file | FileCheck %s

// What a helper returns is made by who calls it, of the arguments that the helper prepares.

// CHECK-LABEL: func.func @f(
// CHECK:         %[[V:.*]]:2 = typed.call @make.arguments.0(%{{.*}}, %{{.*}}) : (!typed.array<1, f64, C>, si64) -> (!typed.array<1, f64, A>, si64)
// CHECK-NEXT:    %[[G:.*]] = typed.call @g(%[[V]]#0, %[[V]]#1)
// CHECK-NEXT:    typed.call @use(%[[G]])
// CHECK-LABEL: func.func private @make(
// CHECK:         typed.call @g
// CHECK-LABEL: func.func private @make.arguments.0(
// CHECK-SAME:    -> (!typed.array<1, f64, A>, si64)
// CHECK-NOT:     typed.call @g
// CHECK:         return %{{.*}}, %{{.*}} : !typed.array<1, f64, A>, si64
func.func @f(%a: !typed.array<1, f64, C>, %n: si64) -> si64 {
  %g = typed.call @make(%a, %n) : (!typed.array<1, f64, C>, si64) -> !typed.generator<@g.next, f64>
  %s = typed.call @use(%g) : (!typed.generator<@g.next, f64>) -> si64
  return %s : si64
}
func.func private @make(%a: !typed.array<1, f64, C>, %n: si64) -> !typed.generator<@g.next, f64> {
  %v = typed.call @prepare(%a) : (!typed.array<1, f64, C>) -> !typed.array<1, f64, A>
  %g = typed.call @g(%v, %n) : (!typed.array<1, f64, A>, si64) -> !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g(%a: !typed.array<1, f64, A>, %n: si64) -> !typed.generator<@g.next, f64> {
  %g = typed.new_generator owners 1 words 7 : !typed.generator<@g.next, f64>
  typed.generator_store %a, %g[2, 0] : !typed.array<1, f64, A>, !typed.generator<@g.next, f64>
  typed.generator_store %n, %g[7, 1] : si64, !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g.next(!typed.generator<@g.next, f64>) -> !typed.unbound<f64>
func.func private @use(!typed.generator<@g.next, f64>) -> si64
func.func private @prepare(!typed.array<1, f64, C>) -> !typed.array<1, f64, A>

// -----

// A helper of a helper, one that Python calls as well, and a generator without arguments.

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    typed.call @outer.arguments.0(%{{.*}}) : (si64) -> ()
// CHECK-NEXT:    typed.call @g() : () -> !typed.generator<@g.next, f64>
// CHECK-LABEL: func.func @outer(
// CHECK-SAME:    -> !typed.generator<@g.next, f64> attributes {pyopt.entry}
// CHECK:         typed.call @inner.arguments.0(%{{.*}}) : (si64) -> ()
// CHECK-LABEL: func.func private @outer.arguments.0(%{{.*}}: si64) {
// CHECK-NEXT:    typed.call @inner.arguments.0(%{{.*}}) : (si64) -> ()
// CHECK-NEXT:    return
func.func @f(%n: si64) -> !typed.generator<@g.next, f64> {
  %g = typed.call @outer(%n) : (si64) -> !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func @outer(%n: si64) -> !typed.generator<@g.next, f64> attributes {pyopt.entry} {
  %g = typed.call @inner(%n) : (si64) -> !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @inner(%n: si64) -> !typed.generator<@g.next, f64> {
  %g = typed.call @g() : () -> !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g() -> !typed.generator<@g.next, f64> {
  %g = typed.new_generator owners 0 words 2 : !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g.next(!typed.generator<@g.next, f64>) -> !typed.unbound<f64>

// -----

// A helper that resumes the generator first, or returns one of two, keeps it.

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    typed.call @advanced(
// CHECK-NEXT:    typed.call @either(
// CHECK-NOT:     arguments
func.func @f(%n: si64, %c: i1) {
  %g = typed.call @advanced(%n) : (si64) -> !typed.generator<@g.next, f64>
  %h = typed.call @either(%c, %n) : (i1, si64) -> !typed.generator<@g.next, f64>
  return
}
func.func private @advanced(%n: si64) -> !typed.generator<@g.next, f64> {
  %g = typed.call @g(%n) : (si64) -> !typed.generator<@g.next, f64>
  %r = typed.call @g.next(%g) : (!typed.generator<@g.next, f64>) -> !typed.unbound<f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @either(%c: i1, %n: si64) -> !typed.generator<@g.next, f64> {
  %g = scf.if %c -> (!typed.generator<@g.next, f64>) {
    %a = typed.call @g(%n) : (si64) -> !typed.generator<@g.next, f64>
    scf.yield %a : !typed.generator<@g.next, f64>
  } else {
    %a = typed.call @g(%n) : (si64) -> !typed.generator<@g.next, f64>
    scf.yield %a : !typed.generator<@g.next, f64>
  }
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g(%n: si64) -> !typed.generator<@g.next, f64> {
  %g = typed.new_generator owners 0 words 3 : !typed.generator<@g.next, f64>
  typed.generator_store %n, %g[2, 0] : si64, !typed.generator<@g.next, f64>
  return %g : !typed.generator<@g.next, f64>
}
func.func private @g.next(!typed.generator<@g.next, f64>) -> !typed.unbound<f64>
