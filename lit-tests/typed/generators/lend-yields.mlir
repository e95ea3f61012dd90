// RUN: %pyopt %s --typed-stack-generators --split-input-file | FileCheck %s

// All that is yielded are views of an argument: neither side counts references to items. What raises while an item
// is there releases what keeps it alone.

// CHECK-LABEL: func.func @f(
// CHECK:         typed.acquire %[[A:.*]] : !typed.array<2, f64, C>
// CHECK:         %[[R:.*]] = typed.call @rows.next(
// CHECK:         typed.raise_if %{{.*}}, "ValueError"("bad") releasing(%[[A]] : !typed.array<2, f64, C>)
// CHECK-NOT:     typed.release %[[R]]
// CHECK:         typed.release %[[A]]
// CHECK-LABEL: func.func private @rows.next(
// CHECK-NOT:     typed.acquire
// CHECK-NOT:     typed.release
// CHECK:         return
func.func @f(%a: !typed.array<2, f64, C>, %bad: i1) -> si64 {
  %g = typed.call @rows(%a) : (!typed.array<2, f64, C>) -> !typed.generator<@rows.next, !typed.array<1, f64, C>>
  %r = typed.call @rows.next(%g) releasing(%g : !typed.generator<@rows.next, !typed.array<1, f64, C>>) : (!typed.generator<@rows.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>>
  %v = typed.bound_value %r : !typed.unbound<!typed.array<1, f64, C>> -> !typed.array<1, f64, C>
  %n = typed.dim %v[0] : !typed.array<1, f64, C> -> si64
  typed.raise_if %bad, "ValueError"("bad") releasing(%r, %g : !typed.unbound<!typed.array<1, f64, C>>, !typed.generator<@rows.next, !typed.array<1, f64, C>>)
  typed.release %r : !typed.unbound<!typed.array<1, f64, C>>
  typed.release %g : !typed.generator<@rows.next, !typed.array<1, f64, C>>
  return %n : si64
}
func.func private @rows(%a: !typed.array<2, f64, C>) -> !typed.generator<@rows.next, !typed.array<1, f64, C>> {
  %g = typed.new_generator owners 1 words 9 : !typed.generator<@rows.next, !typed.array<1, f64, C>>
  typed.generator_store %a, %g[2, 0] : !typed.array<2, f64, C>, !typed.generator<@rows.next, !typed.array<1, f64, C>>
  return %g : !typed.generator<@rows.next, !typed.array<1, f64, C>>
}
func.func private @rows.next(%g: !typed.generator<@rows.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>> {
  %i = typed.generator_load %g[1, 0] : !typed.generator<@rows.next, !typed.array<1, f64, C>> -> index
  %a = typed.generator_load %g[2, 0] {borrowed} : !typed.generator<@rows.next, !typed.array<1, f64, C>> -> !typed.array<2, f64, C>
  %size = typed.dim %a[0] : !typed.array<2, f64, C> -> index
  %more = arith.cmpi slt, %i, %size : index
  %r = scf.if %more -> (!typed.unbound<!typed.array<1, f64, C>>) {
    %v = typed.view %a[%i] : !typed.array<2, f64, C>, (index) -> !typed.array<1, f64, C>
    %b = typed.bind %v : !typed.array<1, f64, C> to !typed.unbound<!typed.array<1, f64, C>>
    typed.acquire %b : !typed.unbound<!typed.array<1, f64, C>>
    scf.yield %b : !typed.unbound<!typed.array<1, f64, C>>
  } else {
    %u = typed.unbound : !typed.unbound<!typed.array<1, f64, C>>
    typed.acquire %u : !typed.unbound<!typed.array<1, f64, C>>
    scf.yield %u : !typed.unbound<!typed.array<1, f64, C>>
  }
  return %r : !typed.unbound<!typed.array<1, f64, C>>
}

// -----

// An item that is used after its generator was let go, or that is handed on, keeps its reference; so do all items
// of that generator.

// CHECK-LABEL: func.func @late(
// CHECK:         %[[R:.*]] = typed.call @rows.next(
// CHECK:         typed.release %[[R]]
// CHECK-LABEL: func.func private @rows.next(
// CHECK:         typed.acquire
func.func @late(%a: !typed.array<2, f64, C>) -> si64 {
  %g = typed.call @rows(%a) : (!typed.array<2, f64, C>) -> !typed.generator<@rows.next, !typed.array<1, f64, C>>
  %r = typed.call @rows.next(%g) releasing(%g : !typed.generator<@rows.next, !typed.array<1, f64, C>>) : (!typed.generator<@rows.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>>
  typed.release %g : !typed.generator<@rows.next, !typed.array<1, f64, C>>
  %v = typed.bound_value %r : !typed.unbound<!typed.array<1, f64, C>> -> !typed.array<1, f64, C>
  %n = typed.dim %v[0] : !typed.array<1, f64, C> -> si64
  typed.release %r : !typed.unbound<!typed.array<1, f64, C>>
  return %n : si64
}
func.func private @rows(%a: !typed.array<2, f64, C>) -> !typed.generator<@rows.next, !typed.array<1, f64, C>> {
  %g = typed.new_generator owners 1 words 9 : !typed.generator<@rows.next, !typed.array<1, f64, C>>
  typed.generator_store %a, %g[2, 0] : !typed.array<2, f64, C>, !typed.generator<@rows.next, !typed.array<1, f64, C>>
  return %g : !typed.generator<@rows.next, !typed.array<1, f64, C>>
}
func.func private @rows.next(%g: !typed.generator<@rows.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>> {
  %i = typed.generator_load %g[1, 0] : !typed.generator<@rows.next, !typed.array<1, f64, C>> -> index
  %a = typed.generator_load %g[2, 0] {borrowed} : !typed.generator<@rows.next, !typed.array<1, f64, C>> -> !typed.array<2, f64, C>
  %v = typed.view %a[%i] : !typed.array<2, f64, C>, (index) -> !typed.array<1, f64, C>
  %b = typed.bind %v : !typed.array<1, f64, C> to !typed.unbound<!typed.array<1, f64, C>>
  typed.acquire %b : !typed.unbound<!typed.array<1, f64, C>>
  return %b : !typed.unbound<!typed.array<1, f64, C>>
}

// -----

// One that yields arrays of its own gives them away.

// CHECK-LABEL: func.func @made(
// CHECK:         %[[R:.*]] = typed.call @arrays.next(
// CHECK:         typed.release %[[R]]
func.func @made(%n: si64) {
  %g = typed.call @arrays(%n) : (si64) -> !typed.generator<@arrays.next, !typed.array<1, f64, C>>
  %r = typed.call @arrays.next(%g) : (!typed.generator<@arrays.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>>
  typed.release %r : !typed.unbound<!typed.array<1, f64, C>>
  typed.release %g : !typed.generator<@arrays.next, !typed.array<1, f64, C>>
  return
}
func.func private @arrays(%n: si64) -> !typed.generator<@arrays.next, !typed.array<1, f64, C>> {
  %g = typed.new_generator owners 0 words 3 : !typed.generator<@arrays.next, !typed.array<1, f64, C>>
  typed.generator_store %n, %g[2, 0] : si64, !typed.generator<@arrays.next, !typed.array<1, f64, C>>
  return %g : !typed.generator<@arrays.next, !typed.array<1, f64, C>>
}
func.func private @arrays.next(%g: !typed.generator<@arrays.next, !typed.array<1, f64, C>>) -> !typed.unbound<!typed.array<1, f64, C>> {
  %n = typed.generator_load %g[2, 0] : !typed.generator<@arrays.next, !typed.array<1, f64, C>> -> si64
  %a = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  %b = typed.bind %a : !typed.array<1, f64, C> to !typed.unbound<!typed.array<1, f64, C>>
  return %b : !typed.unbound<!typed.array<1, f64, C>>
}
