// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.optional_some' op can't convert 'f64' to '!typed.optional<si64>'}}
  %0 = typed.optional_some %x : f64 to !typed.optional<si64>
  return
}

// -----

func.func @f(%x: !typed.optional<f64>) {
  // expected-error @+1 {{'typed.optional_value' op result must be 'f64', got 'si64'}}
  %0 = typed.optional_value %x : !typed.optional<f64> -> si64
  return
}

// -----

// expected-error @+1 {{an optional can't be made of '!typed.none'}}
func.func private @f(!typed.optional<!typed.none>)

// -----

// expected-error @+1 {{an optional can't be made of '!typed.optional<f64>'}}
func.func private @f(!typed.optional<!typed.optional<f64>>)
