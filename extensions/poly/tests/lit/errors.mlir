// RUN: %pyopt %s --verify-diagnostics

func.func @wrong() {
  // expected-error@+1 {{has 2 coefficients for degree 2}}
  %p = poly.constant [2.0, 3.0] : !poly.polynomial<2>
  return
}
