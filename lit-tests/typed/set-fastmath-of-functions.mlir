// RUN: %pyopt %s --set-fastmath='flags=nnan,reassoc' | FileCheck %s

// Functions that name flags have these, and others those that all their callers have.
// CHECK-LABEL: llvm.func @entry(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<nnan, reassoc>}
// CHECK-LABEL: llvm.func @exact(
// CHECK: llvm.fadd %{{[^{]*}} : f64
// CHECK-LABEL: llvm.func @ordered(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
// CHECK-LABEL: llvm.func @of_entry(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<nnan, reassoc>}
// CHECK-LABEL: llvm.func @of_both(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
// CHECK-LABEL: llvm.func @by_address(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
// CHECK-LABEL: llvm.func @recursive(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
llvm.func @entry(%x: f64) -> f64 {
  %0 = llvm.call @exact(%x) : (f64) -> f64
  %1 = llvm.call @ordered(%0) : (f64) -> f64
  %2 = llvm.call @of_entry(%1) : (f64) -> f64
  %3 = llvm.call @of_both(%2) : (f64) -> f64
  %4 = llvm.fadd %3, %x : f64
  llvm.return %4 : f64
}
llvm.func @exact(%x: f64) -> f64 attributes {pyopt.fastmath = []} {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}
llvm.func @ordered(%x: f64) -> f64 attributes {pyopt.fastmath = ["reassoc"]} {
  %0 = llvm.fadd %x, %x : f64
  %1 = llvm.call @of_both(%0) : (f64) -> f64
  %2 = llvm.call @recursive(%1) : (f64) -> f64
  %3 = llvm.mlir.addressof @by_address : !llvm.ptr
  %4 = llvm.call %3(%2) : !llvm.ptr, (f64) -> f64
  llvm.return %4 : f64
}
llvm.func @of_entry(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}
llvm.func @of_both(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}
llvm.func @by_address(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}
llvm.func @recursive(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  %1 = llvm.call @recursive(%0) : (f64) -> f64
  llvm.return %1 : f64
}
