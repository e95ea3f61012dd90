// Loads of containers' headers go before loops that leave them alone.
// RUN: %pyopt %s --hoist-headers | FileCheck %s

func.func private @pyopt_list_new(i64, i64) -> !llvm.ptr
func.func private @pyopt_list_reserve(!llvm.ptr, i64) -> i32
func.func private @pyopt_release(!llvm.ptr)
func.func private @anything(!llvm.ptr)

// Out of both loops, with what computes the address. The length stays: a store changes it.
// CHECK-LABEL: func.func @nest
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %arg0[8]
// CHECK-NEXT: llvm.load %[[FIELD]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} {pyopt.alive, pyopt.header = 9 : i64}
// CHECK: llvm.store
func.func @nest(%list: !llvm.ptr, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %field = llvm.getelementptr %list[8] : (!llvm.ptr) -> !llvm.ptr, i64
      %items = llvm.load %field {pyopt.alive, pyopt.header = 8 : i64} : !llvm.ptr -> !llvm.ptr
      %end = llvm.getelementptr %list[9] : (!llvm.ptr) -> !llvm.ptr, i64
      %length = llvm.load %end {pyopt.alive, pyopt.header = 9 : i64} : !llvm.ptr -> i64
      %place = llvm.getelementptr %items[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %x, %place : i64, !llvm.ptr
      llvm.store %x, %end {pyopt.header = 9 : i64} : i64, !llvm.ptr
    }
  }
  return
}

// What is allocated when the list is there is another one; of two arguments that isn't known.
// CHECK-LABEL: func.func @other
// CHECK: call @pyopt_list_new
// CHECK: llvm.load %{{.*}} {pyopt.alive, pyopt.header = 9 : i64}
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} {pyopt.alive, pyopt.header = 9 : i64}
func.func @other(%list: !llvm.ptr, %k: !llvm.ptr, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %length_of_list = llvm.getelementptr %list[9] : (!llvm.ptr) -> !llvm.ptr, i64
  %made = func.call @pyopt_list_new(%one, %one) : (i64, i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    %length = llvm.load %length_of_list {pyopt.alive, pyopt.header = 9 : i64} : !llvm.ptr -> i64
    %end = llvm.getelementptr %made[9] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %length, %end {pyopt.header = 9 : i64} : i64, !llvm.ptr
    func.call @pyopt_release(%k) : (!llvm.ptr) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %length = llvm.load %length_of_list {pyopt.alive, pyopt.header = 9 : i64} : !llvm.ptr -> i64
    %end = llvm.getelementptr %k[9] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %x, %end {pyopt.header = 9 : i64} : i64, !llvm.ptr
  }
  return
}

// Near misses: the list may not exist before a check; a function may change it; the runtime makes room.
// CHECK-LABEL: func.func @optional
// CHECK: scf.for
// CHECK: llvm.load
// CHECK-LABEL: func.func @called
// CHECK: scf.for
// CHECK: llvm.load
// CHECK-LABEL: func.func @reserved
// CHECK: scf.for
// CHECK: llvm.load
func.func @optional(%list: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %length = llvm.load %list {pyopt.header = 9 : i64} : !llvm.ptr -> i64
  }
  return
}
func.func @called(%list: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %length = llvm.load %list {pyopt.alive, pyopt.header = 9 : i64} : !llvm.ptr -> i64
    func.call @anything(%list) : (!llvm.ptr) -> ()
  }
  return
}
func.func @reserved(%list: !llvm.ptr, %n: index, %one: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %items = llvm.load %list {pyopt.alive, pyopt.header = 8 : i64} : !llvm.ptr -> i64
    %failed = func.call @pyopt_list_reserve(%list, %one) : (!llvm.ptr, i64) -> i32
  }
  return
}
