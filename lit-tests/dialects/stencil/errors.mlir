// One failure per verifier rule of the stencil dialect.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @f(%x: f64) {
  // expected-error @+1 {{'stencil.apply' op first operand must be an array}}
  %r = stencil.apply(%x) {
  ^bb0(%y: f64):
    stencil.return %y : f64
  } : (f64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op result must have rank 1, got 2}}
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    stencil.return %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op region takes the operands}}
  %r = stencil.apply(%a) {
    stencil.return %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op neighborhood of an array of rank 1 has 2 bounds, got 4}}
  %r = stencil.apply(%a) neighborhood [0, 1, 0, 1] {
  ^bb0(%y: !typed.array<1, f64, C>):
    stencil.return %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op neighborhood has its lower bound 1 above its upper bound -1}}
  %r = stencil.apply(%a) neighborhood [1, -1] {
  ^bb0(%y: !typed.array<1, f64, C>):
    stencil.return %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op standard indexing names operand 1 of 1}}
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    stencil.return %x : f64
  } {standard_indexing = array<i64: 1>} : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'stencil.apply' op the first operand can't use standard indexing}}
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    stencil.return %x : f64
  } {standard_indexing = array<i64: 0>} : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f32) {
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    // expected-error @+1 {{'stencil.return' op must return 'f64', got 'f32'}}
    stencil.return %x : f32
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: si64) {
  // expected-error @+1 {{'stencil.access' op must be inside a stencil.apply}}
  %0 = stencil.access %a[%i] : !typed.array<1, f64, C>, si64 -> f64
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: si64) {
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    // expected-error @+1 {{'stencil.access' op array of rank 1 got 2 offsets}}
    %0 = stencil.access %y[%i, %i] : !typed.array<1, f64, C>, si64, si64 -> f64
    stencil.return %0 : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: si64) {
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    // expected-error @+1 {{'stencil.access' op element must be 'f64', got 'f32'}}
    %0 = stencil.access %y[%i] : !typed.array<1, f64, C>, si64 -> f32
    stencil.return %0 : f32
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f32, C>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stencil.position' op must be inside a stencil.apply}}
  %0 = stencil.position 0 : si64
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: si64) {
  %r = stencil.apply(%a) {
  ^bb0(%y: !typed.array<1, f64, C>):
    // expected-error @+1 {{'stencil.position' op dimension 1 of an array of rank 1}}
    %p = stencil.position 1 : si64
    %0 = stencil.access %y[%p] : !typed.array<1, f64, C>, si64 -> f64
    stencil.return %0 : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}
