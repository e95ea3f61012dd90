// Functions of the runtime and libm that devices don't have, in this module's operations: what calls them in a
// kernel gets these. Those of complex numbers follow C's, as FreeBSD's msun has them.

func.func private @sinh(f64) -> f64 attributes {pyopt.libm = "sinh"}
func.func private @cosh(f64) -> f64 attributes {pyopt.libm = "cosh"}
func.func private @tan(f64) -> f64 attributes {pyopt.libm = "tan"}
func.func private @atan2(f64, f64) -> f64 attributes {pyopt.libm = "atan2"}
func.func private @hypot(f64, f64) -> f64 attributes {pyopt.libm = "hypot"}
func.func private @log_of_length(f64, f64) -> f64 attributes {pyopt.libm = "log_of_length"}

// By squaring, modulo 2^64.
func.func private @pyopt_pow_u64(%base: i64, %exponent: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %power, %square, %left = scf.while (%p = %one, %s = %base, %n = %exponent) : (i64, i64, i64) -> (i64, i64, i64) {
    %more = arith.cmpi ne, %n, %zero : i64
    scf.condition(%more) %p, %s, %n : i64, i64, i64
  } do {
  ^bb0(%p: i64, %s: i64, %n: i64):
    %digit = arith.andi %n, %one : i64
    %odd = arith.cmpi ne, %digit, %zero : i64
    %product = arith.muli %p, %s : i64
    %next = arith.select %odd, %product, %p : i64
    %squared = arith.muli %s, %s : i64
    %rest = arith.shrui %n, %one : i64
    scf.yield %next, %squared, %rest : i64, i64, i64
  }
  return %power : i64
}

// A negative exponent gives 1, -1 or 0, and the least integer for 0.
func.func private @pyopt_pow_i64(%base: i64, %exponent: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus_one = arith.constant -1 : i64
  %least = arith.constant -9223372036854775808 : i64
  %negative = arith.cmpi slt, %exponent, %zero : i64
  %digit = arith.andi %exponent, %one : i64
  %odd = arith.cmpi ne, %digit, %zero : i64
  %is_zero = arith.cmpi eq, %base, %zero : i64
  %is_one = arith.cmpi eq, %base, %one : i64
  %is_minus_one = arith.cmpi eq, %base, %minus_one : i64
  %sign = arith.select %odd, %minus_one, %one : i64
  %of_others = arith.select %is_minus_one, %sign, %zero : i64
  %of_units = arith.select %is_one, %one, %of_others : i64
  %inverse = arith.select %is_zero, %least, %of_units : i64
  %positive = arith.select %negative, %zero, %exponent : i64
  %power = func.call @pyopt_pow_u64(%base, %positive) : (i64, i64) -> i64
  %result = arith.select %negative, %inverse, %power : i64
  return %result : i64
}

func.func private @nextafter(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %minus_one = arith.constant -1 : i64
  %smallest = arith.constant 4.9406564584124654e-324 : f64
  %bits = arith.bitcast %x : f64 to i64
  %up = arith.cmpf olt, %x, %y : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %outwards = arith.cmpi eq, %up, %positive : i1
  %step = arith.select %outwards, %one, %minus_one : i64
  %moved = arith.addi %bits, %step : i64
  %next = arith.bitcast %moved : i64 to f64
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %from_zero = math.copysign %smallest, %y : f64
  %stepped = arith.select %is_zero, %from_zero, %next : f64
  %equal = arith.cmpf oeq, %x, %y : f64
  %there = arith.select %equal, %y, %stepped : f64
  %unordered = arith.cmpf uno, %x, %y : f64
  %sum = arith.addf %x, %y : f64
  %result = arith.select %unordered, %sum, %there : f64
  return %result : f64
}

func.func private @nextafterf(%x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %minus_one = arith.constant -1 : i32
  %smallest = arith.constant 1.4012984643e-45 : f32
  %bits = arith.bitcast %x : f32 to i32
  %up = arith.cmpf olt, %x, %y : f32
  %positive = arith.cmpf ogt, %x, %zero : f32
  %outwards = arith.cmpi eq, %up, %positive : i1
  %step = arith.select %outwards, %one, %minus_one : i32
  %moved = arith.addi %bits, %step : i32
  %next = arith.bitcast %moved : i32 to f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %from_zero = math.copysign %smallest, %y : f32
  %stepped = arith.select %is_zero, %from_zero, %next : f32
  %equal = arith.cmpf oeq, %x, %y : f32
  %there = arith.select %equal, %y, %stepped : f32
  %unordered = arith.cmpf uno, %x, %y : f32
  %sum = arith.addf %x, %y : f32
  %result = arith.select %unordered, %sum, %there : f32
  return %result : f32
}

