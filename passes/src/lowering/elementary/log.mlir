// log(x) to less than one ulp, without branches.
//
// x = 2^k m with m between sqrt(1/2) and sqrt(2), f = m - 1, s = f / (2 + f);
// log m = f - (f^2/2 - s (f^2/2 + R(s^2))) with the minimax polynomial R of FreeBSD's msun e_log.c.
func.func private @pyopt.log(%x: f64) -> f64 attributes {pyopt.elementary, passthrough = ["alwaysinline"]} {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64

  // Subnormal numbers are scaled into the normal ones.
  %smallest = arith.constant 2.2250738585072014e-308 : f64
  %two54 = arith.constant 18014398509481984.0 : f64
  %no_shift = arith.constant 0.0 : f64
  %shift = arith.constant -54.0 : f64
  %subnormal = arith.cmpf olt, %x, %smallest : f64
  %scaled = arith.mulf %x, %two54 : f64
  %x0 = arith.select %subnormal, %scaled, %x : f64
  %k_shift = arith.select %subnormal, %shift, %no_shift : f64

  // The exponent relative to sqrt(1/2), biased by 1024 because vectors have no arithmetic shift.
  %bits = arith.bitcast %x0 : f64 to i64
  %from_root = arith.constant 7141747209585715 : i64 // (1024 << 52) - bits of sqrt(1/2)
  %mantissa = arith.constant 52 : i64
  %root = arith.addi %bits, %from_root : i64
  %k_biased = arith.shrui %root, %mantissa : i64
  %k_bits = arith.shli %k_biased, %mantissa : i64
  %exponent = arith.constant 0x4000000000000000 : i64 // 1024 << 52
  %k_unbiased = arith.subi %k_bits, %exponent : i64
  %m_bits = arith.subi %bits, %k_unbiased : i64
  %m = arith.bitcast %m_bits : i64 to f64
  // 2^52 + k: the integer in the low bits of a float.
  %two52_bits = arith.constant 0x4330000000000000 : i64
  %minus_two52 = arith.constant -4503599627371520.0 : f64 // -(2^52 + 1024)
  %k_or = arith.ori %k_biased, %two52_bits : i64
  %k_large = arith.bitcast %k_or : i64 to f64
  %k0 = arith.addf %k_large, %minus_two52 : f64
  %k = arith.addf %k0, %k_shift : f64

  %f = arith.subf %m, %one : f64
  %denominator = arith.addf %two, %f : f64
  %s = arith.divf %f, %denominator : f64
  %z = arith.mulf %s, %s : f64
  %l1 = arith.constant 6.666666666666735130e-01 : f64
  %l2 = arith.constant 3.999999999940941908e-01 : f64
  %l3 = arith.constant 2.857142874366239149e-01 : f64
  %l4 = arith.constant 2.222219843214978396e-01 : f64
  %l5 = arith.constant 1.818357216161805012e-01 : f64
  %l6 = arith.constant 1.531383769920937332e-01 : f64
  %l7 = arith.constant 1.479819860511658591e-01 : f64
  %p6 = math.fma %z, %l7, %l6 : f64
  %p5 = math.fma %z, %p6, %l5 : f64
  %p4 = math.fma %z, %p5, %l4 : f64
  %p3 = math.fma %z, %p4, %l3 : f64
  %p2 = math.fma %z, %p3, %l2 : f64
  %p1 = math.fma %z, %p2, %l1 : f64
  %rest = arith.mulf %z, %p1 : f64
  %ff = arith.mulf %f, %f : f64
  %square = arith.mulf %half, %ff : f64

  %ln2_high = arith.constant 6.93147180369123816490e-01 : f64
  %ln2_low = arith.constant 1.90821492927058770002e-10 : f64
  %k_low = arith.mulf %k, %ln2_low : f64
  %inner = arith.addf %square, %rest : f64
  %correction = math.fma %s, %inner, %k_low : f64
  %difference = arith.subf %square, %correction : f64
  %minus_log_m = arith.subf %difference, %f : f64
  %k_high = arith.mulf %k, %ln2_high : f64
  %y = arith.subf %k_high, %minus_log_m : f64

  // Infinity and NaN are themselves, 0 gives minus infinity, what is below NaN.
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %minus_infinity = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %finite = arith.cmpf olt, %x, %infinity : f64
  %y0 = arith.select %finite, %y, %x : f64
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %y1 = arith.select %is_zero, %minus_infinity, %y0 : f64
  %negative = arith.cmpf olt, %x, %zero : f64
  %y2 = arith.select %negative, %nan, %y1 : f64
  return %y2 : f64
}
