// RUN: %pyopt %s --store-variables --split-input-file --verify-diagnostics

// What isn't lowered yet.

func.func @number(%a: si64) {
  // expected-error @+1 {{'typed.variable' op has (si64), which isn't what a value of type si64 is lowered to: run typed-to-memref first}}
  typed.variable "a" argument 1 (%a) : si64 as si64
  return
}

// -----

func.func @array(%a: !typed.array<2, f64, A>) {
  // expected-error @+1 {{has (!typed.array<2, f64, A>), which isn't what a value of type !typed.array<2, f64, A> is lowered to}}
  typed.variable "a" (%a) : !typed.array<2, f64, A> as !typed.array<2, f64, A>
  return
}

// -----

func.func @tuple(%t: tuple<si8, complex<f64>>) {
  // expected-error @+1 {{isn't what a value of type tuple<si8, complex<f64>> is lowered to}}
  typed.variable "t" (%t) : tuple<si8, complex<f64>> as tuple<si8, complex<f64>>
  return
}

// -----

// Too many values, and too few.

func.func @many(%a: i64, %b: i64) {
  // expected-error @+1 {{has (i64, i64), which isn't what a value of type si64 is lowered to}}
  typed.variable "a" (%a, %b) : i64, i64 as si64
  return
}

// -----

func.func @few(%a: i64) {
  // expected-error @+1 {{has (i64), which isn't}}
  typed.variable "a" (%a) : i64 as !typed.optional<si64>
  return
}

// -----

func.func @without_type(%a: i64) {
  // expected-error @+1 {{'typed.variable' op}}
  typed.variable "a" (%a) : i64
  return
}
