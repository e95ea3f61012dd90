// RUN: %pyopt %s --pass-pipeline='builtin.module(expand-elementary)' --split-input-file | FileCheck %s

// In a loop that has no other in it; a conditional around changes nothing.

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK:   %[[X:.*]] = memref.load
// CHECK:   %[[E:.*]] = func.call @pyopt.exp(%[[X]]) : (f64) -> f64
// CHECK:   scf.if
// CHECK:     func.call @pyopt.log(%[[E]]) : (f64) -> f64
// CHECK-NOT: math.exp
// CHECK: func.func private @pyopt.exp(%{{.*}}: f64) -> f64 attributes {passthrough = ["alwaysinline"], pyopt.elementary}
// CHECK: func.func private @pyopt.log(
func.func @loop(%a: memref<?xf64>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %e = math.exp %x : f64
    scf.if %c {
      %l = math.log %e : f64
      memref.store %l, %a[%i] : memref<?xf64>
    }
  }
  return
}

// -----

// Single precision is computed in double precision, by a shorter polynomial.

// CHECK-LABEL: func.func @single(
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK: %[[E:.*]] = func.call @pyopt.exp.single(%[[W]])
// CHECK: arith.truncf %[[E]] : f64 to f32
// CHECK: func.func private @pyopt.exp.single(
func.func @single(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %e = math.exp %x : f32
    memref.store %e, %a[%i] : memref<?xf32>
  }
  return
}

// -----

// Calls of libm, in both precisions, with two arguments, too; pow is an operation.

// CHECK-LABEL: func.func @libm(
// CHECK: func.call @pyopt.tanh(
// CHECK: func.call @pyopt.erf.single(
// CHECK: func.call @pyopt.atan2(
// CHECK: func.call @pyopt.pow(
// CHECK-DAG: func.func private @pyopt.atan2(%{{.*}}: f64, %{{.*}}: f64) -> f64
// CHECK-DAG: func.func private @pyopt.tanh(
// CHECK-DAG: func.func private @pyopt.erf.single(
func.func private @tanh(f64) -> f64 attributes {pyopt.libm = "tanh"}
func.func private @erff(f32) -> f32 attributes {pyopt.libm = "erf"}
func.func private @atan2(f64, f64) -> f64 attributes {pyopt.libm = "atan2"}
func.func @libm(%a: memref<?xf64>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf32>
    %t = func.call @tanh(%x) : (f64) -> f64
    %e = func.call @erff(%y) : (f32) -> f32
    memref.store %e, %b[%i] : memref<?xf32>
    %r = func.call @atan2(%t, %x) : (f64, f64) -> f64
    %p = math.powf %r, %x : f64
    memref.store %p, %a[%i] : memref<?xf64>
  }
  return
}

// -----

// A function of the program may have a name that libm has, too. What nobody knows keeps a loop as it is.

// CHECK-LABEL: func.func @own(
// CHECK: func.call @tanh(
// CHECK: math.exp
// CHECK-NOT: @pyopt.
func.func private @tanh(f64) -> f64
func.func @own(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %t = func.call @tanh(%x) : (f64) -> f64
    %e = math.exp %t : f64
    memref.store %e, %a[%i] : memref<?xf64>
  }
  return
}

// -----

// Far sines are libm's: a call under a condition, of a function with vector variants.

// CHECK-LABEL: func.func @far(
// CHECK: func.call @pyopt.sin(
// CHECK: func.func private @pyopt.sin(
// CHECK:   scf.if %{{.*}} -> (f64) {
// CHECK:     func.call @pyopt.far.sin(
// CHECK: func.func private @pyopt.far.sin(
// CHECK-SAME: "_ZGV_LLVM_M2v_pyopt.far.sin(pyopt.far.sin.2),{{.*}}_ZGV_LLVM_M8v_pyopt.far.sin(pyopt.far.sin.8)"
// CHECK: llvm.func weak_odr @pyopt.far.sin.8(%{{.*}}: vector<8xf64>, %{{.*}}: vector<8xi1>)
func.func @far(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = math.sin %x : f64
    memref.store %s, %a[%i] : memref<?xf64>
  }
  return
}

// -----

// A sum that may be regrouped is made of vectors.

// CHECK-LABEL: func.func @regrouped(
// CHECK: func.call @pyopt.exp(
func.func @regrouped(%a: memref<?xf64>, %n: index, %zero: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %a[%i] : memref<?xf64>
    %e = math.exp %x : f64
    %t = arith.addf %s, %e fastmath<reassoc> : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// -----

// Left alone: outside of loops, beside an inner loop, in a loop of unknown length, in a
// sum that has an order, in a loop that may be left, half precision.

// CHECK-LABEL: func.func @left_alone(
// CHECK-COUNT-6: math.exp
// CHECK-NOT: pyopt.exp
func.func @left_alone(%a: memref<?xf64>, %h: f16, %n: index, %x: f64, %c: i1) -> (f64, f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = math.exp %x : f64
  scf.for %i = %c0 to %n step %c1 {
    %beside = math.exp %x : f64
    scf.for %j = %c0 to %n step %c1 {
      memref.store %beside, %a[%j] : memref<?xf64>
    }
  }
  %y = scf.while (%z = %x) : (f64) -> f64 {
    scf.condition(%c) %z : f64
  } do {
  ^bb0(%z: f64):
    %next = math.exp %z : f64
    scf.yield %next : f64
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> f64 {
    %e = math.exp %s : f64
    scf.yield %e : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf64>
    %e = math.exp %v : f64
    typed.raise_if %c, "ValueError"("stop")
    memref.store %e, %a[%i] : memref<?xf64>
  }
  %half = scf.for %i = %c0 to %n step %c1 iter_args(%s = %h) -> f16 {
    %e = math.exp %s : f16
    scf.yield %e : f16
  }
  %r = arith.addf %outside, %sum : f64
  return %r, %half : f64, f16
}
