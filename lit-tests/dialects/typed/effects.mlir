// RUN: %pyopt %s --split-input-file --canonicalize --cse | FileCheck %s

// Equal expressions are different arrays.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: typed.array_expr
func.func @twice(%v: !typed.array<1, f64, C>) -> (!typed.array<1, f64, C>, !typed.array<1, f64, C>) {
  %a = typed.array_expr(%v) {
  ^bb0(%x: f64):
    %y = typed.binary add %x, %x : f64
    typed.yield %y : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  %b = typed.array_expr(%v) {
  ^bb0(%x: f64):
    %y = typed.binary add %x, %x : f64
    typed.yield %y : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %a, %b : !typed.array<1, f64, C>, !typed.array<1, f64, C>
}

// -----

// So are equal fills.
// CHECK-LABEL: func.func @fills
// CHECK-COUNT-2: typed.generate
func.func @fills(%n: si64) -> (!typed.array<1, f64, C>, !typed.array<1, f64, C>) {
  %a = typed.generate(%n : si64) {
  ^bb0(%i: index):
    %x = typed.constant 1.0 : f64
    typed.yield %x : f64
  } : !typed.array<1, f64, C>
  %b = typed.generate(%n : si64) {
  ^bb0(%i: index):
    %x = typed.constant 1.0 : f64
    typed.yield %x : f64
  } : !typed.array<1, f64, C>
  return %a, %b : !typed.array<1, f64, C>, !typed.array<1, f64, C>
}

// -----

// And fresh arrays of equal loops; reductions are values.
// CHECK-LABEL: func.func @loops
// CHECK-COUNT-3: parfor.loop
// CHECK-NOT: parfor.loop
func.func @loops(%n: index, %zero: f64)
    -> (!typed.array<1, f64, C>, !typed.array<1, f64, C>, f64, f64) {
  %a = parfor.loop (%n) reductions [] pattern fill {
  ^bb0(%i: index):
    parfor.yield %zero : f64
  } : !typed.array<1, f64, C>
  %b = parfor.loop (%n) reductions [] pattern fill {
  ^bb0(%i: index):
    parfor.yield %zero : f64
  } : !typed.array<1, f64, C>
  %s = parfor.loop (%n) inits(%zero : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    parfor.yield %zero : f64
  } : f64
  %t = parfor.loop (%n) inits(%zero : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
    parfor.yield %zero : f64
  } : f64
  return %a, %b, %s, %t : !typed.array<1, f64, C>, !typed.array<1, f64, C>, f64, f64
}

// -----

// Without uses there is nothing to tell them by, unless shapes may not fit.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: typed.array_expr(%arg0, %arg1)
// CHECK-NOT: typed.array_expr
func.func @unused(%v: !typed.array<1, f64, C>, %w: !typed.array<1, f64, C>) {
  %a = typed.array_expr(%v) {
  ^bb0(%x: f64):
    typed.yield %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  %b = typed.array_expr(%v, %w) {
  ^bb0(%x: f64, %y: f64):
    typed.yield %x : f64
  } : (!typed.array<1, f64, C>, !typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}
