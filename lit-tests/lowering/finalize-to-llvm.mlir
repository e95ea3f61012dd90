// RUN: %pyopt %s --typed-to-llvm | FileCheck %s

// Sizes are read from where they are, not through memory.
// CHECK-LABEL: llvm.func internal @py.total(
// CHECK-NOT: llvm.alloca
// CHECK: llvm.fadd {{.*}}fastmath<reassoc>
// CHECK: llvm.return
// CHECK-LABEL: llvm.func @pyopt_entry_total(
func.func @total(%a: !typed.array<1, f64, C>) -> f64 attributes {pyopt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %z = typed.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    %t = typed.binary add %acc, %x {pyopt.reassoc} : f64
    scf.yield %t : f64
  }
  func.return %s : f64
}
