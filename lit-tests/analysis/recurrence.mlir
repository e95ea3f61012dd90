// RUN: %pyopt %s --pass-pipeline='builtin.module(test-print-recurrences)' --verify-diagnostics

func.func @distances(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %m: !typed.array<2, f64, C>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %down = arith.constant -1 : index

  // expected-remark@+1 {{'sums' has the distance 1}}
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %x = typed.load %a[%j] : !typed.array<1, f64, C>, index -> f64
    %y = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %z = typed.binary add %x, %y : f64
    typed.store %z, %a[%i] : f64, !typed.array<1, f64, C>, index
  } {tag = "sums"}

  // Downwards what was stored lies ahead; the other dimension is the same.
  // expected-remark@+1 {{'down' has the distance 2}}
  scf.for %i = %c0 to %n step %c1 {
    %t = arith.muli %i, %down : index
    %j = arith.addi %n, %t : index
    %l = arith.addi %j, %c2 : index
    %x = typed.load %m[%k, %l] : !typed.array<2, f64, C>, index, index -> f64
    typed.store %x, %m[%k, %j] : f64, !typed.array<2, f64, C>, index, index
  } {tag = "down"}

  // The load comes before the store.
  // expected-remark@+1 {{'ahead' has none}}
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %x = typed.load %a[%j] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, index
  } {tag = "ahead"}

  // Other arrays, another row, a distance that isn't known, elements in between.
  // expected-remark@+1 {{'apart' has none}}
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %l = arith.subi %i, %k : index
    %row = arith.addi %k, %c1 : index
    %even = arith.muli %i, %c2 : index
    %odd = arith.subi %even, %c1 : index
    %x = typed.load %b[%j] : !typed.array<1, f64, C>, index -> f64
    %y = typed.load %m[%row, %j] : !typed.array<2, f64, C>, index, index -> f64
    %z = typed.load %a[%l] : !typed.array<1, f64, C>, index -> f64
    %w = typed.load %a[%odd] : !typed.array<1, f64, C>, index -> f64
    typed.store %x, %a[%even] : f64, !typed.array<1, f64, C>, index
    typed.store %y, %m[%k, %i] : f64, !typed.array<2, f64, C>, index, index
  } {tag = "apart"}
  return
}
