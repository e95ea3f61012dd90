// Loops make room in lists ahead of them, a chunk of iterations at a time.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-hoist-reservations))' | FileCheck %s

func.func private @anything(!typed.list<si64>)

// The chunks carry what the loop carries.
// CHECK-LABEL: func.func @append
// CHECK-SAME: (%[[LIST:.*]]: !typed.list<si64>, %[[N:.*]]: index, %[[X:.*]]: si64)
// CHECK: %[[SUM:.*]] = scf.for %[[FIRST:.*]] = %{{.*}} to %[[N]] step %c4096 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (si64) {
// CHECK:   %[[REST:.*]] = arith.subi %[[N]], %[[FIRST]]
// CHECK:   %[[COUNT:.*]] = arith.minsi %[[REST]], %c4096
// CHECK:   %[[END:.*]] = arith.addi %[[FIRST]], %[[COUNT]]
// CHECK:   %[[LOWER:.*]] = arith.maxsi %[[FIRST]], %c0
// CHECK:   %[[UPPER:.*]] = arith.minsi %[[END]], %[[N]]
// CHECK:   %[[TWICE:.*]] = arith.muli %[[COUNT]], %c2
// CHECK:   %[[ITEMS:.*]] = typed.cast %[[TWICE]]
// CHECK:   %[[FAILED:.*]] = typed.list_reserve %[[LIST]], %[[ITEMS]]
// CHECK:   typed.raise_if %[[FAILED]], "MemoryError"
// CHECK:   %[[INNER:.*]] = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %{{.*}} iter_args(%{{.*}} = %[[BEFORE]])
// CHECK-NOT: typed.list_reserve
// CHECK:   scf.yield %[[INNER]]
// CHECK: return %[[SUM]]
func.func @append(%list: !typed.list<si64>, %n: index, %x: si64) -> si64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0 : si64
  %two = typed.constant 2 : si64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (si64) {
    %f = typed.list_reserve %list, %two : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x, %before to %list : !typed.list<si64>
    %length = typed.list_len %list : !typed.list<si64> -> si64
    %next = typed.binary add %before, %length : si64
    scf.yield %next : si64
  }
  return %sum : si64
}

// Near misses: not every iteration appends, and a list would keep what it never uses.
// CHECK-LABEL: func.func @sometimes
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @sometimes(%list: !typed.list<si64>, %n: index, %x: si64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %f = typed.list_reserve %list, %one : !typed.list<si64>
      typed.raise_if %f, "MemoryError"
      typed.list_push %x to %list : !typed.list<si64>
    }
  }
  return
}

// A reservation in a branch may take the room of another one.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @twice(%list: !typed.list<si64>, %n: index, %x: si64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    %f = typed.list_reserve %list, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %list : !typed.list<si64>
    scf.if %c {
      %g = typed.list_reserve %list, %one : !typed.list<si64>
      typed.raise_if %g, "MemoryError"
      typed.list_push %x to %list : !typed.list<si64>
    }
  }
  return
}

// Two arguments may be one list, what was made here is another one.
// CHECK-LABEL: func.func @aliased
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: scf.for
func.func @aliased(%k: !typed.list<si64>, %l: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    %f = typed.list_reserve %k, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %k : !typed.list<si64>
    %g = typed.list_reserve %l, %one : !typed.list<si64>
    typed.raise_if %g, "MemoryError"
    typed.list_push %x to %l : !typed.list<si64>
  }
  return
}
func.func @apart(%k: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  %l = typed.list_new : !typed.list<si64>
  scf.for %i = %c0 to %n step %c1 {
    %f = typed.list_reserve %k, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %k : !typed.list<si64>
    %g = typed.list_reserve %l, %one : !typed.list<si64>
    typed.raise_if %g, "MemoryError"
    typed.list_push %x to %l : !typed.list<si64>
  }
  return
}

// A call may take the room, or what grows may; a list that is made in each iteration has none before.
// CHECK-LABEL: func.func @called
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @grown
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @inside
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @called(%list: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    func.call @anything(%list) : (!typed.list<si64>) -> ()
    %f = typed.list_reserve %list, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %list : !typed.list<si64>
  }
  return
}
func.func @grown(%list: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    %f = typed.list_reserve %list, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_grow %list, %one : !typed.list<si64>
  }
  return
}
func.func @inside(%n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    %list = typed.list_new : !typed.list<si64>
    %f = typed.list_reserve %list, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %list : !typed.list<si64>
  }
  return
}

// Numbers of items that vary, and steps that aren't one.
// CHECK-LABEL: func.func @varying
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
func.func @varying(%list: !typed.list<si64>, %n: index, %x: si64, %count: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = typed.constant 1 : si64
  scf.for %i = %c0 to %n step %c1 {
    %f = typed.list_reserve %list, %count : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %list : !typed.list<si64>
  }
  scf.for %i = %c0 to %n step %c2 {
    %f = typed.list_reserve %list, %one : !typed.list<si64>
    typed.raise_if %f, "MemoryError"
    typed.list_push %x to %list : !typed.list<si64>
  }
  return
}
