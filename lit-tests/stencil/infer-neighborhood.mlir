// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(stencil-infer-neighborhood))' --split-input-file --verify-diagnostics | FileCheck %s

!m = !typed.array<2, f64, C>

// The current element belongs to it; constants may be computed.

// CHECK-LABEL: func.func @offsets(
// CHECK: stencil.apply(%{{.*}}) neighborhood [-2, 0, 0, 1]
func.func @offsets(%a: !m) -> !m {
  %0 = stencil.apply(%a) {
  ^bb0(%x: !m):
    %one = typed.constant 1 : si64
    %two = typed.binary add %one, %one : si64
    %up = typed.unary neg %two : si64
    %v = stencil.access %x[%up, %one] : !m, si64, si64 -> f64
    %down = typed.unary neg %one : si64
    %w = stencil.access %x[%down, %one] : !m, si64, si64 -> f64
    %s = typed.binary add %v, %w : f64
    stencil.return %s : f64
  } : (!m) -> !m
  return %0 : !m
}

// A narrowed constant is what its type holds of it: 255 of 8 bits is -1, and so is 127 + 128; of
// unsigned ones it is 255.

// CHECK-LABEL: func.func @narrowed(
// CHECK: stencil.apply(%{{.*}}) neighborhood [-1, 0, 0, 255]
func.func @narrowed(%a: !m) -> !m {
  %0 = stencil.apply(%a) {
  ^bb0(%x: !m):
    %many = typed.constant 255 : si64
    %zero = typed.constant 0 : si64
    %up = typed.cast %many : si64 to si8
    %v = stencil.access %x[%up, %zero] : !m, si8, si64 -> f64
    %one = typed.constant 1 : si8
    %most = typed.constant 127 : si8
    %least = typed.constant -128 : si8
    %sum = typed.binary add %most, %least : si8
    %u = typed.cast %many : si64 to ui8
    %w = stencil.access %x[%sum, %u] : !m, si8, ui8 -> f64
    %s = typed.binary add %v, %w : f64
    stencil.return %s : f64
  } : (!m) -> !m
  return %0 : !m
}

// What is given is kept, whatever the offsets.

// CHECK-LABEL: func.func @given(
// CHECK: neighborhood [-3, 3, -3, 3]
func.func @given(%a: !m, %i: si64) -> !m {
  %0 = stencil.apply(%a) neighborhood [-3, 3, -3, 3] {
  ^bb0(%x: !m):
    %v = stencil.access %x[%i, %i] : !m, si64, si64 -> f64
    stencil.return %v : f64
  } : (!m) -> !m
  return %0 : !m
}

// -----

func.func @dynamic(%a: !typed.array<1, f64, C>, %i: si64) -> !typed.array<1, f64, C> {
  %0 = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    // expected-error @+1 {{a relative index of the kernel isn't constant: the stencil needs the option 'neighborhood'}}
    %v = stencil.access %x[%i] : !typed.array<1, f64, C>, si64 -> f64
    stencil.return %v : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}

// -----

func.func @no_access(%a: !typed.array<1, f64, C>, %s: f64) -> !typed.array<1, f64, C> {
  // expected-error @+1 {{stencil: the kernel doesn't read any array relative to the current element}}
  %0 = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    stencil.return %s : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %0 : !typed.array<1, f64, C>
}
