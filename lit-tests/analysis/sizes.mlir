// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-sizes)' --verify-diagnostics

!none = !typed.none
!v = !typed.array<1, f64, A>
!m = !typed.array<2, f64, A>

// Slices that leave out the same number of elements have one size, and no other.
func.func @slices(%a: !v) {
  %none = typed.singleton : !none
  %c1 = typed.constant 1 : si64
  %c2 = typed.constant 2 : si64
  %m2 = typed.constant -2 : si64
  // expected-remark@+1 {{'n' has the size s0}}
  %n = typed.dim %a[0] {tag = "n"} : !v -> si64
  %n1 = typed.binary sub %n, %c1 : si64
  %s0 = typed.slice %c1, %n1, %none : !typed.slice<si64, si64, !none>
  %s1 = typed.slice %c2, %none, %none : !typed.slice<si64, !none, !none>
  %s2 = typed.slice %none, %m2, %none : !typed.slice<!none, si64, !none>
  %s3 = typed.slice %c1, %none, %none : !typed.slice<si64, !none, !none>
  // expected-remark@+1 {{'middle' has the size s1}}
  %v0 = typed.view %a[%s0] {tag = "middle"} : !v, (!typed.slice<si64, si64, !none>) -> !v
  // expected-remark@+1 {{'end' has the size s1}}
  %v1 = typed.view %a[%s1] {tag = "end"} : !v, (!typed.slice<si64, !none, !none>) -> !v
  // expected-remark@+1 {{'start' has the size s1}}
  %v2 = typed.view %a[%s2] {tag = "start"} : !v, (!typed.slice<!none, si64, !none>) -> !v
  // expected-remark@+1 {{'longer' has the size s2}}
  %v3 = typed.view %a[%s3] {tag = "longer"} : !v, (!typed.slice<si64, !none, !none>) -> !v
  return
}

// A size that was given is the array's; a transposed array has the dimensions the other way round.
func.func @made(%n: index, %m: index) -> !typed.array<2, f64, F> {
  %three = arith.constant 3 : index
  // expected-remark@+1 {{'fresh' has the size s3 x 3}}
  %a = typed.empty(%n, %three) {tag = "fresh"} : (index, index) -> !typed.array<2, f64, C>
  // expected-remark@+1 {{'turned' has the size 3 x s3}}
  %t = typed.transpose %a {tag = "turned"} : !typed.array<2, f64, C> -> !typed.array<2, f64, F>
  // Another argument may be anything.
  // expected-remark@+1 {{'other' has the size s4}}
  %b = typed.empty(%m) {tag = "other"} : (index) -> !typed.array<1, f64, C>
  return %t : !typed.array<2, f64, F>
}

// What sizes broadcast to doesn't depend on their order.
func.func @broadcast(%n: index, %m: index) -> index {
  %one = arith.constant 1 : index
  // expected-remark@+1 {{'both' has the size s5}}
  %a = typed.broadcast_size %n, %m {tag = "both"}
  // expected-remark@+1 {{'swapped' has the size s5}}
  %b = typed.broadcast_size %m, %n {tag = "swapped"}
  // expected-remark@+1 {{'with one' has the size s6}}
  %c = typed.broadcast_size %n, %one {tag = "with one"}
  // Broadcast with 1 it is itself.
  // expected-remark@+1 {{'itself' has the size s6}}
  %d = typed.broadcast_size %n, %n {tag = "itself"}
  return %a : index
}
