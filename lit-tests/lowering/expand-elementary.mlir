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

// Single precision is computed in double precision.

// CHECK-LABEL: func.func @single(
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK: %[[E:.*]] = func.call @pyopt.exp(%[[W]])
// CHECK: arith.truncf %[[E]] : f64 to f32
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

// Left alone: outside of loops, beside an inner loop, in a loop of unknown length, half precision.

// CHECK-LABEL: func.func @left_alone(
// CHECK-COUNT-4: math.exp
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
  %half = scf.for %i = %c0 to %n step %c1 iter_args(%s = %h) -> f16 {
    %e = math.exp %s : f16
    scf.yield %e : f16
  }
  %r = arith.addf %outside, %y : f64
  return %r, %half : f64, f16
}
