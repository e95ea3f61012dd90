// RUN: %pyopt %s --lower-strided-access | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(lower-strided-access,finalize-to-llvm)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// A stride may be negative: no promise about overflow or bounds.
// CHECK-LABEL: @reversed
// LLVM-LABEL: @reversed
func.func @reversed(%a: memref<?x?xf64, strided<[?, ?]>>, %i: index, %j: index) -> f64 {
  // CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %arg0
  // CHECK: %[[S0:.*]] = llvm.extractvalue %[[D]][4, 0]
  // CHECK: %[[P0:.*]] = arith.muli %{{.*}}, %[[S0]] : i64
  // CHECK: %[[S1:.*]] = llvm.extractvalue %{{.*}}[4, 1]
  // CHECK: %[[P1:.*]] = arith.muli %{{.*}}, %[[S1]] : i64
  // CHECK: %[[SUM:.*]] = arith.addi %[[P0]], %[[P1]] : i64
  // CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[SUM]]]
  // CHECK: llvm.load %[[AT]]
  // LLVM-NOT: nuw
  // LLVM-NOT: nsw
  // LLVM-NOT: inbounds
  // LLVM: llvm.return
  %x = memref.load %a[%i, %j] : memref<?x?xf64, strided<[?, ?]>>
  memref.store %x, %a[%j, %i] : memref<?x?xf64, strided<[?, ?]>>
  func.return %x : f64
}

// CHECK-LABEL: @complex_elements
func.func @complex_elements(%a: memref<?xcomplex<f32>, strided<[?]>>, %i: index) {
  // CHECK-COUNT-2: llvm.load %{{.*}} -> f32
  // CHECK: complex.create
  // CHECK-COUNT-2: llvm.store %{{.*}} : f32
  %x = memref.load %a[%i] : memref<?xcomplex<f32>, strided<[?]>>
  memref.store %x, %a[%i] : memref<?xcomplex<f32>, strided<[?]>>
  func.return
}

// Contiguous arrays have no negative strides. A row has an address of its own.
// CHECK-LABEL: @contiguous
func.func @contiguous(%a: memref<?x?xf64>, %b: memref<f64>, %i: index) {
  // CHECK: %[[D:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: %[[S:.*]] = llvm.extractvalue %{{.*}}[4, 0]
  // CHECK: %[[P:.*]] = arith.muli %{{.*}}, %[[S]] overflow<nsw, nuw>
  // CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds|nuw %[[D]][%[[P]]]
  // CHECK: %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[ROW]][
  // CHECK: llvm.load %[[AT]]
  // CHECK: llvm.store
  %x = memref.load %a[%i, %i] : memref<?x?xf64>
  memref.store %x, %b[] : memref<f64>
  func.return
}
