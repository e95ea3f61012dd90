// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @f(%b: !typed.bytes, %i: index) {
  // expected-error @+1 {{'typed.item' op result must be 'si64', got '!typed.bytes'}}
  %0 = typed.item %b[%i : index] : !typed.bytes -> !typed.bytes
  return
}

// -----

func.func @f(%b: !typed.bytes) {
  // expected-error @+1 {{'typed.cast' op converts numbers only, got '!typed.bytes' to 'f64'}}
  %0 = typed.cast %b : !typed.bytes to f64
  return
}
