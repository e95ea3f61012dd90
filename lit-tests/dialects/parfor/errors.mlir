// One failure per verifier rule of the parfor dialect.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'parfor.loop' op needs at least one dimension}}
  parfor.loop () reductions [] pattern prange {
  }
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op has 1 initial values but 0 reductions}}
  %0 = parfor.loop (%n) inits(%x : f64) reductions [] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op needs a result for every reduction}}
  parfor.loop (%n) inits(%x : f64) reductions [add] pattern prange {
  ^bb0(%i: index):
  }
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{expected one of [add, mul, min, max, npmin, npmax, and, or, xor] for the operator of a reduction, got: sub}}
  %0 = parfor.loop (%n) inits(%x : f64) reductions [sub] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.loop' op region takes one index a dimension}}
  parfor.loop (%n) reductions [] pattern prange {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.loop' op yields 0 values for 1 results}}
  %0 = parfor.loop (%n) reductions [] pattern prange {
  ^bb0(%i: index):
  } : !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op result 0 must be an array of rank 1, got 'f64'}}
  %0 = parfor.loop (%n) reductions [] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func @f(%n: index, %x: f64, %y: f32) {
  // expected-error @+1 {{'parfor.loop' op reduction 0 starts with 'f32' but gives 'f64'}}
  %0 = parfor.loop (%n) inits(%y : f32) reductions [add] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{'parfor.loop' op must yield 'f64' for result 0, got 'f32'}}
  %0 = parfor.loop (%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    parfor.yield %x : f32
  } : !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.launch' op results must have the types of the initial values}}
  %0 = parfor.launch @g(%n) inits(%x : f64) reductions [add] : f32
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.launch' op @g is not a function of this module}}
  parfor.launch @g(%n) reductions []
  return
}

// -----

func.func private @g(index)
func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.launch' op bounds, arguments and initial values differ from the parameters of @g}}
  parfor.launch @g(%n) reductions []
  return
}

// -----

func.func private @g(index, index, f64)
func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.launch' op initial values differ from the results of @g}}
  %0 = parfor.launch @g(%n) inits(%x : f64) reductions [add] : f64
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op @f is not a combiner of this module}}
  %0 = parfor.loop (%n) inits(%x : f64) reductions [@f] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func private @zero() -> si64
func.func private @both(si64, si64) -> si64
parfor.combiner @sum identity(@zero) combine(@both)
func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op reduces 'f64', which @sum doesn't combine}}
  %0 = parfor.loop (%n) inits(%x : f64) reductions [@sum] pattern prange {
  ^bb0(%i: index):
    parfor.yield %x : f64
  } : f64
  return
}

// -----

func.func private @zero() -> si64
func.func private @both(si64, si64) -> si64
parfor.combiner @sum identity(@zero) combine(@both)
func.func private @body(%l: index, %u: index, %s: f64) -> f64
func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.launch' op reduces 'f64', which @sum doesn't combine}}
  %0 = parfor.launch @body(%n) inits(%x : f64) reductions [@sum] : f64
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.loop' op attribute 'reductions' failed to satisfy constraint: operators and symbols of combiners}}
  %0 = "parfor.loop"(%n, %x) <{operandSegmentSizes = array<i32: 1, 1>, pattern = #parfor.pattern<prange>, reductions = ["add"]}> ({
  ^bb0(%i: index):
    "parfor.yield"(%x) : (f64) -> ()
  }) : (index, f64) -> f64
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{expected one of [prange, numpy, array_expr, fill, copy, comprehension, setitem, reduction, stencil] for the construct that a parallel loop comes from, got: loop}}
  parfor.loop (%n) reductions [] pattern loop {
  ^bb0(%i: index):
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{Invalid attribute `pattern` in property conversion: "prange"}}
  "parfor.loop"(%n) <{operandSegmentSizes = array<i32: 1, 0>, pattern = "prange", reductions = []}> ({
  ^bb0(%i: index):
    "parfor.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.loop' op attribute 'fused' failed to satisfy constraint: array of patterns}}
  "parfor.loop"(%n) <{fused = ["fill"], operandSegmentSizes = array<i32: 1, 0>, pattern = #parfor.pattern<prange>, reductions = []}> ({
  ^bb0(%i: index):
    "parfor.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func private @both(si64, si64) -> si64
// expected-error @+1 {{'parfor.combiner' op @zero is not a function of this module}}
parfor.combiner @sum identity(@zero) combine(@both)

// -----

func.func private @zero() -> si64
// expected-error @+1 {{'parfor.combiner' op @both is not a function of this module}}
parfor.combiner @sum identity(@zero) combine(@both)

// -----

func.func private @zero() -> si64
func.func private @both(si64, f64) -> si64
// expected-error @+1 {{'parfor.combiner' op @both must take two values of the type that it gives}}
parfor.combiner @sum identity(@zero) combine(@both)

// -----

func.func private @zero() -> f64
func.func private @both(si64, si64) -> si64
// expected-error @+1 {{'parfor.combiner' op @zero must take nothing and give what @both gives}}
parfor.combiner @sum identity(@zero) combine(@both)

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'parfor.offload' op a grid and a block have three extents}}
  parfor.offload "k" grid(%n) block(%n, %n, %n) access []
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.offload' op has fewer arguments than accesses}}
  parfor.offload "k" grid(%n, %n, %n) block(%n, %n, %n) args(%x : f64) access [0, 0]
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.offload' op has more arguments than accesses}}
  parfor.offload "k" grid(%n, %n, %n) block(%n, %n, %n) args(%x, %x : f64, f64) access [0]
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'parfor.offload' op an access is a sum of 1, 2, 4 and 8}}
  parfor.offload "k" grid(%n, %n, %n) block(%n, %n, %n) args(%x : f64) access [16]
  return
}
