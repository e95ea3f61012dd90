// RUN: %pyopt %s --split-input-file --verify-diagnostics

func.func @both(%x: !typed.datetime64<s>) {
  // expected-error @+1 {{'typed.ticks' op is between si64 and a datetime64 or timedelta64, got '!typed.datetime64<s>' to '!typed.timedelta64<s>'}}
  %0 = typed.ticks %x : !typed.datetime64<s> to !typed.timedelta64<s>
  return
}

// -----

func.func @neither(%x: si64) {
  // expected-error @+1 {{'typed.ticks' op is between si64 and a datetime64 or timedelta64, got 'si64' to 'f64'}}
  %0 = typed.ticks %x : si64 to f64
  return
}

// -----

func.func @number(%x: !typed.timedelta64<s>) {
  // expected-error @+1 {{'typed.cast' op converts numbers only}}
  %0 = typed.cast %x : !typed.timedelta64<s> to si64
  return
}

// -----

// expected-error @+2 {{failed to parse Typed_DatetimeType parameter 'unit'}}
// expected-error @+1 {{expected ::pyopt::typed::TimeUnit to be one of: Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as, generic}}
func.func private @unit(!typed.datetime64<day>)
