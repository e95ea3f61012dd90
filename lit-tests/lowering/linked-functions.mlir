// A function of the library that the host keeps compiled: values in slots, and the address that
// stands for its machine code.

// RUN: %pyopt %s --typed-to-llvm | FileCheck %s

// CHECK-NOT: pyopt.objects
// CHECK: llvm.func @pyopt.library.median.7()
// CHECK: llvm.func @pyopt_call_library(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

func.func @twice(%a: !typed.array<1, f64, C>, %n: si64) -> f64 attributes {pyopt.entry} {
  %0 = typed.call @linked.0(%a, %n) : (!typed.array<1, f64, C>, si64) -> f64
  %1 = typed.binary add %0, %0 : f64
  func.return %1 : f64
}

// CHECK-LABEL: llvm.func internal @linked.0(
// CHECK: %[[CODE:.*]] = llvm.mlir.addressof @pyopt.library.median.7
// CHECK: %[[GIVEN:.*]] = llvm.alloca
// CHECK: %[[RETURNED:.*]] = llvm.alloca
// CHECK: %[[STATUS:.*]] = llvm.call @pyopt_call_library(%{{.*}}, %[[CODE]], %[[RETURNED]], %[[GIVEN]])
// CHECK: llvm.icmp "ne" %[[STATUS]]
// CHECK: llvm.load %[[RETURNED]]
func.func private @linked.0(!typed.array<1, f64, C>, si64) -> f64 attributes {pyopt.linked = "pyopt.library.median.7"}
