// Several appends to a list reserve room once.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-merge-reservations))' | FileCheck %s

func.func private @anything(!typed.list<si64>)

// CHECK-LABEL: func.func @display
func.func @display(%x: si64, %y: si64, %c: i1) -> !typed.list<si64> {
  %l = typed.list_new : !typed.list<si64>
  %1 = typed.constant 1 : si64
  %2 = typed.constant 2 : si64
  // CHECK: %[[ROOM:.*]] = typed.constant 4 : si64
  // CHECK-NEXT: %[[FAILED:.*]] = typed.list_reserve %{{.*}}, %[[ROOM]]
  // CHECK-NEXT: typed.raise_if %[[FAILED]], "MemoryError"
  %f = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  // What computes and checks items doesn't take room.
  // CHECK-NOT: typed.list_reserve
  %sum = typed.binary add %x, %y : si64
  typed.raise_if %c, "ValueError"
  %g = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %g, "MemoryError"
  typed.list_push %sum to %l : !typed.list<si64>
  %h = typed.list_reserve %l, %2 : !typed.list<si64>
  typed.raise_if %h, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  typed.list_push %y to %l : !typed.list<si64>
  return %l : !typed.list<si64>
}

// Two lists in turns: those made here are told apart.
// CHECK-LABEL: func.func @turns
// CHECK-COUNT-2: typed.list_reserve
// CHECK-NOT: typed.list_reserve
func.func @turns(%x: si64) {
  %k = typed.list_new : !typed.list<si64>
  %l = typed.list_new : !typed.list<si64>
  %1 = typed.constant 1 : si64
  %f = typed.list_reserve %k, %1 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  typed.list_push %x to %k : !typed.list<si64>
  %g = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %g, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  %h = typed.list_reserve %k, %1 : !typed.list<si64>
  typed.raise_if %h, "MemoryError"
  typed.list_push %x to %k : !typed.list<si64>
  return
}

// Two arguments may be one list.
// CHECK-LABEL: func.func @aliased
// CHECK-COUNT-3: typed.list_reserve
func.func @aliased(%k: !typed.list<si64>, %l: !typed.list<si64>, %x: si64) {
  %1 = typed.constant 1 : si64
  %f = typed.list_reserve %k, %1 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  typed.list_push %x to %k : !typed.list<si64>
  %g = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %g, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  %h = typed.list_reserve %k, %1 : !typed.list<si64>
  typed.raise_if %h, "MemoryError"
  typed.list_push %x to %k : !typed.list<si64>
  return
}

// A call may take the room; a store would come after an error that it comes before.
// CHECK-LABEL: func.func @effects
// CHECK-COUNT-3: typed.list_reserve
func.func @effects(%l: !typed.list<si64>, %a: !typed.array<1, si64, C>, %i: index, %x: si64) {
  %1 = typed.constant 1 : si64
  %f = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  func.call @anything(%l) : (!typed.list<si64>) -> ()
  %g = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %g, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  typed.store %x, %a[%i] : si64, !typed.array<1, si64, C>, index
  %h = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %h, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  return
}

// Not so many items as are known.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: typed.list_reserve
func.func @unknown(%l: !typed.list<si64>, %n: si64, %x: si64) {
  %1 = typed.constant 1 : si64
  %f = typed.list_reserve %l, %1 : !typed.list<si64>
  typed.raise_if %f, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  %g = typed.list_reserve %l, %n : !typed.list<si64>
  typed.raise_if %g, "MemoryError"
  typed.list_push %x to %l : !typed.list<si64>
  return
}
