// RUN: %pyopt %s --tag-accesses --split-input-file | FileCheck %s

// CHECK-DAG: #[[ITEMS:.*]] = #llvm.tbaa_type_desc<id = "pyopt header 8"
// CHECK-DAG: #[[LENGTH:.*]] = #llvm.tbaa_type_desc<id = "pyopt header 9"
// CHECK-DAG: #[[DATA:.*]] = #llvm.tbaa_type_desc<id = "pyopt data"
// CHECK-DAG: #[[ITEMS_TAG:.*]] = #llvm.tbaa_tag<base_type = #[[ITEMS]], access_type = #[[ITEMS]], offset = 0>
// CHECK-DAG: #[[LENGTH_TAG:.*]] = #llvm.tbaa_tag<base_type = #[[LENGTH]], access_type = #[[LENGTH]], offset = 0>
// CHECK-DAG: #[[DATA_TAG:.*]] = #llvm.tbaa_tag<base_type = #[[DATA]], access_type = #[[DATA]], offset = 0>

// CHECK-LABEL: @push
// CHECK: llvm.load %arg0 {tbaa = [#[[LENGTH_TAG]]]}
// CHECK: llvm.load %{{.*}} {tbaa = [#[[ITEMS_TAG]]]}
// CHECK: llvm.store %arg1, %{{.*}} {tbaa = [#[[DATA_TAG]]]}
// CHECK: llvm.store %{{.*}}, %arg0 {tbaa = [#[[LENGTH_TAG]]]}
// CHECK-NOT: pyopt.{{header|alive}}
llvm.func @push(%list: !llvm.ptr, %item: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %length = llvm.load %list {pyopt.alive, pyopt.header = 9 : i64} : !llvm.ptr -> i64
  %field = llvm.getelementptr %list[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %items = llvm.load %field {pyopt.header = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %end = llvm.getelementptr %items[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %item, %end : i64, !llvm.ptr
  %more = llvm.add %length, %one : i64
  llvm.store %more, %list {pyopt.header = 9 : i64} : i64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: @other
// CHECK: llvm.load %arg0 {tbaa = [#[[DATA_TAG]]]}
llvm.func @other(%a: !llvm.ptr) -> f64 {
  %x = llvm.load %a : !llvm.ptr -> f64
  llvm.return %x : f64
}

// -----

// There is nothing to tell apart.
// CHECK-LABEL: @no_container
// CHECK-NOT: tbaa
llvm.func @no_container(%a: !llvm.ptr) -> f64 {
  %x = llvm.load %a : !llvm.ptr -> f64
  llvm.return %x : f64
}
