// Several appends to a list push their items at once.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-merge-pushes))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-merge-pushes))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: (S) {{ *}}3 merged

func.func private @anything(!typed.list<si64>)

// CHECK-LABEL: func.func @display
func.func @display(%x: si64, %y: si64, %a: !typed.array<1, si64, C>, %i: index) {
  %l = typed.list_new : !typed.list<si64>
  %3 = typed.constant 3 : si64
  %f = typed.list_reserve %l, %3 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  // What computes items, loads and stores elements of arrays doesn't see the list.
  // CHECK: typed.raise_if
  // CHECK-NEXT: %[[SUM:.*]] = typed.binary add
  // CHECK-NEXT: %[[ITEM:.*]] = typed.load
  // CHECK-NEXT: typed.store
  // CHECK-NEXT: typed.list_push %arg0, %[[SUM]], %[[ITEM]] to
  // CHECK-NEXT: return
  typed.list_push %x to %l : !typed.list<si64>
  %sum = typed.binary add %x, %y : si64
  typed.list_push %sum to %l : !typed.list<si64>
  %item = typed.load %a[%i] : !typed.array<1, si64, C>, index -> si64
  typed.store %x, %a[%i] : si64, !typed.array<1, si64, C>, index
  typed.list_push %item to %l : !typed.list<si64>
  return
}

// Two lists in turns: those made here are told apart.
// CHECK-LABEL: func.func @turns
// CHECK: typed.list_push %arg0 to %[[K:.*]] :
// CHECK-NOT: typed.list_push
// CHECK: typed.list_len %[[K]]
// CHECK-NEXT: typed.list_push %arg0, %arg1 to
// CHECK-NEXT: typed.list_push %arg1 to %[[K]]
func.func @turns(%x: si64, %y: si64) -> index {
  %k = typed.list_new : !typed.list<si64>
  %l = typed.list_new : !typed.list<si64>
  typed.list_push %x to %k : !typed.list<si64>
  %n = typed.list_len %k : !typed.list<si64> -> index
  typed.list_push %x to %l : !typed.list<si64>
  typed.list_push %y to %l : !typed.list<si64>
  typed.list_push %y to %k : !typed.list<si64>
  return %n : index
}

// Two arguments may be one list, whose items have an order.
// CHECK-LABEL: func.func @aliased
// CHECK-COUNT-3: typed.list_push
func.func @aliased(%k: !typed.list<si64>, %l: !typed.list<si64>, %x: si64) {
  typed.list_push %x to %k : !typed.list<si64>
  typed.list_push %x to %l : !typed.list<si64>
  typed.list_push %x to %k : !typed.list<si64>
  return
}

// A handler of an error, a function and a reservation may see how many items there are.
// CHECK-LABEL: func.func @seen
// CHECK: typed.list_push
// CHECK-NEXT: typed.raise_if
// CHECK-NEXT: typed.list_push
// CHECK-NEXT: call @anything
// CHECK-NEXT: typed.list_push
// CHECK-NEXT: typed.list_reserve
// CHECK-NEXT: typed.list_push
func.func @seen(%l: !typed.list<si64>, %x: si64, %c: i1) -> i1 {
  typed.list_push %x to %l : !typed.list<si64>
  typed.raise_if %c, "ValueError"
  typed.list_push %x to %l : !typed.list<si64>
  func.call @anything(%l) : (!typed.list<si64>) -> ()
  typed.list_push %x to %l : !typed.list<si64>
  %f = typed.list_reserve %l, %x : !typed.list<si64>
  typed.list_push %x to %l : !typed.list<si64>
  return %f : i1
}
