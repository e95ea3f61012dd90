// A key is looked up once while its table stays as it is.
// RUN: %pyopt %s --typed-share-lookups | FileCheck %s

!table = !typed.dict<si64, si64>
!found = tuple<si64, ui64>

func.func private @lookup(%table: !table, %key: si64) -> !found
    attributes {pyopt.native = "lookup"}
func.func private @host() attributes {pyopt.object = "host"}

func.func private @changes(%table: !table, %key: si64) {
  typed.table_push %key, %key to %table : si64, si64 to !table
  return
}

func.func private @reads(%table: !table) -> si64 {
  %size = typed.table_get size %table : !table
  return %size : si64
}

// What a test has found is there in the branches, and behind one that only reads.
// CHECK-LABEL: func @branches
// CHECK-COUNT-1: @lookup
// CHECK-NOT: @lookup
// CHECK: return
func.func @branches(%table: !table, %key: si64, %c: i1) -> (!found, !found) {
  %first = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  %inner = scf.if %c -> (!found) {
    %again = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
    scf.yield %again : !found
  } else {
    %size = typed.call @reads(%table) : (!table) -> si64
    scf.yield %first : !found
  }
  %last = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return %inner, %last : !found, !found
}

// Another key, or another table, is another lookup.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: @lookup
// CHECK: return
func.func @others(%table: !table, %other: !table, %key: si64, %k: si64) {
  %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  %1 = typed.call @lookup(%table, %k) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  %2 = typed.call @lookup(%other, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// A callee that changes the table, or another argument, which may be the same one.
// CHECK-LABEL: func @changed
// CHECK-COUNT-3: @lookup
// CHECK: return
func.func @changed(%table: !table, %other: !table, %key: si64) {
  %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  typed.call @changes(%table, %key) : (!table, si64) -> ()
  %1 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  typed.table_push %key, %key to %other : si64, si64 to !table
  %2 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// A table that is made here is none of the arguments.
// CHECK-LABEL: func @fresh
// CHECK-COUNT-1: @lookup
// CHECK-NOT: @lookup
// CHECK: return
func.func @fresh(%table: !table, %key: si64) {
  %made = typed.table_new : !table
  %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  typed.table_push %key, %key to %made : si64, si64 to !table
  %1 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// A table that came out of a list may be the one that was put in.
// CHECK-LABEL: func @nested
// CHECK-COUNT-2: @lookup
// CHECK: return
func.func @nested(%tables: !typed.list<!table>, %at: index, %key: si64) {
  %made = typed.table_new : !table
  typed.list_push %made to %tables : !typed.list<!table>
  %0 = typed.call @lookup(%made, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  %one = typed.list_get %tables[%at : index] : !typed.list<!table>
  typed.table_push %key, %key to %one : si64, si64 to !table
  %1 = typed.call @lookup(%made, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// What a loop changes has changed when it begins again, and behind it; one that only reads keeps all.
// CHECK-LABEL: func @loops
// CHECK: @lookup
// CHECK: scf.for
// CHECK-NOT: @lookup
// CHECK: scf.for
// CHECK: @lookup
// CHECK: @changes
// CHECK: @lookup
// CHECK: return
func.func @loops(%table: !table, %key: si64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  scf.for %i = %c0 to %n step %c1 {
    %1 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
    %size = typed.call @reads(%table) : (!table) -> si64
  }
  scf.for %i = %c0 to %n step %c1 {
    %2 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
    typed.call @changes(%table, %key) : (!table, si64) -> ()
  }
  %3 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// A lookup in one branch isn't one behind it.
// CHECK-LABEL: func @one_branch
// CHECK-COUNT-2: @lookup
// CHECK: return
func.func @one_branch(%table: !table, %key: si64, %c: i1) {
  scf.if %c {
    %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  }
  %1 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// Nobody knows what the host does.
// CHECK-LABEL: func @by_the_host
// CHECK-COUNT-2: @lookup
// CHECK: return
func.func @by_the_host(%table: !table, %key: si64) {
  %0 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  typed.call @host() : () -> ()
  %1 = typed.call @lookup(%table, %key) {pyopt.role = #parfor<library_role lookup>} : (!table, si64) -> !found
  return
}

// A call without the mark is like any other.
// CHECK-LABEL: func @unmarked
// CHECK-COUNT-2: @lookup
// CHECK: return
func.func @unmarked(%table: !table, %key: si64) {
  %0 = typed.call @lookup(%table, %key) : (!table, si64) -> !found
  %1 = typed.call @lookup(%table, %key) : (!table, si64) -> !found
  return
}
