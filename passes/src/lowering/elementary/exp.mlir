// exp(x) to less than one ulp, without branches.
//
// x = n ln2 + r with |r| <= ln2 / 2; exp(r) is the Taylor polynomial of degree 13, whose rest is
// below a twentieth of an ulp; 2^n is multiplied in two halves, so that subnormal results are
// rounded once and large ones overflow.
func.func private @pyopt.exp(%x: f64) -> f64 attributes {pyopt.elementary, passthrough = ["alwaysinline"]} {
  %highest = arith.constant 7.1e+02 : f64
  %lowest = arith.constant -7.5e+02 : f64
  %log2e = arith.constant 1.4426950408889634 : f64
  %minus_ln2_high = arith.constant -0.6931471805599453 : f64
  %minus_ln2_low = arith.constant -2.3190468138462996e-17 : f64
  // 1.5 * 2^52: what is added to it is rounded to an integer, in the low bits of the sum.
  %shifter = arith.constant 6755399441055744.0 : f64
  %shifter_bits = arith.constant 0x4338000000000000 : i64

  // Comparisons with NaN are false, so NaN goes through.
  %above = arith.cmpf ogt, %x, %highest : f64
  %x0 = arith.select %above, %highest, %x : f64
  %below = arith.cmpf olt, %x0, %lowest : f64
  %x1 = arith.select %below, %lowest, %x0 : f64

  %shifted = math.fma %x1, %log2e, %shifter : f64
  %n = arith.subf %shifted, %shifter : f64
  %r0 = math.fma %n, %minus_ln2_high, %x1 : f64
  %r = math.fma %n, %minus_ln2_low, %r0 : f64

  %c2 = arith.constant 0.5 : f64
  %c3 = arith.constant 0.16666666666666666 : f64
  %c4 = arith.constant 0.041666666666666664 : f64
  %c5 = arith.constant 0.008333333333333333 : f64
  %c6 = arith.constant 0.001388888888888889 : f64
  %c7 = arith.constant 0.0001984126984126984 : f64
  %c8 = arith.constant 2.48015873015873e-05 : f64
  %c9 = arith.constant 2.7557319223985893e-06 : f64
  %c10 = arith.constant 2.755731922398589e-07 : f64
  %c11 = arith.constant 2.505210838544172e-08 : f64
  %c12 = arith.constant 2.08767569878681e-09 : f64
  %c13 = arith.constant 1.6059043836821613e-10 : f64
  %p12 = math.fma %r, %c13, %c12 : f64
  %p11 = math.fma %r, %p12, %c11 : f64
  %p10 = math.fma %r, %p11, %c10 : f64
  %p9 = math.fma %r, %p10, %c9 : f64
  %p8 = math.fma %r, %p9, %c8 : f64
  %p7 = math.fma %r, %p8, %c7 : f64
  %p6 = math.fma %r, %p7, %c6 : f64
  %p5 = math.fma %r, %p6, %c5 : f64
  %p4 = math.fma %r, %p5, %c4 : f64
  %p3 = math.fma %r, %p4, %c3 : f64
  %p2 = math.fma %r, %p3, %c2 : f64
  %rr = arith.mulf %r, %r : f64
  %minus_one = math.fma %rr, %p2, %r : f64
  %one = arith.constant 1.0 : f64
  %y = arith.addf %one, %minus_one : f64

  // n = n1 + n2; shifted to positive numbers, because vectors have no arithmetic shift of 64 bits.
  %bits = arith.bitcast %shifted : f64 to i64
  %k = arith.subi %bits, %shifter_bits : i64
  %bias = arith.constant 2048 : i64
  %half_bias = arith.constant 1024 : i64
  %i1 = arith.constant 1 : i64
  %k_biased = arith.addi %k, %bias : i64
  %k1_biased = arith.shrui %k_biased, %i1 : i64
  %k1 = arith.subi %k1_biased, %half_bias : i64
  %k2 = arith.subi %k, %k1 : i64
  %exponent_bias = arith.constant 1023 : i64
  %mantissa = arith.constant 52 : i64
  %e1 = arith.addi %k1, %exponent_bias : i64
  %e2 = arith.addi %k2, %exponent_bias : i64
  %b1 = arith.shli %e1, %mantissa : i64
  %b2 = arith.shli %e2, %mantissa : i64
  %s1 = arith.bitcast %b1 : i64 to f64
  %s2 = arith.bitcast %b2 : i64 to f64
  %y1 = arith.mulf %y, %s1 : f64
  %y2 = arith.mulf %y1, %s2 : f64
  return %y2 : f64
}
