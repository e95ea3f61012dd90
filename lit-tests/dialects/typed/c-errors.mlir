// One failure per rule about C functions and pointers.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{C functions don't take or return values of type 'f16'}}
func.func private @f(!typed.c_function<(f16) -> ()>)

// -----

// expected-error @+1 {{C functions don't take or return values of type '!typed.array<1, f64, C>'}}
func.func private @f(!typed.c_function<() -> !typed.array<1, f64, C>>)

// -----

// expected-error @+1 {{a C function has one result at most}}
func.func private @f(!typed.c_function<() -> (f64, f64)>)

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.address' op elements of type 'f64' are not 'f32'}}
  %p = typed.address %a : !typed.array<1, f64, C> -> !typed.pointer<f32>
  return
}

// -----

func.func @f(%p: !typed.pointer<!typed.none>, %n: si64) {
  // expected-error @+1 {{'typed.pointer_array' op elements of type 'f64' are not '!typed.none'}}
  %a = typed.pointer_array %p[%n](%n) : !typed.pointer<!typed.none>, (si64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%p: !typed.pointer<f64>, %n: si64) {
  // expected-error @+1 {{'typed.pointer_array' op array of rank 2 got 1 sizes}}
  %a = typed.pointer_array %p[%n](%n) : !typed.pointer<f64>, (si64) -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%p: !typed.pointer<f64>, %n: si64) {
  // expected-error @+1 {{'typed.pointer_array' op the array is contiguous, got '!typed.array<1, f64, A>'}}
  %a = typed.pointer_array %p[%n](%n) : !typed.pointer<f64>, (si64) -> !typed.array<1, f64, A>
  return
}

// -----

func.func @f(%f: !typed.c_function<(f64) -> f64>, %x: f32) {
  // expected-error @+1 {{'typed.c_call' op operands and results must be those of '!typed.c_function<(f64) -> f64>'}}
  %y = typed.c_call %f(%x) : !typed.c_function<(f64) -> f64>, (f32) -> f64
  return
}
