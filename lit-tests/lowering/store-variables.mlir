// RUN: %pyopt %s --typed-to-memref --store-variables --split-input-file | FileCheck %s
// What ran once has nothing left to do.
// RUN: %pyopt %s --typed-to-memref --store-variables --store-variables --split-input-file | FileCheck %s

// A number is one store; a parameter needs no zeros before it.

// CHECK-LABEL: func.func @py.numbers(
// CHECK-SAME:    %[[A:.*]]: i64, %[[C:.*]]: i1)
// CHECK:         %[[X:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 8 : i64, pyopt.variable = "x", pyopt.variable_type = si64}
// CHECK:         "llvm.intr.memset"(%[[X]], %{{.*}}, %{{.*}})
// CHECK:         %[[FLAG:.*]] = llvm.alloca %{{.*}} x !llvm.array<1 x i8> {alignment = 8 : i64, pyopt.variable = "flag", pyopt.variable_type = i1}
// CHECK:         %[[P:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 8 : i64, pyopt.argument = 1 : i64, pyopt.variable = "a", pyopt.variable_type = si64}
// CHECK-NOT:     memset
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr %[[P]][0]
// CHECK-NEXT:    llvm.store %[[A]], %[[PLACE]]
// CHECK:         %[[BYTE:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK:         llvm.store %[[BYTE]]
// CHECK-NOT:     llvm.alloca
// CHECK:         return
func.func @numbers(%a: si64, %c: i1) {
  typed.variable "a" argument 1 (%a) : si64 as si64
  typed.variable "flag" (%c) : i1 as i1
  typed.variable "x" (%a) : si64 as si64
  typed.variable "x" (%a) : si64 as si64
  return
}

// -----

// Strides are bytes; what isn't told of, such as the owner, isn't stored.

// CHECK-LABEL: func.func @py.array(
// CHECK:         llvm.alloca %{{.*}} x !llvm.array<40 x i8>
// CHECK-COUNT-5: llvm.store
// CHECK-NOT:     llvm.store
// CHECK:         return
func.func @array(%a: !typed.array<2, f64, A>) {
  typed.variable "a" argument 1 (%a) : !typed.array<2, f64, A> as !typed.array<2, f64, A>
  return
}

// -----

// Parts of tuples and complex numbers have places of their own, each aligned as C has it.

// CHECK-LABEL: func.func @py.parts(
// CHECK:         %[[T:.*]] = llvm.alloca %{{.*}} x !llvm.array<24 x i8>
// CHECK:         %[[FIRST:.*]] = llvm.getelementptr %[[T]][0]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[FIRST]] : i8
// CHECK:         %[[REAL:.*]] = llvm.getelementptr %[[T]][8]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[REAL]] : f64
// CHECK:         %[[IMAG:.*]] = llvm.getelementptr %[[T]][16]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[IMAG]] : f64
func.func @parts(%t: tuple<si8, complex<f64>>) {
  typed.variable "t" argument 1 (%t) : tuple<si8, complex<f64>> as tuple<si8, complex<f64>>
  return
}
