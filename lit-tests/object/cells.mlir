// RUN: %pyopt %s --pass-pipeline='builtin.module(py-to-object-mode)' | FileCheck %s

// Cells are read where they are; an empty one raises, with the variable's name and its kind.

// CHECK-LABEL: llvm.func @pyopt_object_entry_reads
// CHECK: %[[FREE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[CELL:.*]][16]
// CHECK: %[[VALUE:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[EMPTY:.*]] = llvm.icmp "eq" %[[VALUE]]
// CHECK: llvm.cond_br %[[EMPTY]]
// CHECK: llvm.return %[[VALUE]]
// CHECK: llvm.call @pyopt_object_raise_empty(%{{.*}}, %[[FREE]])
py.func @reads(%cell) attributes {arg_names = ["cell"], globals = "m"} {
  %0 = py.load_local 0 "cell" {offset = 2 : i64}
  %1 = py.load_cell %0 "x" free {offset = 4 : i64}
  py.return %1 {offset = 8 : i64}
}

// What a cell held is released once the new value is there: its `__del__` may read the cell.

// CHECK-LABEL: llvm.func @pyopt_object_entry_writes
// CHECK: ^bb1:
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[16]
// CHECK: %[[OLD:.*]] = llvm.load %[[PLACE]]
// CHECK: llvm.store %{{.*}}, %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @pyopt.release_optional(%[[OLD]])
py.func @writes(%cell, %x) attributes {arg_names = ["cell", "x"], globals = "m"} {
  %0 = py.load_local 0 "cell" {offset = 2 : i64}
  %1 = py.load_local 1 "x" {offset = 4 : i64}
  py.store_cell %0 = %1 {offset = 6 : i64}
  py.return %1 {offset = 8 : i64}
}
