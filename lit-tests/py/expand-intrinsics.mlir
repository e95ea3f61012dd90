// RUN: %pyopt %s --py-expand-intrinsics | FileCheck %s

// CHECK-DAG: py.binding @pyopt.cuda.threadIdx.x = #py.named<"pyopt.cuda.threadIdx.x">
// CHECK-DAG: py.binding @pyopt.cuda.laneid = #py.named<"pyopt.cuda.laneid">
py.binding @m.cuda = #py.module<"numba.cuda">

// CHECK-LABEL: py.func @kernel
// CHECK: %[[X:.*]] = py.global @pyopt.cuda.threadIdx.x
// CHECK-NEXT: py.call %[[X]]()
// CHECK: %[[LANE:.*]] = py.global @pyopt.cuda.laneid
// CHECK-NEXT: py.call %[[LANE]]()
// CHECK: py.getattr %{{.*}} "w"
// CHECK: py.getattr %{{.*}} "x"
py.func @kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %cuda = py.global @m.cuda
  %thread = py.getattr %cuda "threadIdx"
  %x = py.getattr %thread "x"
  %lane = py.getattr %cuda "laneid"
  %w = py.getattr %thread "w"
  %own = py.getattr %a "x"
  %0 = py.build_tuple(%x, %lane, %w, %own)
  py.return %0
}
