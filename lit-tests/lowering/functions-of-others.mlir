// Functions that have nothing of Python's keep their names, and those who call them find them.

// RUN: %pyopt %s --typed-to-memref | FileCheck %s

// CHECK-LABEL: func.func @mm(
// CHECK: memref.load
func.func @mm(%a: memref<?xf64>, %i: index) -> f64 {
  %0 = memref.load %a[%i] : memref<?xf64>
  return %0 : f64
}

// One that is marked is Python's, whatever is in it.
// CHECK-LABEL: func.func @py.sin(
func.func @sin(%x: f64) -> f64 attributes {pyopt.function = "sin"} {
  return %x : f64
}

// CHECK-LABEL: func.func @py.typed(
// CHECK: call @mm
// CHECK: call @py.sin
func.func @typed(%a: memref<?xf64>, %i: index) -> f64 {
  %0 = func.call @mm(%a, %i) : (memref<?xf64>, index) -> f64
  %1 = func.call @sin(%0) : (f64) -> f64
  %2 = typed.binary add %0, %1 : f64
  return %2 : f64
}