// exp(x) (cos(y), sin(y)), where exp(x) alone may overflow in two steps.
func.func private @cexp(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %edge = arith.constant 700.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %minus_infinity = arith.constant 0xFFF0000000000000 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %large = arith.cmpf ogt, %x, %edge : f64
  %halved = arith.mulf %x, %half : f64
  %argument = arith.select %large, %halved, %x : f64
  %power = math.exp %argument : f64
  %second = arith.select %large, %power, %one : f64
  %cos = math.cos %y : f64
  %sin = math.sin %y : f64
  %re0 = arith.mulf %power, %cos : f64
  %im0 = arith.mulf %power, %sin : f64
  %re1 = arith.mulf %re0, %second : f64
  %im1 = arith.mulf %im0, %second : f64
  %difference = arith.subf %y, %y : f64
  %infinite_y = arith.cmpf uno, %difference, %difference : f64
  // exp(-inf) is zero whatever the angle, exp(inf) infinite.
  %is_low = arith.cmpf oeq, %x, %minus_infinity : f64
  %is_high = arith.cmpf oeq, %x, %infinity : f64
  %low = arith.andi %is_low, %infinite_y : i1
  %high = arith.andi %is_high, %infinite_y : i1
  %re2 = arith.select %low, %zero, %re1 : f64
  %im2 = arith.select %low, %zero, %im1 : f64
  %re3 = arith.select %high, %infinity, %re2 : f64
  // Of a real number the imaginary part is that zero.
  %real = arith.cmpf oeq, %y, %zero : f64
  %whole = arith.mulf %power, %second : f64
  %re = arith.select %real, %whole, %re3 : f64
  %im = arith.select %real, %y, %im2 : f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

func.func private @clog(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %re = func.call @log_of_length(%x, %y) : (f64, f64) -> f64
  %im = func.call @atan2(%y, %x) : (f64, f64) -> f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

func.func private @csqrt(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %top = arith.constant 0x7FDA827999FCEF32 : f64
  %bottom = arith.constant 0x0370000000000000 : f64
  %down = arith.constant 0.25 : f64
  %up = arith.constant 0x4350000000000000 : f64
  %up_root = arith.constant 0x3E40000000000000 : f64
  %a0 = complex.re %z : complex<f64>
  %b0 = complex.im %z : complex<f64>
  %size_a = math.absf %a0 : f64
  %size_b = math.absf %b0 : f64
  // Scaled by a power of 4, so that nothing overflows and subnormal numbers keep their digits.
  %largest = arith.maximumf %size_a, %size_b : f64
  %is_large = arith.cmpf oge, %largest, %top : f64
  %is_small = arith.cmpf olt, %largest, %bottom : f64
  %lifted = arith.select %is_small, %up, %one : f64
  %scale = arith.select %is_large, %down, %lifted : f64
  %lowered_root = arith.select %is_small, %up_root, %one : f64
  %root_scale = arith.select %is_large, %two, %lowered_root : f64
  %a = arith.mulf %a0, %scale : f64
  %b = arith.mulf %b0, %scale : f64
  %length = func.call @hypot(%a, %b) : (f64, f64) -> f64
  %real_part = math.absf %a : f64
  %sum = arith.addf %real_part, %length : f64
  %square = arith.mulf %sum, %half : f64
  %root = math.sqrt %square : f64
  %doubled = arith.mulf %root, %two : f64
  %size = math.absf %b : f64
  %right = arith.cmpf oge, %a, %zero : f64
  %quotient = arith.divf %b, %doubled : f64
  %ratio = math.absf %quotient : f64
  %signed = math.copysign %root, %b : f64
  %re0 = arith.select %right, %root, %ratio : f64
  %im0 = arith.select %right, %quotient, %signed : f64
  %re1 = arith.mulf %re0, %root_scale : f64
  %im1 = arith.mulf %im0, %root_scale : f64
  // Zero, infinities and NaN.
  %is_zero = arith.cmpf oeq, %largest, %zero : f64
  %re2 = arith.select %is_zero, %zero, %re1 : f64
  %im2 = arith.select %is_zero, %b0, %im1 : f64
  %rest = arith.subf %b0, %b0 : f64
  %rest_size = math.absf %rest : f64
  %is_infinite = arith.cmpf oeq, %size_a, %infinity : f64
  %is_positive = arith.cmpf oeq, %a0, %infinity : f64
  %signed_rest = math.copysign %rest, %b0 : f64
  %signed_infinity = math.copysign %infinity, %b0 : f64
  %re_end = arith.select %is_positive, %infinity, %rest_size : f64
  %im_end = arith.select %is_positive, %signed_rest, %signed_infinity : f64
  %re3 = arith.select %is_infinite, %re_end, %re2 : f64
  %im3 = arith.select %is_infinite, %im_end, %im2 : f64
  %is_steep = arith.cmpf oeq, %size_b, %infinity : f64
  %re = arith.select %is_steep, %infinity, %re3 : f64
  %im = arith.select %is_steep, %b0, %im3 : f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

// (sinh(x) cos(y), cosh(x) sin(y)), where the first factors may overflow in two steps.
func.func private @csinh(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %edge = arith.constant 700.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %size = math.absf %x : f64
  %large = arith.cmpf ogt, %size, %edge : f64
  %halved = arith.mulf %size, %half : f64
  %power = math.exp %halved : f64
  %half_power = arith.mulf %power, %half : f64
  %signed = math.copysign %half_power, %x : f64
  %small_sinh = func.call @sinh(%x) : (f64) -> f64
  %small_cosh = func.call @cosh(%x) : (f64) -> f64
  %sinh = arith.select %large, %signed, %small_sinh : f64
  %cosh = arith.select %large, %half_power, %small_cosh : f64
  %second = arith.select %large, %power, %one : f64
  %cos = math.cos %y : f64
  %sin = math.sin %y : f64
  %re0 = arith.mulf %sinh, %cos : f64
  %im0 = arith.mulf %cosh, %sin : f64
  %re1 = arith.mulf %re0, %second : f64
  %im1 = arith.mulf %im0, %second : f64
  // Where one factor is zero or infinite, that the other one is no number doesn't count.
  %difference = arith.subf %y, %y : f64
  %infinite_y = arith.cmpf uno, %difference, %difference : f64
  %is_end = arith.cmpf oeq, %size, %infinity : f64
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %flat = arith.andi %is_zero, %infinite_y : i1
  %endless = arith.andi %is_end, %infinite_y : i1
  %re_flat = arith.select %flat, %x, %re1 : f64
  %re2 = arith.select %endless, %infinity, %re_flat : f64
  %real = arith.cmpf oeq, %y, %zero : f64
  %whole = arith.mulf %sinh, %second : f64
  %re = arith.select %real, %whole, %re2 : f64
  %im = arith.select %real, %y, %im1 : f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

// (cosh(x) cos(y), sinh(x) sin(y)).
func.func private @ccosh(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %edge = arith.constant 700.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %size = math.absf %x : f64
  %large = arith.cmpf ogt, %size, %edge : f64
  %halved = arith.mulf %size, %half : f64
  %power = math.exp %halved : f64
  %half_power = arith.mulf %power, %half : f64
  %signed = math.copysign %half_power, %x : f64
  %small_sinh = func.call @sinh(%x) : (f64) -> f64
  %small_cosh = func.call @cosh(%x) : (f64) -> f64
  %sinh = arith.select %large, %signed, %small_sinh : f64
  %cosh = arith.select %large, %half_power, %small_cosh : f64
  %second = arith.select %large, %power, %one : f64
  %cos = math.cos %y : f64
  %sin = math.sin %y : f64
  %re0 = arith.mulf %cosh, %cos : f64
  %im0 = arith.mulf %sinh, %sin : f64
  %re1 = arith.mulf %re0, %second : f64
  %im1 = arith.mulf %im0, %second : f64
  %difference = arith.subf %y, %y : f64
  %infinite_y = arith.cmpf uno, %difference, %difference : f64
  %is_end = arith.cmpf oeq, %size, %infinity : f64
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %endless = arith.andi %is_end, %infinite_y : i1
  %re2 = arith.select %endless, %infinity, %re1 : f64
  %real = arith.cmpf oeq, %y, %zero : f64
  %whole = arith.mulf %cosh, %second : f64
  %re = arith.select %real, %whole, %re2 : f64
  // Of a real or imaginary number it is a zero, with the sign of both.
  %positive = math.copysign %one, %x : f64
  %signed_y = arith.mulf %positive, %y : f64
  %nought = math.copysign %zero, %signed_y : f64
  %flat = arith.ori %real, %is_zero : i1
  %im = arith.select %flat, %nought, %im1 : f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

// Kahan's: with t = tan(y), b = 1 + t^2, s = sinh(x), r = sqrt(1 + s^2) it is (b r s, t) / (1 + b s^2).
func.func private @ctanh(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %minus_two = arith.constant -2.0 : f64
  %four = arith.constant 4.0 : f64
  %far = arith.constant 22.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %t = func.call @tan(%y) : (f64) -> f64
  %beta = math.fma %t, %t, %one : f64
  %s = func.call @sinh(%x) : (f64) -> f64
  %bound = math.fma %s, %s, %one : f64
  %rho = math.sqrt %bound : f64
  %square = arith.mulf %s, %s : f64
  %divisor = math.fma %beta, %square, %one : f64
  %product = arith.mulf %beta, %rho : f64
  %top = arith.mulf %product, %s : f64
  %re0 = arith.divf %top, %divisor : f64
  %im0 = arith.divf %t, %divisor : f64
  // From 22 on the real part is 1, and the imaginary one 4 sin(y) cos(y) exp(-2 |x|).
  %size = math.absf %x : f64
  %is_far = arith.cmpf oge, %size, %far : f64
  %unit = math.copysign %one, %x : f64
  %sin = math.sin %y : f64
  %cos = math.cos %y : f64
  %argument = arith.mulf %size, %minus_two : f64
  %power = math.exp %argument : f64
  %both = arith.mulf %sin, %cos : f64
  %fourfold = arith.mulf %both, %four : f64
  %small = arith.mulf %fourfold, %power : f64
  %difference = arith.subf %y, %y : f64
  %infinite_y = arith.cmpf uno, %difference, %difference : f64
  %is_end = arith.cmpf oeq, %size, %infinity : f64
  %nought = math.copysign %zero, %both : f64
  %at_end = arith.select %infinite_y, %zero, %nought : f64
  %far_im = arith.select %is_end, %at_end, %small : f64
  %no_unit = arith.addf %unit, %difference : f64
  %far_re = arith.select %is_end, %unit, %no_unit : f64
  %re1 = arith.select %is_far, %far_re, %re0 : f64
  %im1 = arith.select %is_far, %far_im, %im0 : f64
  // Of an imaginary number with a tangent that isn't one the real part stays zero.
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %re2 = arith.select %is_zero, %x, %re1 : f64
  %real = arith.cmpf oeq, %y, %zero : f64
  %im = arith.select %real, %y, %im1 : f64
  %result = complex.create %re2, %im : complex<f64>
  return %result : complex<f64>
}

// sin(z) is -i sinh(i z), and so on.
func.func private @csin(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %turned = complex.create %y, %x : complex<f64>
  %value = func.call @csinh(%turned) : (complex<f64>) -> complex<f64>
  %re = complex.im %value : complex<f64>
  %im = complex.re %value : complex<f64>
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}

func.func private @ccos(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %minus_y = arith.negf %y : f64
  %turned = complex.create %minus_y, %x : complex<f64>
  %value = func.call @ccosh(%turned) : (complex<f64>) -> complex<f64>
  return %value : complex<f64>
}

func.func private @ctan(%z: complex<f64>) -> complex<f64> attributes {passthrough = ["alwaysinline"]} {
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %turned = complex.create %y, %x : complex<f64>
  %value = func.call @ctanh(%turned) : (complex<f64>) -> complex<f64>
  %re = complex.im %value : complex<f64>
  %im = complex.re %value : complex<f64>
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}
