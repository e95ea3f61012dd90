// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s

// CHECK-LABEL: func.func @bytes
// CHECK: typed.constant "ab\00\FF" : !typed.bytes
// CHECK: typed.constant "ab"{{$}}
// CHECK: typed.compare lt
// CHECK: typed.len
// CHECK: typed.item %{{.*}}[%{{.*}} : index] : !typed.bytes -> si64
func.func @bytes(%b: !typed.bytes, %i: index) -> (i1, si64, si64, !typed.str) {
  %c = typed.constant "ab\00\FF" : !typed.bytes
  %t = typed.constant "ab"
  %0 = typed.compare lt %b, %c : !typed.bytes
  %1 = typed.len %b : !typed.bytes -> si64
  %2 = typed.item %b[%i : index] : !typed.bytes -> si64
  return %0, %1, %2, %t : i1, si64, si64, !typed.str
}
