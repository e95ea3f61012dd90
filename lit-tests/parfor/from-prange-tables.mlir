// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @shared(
// CHECK: scf.for
func.func @shared(%d: !typed.dict<si64, f64>, %n: index, %k: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations change the same dict or set}}
  scf.for %i = %c0 to %n step %c1 {
    typed.table_remove %d[%k] : !typed.dict<si64, f64>
  } {pyopt.prange}
  return
}

// Each iteration has its own.
// CHECK-LABEL: func.func @own(
// CHECK: parfor.loop
func.func @own(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d = typed.table_new : !typed.dict<si64, f64>
    typed.table_clear %d : !typed.dict<si64, f64>
  } {pyopt.prange}
  return
}

// Threads read: what has no slots gets them before. Entries need none.
// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[D:[a-z0-9]+]]: !typed.dict<si64, f64>, %[[SET:[a-z0-9]+]]: !typed.set<si64>
// CHECK: %[[MASK:.*]] = typed.table_get mask %[[D]]
// CHECK: %[[END:.*]] = typed.table_get end %[[D]]
// CHECK: %[[NONE:.*]] = typed.compare eq %[[MASK]]
// CHECK: %[[SOME:.*]] = typed.compare ne %[[END]]
// CHECK: %[[NEEDED:.*]] = arith.andi %[[NONE]], %[[SOME]]
// CHECK: scf.if %[[NEEDED]]
// CHECK: typed.call @make_slots(%[[D]])
// CHECK-NOT: table_get
// CHECK: parfor.loop
func.func @read(%d: !typed.dict<si64, f64>, %s: !typed.set<si64>, %n: index, %k: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %none = typed.call @make_slots(%d) {pyopt.role = #parfor<library_role slots>} : (!typed.dict<si64, f64>) -> !typed.none
    %value = typed.table_value %d[%k] : !typed.dict<si64, f64>
    %key = typed.table_key %s[%k] : !typed.set<si64>
  } {pyopt.prange}
  return
}
func.func private @make_slots(!typed.dict<si64, f64>) -> !typed.none

// One that something else holds can't be prepared.
// CHECK-LABEL: func.func @held(
// CHECK: scf.for
func.func @held(%rows: !typed.list<!typed.dict<si64, f64>>, %n: index, %k: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations look keys up in dicts or sets that something else holds}}
  scf.for %i = %c0 to %n step %c1 {
    %row = typed.list_get %rows[%k : si64] : !typed.list<!typed.dict<si64, f64>>
    %value = typed.table_value %row[%k] : !typed.dict<si64, f64>
  } {pyopt.prange}
  return
}
