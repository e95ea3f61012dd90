// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse{remarks=1}))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!s = !typed.array<1, f64, A>

// CHECK-LABEL: func.func @other_element(
// CHECK-COUNT-2: parfor.loop
func.func @other_element(%a: !v, %n: index) -> !v {
  %c0 = arith.constant 0 : index
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  // expected-remark @+1 {{not fused with the loop that computes its operand: it needs other elements than the one at its own indices}}
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%c0] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return %1 : !v
}

// CHECK-LABEL: func.func @other_space(
// CHECK-COUNT-2: parfor.loop
func.func @other_space(%a: !v, %n: index, %m: index) -> !v {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  // expected-remark @+1 {{the loops aren't known to run over equal spaces}}
  %1 = parfor.loop(%m) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return %1 : !v
}

// The sum must be known before the first element can be divided by it.

// CHECK-LABEL: func.func @normalise(
// CHECK-COUNT-2: parfor.loop
func.func @normalise(%a: !v, %n: index, %zero: f64) -> !v {
  %0 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : f64
  // expected-remark @+1 {{it needs the result of a reduction}}
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary truediv %x, %0 : f64
    parfor.yield %y : f64
  } : !v
  return %1 : !v
}

// b may be a, shifted.

// CHECK-LABEL: func.func @alias(
// CHECK-COUNT-2: parfor.loop
func.func @alias(%a: !v, %b: !v, %n: index) {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %b[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  // expected-remark @+1 {{a store may change what the other loop reads or writes}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    typed.store %x, %a[%i] : f64, !v, index
  }
  return
}

// Two elements of a strided array may be the same one.

// CHECK-LABEL: func.func @self_overlap(
// CHECK-COUNT-2: parfor.loop
func.func @self_overlap(%a: !s, %n: index) {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !s, index -> f64
    parfor.yield %x : f64
  } : !v
  // expected-remark @+1 {{a store may change what the other loop reads or writes}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    typed.store %x, %a[%i] : f64, !s, index
  }
  return
}

// All elements of the first loop are stored before the second one raises.

// CHECK-LABEL: func.func @error(
// CHECK-COUNT-2: parfor.loop
func.func @error(%a: !v, %b: !v, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %c1 = typed.constant 1.0 : f64
    typed.store %c1, %a[%i] : f64, !v, index
  }
  // expected-remark@+1 {{not fused with the loop before it: an error would be raised earlier or later than it should}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %x = typed.load %b[%i] : !v, index -> f64
    %bad = typed.unary isnan %x : f64 -> i1
    typed.raise_if %bad, "ValueError"("nan")
  }
  return
}

// The element that is changed between the loops must be seen by the second.

// CHECK-LABEL: func.func @changed_between(
// CHECK-COUNT-2: parfor.loop
func.func @changed_between(%a: !v, %n: index, %k: index, %s: f64) -> !v {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  typed.store %s, %0[%k] : f64, !v, index
  // expected-remark @+1 {{it depends on something that depends on the first loop}}
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return %1 : !v
}
