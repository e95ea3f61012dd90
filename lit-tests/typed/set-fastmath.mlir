// RUN: %pyopt %s --set-fastmath='flags=nnan,reassoc' | FileCheck %s
// RUN: %pyopt %s --set-fastmath | FileCheck %s --check-prefix=NONE
// RUN: not %pyopt %s --set-fastmath='flags=quick' 2>&1 | FileCheck %s --check-prefix=ODD

// ODD: error: pass 'set-fastmath' failed: unknown fast-math flag 'quick': expected one of afn, arcp,

// CHECK-LABEL: llvm.func @f(
// CHECK:         llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<nnan, reassoc>} : f64
// CHECK:         llvm.intr.sqrt(%{{.*}}) {fastmathFlags = #llvm.fastmath<nnan, reassoc>}
// CHECK:         llvm.fcmp "olt" %{{.*}} {fastmathFlags = #llvm.fastmath<nnan, reassoc>} : f64
// CHECK:         llvm.add %{{[^{]*}} : i64
// NONE-NOT:    fastmath
llvm.func @f(%x: f64, %y: f64, %n: i64) -> i64 {
  %sum = llvm.fadd %x, %y : f64
  %root = llvm.intr.sqrt(%sum) : (f64) -> f64
  %less = llvm.fcmp "olt" %root, %x : f64
  %wide = llvm.zext %less : i1 to i64
  %result = llvm.add %n, %wide : i64
  llvm.return %result : i64
}

// The roundings of an elementary function are part of its method.

// CHECK-LABEL: llvm.func @pyopt.exp(
// CHECK-NOT:     fastmath<
// CHECK:         llvm.return
llvm.func @pyopt.exp(%x: f64) -> f64 attributes {pyopt.elementary} {
  %y = llvm.fadd %x, %x : f64
  llvm.return %y : f64
}
